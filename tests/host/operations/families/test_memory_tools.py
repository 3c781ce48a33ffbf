"""Memories as tools: what a reply can say of them, and that it says nothing of code."""

import json
from typing import Any

import pytest

from host.events import ApiCall, MemoryRead, MemoryRefusal, MemoryRevision, MemorySearch
from host.memories import MemoryDraft, MemoryLimits
from tests.host.operations.callers import Desk
from tests.host.operations.families.memory_desks import LIMITS, PARSE, SHOW, held, names, tool_desk

USAGE = (
    '{"count":1,"max_count":2,"total_chars":12,"max_total_chars":60,"index_chars":null,'
    '"max_index_chars":null,"revision":1}'
)
NOTE = {"name": "csv-tools", "description": "Parses exports", "body": "Quotes vary."}
FILE = {"name": "csv-tools", "description": "Parses exports", "contents": "Quotes vary."}


def with_code(at: Desk) -> Desk:
    """The desk's memories hold one that a program wrote, with both halves of its code."""
    assert at.holder is not None
    at.holder.commit_write(
        MemoryDraft(name="old", description="Old", body="An old note.", code=PARSE, on_use=SHOW), turn=1
    )
    return at


def halves(at: Desk) -> list[tuple[str | None, str | None]]:
    assert at.holder is not None
    return [(memory.code, memory.on_use) for memory in at.holder.state().memories]


def test_a_write_gives_the_usage_and_leaves_its_events() -> None:
    at = tool_desk()

    assert at.tool("write_memory", **NOTE) == USAGE
    assert at.captured.events == (
        MemoryRevision(
            module_id="memories-1",
            name="csv-tools",
            revision=1,
            change="written",
            op="write",
            description="Parses exports",
            body="Quotes vary.",
            len=12,
            lines=1,
            author="root",
            turn=3,
        ),
        ApiCall(turn=3, operation="memories.write_memory", ok=True, duration_us=0, origin="tool"),
    )


def test_a_lifted_limit_is_null_in_the_usage() -> None:
    at = tool_desk(limits=MemoryLimits(**dict.fromkeys(LIMITS.__dataclass_fields__, 0)))

    assert json.loads(at.tool("write_memory", **NOTE)) == {
        "count": 1,
        "max_count": None,
        "total_chars": 12,
        "max_total_chars": None,
        "index_chars": None,
        "max_index_chars": None,
        "revision": 1,
    }


def test_an_update_leaves_both_halves_of_the_code_as_they_are() -> None:
    at = with_code(tool_desk())

    answer = at.tool("update_memory", name="old", description="New", body="A new note.", expected_revision=1)

    assert json.loads(answer)["revision"] == 2
    assert (held(at), halves(at)) == (["A new note."], [(PARSE, SHOW)])
    assert [(event.code, event.on_use) for event in at.captured.of(MemoryRevision)] == [(PARSE, SHOW)]


def test_an_edit_leaves_both_halves_as_they_are() -> None:
    at = with_code(tool_desk("markdown"))

    assert (
        json.loads(at.tool("edit_memory", name="old", old_string="An old", new_string="The"))["revision"] == 2
    )
    assert (held(at), halves(at)) == (["The note."], [(PARSE, SHOW)])


def test_an_edit_without_a_new_text_takes_the_old_one_out() -> None:
    at = with_code(tool_desk("markdown"))
    at.tool("edit_memory", name="old", old_string="An ", new_string=None)
    at.tool("edit_memory", name="old", old_string="old ")

    assert held(at) == ["note."]


def test_a_read_gives_the_body_alone_and_loads_nothing() -> None:
    at = with_code(tool_desk("markdown"))

    assert at.tool("read_memory", name=" old ") == '"An old note."'
    assert at.captured.events == (
        MemoryRead(module_id="memories-1", name="old", hit=True, turn=3),
        ApiCall(turn=3, operation="memories.read_memory", ok=True, duration_us=0, origin="tool"),
    )
    assert at.texts() == []


def test_a_body_is_read_whole_however_long_it_is() -> None:
    at = tool_desk("markdown", limits=MemoryLimits(**dict.fromkeys(LIMITS.__dataclass_fields__, 0)))
    body = "x" * 1_000_000
    at.tool("create_memory", name="a", description="b", contents=body)

    assert at.tool("read_memory", name="a") == f'"{body}"'


def test_a_deletion_takes_the_code_with_it() -> None:
    at = with_code(tool_desk())

    assert json.loads(at.tool("delete_memory", name="old", expected_revision=1)) == {
        "count": 0,
        "max_count": 2,
        "total_chars": 0,
        "max_total_chars": 60,
        "index_chars": None,
        "max_index_chars": None,
        "revision": 2,
    }
    assert names(at) == []


def test_a_search_gives_hits_and_their_total() -> None:
    at = tool_desk("keyword-search")
    at.tool("create_memory", **FILE)
    at.captured.clear()

    assert json.loads(at.tool("search_memories", keywords=["QUOTES", "csv"])) == {
        "hits": [
            {
                "name": "csv-tools",
                "description": "Parses exports",
                "matched": 2,
                "occurrences": 2,
                "excerpt": "Quotes vary.",
                "revision": 1,
            }
        ],
        "total": 1,
    }
    assert at.captured.of(MemorySearch) == (
        MemorySearch(
            module_id="memories-1", keywords=("QUOTES", "csv"), total=1, names=("csv-tools",), turn=3
        ),
    )
    assert at.captured.types == ("memory_search", "api_call")


