"""A record at a glance: its beginning and its end, and nothing of what is between."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from host.events import (
    Event,
    Glance,
    RecordTooNew,
    RecordUnreadable,
    RunEnd,
    SessionRecord,
    Usage,
    glance_at,
    is_record,
)
from tests.host.events.runs import STARTED, SUMMARY, first_turn, second_turn, whole_run
from tests.host.events.samples import NO_SECRETS, START, StillClock, call, line

USAGE = Usage(turn=2, input_tokens=20, output_tokens=4, total_input_tokens=30, total_output_tokens=7)
ENDED = Glance(
    run="run-1",
    created_at=START,
    name="study",
    task="Count.",
    writer=None,
    torn=False,
    end=RunEnd(
        status="completed",
        agents=1,
        turns=2,
        input_tokens=30,
        output_tokens=7,
        last_at=START + timedelta(seconds=3),
        duration_s=1.5,
    ),
)


def begun(out: Path, *events: Event) -> SessionRecord:
    """A record that goes on; its last event comes three seconds after its beginning."""
    clock = StillClock()
    record = SessionRecord.create(
        out, run_id="run-1", config={}, gg_version="0.1.0", clock=clock, masker=NO_SECRETS
    )
    for event in events[:-1]:
        record.log.emit(event, agent_id="root")
    clock.move(3)
    for event in events[-1:]:
        record.log.emit(event, agent_id="root")
    record.log.flush()
    return record


def cut(out: Path, *events: Event) -> Path:
    begun(out, *events).close()
    return out


def end(**figures: object) -> RunEnd:
    return replace(RunEnd(last_at=START + timedelta(seconds=3), duration_s=3.0), **figures)  # type: ignore[arg-type]


def test_a_run_that_has_ended(tmp_path: Path) -> None:
    assert glance_at(cut(tmp_path / "r", *whole_run())) == ENDED


CUT = [
    ((), RunEnd()),
    ((STARTED, line("x")), end(turns=0, input_tokens=0, output_tokens=0)),
    ((STARTED, *first_turn()), end(turns=1, input_tokens=10, output_tokens=3)),
    ((STARTED, *first_turn(), *second_turn()), end(turns=2, input_tokens=10, output_tokens=3)),
    ((STARTED, *first_turn(), *second_turn(), USAGE), end(turns=2, input_tokens=30, output_tokens=7)),
    # what does not stand near the end is not looked for
    ((STARTED, *first_turn(), line("x" * 600_000), line("y")), end()),
    (
        (STARTED, *first_turn(), *second_turn()[:2], line("x" * 600_000), USAGE),
        end(turns=2, input_tokens=30, output_tokens=7),
    ),
]


@pytest.mark.parametrize(("events", "expected"), CUT)
def test_a_run_that_was_cut_off(events: tuple[Event, ...], expected: RunEnd, tmp_path: Path) -> None:
    seen = glance_at(cut(tmp_path / "r", *events))

    assert (seen.end, seen.torn, seen.writer) == (expected, False, None)


def test_of_several_agents_that_were_cut_off_it_is_the_turn_of_the_last_one(tmp_path: Path) -> None:
    record = begun(tmp_path / "r", STARTED, *first_turn(), *second_turn())
    record.log.emit(call(7), agent_id="other")
    record.close()

    assert (glance_at(tmp_path / "r").end.turns, glance_at(tmp_path / "r").end.agents) == (7, None)


def test_how_many_agents_there_were_is_known_at_the_end(tmp_path: Path) -> None:
    summary = SUMMARY.model_copy(update={"agents": 3})

    assert glance_at(cut(tmp_path / "r", STARTED, summary)).end.agents == 3


def test_a_torn_line_is_left_out(tmp_path: Path) -> None:
    path = cut(tmp_path / "r", STARTED, *first_turn(), SUMMARY) / "events.ndjson"
    path.write_bytes(path.read_bytes()[:-2])

    seen = glance_at(tmp_path / "r")

    assert (seen.torn, seen.end.status, seen.end.turns) == (True, None, 1)


def test_a_run_that_goes_on(tmp_path: Path) -> None:
    with begun(tmp_path / "r", STARTED, *first_turn()):
        seen = glance_at(tmp_path / "r")

    assert seen.writer is not None
    assert (seen.end.status, seen.end.turns) == (None, 1)


def test_the_middle_of_a_long_log_is_not_read(tmp_path: Path) -> None:
    path = cut(tmp_path / "r", *whole_run()) / "events.ndjson"
    first, *_, last = path.read_bytes().splitlines(keepends=True)
    with path.open("wb") as log:
        log.write(first)
        log.truncate(2**40)  # no disk holds as much, and nobody reads it in a moment
        log.seek(2**40)
        log.write(b"\n" + last)

    assert glance_at(tmp_path / "r") == ENDED


def test_a_last_line_is_read_however_long_it_is(tmp_path: Path) -> None:
    long = SUMMARY.model_copy(update={"error": "x" * 1_000_000})

    assert glance_at(cut(tmp_path / "r", STARTED, line("y" * 100_000), long)).end == ENDED.end


HEADERS = [
    ("{}", "formatVersion is None, not a whole number from 1"),
    ('{"formatVersion": 1, "config": {}}', "it names no id, or no time"),
    ('{"formatVersion": 1, "config": {}, "id": "x", "createdAt": 5}', "it names no id, or no time"),
    (
        '{"formatVersion": 1, "config": {}, "id": "x", "createdAt": "now"}',
        "createdAt: at is 'now', not an RFC 3339 time",
    ),
]


@pytest.mark.parametrize(("header", "told"), HEADERS)
def test_a_header_that_says_nothing_is_refused(header: str, told: str, tmp_path: Path) -> None:
    file = cut(tmp_path / "r", *whole_run()) / "run.json"
    file.write_text(header)

    with pytest.raises(RecordUnreadable) as exc_info:
        glance_at(tmp_path / "r")
    assert str(exc_info.value) == f"{file}: {told}"


def test_damage_near_the_end_is_refused(tmp_path: Path) -> None:
    path = cut(tmp_path / "r", STARTED, *first_turn()) / "events.ndjson"
    path.write_bytes(path.read_bytes() + b"damage\n")

    with pytest.raises(RecordUnreadable) as exc_info:
        glance_at(tmp_path / "r")
    assert str(exc_info.value) == f"{path}: not JSON: Expecting value, character 1"


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    file = cut(tmp_path / "r", *whole_run()) / "run.json"
    file.write_text('{"formatVersion": 2}')

    with pytest.raises(RecordTooNew):
        glance_at(tmp_path / "r")


def test_what_is_a_record(tmp_path: Path) -> None:
    record = cut(tmp_path / "r", *whole_run())
    (tmp_path / "link").symlink_to(record)
    (tmp_path / "folder").mkdir()

    assert [is_record(tmp_path / name) for name in ("r", "link", "folder", "absent")] == [True] + [False] * 3
    (record / "run.json").unlink()
    assert not is_record(record)
