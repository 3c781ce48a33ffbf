"""One memory of a run, now and as its revisions left it."""

from pathlib import Path

import pytest

from host.app import MemoryName, NotThere, memories_named, memory_slugs
from host.events import Event
from tests.host.app.runs.records import begun
from tests.host.events.runs import stamp
from tests.host.events.stores import PlainStore

NAMES = [
    ("csv-tools", MemoryName(slug="csv-tools")),
    ("csv-tools@1", MemoryName(slug="csv-tools", revision=1)),
    ("a.b_c-d@12", MemoryName(slug="a.b_c-d", revision=12)),
    ("a@b@3", MemoryName(slug="a@b", revision=3)),
    ("", MemoryName(slug="")),
]


@pytest.mark.parametrize(("text", "name"), NAMES)
def test_a_name_is_a_slug_and_perhaps_a_revision(text: str, name: MemoryName) -> None:
    assert MemoryName.parse(text) == name


@pytest.mark.parametrize(
    "text", ["a@", "a@0", "a@-1", "a@x", "a@1.5", "@1", "a@ 1", "a@²", f"a@{'9' * 5000}"]
)
def test_what_is_no_revision_is_told(text: str) -> None:
    with pytest.raises(NotThere, match=r"is no SLUG@REV: REV is a whole number from 1$"):
        MemoryName.parse(text)


def story() -> list[Event]:
    """`a` written, revised, deleted and written again in one store, written in another; `gone` deleted."""
    one, two = PlainStore("one"), PlainStore("two", turn=5)
    return [
        one.state(),
        *one.write("a", "first", "d"),
        *one.write("a", "second", code="export {}"),
        *one.delete("a"),
        *one.write("a", "third"),
        *two.write("a", "other"),
        *one.write("gone", "x"),
        *one.delete("gone"),
    ]


def found(name: str) -> list[tuple[str, int, str, bool]]:
    memories = memories_named(stamp(story()), MemoryName.parse(name))
    return [(memory.module_id, memory.shown.revision, memory.shown.body, memory.held) for memory in memories]


FOUND = [
    ("a", [("one", 4, "third", True), ("two", 1, "other", True)]),
    ("a@1", [("one", 1, "first", True), ("two", 1, "other", True)]),
    ("a@2", [("one", 2, "second", True)]),
    ("a@3", [("one", 3, "", True)]),
    ("gone", [("one", 2, "", False)]),
    ("gone@1", [("one", 1, "x", False)]),
]


@pytest.mark.parametrize(("name", "memories"), FOUND)
def test_a_memory_is_found_in_every_store(name: str, memories: list[tuple[str, int, str, bool]]) -> None:
    assert found(name) == memories


def test_the_revisions_are_listed_without_their_texts() -> None:
    memory = memories_named(stamp(story()), MemoryName(slug="a"))[0]

    assert (memory.strategy, memory.scope) == ("markdown", "isolated")
    assert [(row.revision, row.change, row.author, row.turn, row.len) for row in memory.revisions] == [
        (1, "written", "root", 1, 5),
        (2, "updated", "root", 1, 6),
        (3, "deleted", "root", 1, 0),
        (4, "written", "root", 1, 5),
    ]


NOT_THERE = [
    ("a@5", "`a` has no revision 5; there are 1 to 4"),
    ("gon@1", "there is no memory `gon`; did you mean `gone`?"),
    ("xyz", "there is no memory `xyz`; the run kept `a` and `gone`"),
]


@pytest.mark.parametrize(("name", "told"), NOT_THERE)
def test_what_is_not_there_is_told_with_what_is(name: str, told: str) -> None:
    with pytest.raises(NotThere) as exc_info:
        found(name)
    assert str(exc_info.value) == told


def test_a_memory_of_one_revision_has_that_alone() -> None:
    events = stamp(PlainStore("one").write("a", "x"))

    with pytest.raises(NotThere) as exc_info:
        memories_named(events, MemoryName(slug="a", revision=2))
    assert str(exc_info.value) == "`a` has no revision 2; there is revision 1 alone"


def test_of_many_memories_the_first_are_named() -> None:
    store = PlainStore("one")
    events = [event for number in range(12) for event in store.write(f"m-{number:02}", "x")]

    with pytest.raises(NotThere) as exc_info:
        memories_named(stamp(events), MemoryName(slug="xyz"))
    shown = ", ".join(f"`m-{number:02}`" for number in range(10))
    assert str(exc_info.value) == f"there is no memory `xyz`; the run kept {shown} and 2 more"


def test_where_none_was_kept_that_is_told() -> None:
    with pytest.raises(NotThere) as exc_info:
        memories_named([], MemoryName(slug="a"))
    assert str(exc_info.value) == "there is no memory `a`; the run kept none"


def test_slugs_are_those_of_all_that_was_ever_held(tmp_path: Path) -> None:
    begun(tmp_path / "r", *story()).close()

    assert memory_slugs(tmp_path / "r") == ["a", "gone"]
