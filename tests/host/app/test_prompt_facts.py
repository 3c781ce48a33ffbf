"""What the plan of an agent comes to in its system prompt."""

from dataclasses import replace
from pathlib import Path

import pytest

from host.app.agent_grants import grants_of
from host.app.agent_plans import bound_of, window_of
from host.app.opening import Opening
from host.app.prompt_facts import prompt_facts_of
from host.launch import AgentPlan, CodeModePlan, FilesPlan, LaunchPlan, MemoriesPlan, ScriptedModel
from host.launch.plan import CompactionPlan, RosterEntry, StatePlan
from host.memories import Caps, Holder, MemoryDraft, Start, StoreRegistry, strategy_of
from host.operations import FAMILIES, Grants
from host.turn import MemoryFacts, OtherAgents, PromptFacts, system_prompt
from tests.helpers.memories import limits

MODEL = ScriptedModel(replies=())
BARE = AgentPlan(id="root", model=MODEL)
FULL = AgentPlan(
    id="root",
    model=MODEL,
    execution="tool_calling",
    prompt="You are root.",
    memories=MemoriesPlan(
        strategy="markdown", scope="isolated", limits=limits(max_count=9, max_len_description=64)
    ),
    files=FilesPlan(directory=Path("/tmp")),
    compaction=CompactionPlan(strategy="summary", threshold=0.85, context_window_tokens=100_000),
)
CHECKED = AgentPlan(id="root", model=MODEL, code_mode=CodeModePlan(typecheck="warn", delivery="tool"))


def run_of(*agents: AgentPlan, states: dict[str, StatePlan] | None = None) -> LaunchPlan:
    return LaunchPlan(
        name="run",
        task="Do it.",
        root="root",
        agents=agents,
        base=Path("/"),
        document={},
        states=states or {},
    )


def holder_of(plan: AgentPlan, grants: Grants) -> Holder | None:
    bound = bound_of(plan, "root", grants, stores=StoreRegistry(), start=Start(kind="root"))
    return bound.holder if bound else None


def facts_of(plan: AgentPlan, run: LaunchPlan | None = None, state: str | None = None) -> PromptFacts:
    run = run or run_of(plan)
    grants = grants_of(plan, run)
    return prompt_facts_of(plan, run, grants=grants, holder=holder_of(plan, grants), state=state)


def test_an_agent_that_has_nothing() -> None:
    assert facts_of(BARE) == PromptFacts(
        execution="responses_as_code", calls=grants_of(BARE, run_of(BARE)).spellings(), families=FAMILIES
    )


def test_an_agent_that_has_everything() -> None:
    assert facts_of(FULL) == PromptFacts(
        execution="tool_calling",
        calls=grants_of(FULL, run_of(FULL)).spellings(),
        families=FAMILIES,
        agent_prompt="You are root.",
        memories=MemoryFacts(strategy=strategy_of("markdown"), caps=Caps(max_len_description=64)),
        compaction="summary",
    )
    assert facts_of(FULL).calls["memories.create_memory"] == "create_memory"


def test_how_programs_are_delivered_and_checked() -> None:
    facts = facts_of(CHECKED)

    assert (facts.delivery, facts.rejects_types) == ("tool", False)


@pytest.mark.parametrize("plan", [BARE, FULL, CHECKED], ids=["bare", "full", "checked"])
def test_a_window_opens_on_the_system_prompt(plan: AgentPlan) -> None:
    run = run_of(plan)
    grants = grants_of(plan, run)
    window = window_of(
        plan,
        run,
        grants=grants,
        holder=holder_of(plan, grants),
        state=None,
        opening=Opening(task="Do it."),
        mask=str,
    )

    assert [(entry.band, entry.text) for entry in window.entries_from(0)] == [
        ("system", system_prompt(facts_of(plan))),
        ("task", "Task\n----\nDo it."),
    ]


def test_an_agent_whose_memories_are_append_only_is_told_so() -> None:
    assert FULL.memories is not None
    plan = replace(FULL, memories=replace(FULL.memories, may_revise=False))
    told = "A memory cannot be changed or deleted once it is written."

    assert [told in system_prompt(facts_of(each)).replace("\n", " ") for each in (plan, FULL)] == [
        True,
        False,
    ]


