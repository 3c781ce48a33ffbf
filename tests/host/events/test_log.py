"""The log: live, gapless, in order, whatever happens to the process."""

import json
import os
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from host.events import (
    Event,
    EventLog,
    Original,
    RecordUnwritable,
    StampedEvent,
    read_events,
    sha256_of,
)
from host.events.encoding import mask_event
from host.events.log import MAX_BUFFERED_CHARS
from tests.host.events import children
from tests.host.events.samples import SECRETS, START, StillClock, line, log_at
from tests.host.events.strategies import any_event


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.ndjson"


@pytest.fixture
def log(path: Path) -> Iterator[EventLog]:
    log = log_at(path)
    yield log
    log.close()


def seqs(path: Path) -> list[int]:
    return [stamped.seq for stamped in read_events(path)]


def test_an_event_stands_on_a_line_of_its_own(log: EventLog, path: Path) -> None:
    log.emit(line("one\ntwo"), agent_id="root")
    log.emit(line("three"), agent_id="root-2")
    log.flush()

    assert path.read_text() == (
        '{"seq":1,"at":"2026-11-30T15:24:05.000123Z","run":"run-1","agentId":"root","type":"operator_log",'
        '"level":"log","text":"one\\ntwo","turn":null,"source":"program"}\n'
        '{"seq":2,"at":"2026-11-30T15:24:05.000123Z","run":"run-1","agentId":"root-2","type":"operator_log",'
        '"level":"log","text":"three","turn":null,"source":"program"}\n'
    )


def test_the_file_is_for_its_owner_alone_and_must_be_new(log: EventLog, path: Path) -> None:
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(RecordUnwritable) as exc_info:
        log_at(path)
    assert str(exc_info.value) == f"record_unwritable: {path}: File exists"


def test_what_is_emitted_reaches_the_file_without_being_asked(log: EventLog, path: Path) -> None:
    log.emit(line("soon"), agent_id="root")

    while not path.stat().st_size:
        os.sched_yield()
    assert seqs(path) == [1]


def test_an_emit_waits_for_the_disk_rather_than_hold_more_than_a_bounded_buffer(
    log: EventLog, path: Path
) -> None:
    log.emit(line("x" * MAX_BUFFERED_CHARS), agent_id="root")

    assert seqs(path) == [1]


def test_close_writes_what_is_left_and_leaves_no_thread(path: Path) -> None:
    before = threading.active_count()
    log = log_at(path)
    log.emit(line("last"), agent_id="root")
    log.close()
    log.close()
    log.flush()

    assert seqs(path) == [1]
    assert threading.active_count() == before
    with pytest.raises(RuntimeError) as exc_info:
        log.emit(line("late"), agent_id="root")
    assert str(exc_info.value) == f"the event log {path} is closed, and operator_log came after it"


@given(st.lists(any_event(), max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
def test_any_events_come_back_masked_and_in_order(tmp_path: Path, events: list[Event]) -> None:
    path = tmp_path / "events.ndjson"
    path.unlink(missing_ok=True)
    log = log_at(path, masker=SECRETS)
    seen: list[StampedEvent] = []
    log.subscribe(seen.append)
    for event in events:
        log.emit(event, agent_id="root")
    log.close()

    assert [(s.event, s.originals) for s in seen] == [mask_event(event, SECRETS.mask) for event in events]
    assert list(read_events(path)) == seen
    assert [s.seq for s in seen] == list(range(1, len(events) + 1))


def test_a_masked_event_is_passed_on_masked(path: Path) -> None:
    seen: list[StampedEvent] = []
    log = log_at(path, masker=SECRETS)
    log.subscribe(seen.append)
    log.emit(line("pass sesame-open"), agent_id="root")
    log.close()

    assert [s.event for s in seen] == [line("pass [masked:OTHER_TOKEN]")]
    assert seen[0].masked
    assert seen[0].originals == (Original("text", 16, sha256_of("pass sesame-open")),)
    assert list(read_events(path)) == seen


def test_threads_lose_nothing_and_leave_no_gap(log: EventLog, path: Path) -> None:
    seen: list[StampedEvent] = []
    log.subscribe(seen.append)

    def emit(agent: str) -> None:
        for n in range(500):
            log.emit(line(str(n)), agent_id=agent)

    threads = [threading.Thread(target=emit, args=(f"agent-{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.close()

    events = list(read_events(path))
    assert [stamped.seq for stamped in events] == list(range(1, 2001))
    assert seen == events
    for n in range(4):
        own = [s.event for s in events if s.agent_id == f"agent-{n}"]
        assert own == [line(str(m)) for m in range(500)]


def test_a_clock_that_goes_backwards_changes_the_times_and_not_the_order(path: Path) -> None:
    clock = StillClock()
    log = log_at(path, clock=clock)
    for seconds in (0, 5, -3600, 1):
        clock.move(seconds)
        log.emit(line("tick"), agent_id="root")
    log.close()

    offsets = [(s.seq, s.at - START) for s in read_events(path)]
    assert offsets == [(n, timedelta(seconds=at)) for n, at in ((1, 0), (2, 5), (3, -3595), (4, -3594))]


def test_a_run_whose_name_needs_escapes_is_read_back(path: Path) -> None:
    log = EventLog(path, run_id='a"b\ud800', clock=StillClock(), masker=SECRETS)
    log.emit(line("x"), agent_id='"\\\n')
    log.close()

    assert [(s.run, s.agent_id) for s in read_events(path)] == [('a"b\ud800', '"\\\n')]


@pytest.mark.parametrize("moment", range(6))
def test_a_kill_loses_only_what_was_not_flushed(path: Path, moment: int) -> None:
    with children.start("emit_until_killed", path) as child:
        assert child.stdout is not None
        for _ in range(moment * 7 + 1):
            flushed = int(child.stdout.readline())
        child.kill()
        flushed = max([flushed, *(int(said) for said in child.stdout.read().split("\n")[:-1])])

    events = list(read_events(path))
    assert [s.seq for s in events] == list(range(1, len(events) + 1))
    assert sum(s.agent_id == "root" for s in events) >= flushed


def test_a_fork_of_the_process_cannot_write_and_is_told_so(path: Path) -> None:
    with children.start("flush_after_fork", path) as child:
        said = child.communicate()[0]

    assert said == f"record_unwritable: {path}: the thread that writes it is gone, as after a fork\n"
    assert path.read_bytes() == b""


def test_an_interrupt_lands_before_or_after_a_line(path: Path) -> None:
    with children.start("emit_while_interrupted", path, 200) as child:
        assert child.stdout is not None
        assert int(child.stdout.read()) == 200

    reader = read_events(path)
    assert seqs(path) == list(range(1, len(list(reader)) + 1))
    assert not reader.torn
    assert json.loads(path.read_bytes().splitlines()[-1])["seq"] == len(list(reader))
