"""Disks that fill up or refuse in the middle of a run, and clocks that go backwards: a clear error, nothing
of a finished turn lost, nothing half-written.
"""

import json
import resource
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from host.app import Session
from host.events import RecordReader, StampedEvent, TurnOutcome
from host.launch import ScriptedModel, validate
from runtime_js import Compiler
from tests.helpers.hosts import Host
from tests.helpers.runs import FINISH
from tests.host.cli.processes import gg
from tests.host.events.test_append_file import small_disk

__all__ = ["small_disk"]

TURNS: Final = 200
PROGRAM: Final = 'import { views } from "gg";\nviews.openText("turn {n}", "{n} ".repeat(200));'


@pytest.fixture
def configuration(tmp_path: Path) -> Path:
    folder = tmp_path / "config"
    folder.mkdir()
    document = {
        "task": "Count.",
        "root": "root",
        "limits": {"maxTurns": TURNS},
        "model": {
            "provider": "scripted",
            "replies": [PROGRAM.replace("{n}", str(n + 1)) for n in range(TURNS)],
        },
        "agents": [{"id": "root"}],
    }
    (folder / "run.json").write_text(json.dumps(document))
    return folder


@pytest.mark.slow
def test_a_disk_that_fills_up(small_disk: Path, configuration: Path, tmp_path: Path) -> None:
    record = small_disk / "record"
    with Host(configuration, record, scratch=tmp_path) as host:
        code = host.wait()

    assert code == 1
    assert "record_unwritable: " in host.shown
    assert ": No space left on device\n" in host.shown
    assert_whole(record, ended=host.turns_begun - 1)
    assert gg("show", record, cwd=tmp_path).returncode == 0


@pytest.mark.slow
def test_a_disk_that_refuses_from_one_moment_on(configuration: Path, tmp_path: Path) -> None:
    most_bytes = 12_000  # of a file, which the events have in the third turn
    record = tmp_path / "record"
    with Host(configuration, record, scratch=tmp_path) as host:
        host.watch(until_turn=3)
        resource.prlimit(host.pid, resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
        code = host.wait()

    assert code == 1
    assert f"internal_error: record_unwritable: {record}/events.ndjson: File too large\n" in host.shown
    assert_whole(record, ended=host.turns_begun - 1)


def assert_whole(record: Path, *, ended: int) -> None:
    """At least `ended` turns are in the record, no line is torn, and each program that is there is whole."""
    reader = RecordReader(record)
    view = reader.view()
    assert (view.torn, view.mismatches) == (False, ())
    assert view.summary is None or view.summary.status == "internal_error"
    assert [turn.turn for turn in view.turns if turn.outcome][:ended] == list(range(1, ended + 1))
    assert ended > 0
    kept = sorted((record / "programs" / "root").iterdir())
    assert kept != []
    for path in kept:
        number = int(path.name.split(".")[0])
        assert path.read_text() == PROGRAM.replace("{n}", str(number)), path


class BackwardsClock:
    """A wall clock that is set back by an hour at each look; durations are right."""

    def __init__(self) -> None:
        self._looks = 0

    def now(self) -> datetime:
        self._looks += 1
        return datetime(2026, 11, 30, tzinfo=UTC) - timedelta(hours=self._looks)

    def monotonic(self) -> float:
        return float(self._looks)


@pytest.mark.slow
def test_a_clock_that_goes_backwards(tmp_path: Path, compiler: Compiler) -> None:
    replies = [PROGRAM.replace("{n}", "1"), FINISH]
    document = {
        "task": "Count.",
        "root": "root",
        "limits": {"maxTurns": 5},
        "agents": [{"id": "root", "model": ScriptedModel(replies=replies)}],
    }
    session = Session.create(
        validate(document, base=tmp_path), out=tmp_path / "record", compiler=compiler, clock=BackwardsClock()
    )

    assert session.run().status == "completed"
    reader = RecordReader(tmp_path / "record")
    events = list(reader.events())
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert goes_down(events)
    assert [stamped.event.turn for stamped in events if isinstance(stamped.event, TurnOutcome)] == [1, 2]
    assert [turn.turn for turn in reader.view().turns] == [1, 2]
    for shown in (gg("show", tmp_path / "record", cwd=tmp_path), gg("runs", tmp_path, cwd=tmp_path)):
        assert (shown.returncode, "completed" in shown.stdout) == (0, True), shown.stdout + shown.stderr


def goes_down(events: Sequence[StampedEvent]) -> bool:
    return all(later.at < earlier.at for earlier, later in pairwise(events))