READER = AgentPlan(id="reader", model=MODEL, prompt="\n  You read files.\nYou say what is in them.\n")
WRITER = AgentPlan(id="writer", model=MODEL, prompt="x" * 500)
CHECKER = AgentPlan(id="checker", model=MODEL)
LEADER = replace(
    BARE,
    delegates=True,
    roster=(
        RosterEntry(agent="reader", role="subagent"),
        RosterEntry(agent="writer", role="implementer"),
        RosterEntry(agent="writer", role="subagent"),
    ),
)
STATES = {
    "draft": StatePlan(agent="root", to={"check": frozenset({"memories"}), "done": frozenset()}),
    "check": StatePlan(agent="checker", to={"draft": frozenset()}),
    "done": StatePlan(agent="writer", to={}),
}


def test_whom_an_agent_may_have_to_do_with() -> None:
    run = run_of(LEADER, READER, WRITER, CHECKER, states=STATES)

    assert facts_of(LEADER, run, "draft").others == OtherAgents(
        briefs={"reader": "You read files.", "writer": f"{'x' * 200}\u2026", "root": "", "checker": ""},
        subagents=("reader", "writer"),
        successors=("reader", "writer", "root", "checker"),
        states={"check": "checker", "done": "writer"},
    )
    assert facts_of(LEADER, run).others.states == {}
    assert facts_of(BARE, run).others == OtherAgents()


def keeping(plan: AgentPlan, scope: str) -> AgentPlan:
    assert FULL.memories is not None
    return replace(plan, memories=replace(FULL.memories, scope=scope))


LINKED = [
    pytest.param(BARE, "isolated", "isolated", False, id="nobody links"),
    pytest.param(BARE, "shared", "isolated", True, id="its own scope is shared"),
    pytest.param(BARE, "inherited", "isolated", True, id="its own scope inherits"),
    pytest.param(BARE, "read-only", "isolated", True, id="its own scope reads"),
    pytest.param(BARE, "isolated", "inherited", False, id="another inherits, and it spawns none"),
    pytest.param(LEADER, "isolated", "inherited", True, id="another inherits, and it spawns"),
    pytest.param(LEADER, "isolated", "read-only", True, id="another reads, and it spawns"),
    pytest.param(LEADER, "isolated", "shared", False, id="another shares with its own profile alone"),
]


@pytest.mark.parametrize(("plan", "own", "others", "is_linked"), LINKED)
def test_an_agent_is_told_where_others_may_hold_its_memories(
    plan: AgentPlan, own: str, others: str, is_linked: bool
) -> None:
    plan = keeping(plan, own)
    memories = facts_of(plan, run_of(plan, keeping(READER, others), WRITER)).memories

    assert memories is not None
    assert memories.is_linked is is_linked


def test_an_agent_that_holds_those_of_another_is_told_so() -> None:
    reader, stores = keeping(READER, "read-only"), StoreRegistry()
    leader = keeping(LEADER, "isolated")
    run = run_of(leader, reader, WRITER)
    spawner = bound_of(leader, "root", grants_of(leader, run), stores=stores, start=Start(kind="root"))
    assert spawner is not None
    spawner.holder.create(MemoryDraft(name="csv", description="Exports.", body="Quoted."), turn=1)
    start = Start(kind="subagent", offered=spawner.holder)
    bound = bound_of(reader, "reader", grants_of(reader, run), stores=stores, start=start)
    assert bound is not None

    grants = grants_of(reader, run, place="subagent", access="read")
    facts = prompt_facts_of(reader, run, grants=grants, holder=bound.holder, state=None)
    assert facts.memories == MemoryFacts(
        strategy=strategy_of("markdown"),
        caps=Caps(max_len_description=64),
        writable=False,
        is_linked=True,
        is_filled=True,
    )
    assert {id_ for id_ in facts.calls if id_.startswith("memories.")} == {"memories.read_memory"}
    text = system_prompt(facts).replace("\n", " ")
    assert "You have the memories of another agent" in text
