"""What calls that succeed do: what is stored and told, how revisions count, what a second holder sees."""

import threading
from collections.abc import Callable

import pytest

from host.core.module_keys import MAX_CODE_CHARS
from host.memories import (
    Caps,
    Figures,
    Memory,
    MemoryRefusal,
    MemoryUsage,
    Peak,
    RevisionEntry,
    StateSnapshot,
)
from tests.helpers.memories import draft, holder_of, store_of


def refused_kind(act: Callable[[], object]) -> str:
    with pytest.raises(MemoryRefusal) as caught:
        act()
    return caught.value.kind


def test_a_write_stores_the_trimmed_texts_and_the_whole_code() -> None:
    holder = holder_of(store_of("scratchpad", max_count=4, max_total_len=100))
    code = "\n  export const a = 1;\n\n"

    mutation = holder.commit_write(
        draft("\n csv-tools\t", "\u2003two \n\n lines\n", description="  about  ", code=code, on_use=" \n"),
        turn=3,
    )

    assert mutation.revision == RevisionEntry(
        position=0,
        name="csv-tools",
        revision=1,
        change="written",
        op="write",
        description="about",
        body="two \n\n lines",
        code=code,
        on_use=None,
        author="root",
        turn=3,
    )
    assert (mutation.revision.chars, mutation.revision.lines) == (12, 3)
    assert mutation.usage == MemoryUsage(
        count=1,
        max_count=4,
        total_chars=12,
        max_total_chars=100,
        index_chars=None,
        max_index_chars=None,
        revision=1,
    )
    assert holder.read("csv-tools") == Memory(
        name="csv-tools", description="about", body="two \n\n lines", code=code, on_use=None, revision=1
    )


def test_a_check_gives_the_draft_as_it_would_be_stored_and_stores_nothing() -> None:
    holder = holder_of(store_of("scratchpad"))
    empty = holder.state()

    checked = holder.check_write(draft(" a ", " b ", description=" c ", code=" ", on_use=" d "))

    assert checked == draft("a", "b", description="c", code=None, on_use=" d ")
    assert holder.state() == empty


def test_an_update_replaces_all_and_clears_the_halves_it_omits() -> None:
    holder = holder_of(store_of("scratchpad"))
    holder.commit_write(draft("a", code="1", on_use="2"), turn=1)

    checked = holder.check_update(draft(" a ", " new ", description=" d "))
    mutation = holder.commit_update(draft(" a ", " new ", description=" d "), turn=2)

    assert checked == draft("a", "new", description="d")
    assert mutation.revision == RevisionEntry(
        position=1,
        name="a",
        revision=2,
        change="updated",
        op="update",
        description="d",
        body="new",
        code=None,
        on_use=None,
        author="root",
        turn=2,
    )
    assert holder.read("a") == Memory(
        name="a", description="d", body="new", code=None, on_use=None, revision=2
    )


def test_an_update_that_changes_nothing_is_a_revision() -> None:
    holder = holder_of(store_of("scratchpad"))
    holder.commit_write(draft("a"), turn=1)

    assert holder.commit_update(draft("a"), turn=1).usage.revision == 2


def test_revisions_count_on_across_a_deletion() -> None:
    holder = holder_of(store_of("markdown"))
    revisions = [
        holder.create(draft("a"), turn=1).revision,
        holder.create(draft("b"), turn=1).revision,
        holder.delete(" a ", turn=2).revision,
        holder.create(draft("a"), turn=3).revision,
    ]

    assert [(entry.position, entry.name, entry.revision, entry.change, entry.op) for entry in revisions] == [
        (0, "a", 1, "written", "write"),
        (1, "b", 1, "written", "write"),
        (2, "a", 2, "deleted", "delete"),
        (3, "a", 3, "written", "write"),
    ]
    assert revisions[2] == RevisionEntry(
        position=2,
        name="a",
        revision=2,
        change="deleted",
        op="delete",
        description="",
        body="",
        code=None,
        on_use=None,
        author="root",
        turn=2,
    )
    assert (revisions[2].chars, revisions[2].lines) == (0, 0)


