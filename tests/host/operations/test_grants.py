"""What an agent holds, and what it is told of a call that it does not hold."""

from dataclasses import replace

import pytest

from host.core.errors import Refusal
from host.operations import FAMILIES, OPERATIONS, Grants, granted_by

ALWAYS = {
    "docs.search",
    "docs.close",
    "docs.close_all",
    "views.open_text",
    "views.open_docs_view",
    "views.close",
    "views.current",
    "session.finish",
}
FILES = {
    "files.read_file",
    "files.read_text_file",
    "files.write_file",
    "files.edit_file",
    "files.list_dir",
    "files.search",
    "views.open_file",
}
MEMORIES = {
    "memories.write_memory",
    "memories.update_memory",
    "memories.create_memory",
    "memories.read_memory",
    "memories.edit_memory",
    "memories.delete_memory",
    "memories.search_memories",
}
SHELL = {"shell.shell"}
SKILLS = {"skills.read_skill"}
RECORDS = {"records.put", "records.search", "records.recall", "records.status"}
SKILLBOOK = {
    "skillbook.search_skills",
    "skillbook.read_skill",
    "skillbook.add_skill",
    "skillbook.update_skill",
    "skillbook.tag_skill",
    "skillbook.remove_skill",
}
PROGRAMS = {"programs.history", "programs.get", "programs.rerun"}
REVIEWING = {"session.approve", "session.request_changes"}
DELEGATION = {
    "delegation.spawn_subagent",
    "delegation.wait_for_subagents",
    "delegation.send_message",
    "delegation.fork",
    "delegation.exec",
    "delegation.transition_state",
    "board.create_issue",
    "board.wait_for_issue",
}
CONTEXT = {
    "context.evict_file_view",
    "context.archive_thread",
    "context.search_archive",
    "context.compact",
}

GRANTED = [
    pytest.param(set(), set(), ALWAYS, id="nothing asked for"),
    pytest.param({"files"}, set(), ALWAYS | FILES, id="files"),
    pytest.param({"memories"}, set(), ALWAYS | MEMORIES, id="memories"),
    pytest.param({"files", "memories"}, set(), ALWAYS | FILES | MEMORIES, id="two"),
    pytest.param({"skills"}, set(), ALWAYS | SKILLS, id="skills"),
    pytest.param({"skillbook"}, set(), ALWAYS | SKILLBOOK, id="skillbook"),
    pytest.param({"program-library"}, set(), ALWAYS | PROGRAMS, id="programs"),
    pytest.param({"agent-managed-context"}, set(), ALWAYS | CONTEXT, id="context"),
    pytest.param({"delegation"}, set(), ALWAYS | DELEGATION, id="delegation"),
    pytest.param({"memories"}, MEMORIES, ALWAYS, id="all of a family withheld"),
    pytest.param(set(), {"views.close"}, ALWAYS - {"views.close"}, id="withheld without a capability"),
    pytest.param({"shell"}, set(), ALWAYS | SHELL, id="shell"),
    pytest.param({"records"}, set(), ALWAYS | RECORDS, id="records, none of which forgets or approves"),
    pytest.param({"compaction"}, set(), ALWAYS, id="a capability that buys nothing"),
]


@pytest.mark.parametrize(("capabilities", "withheld", "expected"), GRANTED)
def test_capabilities_grant_calls(capabilities: set[str], withheld: set[str], expected: set[str]) -> None:
    assert granted_by(OPERATIONS.values(), frozenset(capabilities), frozenset(withheld)) == expected


def test_a_reviewer_ends_with_a_verdict_and_in_no_other_way() -> None:
    found = granted_by(OPERATIONS.values(), frozenset({"files"}), frozenset(), role="reviewer")

    assert found == (ALWAYS - {"session.finish"}) | REVIEWING | FILES


def test_the_table_of_calls_is_the_families_in_their_order() -> None:
    assert [family.name for family in FAMILIES] == [
        "memories",
        "skills",
        "records",
        "skillbook",
        "views",
        "docs",
        "files",
        "shell",
        "programs",
        "context",
        "delegation",
        "board",
        "session",
    ]
    assert list(OPERATIONS) == [operation.id for family in FAMILIES for operation in family.operations]
    granted = FILES | SHELL | SKILLS | RECORDS | SKILLBOOK | MEMORIES | PROGRAMS | CONTEXT | DELEGATION
    assert set(OPERATIONS) == ALWAYS | REVIEWING | granted
    assert {
        family.name for family in FAMILIES for op in family.operations if op.family != family.name
    } == set()


def test_what_is_granted_is_found() -> None:
    grants = Grants(OPERATIONS, frozenset({"views.open_text"}))

    assert grants.find("views.open_text") is OPERATIONS["views.open_text"]
    assert (grants.permits("views.open_text"), grants.permits("views.close")) == (True, False)
    assert grants.spellings() == {"views.open_text": "views.openText"}


