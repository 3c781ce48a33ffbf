"""A record by what a person types."""

from pathlib import Path

import pytest

from host.app import LAST, NotThere, find_record, run_ids
from tests.host.app.runs.records import begun, ended
from tests.host.events.runs import STARTED

RUNS = Path(".gg/runs")


@pytest.fixture(autouse=True)
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three records, of which the newest is not the last by its name."""
    monkeypatch.chdir(tmp_path)
    RUNS.mkdir(parents=True)
    for name, day in (("20261129-aa", 1), ("20261130-bb", 3), ("20261130-cc", 2)):
        ended(RUNS / name, day=day)
    (RUNS / "20261130-notes").mkdir()
    ended(Path("mine"))
    Path("20261129").mkdir()
    Path("empty.ndjson").touch()


FOUND = [
    ("20261129-aa", ".gg/runs/20261129-aa"),
    ("20261129-", ".gg/runs/20261129-aa"),
    ("20261130-c", ".gg/runs/20261130-cc"),
    ("last", ".gg/runs/20261130-bb"),
    ("mine", "mine"),
    ("./mine", "mine"),
    ("mine/events.ndjson", "mine/events.ndjson"),
    (".gg/runs/20261130-cc/", ".gg/runs/20261130-cc"),
]


@pytest.mark.parametrize(("name", "path"), FOUND)
def test_a_record_is_found(name: str, path: str) -> None:
    assert find_record(name) == Path(path)


def test_an_id_is_meant_though_others_begin_with_it() -> None:
    ended(RUNS / "20261130-bb2")

    assert find_record("20261130-bb") == RUNS / "20261130-bb"


def test_a_path_is_meant_before_an_id() -> None:
    ended(Path("20261130-cc"))
    ended(Path("last"))

    assert find_record("20261130-cc") == Path("20261130-cc")
    assert find_record("last") == Path("last")


def test_the_last_may_be_one_that_is_being_written() -> None:
    with begun(RUNS / "1", STARTED, day=9):
        assert find_record(LAST) == RUNS / "1"


REMEDY = "gg runs lists the records under .gg/runs"
NOT_THERE = [
    ("20261129", f"`20261129` is no session record: it holds no events.ndjson; {REMEDY}"),
    ("20261130", "`20261130` begins 2 ids: 20261130-cc, 20261130-bb; write more of it"),
    ("20261130-dd", "there is no record `20261130-dd`; did you mean 20261130-cc?"),
    ("xyz", f"there is no record `xyz`; {REMEDY}"),
    ("notes/1", f"`notes/1` does not exist; {REMEDY}"),
    ("mine/1", f"`mine/1` does not exist; {REMEDY}"),
    ("mine/run.json/1", f"`mine/run.json/1` does not exist; {REMEDY}"),
    ("", f"no record has an empty name; {REMEDY}"),
    (
        "mine/lock",
        "`mine/lock` is no session record: it is a file, and not one of events; name the directory of one",
    ),
    (
        "empty.ndjson",
        "`empty.ndjson` is no session record: it is a file, and not one of events; name the directory of one",
    ),
    ("x" * 300, f"`{'x' * 120}…` cannot be read: file name too long"),
    ("a\nb\x1b[1m\udcff", "there is no record `a\\u000ab\\u001b[1m\\udcff`; " + REMEDY),
]


@pytest.mark.parametrize(("name", "told"), NOT_THERE)
def test_what_leads_to_no_record_is_told(name: str, told: str) -> None:
    with pytest.raises(NotThere) as exc_info:
        find_record(name)
    assert str(exc_info.value) == told


def test_many_that_are_meant_are_named_in_part() -> None:
    for number in range(5):
        ended(RUNS / f"7-{number}")

    with pytest.raises(NotThere) as exc_info:
        find_record("7")
    assert str(exc_info.value) == "`7` begins 5 ids: 7-4, 7-3, 7-2, …; write more of it"


def test_where_nothing_was_recorded_there_is_no_last(tmp_path: Path) -> None:
    with pytest.raises(NotThere) as exc_info:
        find_record(LAST, runs=tmp_path / "absent")
    assert (
        str(exc_info.value) == f"there is no record under {tmp_path / 'absent'} yet; gg run CONFIG makes one"
    )
    assert run_ids(tmp_path / "absent") == []


def test_ids_are_those_of_records_the_latest_first() -> None:
    assert run_ids() == ["20261130-cc", "20261130-bb", "20261129-aa"]
