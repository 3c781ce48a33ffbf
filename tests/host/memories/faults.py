"""What each call is refused for, in the order in which it is told, word by word."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from host.core.module_keys import MAX_CODE_CHARS

LONG = "x" * 65


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a call: the arguments and limits that make it so, and what is told of it."""

    kind: str
    code: str
    told: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)


def texts(call: str, empty_body: str, *, describes: bool = True) -> list[Fault]:
    """The faults of a draft's texts, which are told before the store is asked."""
    again = f"Take it out and call {call} again."
    surrogate, empty, invalid = "lone_surrogate", "empty_field", "invalid-argument"
    undescribed = Fault(
        empty,
        invalid,
        f"description is empty. Give {call} one line that says what the memory is about.",
        {"description": " \n"},
    )
    return [
        Fault(
            surrogate,
            invalid,
            f"body holds the lone surrogate U+D800 at character 3. {again}",
            {"body": "no\ud800te"},
        ),
        Fault(empty, invalid, f"name is empty. Give {call} a name of 1 to 64 characters.", {"name": ""}),
        *([undescribed] if describes else []),
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

DESCRIBED_AT_WILL = [
    *texts("memories.createMemory", "Give memories.createMemory the text to keep.", describes=False),
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
        "count_cap",
        "limit-exceeded",
        "there would be 2 of 1 memories. "
        "Put it into another memory with memories.editMemory, or delete one with memories.deleteMemory.",
        {},
        {"max_count": 1},
    ),
]

EDIT = [
    Fault(
        "lone_surrogate",
        "invalid-argument",
        "search holds the lone surrogate U+DFFF at character 2. "
        "Take it out and call memories.editMemory again.",
        {"search": "d\udfff"},
    ),
    Fault(
        "lone_surrogate",
        "invalid-argument",
        "replace holds the lone surrogate U+D800 at character 1. "
        "Take it out and call memories.editMemory again.",
        {"replace": "\ud800"},
    ),
    Fault(
        "empty_field",
        "invalid-argument",
        "name is empty. Give memories.editMemory a name of 1 to 64 characters.",
        {"name": " "},
    ),
    Fault(
        "empty_field",
        "invalid-argument",
        "search is empty. Give memories.editMemory the text to replace.",
        {"search": ""},
    ),
    Fault(
        "edit_same",
        "invalid-argument",
        "its body would stay as it is. Give memories.editMemory another text as replace.",
        {"search": "x", "replace": "x"},
    ),
    Fault(
        "not_found",
        "not-found",
        "there is no memory of that name. "
        "Give memories.editMemory the name of one that there is, or create it with memories.createMemory.",
        {"name": "absent"},
    ),
    Fault(
        "stale_revision",
        "conflict",
        "it is at revision 1, the call expects 2. "
        "Read it again with memories.readMemory, then call memories.editMemory with revision 1.",
        {"expected_revision": 2},
    ),
    Fault(
        "edit_no_match",
        "not-found",
        "search does not occur in it; the closest is line 1, `odo`. "
        "Read it again with memories.readMemory, or give memories.editMemory a text that stands in the body.",
        {"search": "ODO"},
    ),
    Fault(
        "edit_several",
        "conflict",
        "search occurs 2 times, in line 1. "
        "Give memories.editMemory more of the text around the one to replace.",
        {"search": "o"},
    ),
    Fault(
        "would_empty",
        "invalid-argument",
        "nothing would be left of its body. "
        "Delete the memory with memories.deleteMemory, or leave a text in its body.",
        {"search": "odo", "replace": " \n"},
    ),
    Fault(
        "edit_same",
        "invalid-argument",
        "its body would stay as it is. Give memories.editMemory another text as replace.",
        {"search": "odo", "replace": "\todo\n"},
    ),
    Fault(
        "body_cap",
        "limit-exceeded",
        "its body would be 4 of 3 characters. Shorten replace and call memories.editMemory again.",
        {},
        {"max_len_per_memory": 3},
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

READ_OR_SEARCH = [
    Fault(
        "not_found",
        "not-found",
        "there is no memory of that name. "
        "Look for it with memories.searchMemories, or create it with memories.createMemory.",
        {"name": "absent"},
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
