"""The tools that an agent is offered: their names, what is said of them, and the limits in force."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import pytest

from host.core.messages import ToolSpec
from host.memories import Holder, MemoryLimits, MemoryStore, strategy_of
from host.operations import OPERATIONS, Grants, limit_notes, native_fields, tool_specs

NO_MEMORIES: Final = frozenset(id_ for id_ in OPERATIONS if not id_.startswith(("memories.", "skillbook.")))
LIMITS: Final = MemoryLimits(
    max_count=64,
    max_len_per_memory=4096,
    max_total_len=16384,
    max_len_index=1,
    max_len_description=256,
    max_results=25,
)
LIFTED: Final = MemoryLimits(
    max_count=0,
    max_len_per_memory=0,
    max_total_len=0,
    max_len_index=0,
    max_len_description=0,
    max_results=0,
)
SLUG: Final = "The memory's slug: 1 to 64 of letters, digits, `-`, `_` and `.`."


def agent(
    strategy: str, limits: MemoryLimits = LIMITS, withheld: frozenset[str] = frozenset()
) -> tuple[Grants, Holder]:
    chosen = strategy_of(strategy)
    grants = Grants(OPERATIONS, (NO_MEMORIES | chosen.calls) - withheld, native=True)
    holder = Holder(
        MemoryStore(number=1, strategy=chosen, limits=limits),
        agent_id="root",
        access="write",
        scope="isolated",
        calls=grants.spellings(),
        fields=native_fields(chosen),
    )
    return grants, holder


def specs(strategy: str, limits: MemoryLimits = LIMITS) -> Mapping[str, ToolSpec]:
    return {spec.name: spec for spec in tool_specs(*agent(strategy, limits))}


def schema(spec: ToolSpec) -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(spec.parameters)
    return decoded


OTHERS: Final = [
    "read_skill",
    "put_record",
    "search_records",
    "recall_records",
    "records_status",
    "read_file",
    "write_file",
    "edit_file",
    "list_dir",
    "search_files",
    "shell",
    "evict_file_view",
    "archive_thread",
    "search_archive",
    "compact",
    "spawn_subagent",
    "wait_for_subagents",
    "send_message",
    "fork",
    "exec",
    "transition_state",
    "create_issue",
    "wait_for_issue",
    "finish",
    "approve",
    "request_changes",
]
TOOLS: Final = [
    ("scratchpad", ["write_memory", "update_memory", "delete_memory"]),
    ("markdown", ["create_memory", "read_memory", "edit_memory", "delete_memory"]),
    (
        "keyword-search",
        ["create_memory", "read_memory", "edit_memory", "delete_memory", "search_memories"],
    ),
]


@pytest.mark.parametrize(("strategy", "names"), TOOLS)
def test_an_agent_is_offered_the_tools_that_it_holds_in_the_order_of_the_table(
    strategy: str, names: list[str]
) -> None:
    assert list(specs(strategy)) == names + OTHERS


def test_what_is_not_granted_is_not_offered() -> None:
    grants = Grants(OPERATIONS, frozenset({"session.finish", "views.open_text"}), native=True)

    assert [spec.name for spec in tool_specs(grants, None)] == ["finish"]


def test_append_only_memories_have_no_tool_that_revises() -> None:
    chosen = strategy_of("keyword-search")

    names = [spec.name for spec in tool_specs(*agent("keyword-search", withheld=chosen.revising))]

    assert names == ["create_memory", "read_memory", "search_memories", *OTHERS]


def test_names_of_tools_are_unique_and_providers_take_them() -> None:
    names = [operation.native.name for operation in OPERATIONS.values() if operation.native]

    # Of both no agent is granted, and what is granted is found.
    assert [name for name, count in Counter(names).items() if count > 1] == ["read_skill"]
    assert [name for name in names if not re.fullmatch("[a-z][a-z_]{0,63}", name)] == []


PROGRAM_TALK: Final = re.compile(
    r"\b[a-z]+[A-Z]\w*|\bprogram|\bscript\b|\bmodule|\bimport|\bviews\.|`gg`|onUse"
)


KEYWORDS: Final = {"additionalProperties", "anyOf", "exclusiveMinimum"}  # of JSON Schema


@pytest.mark.parametrize("strategy", [strategy for strategy, _ in TOOLS])
def test_no_tool_talks_of_programs(strategy: str) -> None:
    said = [
        (spec.name, found[0])
        for spec in specs(strategy).values()
        for found in PROGRAM_TALK.finditer(spec.description + spec.parameters)
    ]

    assert [found for found in said if found[1] not in KEYWORDS] == []


def test_a_tool_of_memories_whole() -> None:
    spec = specs("scratchpad")["update_memory"]

    assert spec.description == (
        "Replaces a memory's description and its body. A description has 256 characters at most; a body has"
        " 4,096 characters at most; all bodies together have 16,384 characters at most.\n"
        "Fails with `invalid-argument` when a field is empty, the slug is malformed, or the description is"
        " not one line.\n"
        "Fails with `not-found` when there is no such memory.\n"
        "Fails with `conflict` when the memory has a newer revision than the one that is expected.\n"
        "Fails with `limit-exceeded` when a limit of the memories would be exceeded; the message names it and"
        " what helps."
    )
    assert schema(spec) == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": SLUG},
            "description": {
                "type": "string",
                "description": "One line that says what the memory is about.",
            },
            "body": {"type": "string", "description": "The note itself."},
            "expected_revision": {
                "type": "integer",
                "minimum": 1,
                "description": "Refuses the call as a `conflict` when the memory has a newer revision.",
            },
        },
        "required": ["name", "description", "body"],
        "additionalProperties": False,
    }


ARGUMENTS: Final = [
    ("scratchpad", "write_memory", ["name", "description", "body"], []),
    ("scratchpad", "update_memory", ["name", "description", "body"], ["expected_revision"]),
    ("scratchpad", "delete_memory", ["name"], ["expected_revision"]),
    ("markdown", "create_memory", ["name", "description", "contents"], []),
    ("keyword-search", "create_memory", ["name", "contents"], ["description"]),
    ("markdown", "read_memory", ["name"], []),
    ("markdown", "edit_memory", ["name", "old_string"], ["new_string", "expected_revision"]),
    ("keyword-search", "search_memories", ["keywords"], []),
    ("markdown", "read_file", ["path"], ["offset", "limit"]),
    ("markdown", "archive_thread", ["ranges"], []),
    ("markdown", "compact", ["summary"], ["files"]),
    ("markdown", "spawn_subagent", ["agent", "prompt"], []),
    ("markdown", "wait_for_subagents", [], ["ids"]),
    ("markdown", "send_message", ["id", "text"], []),
    ("markdown", "fork", [], ["prompt"]),
    ("markdown", "exec", ["agent", "prompt"], []),
    ("markdown", "transition_state", ["state"], []),
    ("markdown", "create_issue", ["title", "body"], ["blocked_by"]),
    ("markdown", "wait_for_issue", [], ["ids"]),
    ("markdown", "finish", ["summary"], []),
    ("markdown", "approve", [], []),
    ("markdown", "request_changes", ["items"], []),
]


@pytest.mark.parametrize(("strategy", "tool", "required", "optional"), ARGUMENTS)
def test_the_arguments_of_a_tool(strategy: str, tool: str, required: list[str], optional: list[str]) -> None:
    found = schema(specs(strategy)[tool])

    assert found.get("required", []) == required
    assert sorted(found["properties"]) == sorted(required + optional)
    assert found["additionalProperties"] is False


DESCRIPTION = "A description has 256 characters at most"
BODY = "a body has 4,096 characters at most"
TOTAL = "all bodies together have 16,384 characters at most"
NOTES: Final = [
    pytest.param(
        "scratchpad",
        LIMITS,
        {
            "memories.write_memory": f"At most 64 memories; a{DESCRIPTION[1:]}; {BODY}; {TOTAL}.",
            "memories.update_memory": f"{DESCRIPTION}; {BODY}; {TOTAL}.",
        },
        id="scratchpad",
    ),
    pytest.param(
        "markdown",
        LIMITS,
        {
            "memories.create_memory": f"{DESCRIPTION}; {BODY}; the index has 1 character at most.",
            "memories.edit_memory": f"A{BODY[1:]}.",
        },
        id="markdown",
    ),
    pytest.param(
        "keyword-search",
        LIMITS,
        {
            "memories.create_memory": f"At most 64 memories; a{DESCRIPTION[1:]}; {BODY}.",
            "memories.edit_memory": f"A{BODY[1:]}.",
            "memories.search_memories": "25 hits at most.",
        },
        id="keyword-search",
    ),
    pytest.param(
        "keyword-search",
        MemoryLimits(
            max_count=1,
            max_len_per_memory=0,
            max_total_len=9,
            max_len_index=9,
            max_len_description=0,
            max_results=1,
        ),
        {
            "memories.create_memory": "At most 1 memory.",
            "memories.search_memories": "1 hit at most.",
        },
        id="lifted ones, and ones that the strategy does not apply, are not told",
    ),
    *(
        pytest.param(strategy, LIFTED, {}, id=f"{strategy} without limits")
        for strategy in ("scratchpad", "markdown", "keyword-search")
    ),
]


@pytest.mark.parametrize(("strategy", "limits", "expected"), NOTES)
def test_the_limits_in_force_are_told(strategy: str, limits: MemoryLimits, expected: dict[str, str]) -> None:
    grants, holder = agent(strategy, limits)

    assert limit_notes(holder) == expected
    told = {OPERATIONS[id_].native: note for id_, note in expected.items()}
    for native, note in told.items():
        assert native is not None
        spec = next(spec for spec in tool_specs(grants, holder) if spec.name == native.name)
        assert f" {note}\n" in spec.description


def test_without_memories_there_is_nothing_to_tell() -> None:
    assert limit_notes(None) == {}


def test_without_limits_only_what_the_tool_does_is_told() -> None:
    assert specs("markdown", LIFTED)["create_memory"].description.partition("\n")[0] == (
        "Creates a memory. Its contents come into the window when it is read."
    )


def test_an_answer_that_may_be_over_its_cap_is_told_with_what_helps() -> None:
    said = {
        name: line.partition("; ")[2]
        for name, spec in specs("keyword-search").items()
        for line in spec.description.split("\n")
        if line.startswith("Fails with `limit-exceeded` when its answer is over 65,536 bytes; ")
    }

    assert said == {
        "search_memories": "give keywords that fewer memories hold.",
        "search_records": "ask for fewer, or name `tags` that they all have.",
        "recall_records": "ask for fewer, or name `tags` that they all have.",
        "read_file": "read it in parts, with `offset` and `limit`.",
        "list_dir": "search it with `search_files`.",
        "search_files": "give a smaller `limit`, or a `path`.",
        "search_archive": "look for words that fewer messages hold.",
    }