def test_the_expected_revision_is_the_one_that_is_there() -> None:
    holder = holder_of(store_of("scratchpad"))
    holder.commit_write(draft("a"), turn=1)

    assert refused_kind(lambda: holder.check_update(draft("a"), expected_revision=2)) == "stale_revision"
    assert holder.commit_update(draft("a"), expected_revision=1, turn=1).usage.revision == 2
    assert refused_kind(lambda: holder.delete("a", expected_revision=1, turn=1)) == "stale_revision"
    assert holder.delete("a", expected_revision=2, turn=1).usage.revision == 3


LENGTHS = [
    pytest.param("abcd", id="ASCII"),
    pytest.param("\U0001f600" * 4, id="emoji, two UTF-16 units each"),
    pytest.param("e\u0301e\u0301", id="combining"),
    pytest.param("\U0001f468\u200d\U0001f469\u200d", id="joined"),
    pytest.param("  abcd\n", id="white space at the ends"),
]


@pytest.mark.parametrize("text", LENGTHS)
def test_lengths_are_code_points_of_the_trimmed_text(text: str) -> None:
    at, under = (
        holder_of(store_of("scratchpad", max_len_description=n, max_len_per_memory=n, max_total_len=n))
        for n in (4, 3)
    )

    assert at.commit_write(draft("a", text, description=text.strip()), turn=1).usage.total_chars == 4
    assert refused_kind(lambda: under.check_write(draft("a", "b", description=text))) == "description_cap"
    assert refused_kind(lambda: under.check_write(draft("a", text, description="d"))) == "body_cap"


@pytest.mark.parametrize("half", ["code", "on_use"])
def test_a_code_half_is_counted_untrimmed_and_no_blank_half_is_stored(half: str) -> None:
    holder = holder_of(store_of("scratchpad"))
    code = "x".ljust(MAX_CODE_CHARS)

    assert getattr(holder.check_write(draft("a", **{half: code})), half) == code
    assert refused_kind(lambda: holder.check_write(draft("a", **{half: code + " "}))) == "code_cap"
    assert getattr(holder.check_write(draft("a", **{half: " " * (MAX_CODE_CHARS + 1)})), half) is None


def test_code_counts_against_no_limit_but_its_own() -> None:
    tight = store_of("scratchpad", max_len_per_memory=1, max_total_len=1, max_len_description=1)

    usage = holder_of(tight).commit_write(draft("a", "b", description="d", code="x" * 99), turn=1).usage

    assert (usage.total_chars, usage.max_total_chars) == (1, 1)


def test_limits_that_the_strategy_does_not_apply_bound_nothing() -> None:
    scratchpad = holder_of(store_of("scratchpad", max_len_index=1, max_results=1))
    markdown = holder_of(store_of("markdown", max_count=1, max_total_len=1, max_results=1))
    for name in ("a", "b"):
        scratchpad.commit_write(draft(name), turn=1)
        markdown.create(draft(name), turn=1)

    assert (scratchpad.state().caps, markdown.state().caps) == (Caps(), Caps())


def test_the_index_may_fill_its_limit() -> None:
    line = len("- `a` — about")
    holder = holder_of(store_of("markdown", max_len_index=2 * line + 1))
    holder.create(draft("a"), turn=1)

    usage = holder.create(draft("b"), turn=1).usage

    assert (usage.index_chars, usage.max_index_chars) == (2 * line + 1, 2 * line + 1)
    assert refused_kind(lambda: holder.create(draft("c"), turn=1)) == "index_cap"
    assert holder.delete("a", turn=1).usage.index_chars == line


