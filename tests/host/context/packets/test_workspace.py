"""A workspace keeps notes and what is written about packets, and nothing leaves its directory."""

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from host.context import ContextPacket, Workspace, assemble_packet
from host.context.packets import workspace as module
from host.core.context_item import ContextItem
from host.core.envelope import Refused
from host.testing import FakeClock

NOW = datetime(2026, 6, 1, tzinfo=UTC)
KEY = "sk-abcdefghijklmnopqrstuv"
TASK = ContextItem("task", "fix the parser", source="caller", section="task", trust="trusted")


def workspace_in(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "ctx", clock=FakeClock(NOW))


def set_age(path: Path, age: timedelta) -> None:
    changed = (NOW - age).timestamp()
    os.utime(path, (changed, changed))


def tree(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))


def test_the_directories_are_made(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "deep" / "ctx")
    Workspace(tmp_path / "deep" / "ctx")

    assert workspace.root == (tmp_path / "deep" / "ctx").resolve()
    assert tree(workspace.root) == [
        "compactions",
        "memory",
        "memory/exemplars",
        "retrieval",
        "scorecards",
    ]


AGES = [
    pytest.param(timedelta(0), "fresh", id="now"),
    pytest.param(timedelta(days=-1), "fresh", id="of tomorrow"),
    pytest.param(timedelta(days=7), "fresh", id="seven days"),
    pytest.param(timedelta(days=7, seconds=1), "aging", id="a second more than seven"),
    pytest.param(timedelta(days=30), "aging", id="thirty days"),
    pytest.param(timedelta(days=30, seconds=1), "stale", id="a second more than thirty"),
]


@pytest.mark.parametrize(("age", "freshness"), AGES)
def test_notes_age_by_the_time_of_their_files(tmp_path: Path, age: timedelta, freshness: str) -> None:
    workspace = workspace_in(tmp_path)
    set_age(workspace.write_note("note", "text"), age)

    [item] = workspace.remembered().items
    assert item == ContextItem(
        "note",
        "text",
        source="memory/note",
        section="notes",
        kind="memory_note",
        freshness_class=freshness,  # type: ignore[arg-type]
        metadata={"masked": False, "truncated": False},
    )
    assert (item.trust, item.authority) == ("untrusted", "evidence")


def test_the_latest_comes_first_and_exemplars_after_the_notes(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path)
    for name, days, exemplar in [("a", 3, False), ("b", 1, False), ("c", 1, False), ("d", 0, True)]:
        set_age(workspace.write_note(name, name, exemplar=exemplar), timedelta(days=days))

    items = workspace.remembered().items
    assert [(item.section, item.key, item.source) for item in items] == [
        ("notes", "b", "memory/b"),
        ("notes", "c", "memory/c"),
        ("notes", "a", "memory/a"),
        ("exemplars", "d", "memory/exemplars/d"),
    ]


def test_notes_are_masked_and_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = workspace_in(tmp_path)
    workspace.write_note("a", f"token = '{KEY}' and velvet-otter-41")
    workspace.write_note("b", "x" * 20_001)

    first, second = sorted(workspace.remembered(["velvet-otter-41"]).items, key=lambda item: item.key)
    assert (first.value, first.metadata["masked"]) == ("token = '[REDACTED]' and [REDACTED]", True)
    assert (len(second.value), second.metadata["truncated"]) == (20_000, True)
    monkeypatch.setattr(module, "MAX_NOTES", 1)
    assert len(workspace.remembered().items) == 1


def test_what_is_no_note_is_passed_over_and_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path)
    memory = workspace.root / "memory"
    (tmp_path / "outside").write_text("of others")
    (memory / "link").symlink_to(tmp_path / "outside")
    (memory / "loop").symlink_to("loop")
    (memory / ".hidden").write_text("x")
    (memory / "deeper").mkdir()
    os.mkfifo(memory / "pipe")
    (memory / "broken").write_bytes(b"\xff")

    remembered = workspace.remembered()
    assert (remembered.items, remembered.unreadable) == ((), ("memory/broken",))


def test_a_note_is_written_over_an_earlier_one(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path)
    workspace.write_note("a.md", "one")
    path = workspace.write_note("a.md", "解析器")

    assert path == workspace.root / "memory" / "a.md"
    assert path.read_text() == "解析器"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [item.value for item in workspace.remembered().items] == ["解析器"]


@pytest.mark.parametrize("name", ["", ".", "..", ".a", "a/b", "../a", "/a", "a\0"])
def test_a_name_that_is_none(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"is no name of a note; it has no slash and no dot at its start$"):
        workspace_in(tmp_path).write_note(name, "text")


