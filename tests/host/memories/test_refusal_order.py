"""A call with two faults is told of the first, and each is told in the words of its table."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

import pytest

from host.memories import Holder, MemoryDraft, MemoryRefusal
from tests.helpers.memories import draft, holder_of, store_of
from tests.host.memories import faults
from tests.host.memories.faults import LONG, Fault

SUBJECTS = {"new": "`new`", "there": "`there`", "absent": "`absent`", "": "a memory", "a b": "`a b`"}
SUBJECTS[LONG] = f"`{LONG[:64]}…`"

Call = Callable[[Holder, dict[str, Any]], object]


def _draft(arguments: Mapping[str, Any]) -> MemoryDraft:
    return draft(**{key: value for key, value in arguments.items() if key != "expected_revision"})


def _update(holder: Holder, arguments: dict[str, Any], *, commit: bool) -> object:
    expected = arguments.get("expected_revision")
    if commit:
        return holder.commit_update(_draft(arguments), expected_revision=expected, turn=2)
    return holder.check_update(_draft(arguments), expected_revision=expected)


def _edit(holder: Holder, arguments: dict[str, Any]) -> object:
    return holder.edit(**{"search": "d", "replace": "dd", **arguments}, turn=2)


CASES: Mapping[str, tuple[str, str, Sequence[Fault], Call]] = {
    "check_write": ("scratchpad", "new", faults.WRITE, lambda holder, a: holder.check_write(_draft(a))),
    "commit_write": (
        "scratchpad",
        "new",
        faults.WRITE,
        lambda holder, a: holder.commit_write(_draft(a), turn=2),
    ),
    "check_update": (
        "scratchpad",
        "there",
        faults.UPDATE,
        lambda holder, a: _update(holder, a, commit=False),
    ),
    "commit_update": (
        "scratchpad",
        "there",
        faults.UPDATE,
        lambda holder, a: _update(holder, a, commit=True),
    ),
    "create": ("markdown", "new", faults.CREATE, lambda holder, a: holder.create(_draft(a), turn=2)),
    "at_will_create": (
        "keyword-search",
        "new",
        faults.DESCRIBED_AT_WILL,
        lambda holder, a: holder.create(_draft(a), turn=2),
    ),
    "edit": ("markdown", "there", faults.EDIT, _edit),
    "delete": ("markdown", "there", faults.DELETE, lambda holder, a: holder.delete(**a, turn=2)),
    "searching_read": ("keyword-search", "there", faults.READ_OR_SEARCH, lambda holder, a: holder.read(**a)),
    "read": ("markdown", "there", faults.READ, lambda holder, a: holder.read(**a)),
}


def pairs() -> Iterator[Any]:
    """Each fault alone, and before each later one that does not need the same argument or limit."""
    for call, (_, _, table, _) in CASES.items():
        for first, second in combinations_with_replacement(range(len(table)), 2):
            one, two = table[first], table[second]
            if first == second or not (one.arguments.keys() & two.arguments.keys()):
                yield pytest.param(
                    call, one, two, id=f"{call}: {first} {one.kind} before {second} {two.kind}"
                )


@pytest.mark.parametrize(("call", "first", "second"), list(pairs()))
def test_a_call_is_told_of_its_first_fault(call: str, first: Fault, second: Fault) -> None:
    strategy, name, _, act = CASES[call]
    holder = holder_of(store_of(strategy, **{**second.limits, **first.limits}))
    holder.create(draft("there", "odo", description="d"), turn=1)
    before = holder.state()
    arguments: dict[str, Any] = {"name": name, **second.arguments, **first.arguments}

    with pytest.raises(MemoryRefusal) as caught:
        act(holder, arguments)

    subject = SUBJECTS[arguments["name"].strip()]
    assert str(caught.value) == f"Cannot {call.rpartition('_')[2]} {subject}: {first.told}"
    assert (caught.value.kind, caught.value.code) == (first.kind, first.code)
    assert holder.state() == before
