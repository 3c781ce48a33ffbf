"""What each call is refused for, word by word, and that a call with two faults is told of the first."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any

import pytest

from host.memories import MAX_CODE_CHARS, Holder, MemoryDraft, MemoryRefusal
from tests.helpers.memories import draft, holder_of, store_of

LONG = "x" * 65
SUBJECTS = {"new": "`new`", "there": "`there`", "absent": "`absent`", "": "a memory", "a b": "`a b`"}
SUBJECTS[LONG] = f"`{LONG[:64]}…`"


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a call: the arguments and limits that make it so, and what is told of it."""

    kind: str
    code: str
    told: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)


def texts(call: str, empty_body: str) -> list[Fault]:
    """The faults of a draft's texts, which are told before the store is asked."""
    again = f"Take it out and call {call} again."
    surrogate, empty, invalid = "lone_surrogate", "empty_field", "invalid-argument"
    return [
        Fault(
            surrogate,
            invalid,
            f"body holds the lone surrogate U+D800 at character 3. {again}",
            {"body": "no\ud800te"},
        ),
        Fault(empty, invalid, f"name is empty. Give {call} a name of 1 to 64 characters.", {"name": ""}),
        Fault(
            empty,
            invalid,
            f"description is empty. Give {call} one line that says what the memory is about.",
            {"description": " \n"},
        ),
        Fault(empty, invalid, f"body is empty. {empty_body}", {"body": "\t"}),
    ]


def names(call: str) -> list[Fault]:
    return [
        Fault(
            "invalid_name",
            "invalid-argument",
            f"name is 65 of 64 characters. Give {call} a shorter one.",
            {"name": LONG},
        ),
        Fault(
            "invalid_name",
            "invalid-argument",
            f"name holds ` ` at character 2. Give {call} a name of letters, digits, `-`, `_` and `.`.",
            {"name": "a b"},
        ),
    ]


def line(call: str) -> Fault:
    told = "description is not one line, character 4 is U+000A. "
    told += f"Give {call} one line without control characters."
    return Fault("description_line", "invalid-argument", told, {"description": "one\ntwo"})


def lengths(call: str, body: int) -> list[Fault]:
    again = f"Shorten it and call {call} again."
    limit, code = "limit-exceeded", "x" * (MAX_CODE_CHARS + 1)
    return [
        Fault(
            "description_cap",
            limit,
            f"description is 5 of 4 characters. {again}",
            {},
            {"max_len_description": 4},
        ),
        Fault("code_cap", limit, f"code is 32769 of 32768 characters. {again}", {"code": code}),
        Fault("code_cap", limit, f"onUse is 32769 of 32768 characters. {again}", {"on_use": code}),
        Fault("body_cap", limit, f"body is {body} of 3 characters. {again}", {}, {"max_len_per_memory": 3}),
    ]


WRITE = [
    *texts("memories.writeMemory", "Give memories.writeMemory the text to keep."),
    *names("memories.writeMemory"),
    line("memories.writeMemory"),
    Fault(
        "duplicate",
        "conflict",
        "there is one of that name, at revision 1. "
        "Revise it with memories.updateMemory, or give memories.writeMemory another name.",
        {"name": "there"},
    ),
    *lengths("memories.writeMemory", 4),
    Fault(
        "count_cap",
        "limit-exceeded",
        "there would be 2 of 1 memories. "
        "Put it into another memory with memories.updateMemory, or delete one with memories.deleteMemory.",
        {},
        {"max_count": 1},
    ),
    Fault(
        "total_cap",
        "limit-exceeded",
        "all bodies together would be 7 of 6 characters. Shorten the body, or revise another memory with "
        "memories.updateMemory, or delete one with memories.deleteMemory.",
        {},
        {"max_total_len": 6},
    ),
]

UPDATE = [
    *texts(
        "memories.updateMemory",
        "Give memories.updateMemory the text to keep, or delete the memory with memories.deleteMemory.",
    ),
    line("memories.updateMemory"),
    Fault(
        "not_found",
        "not-found",
        "there is no memory of that name. "
        "Give memories.updateMemory the name of one that there is, or create it with memories.writeMemory.",
        {"name": "absent"},
    ),
    Fault(
        "stale_revision",
        "conflict",
        "it is at revision 1, the call expects 7. "
        "Take its present text into account, then call memories.updateMemory with revision 1.",
        {"expected_revision": 7},
    ),
    *lengths("memories.updateMemory", 4),
    Fault(
        "total_cap",
        "limit-exceeded",
        "all bodies together would be 4 of 3 characters. Shorten the body, or revise another memory with "
        "memories.updateMemory, or delete one with memories.deleteMemory.",
        {},
        {"max_total_len": 3},
    ),
]

