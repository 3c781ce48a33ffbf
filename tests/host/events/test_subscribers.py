"""Who listens gets every event, once, in order, and cannot harm the run."""

import threading
from pathlib import Path

import pytest

from host.events import EventLog, OperatorLog, StampedEvent, read_events
from tests.host.events.samples import line, log_at


@pytest.fixture
def log(tmp_path: Path) -> EventLog:
    return log_at(tmp_path / "events.ndjson")


def texts(events: list[StampedEvent]) -> list[str]:
    return [s.event.text for s in events if isinstance(s.event, OperatorLog)]


def test_a_subscription_begins_with_the_next_event_and_can_be_ended(log: EventLog) -> None:
    seen: list[StampedEvent] = []
    log.emit(line("before"), agent_id="root")
    end = log.subscribe(seen.append)
    log.emit(line("during"), agent_id="root")
    end()
    log.emit(line("after"), agent_id="root")
    log.close()

    assert [(s.seq, s.agent_id, s.run) for s in seen] == [(2, "root", "run-1")]


def test_one_that_raises_is_removed_and_reported_once(log: EventLog) -> None:
    calls: list[int] = []
    seen: list[StampedEvent] = []

    def fragile(stamped: StampedEvent) -> None:
        calls.append(stamped.seq)
        raise ValueError("no such row")

    log.subscribe(fragile)
    log.subscribe(seen.append)
    for text in ("one", "two"):
        log.emit(line(text), agent_id="root")
    log.close()

    name = fragile.__qualname__
    report = f"subscriber {name} raised ValueError('no such row') on event 1 and gets no more events"
    assert calls == [1]
    assert texts(seen) == ["one", report, "two"]
    assert seen[1].event == OperatorLog(level="error", text=report, source="host")
    assert list(read_events(log.path)) == seen


def test_one_may_emit_and_everyone_sees_the_events_in_order(log: EventLog) -> None:
    first: list[StampedEvent] = []
    second: list[StampedEvent] = []

    def answer(stamped: StampedEvent) -> None:
        first.append(stamped)
        if texts([stamped]) == ["question"]:
            log.emit(line("answer"), agent_id="root")

    log.subscribe(answer)
    log.subscribe(second.append)
    log.emit(line("question"), agent_id="root")
    log.emit(line("more"), agent_id="root")
    log.close()

    assert texts(first) == texts(second) == ["question", "answer", "more"]
    assert [s.seq for s in second] == [1, 2, 3]


def test_one_that_blocks_holds_up_neither_other_emitters_nor_the_file(log: EventLog) -> None:
    seen: list[StampedEvent] = []
    entered, release = threading.Event(), threading.Event()

    def slow(stamped: StampedEvent) -> None:
        entered.set()
        release.wait()
        seen.append(stamped)

    log.subscribe(slow)
    blocked = threading.Thread(target=lambda: log.emit(line("one"), agent_id="root"))
    blocked.start()
    entered.wait()
    log.emit(line("two"), agent_id="root")
    log.flush()

    assert [s.seq for s in read_events(log.path)] == [1, 2]
    assert seen == []
    release.set()
    log.close()
    assert [s.seq for s in seen] == [1, 2]
    blocked.join()


def test_a_log_may_be_closed_by_one_who_listens(log: EventLog) -> None:
    log.subscribe(lambda stamped: log.close())
    log.emit(line("last"), agent_id="root")

    assert [s.seq for s in read_events(log.path)] == [1]
