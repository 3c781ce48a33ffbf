"""Every call against a model that recounts everything each time, and the store rebuilt from its history."""

import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from host.memories import Caps, Holder, Memory, MemoryDraft, MemoryRefusal, MemoryStore
from host.memories.attempt import Attempt
from host.memories.checks import check_new, check_update
from host.memories.contents import Contents
from tests.helpers.memories import CALLS, draft, holder_of, store_of

CODE_LIMIT = 32_768
SIZES = {
    "max_count": 4,
    "max_len_per_memory": 8,
    "max_total_len": 16,
    "max_len_index": 60,
    "max_len_description": 6,
}
APPLIED = {
    "scratchpad": {"max_count", "max_len_per_memory", "max_total_len", "max_len_description"},
    "markdown": {"max_len_per_memory", "max_len_index", "max_len_description"},
}

Row = tuple[str, str, str | None, str | None, int]  # description, body, code, onUse, revision

limit_counts = st.fixed_dictionaries({name: st.integers(0, size) for name, size in SIZES.items()})


def mostly(usual: list[str], *odd: str) -> st.SearchStrategy[str]:
    """One of the usual values, now and then an odd one, so that runs get somewhere."""
    return st.sampled_from(usual * (1 + 4 * len(odd) // len(usual)) + list(odd))


names = mostly(["a", "b", "c", " a ", "B", "a-b"], "...", "", " ", "a b", "é", "x" * 65, "a\ud800", "a`")
bodies = mostly(
    ["x", "xy\n", "one\ntwo", "\U0001f600" * 4, " e\u0301 "], "", " ", "12345678", "123456789", "\ud800"
)
descriptions = mostly(["d", " d ", "é—é"], "", "123456", "1234567", "a\nb", "a\u2028b", "\udc00")
at_the_limit = st.sampled_from([CODE_LIMIT, CODE_LIMIT + 1]).map(lambda length: "x" * length)
halves = st.none() | mostly(["f()", " f() "], "", " \n", "\ud800") | at_the_limit
drafts = st.builds(MemoryDraft, name=names, description=descriptions, body=bodies, code=halves, on_use=halves)
revisions = st.none() | st.integers(1, 4)


class Naive:
    """A set of memories that keeps nothing but its rows, and counts from them."""

    def __init__(self, caps: dict[str, int]) -> None:
        self.caps = caps
        self.rows: dict[str, Row] = {}
        self.counters: dict[str, int] = {}
        self.peak: tuple[int, ...] = (0, 0, 0)

    def figures(self, rows: dict[str, Row]) -> tuple[int, int, int, int]:
        index = "\n".join(f"- `{name}` — {rows[name][0]}" for name in sorted(rows))
        texts = [row[1] for row in rows.values()]
        return len(rows), sum(map(len, texts)), sum(len(text.splitlines()) for text in texts), len(index)

    def text_fault(self, d: MemoryDraft) -> str | None:
        texts = [d.name, d.description, d.body, d.code or "", d.on_use or ""]
        if re.search("[\ud800-\udfff]", "".join(texts)):
            return "lone_surrogate"
        return None if d.name and d.description and d.body else "empty_field"

    def line_fault(self, d: MemoryDraft) -> str | None:
        return "description_line" if re.search("[\n\u2028]", d.description) else None

    def limit_fault(self, d: MemoryDraft) -> str | None:
        old = self.rows.get(d.name, ("", "", None, None, 0))
        after = {**self.rows, d.name: (d.description, d.body, d.code, d.on_use, 0)}
        now, then = self.figures(self.rows), self.figures(after)
        count = (then[0], now[0]) if d.name not in self.rows else (0, 0)
        for kind, cap, new, before in (
            ("description_cap", self.caps.get("max_len_description"), len(d.description), len(old[0])),
            ("code_cap", CODE_LIMIT, len(d.code or ""), len(old[2] or "")),
            ("code_cap", CODE_LIMIT, len(d.on_use or ""), len(old[3] or "")),
            ("body_cap", self.caps.get("max_len_per_memory"), len(d.body), len(old[1])),
            ("count_cap", self.caps.get("max_count"), *count),
            ("total_cap", self.caps.get("max_total_len"), then[1], now[1]),
            ("index_cap", self.caps.get("max_len_index"), then[3], now[3]),
        ):
            if cap and new > cap and not (before > cap and new < before):
                return kind
        return None

    def fault_of_new(self, d: MemoryDraft) -> str | None:
        if fault := self.text_fault(d):
            return fault
        if not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", d.name):
            return "invalid_name"
        return self.line_fault(d) or ("duplicate" if d.name in self.rows else self.limit_fault(d))

    def fault_of_update(self, d: MemoryDraft, expected: int | None) -> str | None:
        fault = self.text_fault(d) or self.line_fault(d)
        return fault or self.fault_of_name(d.name, expected) or self.limit_fault(d)

    def fault_of_name(self, name: str, expected: int | None) -> str | None:
        if not name:
            return "empty_field"
        if name not in self.rows:
            return "not_found"
        return "stale_revision" if expected not in (None, self.rows[name][4]) else None

    def count_up(self, name: str) -> int:
        self.counters[name] = self.counters.get(name, 0) + 1
        return self.counters[name]

    def put(self, d: MemoryDraft) -> int:
        self.rows[d.name] = (d.description, d.body, d.code, d.on_use, self.count_up(d.name))
        self.peak = tuple(map(max, self.peak, self.figures(self.rows)))
        return self.counters[d.name]

    def remove(self, name: str) -> int:
        del self.rows[name]
        return self.count_up(name)


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
    model: Naive

    @initialize(strategy=st.sampled_from(["scratchpad", "markdown"]), counts=limit_counts)
    def begin(self, strategy: str, counts: dict[str, int]) -> None:
        self.store = store_of(strategy, **counts)
        self.holder = holder_of(self.store)
        self.model = Naive({name: count for name, count in counts.items() if name in APPLIED[strategy]})

    @rule(d=drafts)
    def make(self, d: MemoryDraft) -> None:
        expected = self.model.fault_of_new(trimmed(d))

        assert fault_of(lambda: self.holder.check_write(d)) == expected
        if expected is not None:
            assert fault_of(lambda: self.holder.commit_write(d, turn=1)) == expected
        else:
            assert self.holder.commit_write(d, turn=1).usage.revision == self.model.put(trimmed(d))

    @rule(d=drafts, revision=revisions)
    def update(self, d: MemoryDraft, revision: int | None) -> None:
        if self.store.strategy.revises is None:
            return
        expected = self.model.fault_of_update(trimmed(d), revision)

        assert fault_of(lambda: self.holder.check_update(d, expected_revision=revision)) == expected
        if expected is not None:
            act = lambda: self.holder.commit_update(d, expected_revision=revision, turn=1)  # noqa: E731
            assert fault_of(act) == expected
        else:
            mutation = self.holder.commit_update(d, expected_revision=revision, turn=1)
            assert mutation.usage.revision == self.model.put(trimmed(d))

    @rule(name=names, revision=revisions)
    def delete(self, name: str, revision: int | None) -> None:
        expected = self.model.fault_of_name(name.strip(), revision)
        if expected is not None:
            act = lambda: self.holder.delete(name, expected_revision=revision, turn=1)  # noqa: E731
            assert fault_of(act) == expected
        else:
            mutation = self.holder.delete(name, expected_revision=revision, turn=1)
            assert mutation.usage.revision == self.model.remove(name.strip())

    @rule(name=names)
    def read(self, name: str) -> None:
        expected = self.model.fault_of_name(name.strip(), None)
        assert fault_of(lambda: self.holder.read(name)) == expected
        if expected is None:
            assert row_of(self.holder.read(name)) == self.model.rows[name.strip()]

    @invariant()
    def the_state_is_the_model(self) -> None:
        state = self.holder.state()
        assert {memory.name: row_of(memory) for memory in state.memories} == self.model.rows
        assert [memory.name for memory in state.memories] == sorted(self.model.rows)
        assert tuple(asdict(state.figures).values()) == self.model.figures(self.model.rows)
        assert tuple(asdict(state.peak).values()) == self.model.peak

    @invariant()
    def the_history_rebuilds_the_store(self) -> None:
        rebuilt: dict[str, Row] = {}
        with self.store.exclusive() as contents:
            history = contents.history
        for position, entry in enumerate(history):
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
    def the_block_is_what_the_figures_measure(self) -> None:
        block = self.holder.block()
        assert (block is None) == (not self.model.rows)
        if block is not None and self.store.strategy.index_chars(self.holder.state().figures) is not None:
            assert len(block) == self.model.figures(self.model.rows)[3]


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
