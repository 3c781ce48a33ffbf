"""What each plan grants at each place of a run, and with each access to the memories."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from host.app.agent_grants import grants_of
from host.app.declarations import DECLARATIONS, declarations_of
from host.events import StartKind
from host.launch import AgentPlan, FilesPlan, LaunchPlan, MemoriesPlan, ScriptedModel
from host.launch.plan import BoardPlan, RosterEntry, RosterRole, StatePlan
from host.operations import OPERATIONS, tool_specs
from tests.helpers.memories import limits

STARTS: tuple[StartKind, ...] = get_args(StartKind)
MODEL = ScriptedModel(replies=())
BARE = AgentPlan(id="root", model=MODEL)
ALONE = replace(BARE, delegates=True)
ALWAYS = {
    "views.open_text",
    "views.open_docs_view",
    "views.close",
    "views.current",
    "docs.search",
    "docs.close",
    "docs.close_all",
}
FILES = {id_ for id_ in OPERATIONS if OPERATIONS[id_].capability == "files"}
PROGRAMS = {id_ for id_ in OPERATIONS if OPERATIONS[id_].family == "programs"}
CONTEXT = {id_ for id_ in OPERATIONS if OPERATIONS[id_].family == "context"}
FORKS = {"delegation.wait_for_subagents", "delegation.send_message", "delegation.fork"}
SPAWN, EXEC, MOVE = "delegation.spawn_subagent", "delegation.exec", "delegation.transition_state"
BOARD = {"board.create_issue", "board.wait_for_issue"}
OF_BOARD = BoardPlan(implementer="root", reviewer="root", merge="root")
OWN_STATE = {"draft": StatePlan(agent="root", to={})}
STATE_OF_ANOTHER = {"draft": StatePlan(agent="other", to={})}


def run_of(
    *agents: AgentPlan, states: dict[str, StatePlan] | None = None, board: BoardPlan | None = None
) -> LaunchPlan:
    return LaunchPlan(
        name="run",
        task="Do it.",
        root="root",
        agents=agents,
        base=Path("/"),
        document={},
        states=states or {},
        board=board,
    )


def keeping(strategy: str, *, may_revise: bool = True) -> AgentPlan:
    memories = MemoriesPlan(strategy=strategy, scope="read-only", limits=limits(), may_revise=may_revise)
    return replace(BARE, memories=memories)


def rostered(*roles: RosterRole) -> AgentPlan:
    return replace(ALONE, roster=tuple(RosterEntry(agent="other", role=role) for role in roles))


NOTHING, PLAIN = run_of(BARE), set[str]()
PLANS = [
    pytest.param(BARE, NOTHING, PLAIN, id="nothing"),
    pytest.param(BARE, run_of(BARE, states=OWN_STATE, board=OF_BOARD), PLAIN, id="no delegation"),
    pytest.param(replace(BARE, files=FilesPlan(directory=Path("/"))), NOTHING, FILES, id="files"),
    pytest.param(replace(BARE, keeps_programs=True), NOTHING, PROGRAMS, id="programs"),
    pytest.param(replace(BARE, manages_context=True), NOTHING, CONTEXT, id="context"),
    pytest.param(ALONE, NOTHING, FORKS, id="nobody else"),
    pytest.param(rostered("subagent"), NOTHING, {*FORKS, SPAWN, EXEC}, id="a subagent"),
    pytest.param(rostered("implementer"), NOTHING, {*FORKS, EXEC}, id="an implementer"),
    pytest.param(rostered("reviewer"), NOTHING, {*FORKS, EXEC}, id="a reviewer"),
    pytest.param(rostered("merge"), NOTHING, {*FORKS, EXEC}, id="a merge agent"),
    pytest.param(rostered("merge", "subagent"), NOTHING, {*FORKS, SPAWN, EXEC}, id="several"),
    pytest.param(ALONE, run_of(ALONE, states=OWN_STATE), {*FORKS, EXEC, MOVE}, id="its own state"),
    pytest.param(ALONE, run_of(ALONE, states=STATE_OF_ANOTHER), {*FORKS, EXEC}, id="the state of another"),
    pytest.param(ALONE, run_of(ALONE, board=OF_BOARD), FORKS | BOARD, id="a board"),
]


@pytest.mark.parametrize("place", STARTS)
@pytest.mark.parametrize(("plan", "run", "more"), PLANS)
def test_a_plan_grants_calls_at_every_place(
    plan: AgentPlan, run: LaunchPlan, more: set[str], place: StartKind
) -> None:
    endings = {"session.approve", "session.request_changes"} if place == "reviewer" else {"session.finish"}
    if place == "reflector":  # it keeps the book, and starts nobody
        of_others = {id_ for id_ in more if id_.startswith(("delegation.", "board."))}
        more = (more - of_others) | {id_ for id_ in OPERATIONS if id_.startswith("skillbook.")}

    grants = grants_of(plan, run, place=place)

    assert (grants.granted, grants.barred) == (ALWAYS | endings | more, frozenset())


READS = [
    ("scratchpad", set()),
    ("markdown", {"memories.read_memory"}),
    ("keyword-search", {"memories.read_memory", "memories.search_memories"}),
]
WRITES = [
    ("scratchpad", "memories.write_memory", {"memories.update_memory", "memories.delete_memory"}),
    ("markdown", "memories.create_memory", {"memories.edit_memory", "memories.delete_memory"}),
    ("keyword-search", "memories.create_memory", {"memories.edit_memory", "memories.delete_memory"}),
]


@pytest.mark.parametrize("place", STARTS)
@pytest.mark.parametrize("may_revise", [True, False])
@pytest.mark.parametrize(
    ("strategy", "reads", "creates", "revises"),
    [(*read, *write[1:]) for read, write in zip(READS, WRITES, strict=True)],
)
def test_memories_grant_the_calls_of_their_strategy_that_access_and_features_leave(
    strategy: str, reads: set[str], creates: str, revises: set[str], may_revise: bool, place: StartKind
) -> None:
    plan = keeping(strategy, may_revise=may_revise)
    writing = {creates} | (revises if may_revise else set())
    found = {
        access: grants_of(plan, run_of(plan), place=place, access=access)  # type: ignore[arg-type]
        for access in ("write", "read")
    }

    assert {access: of_memories(grants.granted) for access, grants in found.items()} == {
        "write": reads | writing,
        "read": reads,
    }
    assert (found["write"].barred, found["read"].barred) == (frozenset(), writing)


def of_memories(granted: frozenset[str]) -> set[str]:
    return {id_ for id_ in granted if id_.startswith("memories.")}


@pytest.mark.parametrize(("strategy", "reads"), READS)
def test_a_model_is_shown_no_schema_of_a_call_that_writes_what_it_may_only_read(
    strategy: str, reads: set[str]
) -> None:
    plan = replace(keeping(strategy), execution="tool_calling")
    names = [spec.name for spec in tool_specs(grants_of(plan, run_of(plan), access="read"), None)]

    assert names == [*(id_.removeprefix("memories.") for id_ in sorted(reads)), "finish"]


def functions(declarations: str) -> set[str]:
    """Of the memories, as programs call them."""
    module = declarations.partition('declare module "gg:memories" {')[2].partition("\n}")[0]
    return {line.partition("(")[0].split()[-1] for line in module.splitlines() if "function " in line}


@pytest.mark.parametrize("may_revise", [True, False])
@pytest.mark.parametrize("strategy", [strategy for strategy, _ in READS])
def test_the_declarations_of_an_agent_that_may_only_read_have_no_call_that_writes(
    strategy: str, may_revise: bool
) -> None:
    plan = keeping(strategy, may_revise=may_revise)

    assert functions(declarations_of(plan, "read")) == {"readMemory", "searchMemories"}


def test_every_other_agent_sees_the_whole_sdk_but_calls_that_revise_append_only_memories() -> None:
    seen = {
        may_revise: functions(declarations_of(keeping("markdown", may_revise=may_revise)))
        for may_revise in (True, False)
    }

    assert seen[True] == functions(DECLARATIONS)
    assert seen[True] - seen[False] == {"updateMemory", "editMemory", "deleteMemory"}
    assert declarations_of(BARE, "read") == declarations_of(ALONE) == DECLARATIONS
