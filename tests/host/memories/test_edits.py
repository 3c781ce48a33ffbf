"""An edit changes one place of a body and nothing else; an update may say nothing of the code."""

from typing import Any

import pytest

from host.memories import Memory, MemoryDraft, MemoryUsage, RevisionEntry
from tests.helpers.memories import draft, holder_of, refusal_of, store_of

FILE_SHAPED = ["markdown", "keyword-search"]

EDITS = [
    pytest.param("one two three", "two", "2", "one 2 three", id="a word"),
    pytest.param("one\ntwo", "two", "two\nthree", "one\ntwo\nthree", id="appended"),
    pytest.param("one two", " two", "", "one", id="taken out"),
    pytest.param("one two", "two", r"$& \1", r"one $& \1", id="literal"),
    pytest.param("one two", "one ", "", "two", id="the beginning taken out"),
    pytest.param("one\n\ntwo", "two", " \n", "one", id="trimmed at the end"),
    pytest.param("one\r\ntwo", "e\r\nt", "e\nt", "one\ntwo", id="line ends are text"),
    pytest.param("cafe\u0301", "\u0301", "", "cafe", id="a mark by itself"),
]


@pytest.mark.parametrize("strategy", FILE_SHAPED)
@pytest.mark.parametrize(("body", "search", "replace", "after"), EDITS)
def test_an_edit_replaces_the_one_place(
    strategy: str, body: str, search: str, replace: str, after: str
) -> None:
    holder = holder_of(store_of(strategy))
    holder.create(draft("a", body), turn=1)

    assert holder.edit(" a ", search, replace, turn=2).revision.body == after
    assert holder.read("a").body == after


def test_an_edit_is_a_revision_with_the_whole_body_and_leaves_the_code() -> None:
    holder = holder_of(store_of("keyword-search", max_count=4, max_len_per_memory=64))
    holder.create(draft("a", "old note", code="export const a = 1;", on_use="f();"), turn=1)

    mutation = holder.edit("a", "old", "new", expected_revision=1, turn=5)

    assert mutation.revision == RevisionEntry(
        position=1,
        name="a",
        revision=2,
        change="updated",
        op="edit",
        description="about",
        body="new note",
        code="export const a = 1;",
        on_use="f();",
        author="root",
        turn=5,
    )
    assert mutation.usage == MemoryUsage(
        count=1,
        max_count=4,
        total_chars=8,
        max_total_chars=None,
        index_chars=None,
        max_index_chars=None,
        revision=2,
    )
    assert holder.read("a") == Memory(
        name="a",
        description="about",
        body="new note",
        code="export const a = 1;",
        on_use="f();",
        revision=2,
    )


def test_an_edit_of_a_word_leaves_the_rest_of_a_long_body_as_it_was() -> None:
    body = "".join(f"{number:5}\u00a0é\U0001f600\r\n\t" for number in range(2_500)) + "end"
    holder = holder_of(store_of("markdown"))
    holder.create(draft("long", body), turn=1)

    holder.edit("long", " 1234", "!", turn=1)

    stored, body = holder.read("long").body, body.strip()
    at = body.index(" 1234")
    assert (stored[:at], stored[at], stored[at + 1 :]) == (body[:at], "!", body[at + 5 :])


def test_an_edit_does_not_change_the_index() -> None:
    holder = holder_of(store_of("markdown", max_len_index=13))
    holder.create(draft("a"), turn=1)
    before = holder.block()

    usage = holder.edit("a", "note", "a longer note", turn=1).usage

    assert (usage.index_chars, usage.max_index_chars) == (13, 13)
    assert (holder.block(), before) == ("- `a` — about", "- `a` — about")


