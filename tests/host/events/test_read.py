"""Reading a log back: a torn last line is dropped, damage is refused with its line."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from host.events import (
    AgentSpawned,
    Event,
    MemoryRead,
    OperatorLog,
    RecordUnreadable,
    StampedEvent,
    read,
    read_events,
)
from tests.host.events.samples import line, log_at
from tests.host.events.strategies import any_event


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.ndjson"


def write(path: Path, *texts: str) -> list[StampedEvent]:
    return write_events(path, [line(text) for text in texts])


def write_events(path: Path, events: list[Event]) -> list[StampedEvent]:
    path.unlink(missing_ok=True)
    log = log_at(path)
    for event in events:
        log.emit(event, agent_id="root")
    log.close()
    return list(read_events(path))


def test_an_empty_log_holds_no_events(path: Path) -> None:
    path.touch()
    reader = read_events(path)

    assert (list(reader), reader.torn) == ([], False)


def test_a_torn_last_line_is_dropped_and_reported(path: Path) -> None:
    events = write(path, "one", "two", "three")
    path.write_bytes(path.read_bytes()[:-10])
    reader = read_events(path)

    assert (list(reader), reader.torn) == (events[:2], True)


def test_a_last_line_that_misses_only_its_line_feed_is_whole(path: Path) -> None:
    events = write(path, "one", "two")
    path.write_bytes(path.read_bytes()[:-1])
    reader = read_events(path)

    assert (list(reader), reader.torn) == (events, False)


def test_zeros_that_a_crash_left_at_the_end_are_a_torn_line(path: Path) -> None:
    events = write(path, "one")
    path.write_bytes(path.read_bytes() + b"\0" * 100)
    reader = read_events(path)

    assert (list(reader), reader.torn) == (events, True)


def test_whether_a_log_is_torn_is_seen_at_its_end(path: Path) -> None:
    write(path, "x" * 200_000)
    whole = path.read_bytes()
    path.write_bytes(whole * 3 + whole[:150_000])  # more than one block of the search for the last line

    assert read_events(path).torn


@given(st.lists(any_event(), max_size=6), st.integers(0, 2000), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_a_log_is_read_from_its_end(path: Path, events: list[Event], most: int, is_torn: bool) -> None:
    written = write_events(path, events)
    sizes = [len(line) for line in path.read_bytes().splitlines(keepends=True)]
    if is_torn:
        path.write_bytes(path.read_bytes() + b'{"seq"')

    read = list(read_events(path).from_end(most_bytes=most))

    assert read == written[::-1][: len(read)]
    if not is_torn and written:
        assert len(read) >= max(n for n in range(1, len(sizes) + 1) if n == 1 or sum(sizes[-n:]) <= most)


def test_of_a_long_log_the_end_alone_is_read(path: Path) -> None:
    write(path, *(str(number) for number in range(5000)))

    read = [stamped.seq for stamped in read_events(path).from_end(most_bytes=1000)]

    assert read == list(range(5000, 5000 - len(read), -1))
    assert 5 < len(read) < 1000


def test_an_empty_log_has_no_end(path: Path) -> None:
    path.touch()

    assert list(read_events(path).from_end(most_bytes=1000)) == []


@given(st.lists(any_event(), min_size=1, max_size=6), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_a_log_cut_at_any_byte_yields_its_first_events(
    path: Path, events: list[Event], data: st.DataObject
) -> None:
    written = write_events(path, events)
    content = path.read_bytes()
    cut = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:cut])
    reader = read_events(path)
    read = list(reader)

    whole = content[:cut].count(b"\n")
    kept_without_line_feed = content[cut : cut + 1] == b"\n"
    assert read == written[: whole + kept_without_line_feed]
    assert reader.torn == (not kept_without_line_feed and cut > 0 and content[cut - 1 : cut] != b"\n")


def damaged(path: Path, at: int, old: str, new: str) -> str:
    """The refusal of a log of three events whose line `at` was changed."""
    write(path, "one", "two", "three")
    lines = path.read_text().splitlines(keepends=True)
    assert old in lines[at - 1]
    lines[at - 1] = lines[at - 1].replace(old, new)
    path.write_text("".join(lines))
    with pytest.raises(RecordUnreadable) as exc_info:
        list(read_events(path))
    assert exc_info.value.line == at
    return str(exc_info.value).removeprefix(f"{path}, line {at}: ")


DAMAGE = [
    (2, '"seq":2', '"seq":3', "seq is 3, not 2"),
    (1, '"seq":1', '"seq":0', "seq is 0, not 1"),
    (3, '"run":"run-1"', '"run":"run-2"', "run is 'run-2', not 'run-1'"),
    (2, '"level"', '"lvel"', "operator_log.level: Field required"),
    (3, "operator_log", "operator_lag", "event type 'operator_lag' is not known to this gg"),
    (2, '{"seq":2', "", "not JSON: Expecting value, character 1"),
    (3, "}", "", "not JSON: Expecting ',' delimiter, character 158"),
]


@pytest.mark.parametrize(("at", "old", "new", "message"), DAMAGE)
def test_damage_in_a_whole_line_is_refused_with_its_number(
    path: Path, at: int, old: str, new: str, message: str
) -> None:
    assert damaged(path, at, old, new) == message


def test_an_empty_line_is_damage(path: Path) -> None:
    write(path, "one")
    path.write_text(path.read_text() + "\n")

    with pytest.raises(RecordUnreadable) as exc_info:
        list(read_events(path))
    assert str(exc_info.value) == f"{path}, line 2: not JSON: Expecting value, character 2"


def test_whole_json_without_a_line_feed_that_is_no_event_is_damage_and_not_torn(path: Path) -> None:
    write(path, "one")
    path.write_text(path.read_text() + '{"seq":2}')
    reader = read_events(path)

    assert not reader.torn
    with pytest.raises(RecordUnreadable) as exc_info:
        list(reader)
    assert str(exc_info.value) == f"{path}, line 2: no event: at, run, agentId, type missing"


def test_events_come_before_the_damage_is_met(path: Path) -> None:
    events = write(path, "one", "two")
    path.write_text(path.read_text() + "damage\n")
    reader = iter(read_events(path))

    assert [next(reader), next(reader)] == events
    with pytest.raises(RecordUnreadable):
        next(reader)


def test_what_is_no_event_log_is_refused_at_once(path: Path) -> None:
    path.write_bytes(b"\x7fELF")
    with pytest.raises(RecordUnreadable) as exc_info:
        read_events(path)
    assert str(exc_info.value) == f"{path}, line 1: not an event log: its first line is no JSON object"


def test_what_is_no_file_is_refused_at_once_and_not_waited_for(path: Path) -> None:
    os.mkfifo(path)
    refusals = []
    for place in (path, path.parent, path / "below", path.with_name("absent")):
        with pytest.raises(RecordUnreadable) as exc_info:
            read_events(place)
        refusals.append(str(exc_info.value).removeprefix(f"{place}: "))

    assert refusals == [
        "not a regular file",
        "Is a directory",
        "Not a directory",
        "No such file or directory",
    ]


def test_a_line_longer_than_any_event_is_refused_and_not_held(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = write(path, "one")
    monkeypatch.setattr(read, "MAX_LINE_BYTES", 2**17)
    os.truncate(path, 2**20)  # holes, which take no place on the disk
    refusals = []
    for look in (
        lambda: list(read_events(path)),
        lambda: read_events(path).torn,
        lambda: list(read_events(path).from_end(most_bytes=10)),
    ):
        with pytest.raises(RecordUnreadable) as exc_info:
            look()
        refusals.append(str(exc_info.value).removeprefix(str(path)))

    assert len(events) == 1
    assert refusals == [", line 2: a line of over 128 KiB", *[": a line of over 128 KiB"] * 2]


def test_a_log_that_is_being_written_is_read_as_far_as_it_goes(path: Path) -> None:
    log = log_at(path)
    log.emit(line("one"), agent_id="root")
    log.flush()
    reader = read_events(path)
    before = [s.seq for s in reader]
    log.emit(line("two"), agent_id="root")
    log.close()

    assert (before, [s.seq for s in reader]) == ([1], [1, 2])


def test_events_of_some_types_are_read_without_the_others(path: Path) -> None:
    events: list[Event] = [line("one"), AgentSpawned(profile="a"), line('"type":"agent_spawned"'), line("x")]
    write_events(path, events)
    reader = read_events(path)

    assert [each.seq for each in reader.of_types([AgentSpawned])] == [2]
    assert [each.seq for each in reader.of_types([AgentSpawned, OperatorLog])] == [1, 2, 3, 4]
    assert list(reader.of_types([MemoryRead])) == []


def test_a_line_that_is_not_looked_into_may_be_damaged(path: Path) -> None:
    write_events(path, [AgentSpawned(profile="a"), line("x"), AgentSpawned(profile="b")])
    first, _, last = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + b"damage\n" + last)
    assert [each.seq for each in read_events(path).of_types([AgentSpawned])] == [1, 3]

    path.write_bytes(first + b'{"type":"agent_spawned"}\n' + last)
    with pytest.raises(RecordUnreadable, match=r"line 2: no event: seq, at, run, agentId missing$"):
        list(read_events(path).of_types([AgentSpawned]))
    path.write_bytes(first + last[:-20])
    assert [each.seq for each in read_events(path).of_types([AgentSpawned])] == [1]