CREATE = [
    *texts("memories.createMemory", "Give memories.createMemory the text to keep."),
    *names("memories.createMemory"),
    line("memories.createMemory"),
    Fault(
        "duplicate",
        "conflict",
        "there is one of that name, at revision 1. "
        "Revise it with memories.editMemory, or give memories.createMemory another name.",
        {"name": "there"},
    ),
    *lengths("memories.createMemory", 4),
    Fault(
        "index_cap",
        "limit-exceeded",
        "the index would be 29 of 28 characters. "
        "Shorten the description, or delete a memory with memories.deleteMemory.",
        {},
        {"max_len_index": 28},
    ),
]

DELETE = [
    Fault(
        "empty_field",
        "invalid-argument",
        "name is empty. Give memories.deleteMemory a name of 1 to 64 characters.",
        {"name": " "},
    ),
    Fault(
        "not_found",
        "not-found",
        "there is no memory of that name. Give memories.deleteMemory the name of one that there is.",
        {"name": "absent"},
    ),
    Fault(
        "stale_revision",
        "conflict",
        "it is at revision 1, the call expects 2. "
        "Read it again with memories.readMemory, then call memories.deleteMemory with revision 1.",
        {"expected_revision": 2},
    ),
]

READ = [
    Fault(
        "empty_field",
        "invalid-argument",
        "name is empty. Give memories.readMemory a name of 1 to 64 characters.",
        {"name": ""},
    ),
    Fault(
        "not_found",
        "not-found",
        "there is no memory of that name. "
        "Give memories.readMemory the name of one that there is, or create it with memories.createMemory.",
        {"name": "absent"},
    ),
]

Call = Callable[[Holder, dict[str, Any]], object]


def _draft(arguments: Mapping[str, Any]) -> MemoryDraft:
    return draft(**{key: value for key, value in arguments.items() if key != "expected_revision"})


def _update(holder: Holder, arguments: dict[str, Any], *, commit: bool) -> object:
    expected = arguments.get("expected_revision")
    if commit:
        return holder.commit_update(_draft(arguments), expected_revision=expected, turn=2)
    return holder.check_update(_draft(arguments), expected_revision=expected)


CASES: Mapping[str, tuple[str, str, Sequence[Fault], Call]] = {
    "check_write": ("scratchpad", "new", WRITE, lambda holder, a: holder.check_write(_draft(a))),
    "commit_write": ("scratchpad", "new", WRITE, lambda holder, a: holder.commit_write(_draft(a), turn=2)),
    "check_update": ("scratchpad", "there", UPDATE, lambda holder, a: _update(holder, a, commit=False)),
    "commit_update": ("scratchpad", "there", UPDATE, lambda holder, a: _update(holder, a, commit=True)),
    "create": ("markdown", "new", CREATE, lambda holder, a: holder.create(_draft(a), turn=2)),
    "delete": ("markdown", "there", DELETE, lambda holder, a: holder.delete(**a, turn=2)),
    "read": ("markdown", "there", READ, lambda holder, a: holder.read(**a)),
}


def pairs() -> Iterator[Any]:
    """Each fault alone, and before each later one that does not need the same argument or limit."""
    for call, (_, _, faults, _) in CASES.items():
        for first, second in combinations_with_replacement(range(len(faults)), 2):
            one, two = faults[first], faults[second]
            if first == second or not (one.arguments.keys() & two.arguments.keys()):
                yield pytest.param(
                    call, one, two, id=f"{call}: {first} {one.kind} before {second} {two.kind}"
                )


@pytest.mark.parametrize(("call", "first", "second"), list(pairs()))
def test_a_call_is_told_of_its_first_fault(call: str, first: Fault, second: Fault) -> None:
    strategy, name, _, act = CASES[call]
    holder = holder_of(store_of(strategy, **{**second.limits, **first.limits}))
    holder.create(draft("there", "old", description="d"), turn=1)
    before = holder.state()
    arguments: dict[str, Any] = {"name": name, **second.arguments, **first.arguments}

    with pytest.raises(MemoryRefusal) as caught:
        act(holder, arguments)

    subject = SUBJECTS[arguments["name"].strip()]
    assert str(caught.value) == f"Cannot {call.rpartition('_')[2]} {subject}: {first.told}"
    assert (caught.value.kind, caught.value.code) == (first.kind, first.code)
    assert holder.state() == before