@pytest.mark.parametrize(
    ("replace", "figure"),
    [
        pytest.param("", None, id="shorter"),
        pytest.param("x", 12, id="as long"),
        pytest.param("xy", 13, id="longer"),
    ],
)
def test_a_body_over_a_limit_that_was_tightened_may_shrink(replace: str, figure: int | None) -> None:
    """As is a description over its own, which an edit leaves alone."""
    store = store_of("markdown", max_len_per_memory=8, max_len_description=2, max_len_index=9)
    with store.exclusive() as contents:
        contents.put(draft("a", "0123456789ab"), op="write", author="root", turn=1)
    holder = holder_of(store)

    if figure is None:
        assert holder.edit("a", "b", replace, turn=2).revision.body == "0123456789a"
        return
    refusal = refusal_of(lambda: holder.edit("a", "b", replace, turn=2))
    assert (refusal.kind, refusal.figure, refusal.limit) == ("body_cap", figure, 8)


def test_an_update_may_shrink_a_body_over_a_limit_that_was_tightened() -> None:
    store = store_of("scratchpad", max_len_per_memory=8, max_total_len=8)
    with store.exclusive() as contents:
        contents.put(draft("a", "0123456789ab"), op="write", author="root", turn=1)
    holder = holder_of(store)

    assert refusal_of(lambda: holder.check_update(draft("a", "ba9876543210"))).kind == "body_cap"
    assert holder.commit_update(draft("a", "0123456789a"), turn=2).usage.total_chars == 11


def test_a_body_may_fill_its_limit_after_an_edit() -> None:
    holder = holder_of(store_of("markdown", max_len_per_memory=8))
    holder.create(draft("a"), turn=1)

    assert holder.edit("a", "note", " 12345678\n", turn=1).usage.total_chars == 8
    assert refusal_of(lambda: holder.edit("a", "8", "89", turn=1)).figure == 9


def test_a_refused_edit_changes_and_records_nothing() -> None:
    holder = holder_of(store_of("markdown"))
    holder.create(draft("a"), turn=1)
    before = holder.state()

    assert refusal_of(lambda: holder.edit("a", "x", "y", turn=1)).kind == "edit_no_match"
    assert (holder.state(), holder.position) == (before, 1)


def test_an_update_that_says_nothing_of_the_code_keeps_it() -> None:
    holder = holder_of(store_of("scratchpad"))
    holder.commit_write(draft("a", code="1", on_use="2"), turn=1)

    checked = holder.check_update(draft("a", "new"), keeps_code=True)
    kept = holder.commit_update(draft("a", "new"), keeps_code=True, turn=2).revision
    cleared = holder.commit_update(draft("a", "new"), turn=3).revision

    assert checked == draft("a", "new", code="1", on_use="2")
    assert (kept.body, kept.op, kept.code, kept.on_use) == ("new", "update", "1", "2")
    assert (cleared.code, cleared.on_use) == (None, None)


def test_code_that_is_kept_is_that_of_the_commit() -> None:
    store = store_of("scratchpad")
    one, other = holder_of(store, agent_id="one"), holder_of(store, agent_id="other")
    one.commit_write(draft("a", code="1"), turn=1)
    one.check_update(draft("a", "mine"), keeps_code=True)
    other.commit_update(draft("a", "theirs", code="2"), turn=1)

    assert one.commit_update(draft("a", "mine"), keeps_code=True, turn=1).revision.code == "2"


REFUSED = [
    (draft("b"), None, "not_found"),
    (draft(" "), None, "empty_field"),
    (draft("a", " "), None, "empty_field"),
    (draft("a", "12345"), None, "body_cap"),
    (draft("a"), 2, "stale_revision"),
]


@pytest.mark.parametrize(("asked", "expected", "kind"), REFUSED)
def test_an_update_that_keeps_code_is_refused_as_any_other(
    asked: MemoryDraft, expected: int | None, kind: str
) -> None:
    holder = holder_of(store_of("scratchpad", max_len_per_memory=4))
    holder.commit_write(draft("a", code="1"), turn=1)
    keeping: Any = {"expected_revision": expected, "keeps_code": True}

    assert refusal_of(lambda: holder.check_update(asked, **keeping)).kind == kind
    assert refusal_of(lambda: holder.commit_update(asked, **keeping, turn=1)).kind == kind