def test_a_total_is_that_of_the_set_after_the_call() -> None:
    holder = holder_of(store_of("scratchpad", max_total_len=10))
    holder.commit_write(draft("a", "12345"), turn=1)
    holder.commit_write(draft("b", "12345"), turn=1)

    assert holder.commit_update(draft("a", "54321"), turn=1).usage.total_chars == 10
    assert refused_kind(lambda: holder.check_update(draft("a", "123456"))) == "total_cap"
    assert holder.commit_update(draft("a", "1"), turn=1).usage.total_chars == 6


def test_an_update_does_not_meet_the_count() -> None:
    holder = holder_of(store_of("scratchpad", max_count=1))
    holder.commit_write(draft("a"), turn=1)

    assert holder.commit_update(draft("a", "new"), turn=1).usage.count == 1


def test_what_another_holder_committed_in_between_is_met_at_the_commit() -> None:
    store = store_of("scratchpad", max_count=2, max_total_len=20)
    one, other = holder_of(store, agent_id="one"), holder_of(store, agent_id="other")
    for name in ("a", "b"):
        one.check_write(draft(name))
    other.commit_write(draft("a"), turn=1)
    one.commit_write(draft("b"), turn=1)
    one.check_update(draft("a", "mine"), expected_revision=1)
    one.check_update(draft("b", "x" * 16))
    other.commit_update(draft("a", "theirs"), turn=1)
    before = one.state()

    assert refused_kind(lambda: one.commit_write(draft("a"), turn=2)) == "duplicate"
    assert refused_kind(lambda: one.commit_write(draft("c"), turn=2)) == "count_cap"
    assert (
        refused_kind(lambda: one.commit_update(draft("a", "mine"), expected_revision=1, turn=2))
        == "stale_revision"
    )
    assert refused_kind(lambda: one.commit_update(draft("b", "x" * 16), turn=2)) == "total_cap"
    other.delete("b", turn=2)
    assert refused_kind(lambda: one.commit_update(draft("b"), turn=2)) == "not_found"
    assert (before.figures.count, one.state().figures.count) == (2, 1)


def test_the_mutations_of_two_holders_are_counted_together() -> None:
    store = store_of("scratchpad")
    entries = [
        holder_of(store, agent_id=name).commit_write(draft(f"of-{name}"), turn=7).revision
        for name in ("one", "other")
    ]

    assert [(entry.position, entry.author, entry.name) for entry in entries] == [
        (0, "one", "of-one"),
        (1, "other", "of-other"),
    ]


def test_parallel_writers_never_pass_a_limit() -> None:
    store = store_of("scratchpad", max_count=20)
    start = threading.Barrier(8)
    positions: list[int] = []
    refusals: list[str] = []

    def write(agent: int) -> None:
        holder = holder_of(store, agent_id=str(agent))
        start.wait()
        for number in range(10):
            try:
                mutation = holder.commit_write(draft(f"{agent}-{number}"), turn=1)
                positions.append(mutation.revision.position)
            except MemoryRefusal as refusal:
                refusals.append(refusal.kind)

    writers = [threading.Thread(target=write, args=(agent,)) for agent in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    with store.exclusive() as contents:
        assert contents.figures.count == 20
    assert sorted(positions) == list(range(20))
    assert refusals == ["count_cap"] * 60


def test_a_state_is_the_store_as_it_stands() -> None:
    holder = holder_of(store_of("scratchpad", max_count=9, max_len_index=5, max_len_description=64))
    for name, body in (("b", "one\ntwo"), ("a", "three"), ("c", "x" * 50)):
        holder.commit_write(draft(name, body), turn=1)
    holder.delete("c", turn=2)

    assert holder.state() == StateSnapshot(
        module_id="memories-1",
        strategy="scratchpad",
        memories=(holder.read("a"), holder.read("b")),
        figures=Figures(count=2, total_chars=12, total_lines=3, index_chars=27),
        peak=Peak(count=3, total_chars=62, total_lines=4),
        caps=Caps(max_count=9, max_len_description=64),
        scope="isolated",
        writable=True,
    )