@pytest.mark.parametrize("name", ["memory", "memory/exemplars", "compactions", "retrieval", "scorecards"])
def test_a_link_out_is_refused_when_the_workspace_is_made(tmp_path: Path, name: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "ctx" / name).parent.mkdir(parents=True)
    (tmp_path / "ctx" / name).symlink_to(tmp_path / "outside")

    with pytest.raises(Refused) as exc_info:
        workspace_in(tmp_path)
    assert (exc_info.value.code, exc_info.value.message) == (
        "G6_E_CONTEXT_HANDLE_ESCAPES_ROOT",
        f"`{name}` of the workspace is a link that leads out of it; remove the link",
    )
    assert tree(tmp_path / "outside") == []


def test_a_link_out_that_comes_later_is_refused_at_the_write(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path)
    (tmp_path / "outside").mkdir()
    (workspace.root / "scorecards").rmdir()
    (workspace.root / "scorecards").symlink_to("../outside")

    with pytest.raises(Refused, match=r"leads out of it"):
        workspace.write_scorecard(assemble_packet([TASK], 100))
    assert tree(tmp_path / "outside") == []


def test_a_link_at_the_place_of_a_file_is_replaced_and_not_followed(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path)
    (tmp_path / "outside").write_text("of others")
    (workspace.root / "memory" / "a").symlink_to(tmp_path / "outside")
    path = workspace.write_note("a", "mine")

    assert (path.is_symlink(), path.read_text()) == (False, "mine")
    assert (tmp_path / "outside").read_text() == "of others"


def test_a_workspace_may_be_reached_through_a_link_and_hold_some_that_stay_inside(tmp_path: Path) -> None:
    (tmp_path / "real" / "notes").mkdir(parents=True)
    (tmp_path / "real" / "memory").symlink_to("notes")
    (tmp_path / "ctx").symlink_to("real")

    assert workspace_in(tmp_path).write_note("a", "x") == (tmp_path / "real" / "notes" / "a").resolve()


def test_no_draft_is_left_where_a_write_fails(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path)
    (workspace.root / "memory" / "taken").mkdir()

    with pytest.raises(IsADirectoryError):
        workspace.write_note("taken", "x")
    assert tree(workspace.root / "memory") == ["exemplars", "taken"]


def packet() -> ContextPacket:
    """Of 25 tokens: 4 of the task, 11 and 10 of notes."""
    notes = [
        ContextItem(key, f"{key} says\n{'x' * (width - 7)}", source=f"memory/{key}", section="notes")
        for key, width in (("a", 44), ("b", 40))
    ]
    return assemble_packet([TASK, *notes], 100)


def test_a_log_says_where_each_item_came_from_and_not_what_it_says(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path)
    path = workspace.write_retrieval_log(packet())

    log = json.loads(path.read_text())
    assert [(item["section"], item["source"], item["trust"], item["tokens"]) for item in log["items"]] == [
        ("task", "caller", "trusted", 4),
        ("notes", "memory/a", "untrusted", 11),
        ("notes", "memory/b", "untrusted", 10),
    ]
    assert "says" not in path.read_text()
    assert workspace.write_retrieval_log(packet()) == path
    assert len(tree(workspace.root / "retrieval")) == 1


def test_a_scorecard_is_computed_anew(tmp_path: Path) -> None:
    workspace = workspace_in(tmp_path)
    forged = assemble_packet([], 100)
    path = workspace.write_scorecard(forged)

    assert path.parent == workspace.root / "scorecards"
    assert json.loads(path.read_text())["code"] == "G6_E_CONTEXT_TASK_MISSING"


@pytest.mark.parametrize(("budget", "compacts"), [(35, True), (36, False), (100, False), (0, True)])
def test_above_seventy_percent_a_compaction_is_written(tmp_path: Path, budget: int, compacts: bool) -> None:
    workspace = workspace_in(tmp_path)

    assert (workspace.compact_if_over_budget(packet(), budget) is not None) == compacts
    assert len(tree(workspace.root / "compactions")) == compacts


def test_a_compaction_is_what_fits_and_the_sources_of_what_does_not(tmp_path: Path) -> None:
    path = workspace_in(tmp_path).compact_if_over_budget(packet(), 30)

    assert path is not None
    assert path.read_text() == (
        "## task: task\ncaller, evidence, trusted\n> fix the parser\n\n"
        f"## notes: a\nmemory/a, evidence, untrusted\n> a says\n> {'x' * 37}\n\n"
        "## left out\n- notes: memory/b\n"
    )