def test_a_description_may_be_left_out_where_no_index_is_kept() -> None:
    assert '"revision":1' in tool_desk("keyword-search").tool("create_memory", name="a", contents="b")
    assert tool_desk("markdown").tool("create_memory", name="a", contents="b") == (
        "invalid-argument: Cannot create `a`: description is empty. Give create_memory one line that says"
        " what the memory is about."
    )


REFUSED = [
    pytest.param(
        "scratchpad",
        "write_memory",
        {**NOTE, "code": PARSE},
        "invalid-argument: write_memory does not know `code`. It knows name, description, body.",
        id="code",
    ),
    pytest.param(
        "scratchpad",
        "write_memory",
        {**NOTE, "on_use": SHOW},
        "invalid-argument: write_memory does not know `on_use`. It knows name, description, body.",
        id="an onUse",
    ),
    pytest.param(
        "scratchpad",
        "write_memory",
        {**NOTE, "expected_revision": 1},
        "invalid-argument: write_memory does not know `expected_revision`. It knows name, description, body.",
        id="what an update knows",
    ),
    pytest.param(
        "scratchpad",
        "update_memory",
        {**NOTE, "code": None},
        "invalid-argument: update_memory does not know `code`. It knows name, description, body,"
        " expected_revision.",
        id="code that is null",
    ),
    pytest.param(
        "markdown",
        "create_memory",
        NOTE,
        "invalid-argument: create_memory does not know `body`. It knows name, description, contents.",
        id="a body where there are contents",
    ),
    pytest.param(
        "markdown",
        "create_memory",
        {**FILE, "contents": "x" * 41},
        "limit-exceeded: Cannot create `csv-tools`: contents is 41 of 40 characters. Shorten it and call"
        " create_memory again.",
        id="a limit, under the argument's name",
    ),
    pytest.param(
        "markdown",
        "edit_memory",
        {"name": "old", "old_string": "new", "new_string": ""},
        "not-found: Cannot edit `old`: old_string does not occur in it. Read it again with read_memory, or"
        " give edit_memory a text that stands in the body.",
        id="no place",
    ),
    pytest.param(
        "markdown",
        "edit_memory",
        {"name": "old", "old_string": "An old note."},
        "invalid-argument: Cannot edit `old`: nothing would be left of its body. Delete the memory with"
        " delete_memory, or leave a text in its body.",
        id="an emptied memory",
    ),
    pytest.param(
        "scratchpad",
        "update_memory",
        {**NOTE, "name": "old", "expected_revision": 7},
        "conflict: Cannot update `old`: it is at revision 1, the call expects 7. Take its present text into"
        " account, then call update_memory with revision 1.",
        id="a stale revision",
    ),
    pytest.param(
        "scratchpad",
        "read_memory",
        {"name": "old"},
        "unavailable: read_memory is not available to this agent. The calls there are: delete_memory,"
        " update_memory and write_memory.",
        id="another strategy's tool",
    ),
]


@pytest.mark.parametrize(("strategy", "name", "arguments", "text"), REFUSED)
def test_a_refusal_speaks_of_tools_and_is_recorded_once(
    strategy: str, name: str, arguments: dict[str, Any], text: str
) -> None:
    at = with_code(tool_desk(strategy))

    assert at.tool(name, **arguments) == text
    assert at.captured.types == ("memory_refusal", "api_call")
    (refusal,) = at.captured.of(MemoryRefusal)
    assert f"{refusal.code}: {refusal.message}" == text
    assert (refusal.call, refusal.name) == (f"memories.{name}", arguments["name"])
    assert (held(at), halves(at)) == (["An old note."], [(PARSE, SHOW)])


SURROGATES = [
    ("scratchpad", "write_memory", NOTE, ["name", "description", "body"]),
    ("scratchpad", "update_memory", {**NOTE, "name": "old"}, ["description", "body"]),
    ("markdown", "create_memory", FILE, ["name", "description", "contents"]),
    ("markdown", "edit_memory", {"name": "old", "old_string": "old"}, ["new_string"]),
]


@pytest.mark.parametrize(("strategy", "name", "arguments", "fields"), SURROGATES)
def test_half_a_character_is_refused_where_it_would_be_stored(
    strategy: str, name: str, arguments: dict[str, str], fields: list[str]
) -> None:
    at = with_code(tool_desk(strategy))

    for field in fields:
        text = at.tool(name, **{**arguments, field: "x\ud800"})
        assert text.startswith("invalid-argument: ")
        assert f"{field} holds the lone surrogate U+D800 at character 2" in text
        text.encode("utf-8")
    assert held(at) == ["An old note."]


READ_ONLY = [
    ("scratchpad", "write_memory", "They are read in the window alone."),
    ("markdown", "edit_memory", "The calls there are: read_memory."),
    ("keyword-search", "create_memory", "The calls there are: read_memory and search_memories."),
]


@pytest.mark.parametrize(("strategy", "name", "remedy"), READ_ONLY)
def test_a_write_of_an_agent_that_may_only_read_is_refused_with_what_it_has(
    strategy: str, name: str, remedy: str
) -> None:
    at = tool_desk(strategy, access="read")

    assert at.tool(name, name="a", nonsense=1) == (
        f"refused: Cannot {name.partition('_')[0]} `a`: the memories are another agent's, to be read only."
        f" {remedy}"
    )
    assert [(event.kind, event.name) for event in at.captured.of(MemoryRefusal)] == [("read_only", "a")]


def test_an_agent_without_memories_records_no_refusal_of_them() -> None:
    at = Desk()

    assert at.tool("delete_memory", name="a") == "unavailable: This agent keeps no memories."
    assert at.captured.types == ("api_call",)
