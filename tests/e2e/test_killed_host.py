"""kill -9 of the host at any moment: the record loads with every turn that had ended, no process is left, and
temporary folders do not pile up.

The moments are drawn from `--fuzz-seed`; a test's name says the seed and the number that it was drawn by.
"""

import json
from pathlib import Path
from typing import Final

import pytest

from host.events import RecordReader, RunView, TurnView
from tests.helpers.hosts import Host, Moment, Pace, measure, parametrize_moments
from tests.helpers.runs import SCRATCHPAD

TURNS: Final = 20
MOMENTS: Final = 200
QUICK_MOMENTS: Final = 4  # without --run-slow
PROGRAM: Final = """\
import { memories, views } from "gg";
memories.writeMemory({ name: "note-{n}", description: "number {n}", body: "body {n}" });
views.openText("turn {n}", "seen {n}");"""
LAST_PROGRAM: Final = 'import { session } from "gg";\nsession.finish("all done");'
# A compiler of each kind in each of two places, and one that is being replaced.
FOLDERS_OF_A_HOST: Final = 6


def program(n: int) -> str:
    return LAST_PROGRAM if n == TURNS else PROGRAM.replace("{n}", str(n))


@pytest.fixture(scope="module")
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("killed")
    document = {
        "task": "Count.",
        "root": "root",
        "limits": {"maxTurns": TURNS},
        "model": {"provider": "scripted", "replies": [program(n) for n in range(1, TURNS + 1)]},
        "agents": [{"id": "root", "capabilities": [{"id": "memories", **SCRATCHPAD}]}],
    }
    (folder / "run.json").write_text(json.dumps(document))
    return folder


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One place for the temporary files of all the hosts, one after the other."""
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="module")
def pace(configuration: Path, scratch: Path, tmp_path_factory: pytest.TempPathFactory) -> Pace:
    record = tmp_path_factory.mktemp("undisturbed") / "record"
    pace = measure(configuration, record, scratch=scratch, turns=TURNS)
    assert len(RecordReader(record).view().turns) == TURNS
    assert list(scratch.iterdir()) == []
    return pace


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    parametrize_moments(metafunc, of="", turns=TURNS, count=MOMENTS, quick=QUICK_MOMENTS)


@pytest.mark.slow
def test_a_host_killed_at_a_random_moment(
    moment: Moment, configuration: Path, scratch: Path, pace: Pace, tmp_path: Path
) -> None:
    record = tmp_path / "record"
    with Host(configuration, record, scratch=scratch) as host:
        host.watch_until(moment, pace)
        host.kill()

    assert host.orphans() == []
    assert_few_folders(scratch)
    if not (record / "events.ndjson").exists():
        assert host.turns_begun == 0  # killed before the run began
        return
    reader = RecordReader(record)
    assert reader.writer is None
    view = reader.view()
    assert_whole(reader, view, ended=host.turns_begun - 1)
    if "\nrecord  " in host.shown:
        assert view.summary is not None
        assert view.summary.status == "completed"


def assert_whole(reader: RecordReader, view: RunView, *, ended: int) -> None:
    """`ended` turns at least are in the record with all that is theirs, and one more at most in part."""
    whole = [turn for turn in view.turns if turn.outcome is not None]
    assert [turn.turn for turn in whole] == list(range(1, len(whole) + 1))
    assert len(whole) >= ended
    assert len(view.turns) - len(whole) <= 1
    for turn in whole:
        assert_turn(reader, turn)
    bodies = {name: held.body for store in view.stores.values() for name, held in store.memories.items()}
    written = {f"note-{n}": f"body {n}" for n in range(1, min(len(whole), TURNS - 1) + 1)}
    assert bodies.items() >= written.items()
    assert len(bodies) <= len(written) + 1
    assert view.mismatches == ()


def assert_turn(reader: RecordReader, turn: TurnView) -> None:
    text = program(turn.turn)
    assert turn.reply is not None
    assert turn.reply.text == text
    (execution,) = turn.executions
    assert (execution.ok, execution.outcome) == (True, "ended")
    assert execution.source_path is not None
    assert reader.program(execution.source_path) == text
    assert turn.outcome is not None
    assert turn.outcome.outcome == ("finished" if turn.turn == TURNS else "progressed")


def assert_few_folders(scratch: Path) -> None:
    """What a killed host leaves is empty, and its successor removes it before it makes its own."""
    folders = list(scratch.iterdir())
    assert [entry for folder in folders for entry in folder.iterdir()] == []
    assert len({folder.name.split("-")[1] for folder in folders}) <= 1
    assert len(folders) <= FOLDERS_OF_A_HOST
