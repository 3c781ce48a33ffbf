"""What the plan of an agent comes to in its system prompt."""

from dataclasses import replace
from pathlib import Path

import pytest

from host.app.agent_plans import bound_of, grants_of, window_of
from host.app.prompt_facts import prompt_facts_of
from host.launch import AgentPlan, CodeModePlan, FilesPlan, MemoriesPlan, ScriptedModel
from host.launch.plan import CompactionPlan
from host.memories import Caps, Holder, Start, StoreRegistry, strategy_of
from host.operations import FAMILIES, Grants
from host.turn import MemoryFacts, PromptFacts, system_prompt
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


def holder_of(plan: AgentPlan, grants: Grants) -> Holder | None:
    bound = bound_of(plan, "root", grants, stores=StoreRegistry(), start=Start(kind="root"))
    return bound.holder if bound else None


def facts_of(plan: AgentPlan) -> PromptFacts:
    grants = grants_of(plan)
    return prompt_facts_of(plan, grants, holder_of(plan, grants))


def test_an_agent_that_has_nothing() -> None:
    assert facts_of(BARE) == PromptFacts(
        execution="responses_as_code", calls=grants_of(BARE).spellings(), families=FAMILIES
    )


def test_an_agent_that_has_everything() -> None:
    assert facts_of(FULL) == PromptFacts(
        execution="tool_calling",
        calls=grants_of(FULL).spellings(),
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
    grants = grants_of(plan)
    window = window_of(plan, grants, holder_of(plan, grants), "Do it.")

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
