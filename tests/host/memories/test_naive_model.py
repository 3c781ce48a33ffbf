"""Every call against a model that recounts everything each time, and the store rebuilt from its record."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from host.memories import (
    Caps,
    Holder,
    Memory,
    MemoryDraft,
    MemoryRefusal,
    MemoryStore,
    Mutation,
    RevisionEntry,
)
from host.memories.attempt import Attempt
from host.memories.checks import check_new, check_update
from host.memories.contents import Contents
from tests.helpers.memories import CALLS, draft, holder_of, store_of
from tests.host.memories.naive import APPLIED, CODE_LIMIT, Naive, Row, index_of

SIZES = {
    "max_count": 4,
    "max_len_per_memory": 8,
    "max_total_len": 16,
    "max_len_index": 60,
    "max_len_description": 6,
    "max_results": 2,
}

limit_counts = st.fixed_dictionaries({name: st.integers(0, size) for name, size in SIZES.items()})


def mostly(usual: list[str], *odd: str) -> st.SearchStrategy[str]:
    """One of the usual values, now and then an odd one, so that runs get somewhere."""
    return st.sampled_from(usual * (1 + 4 * len(odd) // len(usual)) + list(odd))


names = mostly(["a", "b", "c", " a ", "B", "a-b"], "...", "", " ", "a b", "é", "x" * 65, "a\ud800", "a`")
bodies = mostly(
    ["x", "xy\n", "one\ntwo", "\U0001f600" * 4, " e\u0301 ", "xx x", "xxx", "Straße"],
    "",
    " ",
    "12345678",
    "123456789",
    "\ud800",
)
descriptions = mostly(["d", " d ", "é—é"], "", "123456", "1234567", "a\nb", "a\u2028b", "\udc00")
pieces = mostly(
    ["x", "\n", "one", "", "xx", "o\nt", "\U0001f600", "ss", "e\u0301", "É"],
    " ",
    "\n",
    "\ud800",
    "123456789",
)
at_the_limit = st.sampled_from([CODE_LIMIT, CODE_LIMIT + 1]).map(lambda length: "x" * length)
codes, uses = (
    st.none() | mostly([half, f" {half} "], "", " \n", "\ud800") | at_the_limit for half in ("f()", "g()")
)
drafts = st.builds(MemoryDraft, name=names, description=descriptions, body=bodies, code=codes, on_use=uses)
revisions = st.none() | st.integers(1, 4)


def trimmed(d: MemoryDraft) -> MemoryDraft:
    code, on_use = (None if not half or half.isspace() else half for half in (d.code, d.on_use))
    return draft(d.name.strip(), d.body.strip(), description=d.description.strip(), code=code, on_use=on_use)


def fault_of(act: Callable[[], object]) -> str | None:
    try:
        act()
    except MemoryRefusal as refusal:
        return refusal.kind
    return None


class Calls(RuleBasedStateMachine):
    """One holder makes every call that its strategy offers; checks alone must change nothing."""

    store: MemoryStore
    holder: Holder
    reader: Holder
    model: Naive
    entries: list[RevisionEntry]

    @initialize(strategy=st.sampled_from(sorted(APPLIED)), counts=limit_counts)
    def begin(self, strategy: str, counts: dict[str, int]) -> None:
        self.store = store_of(strategy, **counts)
        self.holder = holder_of(self.store)
        self.entries = []
        self.reader = holder_of(self.store, access="read")
        applied = {name: count for name, count in counts.items() if name in APPLIED[strategy]}
        self.model = Naive(applied, describes=strategy != "keyword-search")

    @rule(d=drafts)
    def make(self, d: MemoryDraft) -> None:
        expected = self.model.fault_of_new(trimmed(d))

        assert fault_of(lambda: self.holder.check_write(d)) == expected
        if expected is not None:
            assert fault_of(lambda: self.holder.commit_write(d, turn=1)) == expected
        else:
            mutation = self.holder.commit_write(d, turn=1)
            self.made(mutation, self.model.put(trimmed(d)))

    @precondition(lambda self: self.store.strategy.revises)
    @rule(d=drafts, revision=revisions, keeps=st.booleans())
    def update(self, d: MemoryDraft, revision: int | None, keeps: bool) -> None:
        after = self.model.keeping_code(trimmed(d)) if keeps else trimmed(d)
        asked: Any = {"expected_revision": revision, "keeps_code": keeps}
        expected = self.model.fault_of_update(after, revision)

        assert fault_of(lambda: self.holder.check_update(d, **asked)) == expected
        if expected is not None:
            assert fault_of(lambda: self.holder.commit_update(d, **asked, turn=1)) == expected
        else:
            assert self.holder.check_update(d, **asked) == after
            mutation = self.holder.commit_update(d, **asked, turn=1)
            self.made(mutation, self.model.put(after))

    @precondition(lambda self: self.store.strategy.edits and self.model.rows)
    @rule(data=st.data(), replace=pieces, revision=revisions)
    def edit(self, data: st.DataObject, replace: str, revision: int | None) -> None:
        name = data.draw(st.sampled_from(sorted(self.model.rows)) | names)
        body = self.model.rows.get(name, ("", "-"))[1]
        begin = data.draw(st.integers(0, len(body) - 1))
        search = data.draw(st.just(body[begin : begin + data.draw(st.integers(1, 3))]) | pieces)
        replace = data.draw(st.sampled_from([replace, search + replace]))
        expected = self.model.fault_of_edit(name.strip(), search, replace, revision)
        if expected is not None:
            act = lambda: self.holder.edit(name, search, replace, expected_revision=revision, turn=1)  # noqa: E731
            assert fault_of(act) == expected
        else:
            mutation = self.holder.edit(name, search, replace, expected_revision=revision, turn=1)
            assert mutation.revision.op == "edit"
            self.made(mutation, self.model.put(self.model.edited(name.strip(), search, replace)))

    @precondition(lambda self: self.store.strategy.searches)
    @rule(keywords=st.lists(pieces, max_size=3))
    def search(self, keywords: list[str]) -> None:
        expected = self.model.search(keywords)
        if isinstance(expected, str):
            assert fault_of(lambda: self.reader.search(keywords)) == expected
        else:
            found = self.reader.search(keywords)
            assert (list(found.hits), found.total) == expected

    @rule(name=names, revision=revisions)
    def delete(self, name: str, revision: int | None) -> None:
        expected = self.model.fault_of_name(name.strip(), revision)
        if expected is not None:
            act = lambda: self.holder.delete(name, expected_revision=revision, turn=1)  # noqa: E731
            assert fault_of(act) == expected
        else:
            mutation = self.holder.delete(name, expected_revision=revision, turn=1)
            self.made(mutation, self.model.remove(name.strip()))

    @rule(name=names)
    def read(self, name: str) -> None:
        expected = self.model.fault_of_name(name.strip(), None)
        assert fault_of(lambda: self.reader.read(name)) == expected
        if expected is None:
            assert row_of(self.reader.read(name)) == self.model.rows[name.strip()]

    @rule(d=drafts)
    def change_as_a_reader(self, d: MemoryDraft) -> None:
        acts: list[Callable[[], object]] = [
            lambda: self.reader.commit_write(d, turn=1),
            lambda: self.reader.check_update(d),
            lambda: self.reader.edit(d.name, "x", d.body, turn=1),
            lambda: self.reader.delete(d.name, turn=1),
        ]
        assert [fault_of(act) for act in acts] == ["read_only"] * 4

    def made(self, mutation: Mutation, revision: int) -> None:
        assert (mutation.usage.revision, mutation.revision.revision) == (revision, revision)
        self.entries.append(mutation.revision)

    @invariant()
    def the_state_is_the_model(self) -> None:
        state = self.holder.state()
        assert {memory.name: row_of(memory) for memory in state.memories} == self.model.rows
        assert [memory.name for memory in state.memories] == sorted(self.model.rows)
        assert tuple(asdict(state.figures).values()) == self.model.figures(self.model.rows)
        assert tuple(asdict(state.peak).values()) == self.model.peak

    @invariant()
    def the_entries_rebuild_the_store(self) -> None:
        rebuilt: dict[str, Row] = {}
        assert self.holder.position == len(self.entries)
        for position, entry in enumerate(self.entries):
            assert entry.position == position
            if entry.change == "deleted":
                del rebuilt[entry.name]
            else:
                assert (entry.change == "updated") == (entry.name in rebuilt)
                rebuilt[entry.name] = (
                    entry.description,
                    entry.body,
                    entry.code,
                    entry.on_use,
                    entry.revision,
                )
        assert rebuilt == self.model.rows

    @invariant()
    def the_block_is_what_the_strategy_pins(self) -> None:
        block, rows = self.reader.block(), self.model.rows
        match self.store.strategy.name:
            case "markdown":
                assert block == (index_of(rows) if rows else None)
            case "scratchpad":
                entries = [
                    f"{index_of({name: rows[name]})}\n```\n{rows[name][1]}\n```" for name in sorted(rows)
                ]
                assert block == ("\n\n".join(entries) if rows else None)
            case _:
                assert block is None


def row_of(memory: Memory) -> Row:
    return memory.description, memory.body, memory.code, memory.on_use, memory.revision


Calls.TestCase.settings = settings(max_examples=80, stateful_step_count=25, deadline=None)
TestCalls = Calls.TestCase

short = st.text("ab", min_size=1, max_size=9)


@given(
    st.dictionaries(st.sampled_from("abcd"), st.tuples(short, short), min_size=1),
    limit_counts,
    st.sampled_from("abcde"),
    short,
    short,
)
def test_a_store_over_its_limits_only_takes_what_makes_the_excess_smaller(
    there: dict[str, tuple[str, str]], counts: dict[str, int], name: str, description: str, body: str
) -> None:
    contents, model = Contents(), Naive(counts)
    for other, (its_description, its_body) in there.items():
        made = draft(other, its_body, description=its_description)
        contents.put(made, op="write", author="root", turn=1)
        model.put(made)
    caps = Caps(**{limit: count or None for limit, count in counts.items()})
    asked = draft(name, body, description=description)
    strategy: Any = store_of("scratchpad").strategy
    if name in there:
        attempt = Attempt("memories.update_memory", name, strategy, CALLS)
        found = fault_of(lambda: check_update(attempt, asked, None, contents, caps))
    else:
        attempt = Attempt("memories.write_memory", name, strategy, CALLS)
        found = fault_of(lambda: check_new(attempt, asked, contents, caps))

    assert found == model.limit_fault(asked)