SOME = {"views.open_text", "views.close", "session.finish"}
NOT_GRANTED = [
    pytest.param(
        SOME,
        "views.current",
        "views.current is not available to this agent. The calls there are: views.close and views.openText.",
        id="others of the family",
    ),
    pytest.param(
        SOME,
        "views.open_txt",
        "views.open_txt is not available to this agent. The calls there are: views.close and views.openText.",
        id="no such call of a family",
    ),
    pytest.param(
        SOME, "files.read_file", "files.readFile is not available to this agent.", id="nothing of the family"
    ),
    pytest.param(
        SOME,
        "sesion.finish",
        "sesion.finish is not available to this agent. The calls there are: session.finish.",
        id="a family that is near",
    ),
    pytest.param(set(), "views.close", "views.close is not available to this agent.", id="nothing at all"),
    pytest.param(SOME, "", " is not available to this agent.", id="empty"),
    pytest.param(
        SOME, "a\nNotice", "a\\u000aNotice is not available to this agent.", id="a name of several lines"
    ),
    pytest.param(
        SOME, "x" * 1_000_000, f"{'x' * 80}… is not available to this agent.", id="a name of megabytes"
    ),
]


@pytest.mark.parametrize(("granted", "operation_id", "message"), NOT_GRANTED)
def test_a_call_that_is_not_granted_names_those_that_are(
    granted: set[str], operation_id: str, message: str
) -> None:
    with pytest.raises(Refusal) as caught:
        Grants(OPERATIONS, frozenset(granted)).find(operation_id)

    assert (caught.value.code, caught.value.kind, caught.value.message) == (
        "unavailable",
        "not_granted",
        message,
    )


HELD = frozenset({"memories.write_memory", "memories.delete_memory", "files.search", "session.finish"})
ALL_TOOLS = "The calls there are: write_memory, delete_memory, search_files and finish."
NO_TOOLS = [
    ("memories.writeMemory", f"Did you mean write_memory? {ALL_TOOLS}"),
    ("memories.write_memory", f"Did you mean write_memory? {ALL_TOOLS}"),
    ("writeMemory", f"Did you mean write_memory? {ALL_TOOLS}"),
    ("WriteMemory", f"Did you mean write_memory? {ALL_TOOLS}"),
    ("functions.write_memory", f"Did you mean write_memory? {ALL_TOOLS}"),
    ("files.search", f"Did you mean search_files? {ALL_TOOLS}"),
    ("files.searchFiles", f"Did you mean search_files? {ALL_TOOLS}"),
    ("session.finish", f"Did you mean finish? {ALL_TOOLS}"),
    ("write_memori", f"Did you mean write_memory? {ALL_TOOLS}"),
    ("submit_program", ALL_TOOLS),
    ("", ALL_TOOLS),
    ("x" * 1_000_000, ALL_TOOLS),
]


@pytest.mark.parametrize(("name", "told"), NO_TOOLS, ids=range(len(NO_TOOLS)))
def test_a_name_that_no_tool_has_names_the_one_that_was_meant(name: str, told: str) -> None:
    grants = Grants(OPERATIONS, HELD | {"views.open_text"}, native=True)
    with pytest.raises(Refusal) as caught:
        grants.find_tool(name)

    shown = name if len(name) <= 80 else f"{name[:80]}…"
    assert caught.value.message == f"{shown} is not available to this agent. {told}"


@pytest.mark.parametrize("name", ["read_memory", "readMemory", "memories.readMemory"])
def test_a_tool_that_is_not_held_names_those_of_its_family(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        Grants(OPERATIONS, HELD, native=True).find_tool(name)

    assert caught.value.message == (
        "read_memory is not available to this agent. The calls there are: delete_memory and write_memory."
    )


READER = Grants(
    OPERATIONS,
    frozenset({"memories.read_memory", "views.open_text"}),
    barred=frozenset({"memories.create_memory", "memories.delete_memory"}),
)


def test_a_call_that_access_forbids_is_found_for_it_to_refuse_and_told_nowhere() -> None:
    barred = OPERATIONS["memories.create_memory"]
    tools = replace(READER, native=True)

    assert READER.find("memories.create_memory") is barred
    assert tools.find_tool("create_memory") is barred
    assert (READER.permits(barred.id), barred.id in READER.spellings()) == (False, False)


@pytest.mark.parametrize("operation_id", ["memories.edit_memory", "memories.write_memory"])
def test_a_call_that_the_features_or_the_strategy_withhold_is_not_found_whatever_access_forbids(
    operation_id: str,
) -> None:
    with pytest.raises(Refusal) as caught:
        READER.find(operation_id)

    assert (caught.value.code, caught.value.message) == (
        "unavailable",
        f"{OPERATIONS[operation_id].spelling} is not available to this agent. The calls there are:"
        " memories.readMemory.",
    )


@pytest.mark.parametrize("name", ["createMemory", "memories.create_memory", "Create_Memory"])
def test_a_tool_that_access_forbids_is_not_found_by_another_name(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        replace(READER, native=True).find_tool(name)

    assert caught.value.message == (
        "create_memory is not available to this agent. The calls there are: read_memory."
    )


def test_of_two_tools_of_one_name_the_one_is_found_that_is_held() -> None:
    for held, other in (
        ("skills.read_skill", "skillbook.read_skill"),
        ("skillbook.read_skill", "skills.read_skill"),
    ):
        grants = Grants(OPERATIONS, frozenset({held}), native=True)

        assert grants.find_tool("read_skill").id == held
        assert (grants.permits(held), grants.permits(other)) == (True, False)
