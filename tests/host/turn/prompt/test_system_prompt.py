"""The system prompt as a model reads it, for each mode, delivery and way to keep memories."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from host.memories import Caps, strategy_of
from host.tools import Namespace
from host.turn import SECTION_NAMES, MemoryFacts, OtherAgents, PromptFacts, system_prompt
from tests.conftest import Golden
from tests.host.turn.prompt.agents import ALONE, CODE, OTHERS, STRATEGIES, TOOLS, agent

GOLDEN = Path(__file__).parents[1] / "golden" / "prompt"
AGENT = "You keep notes about the vendor's exports.\n"
REVISING = {"": True, "_append_only": False}
WAYS = [(CODE, "reply"), (CODE, "tool"), (TOOLS, "reply")]
SKILLS = {
    "csv-tools": "Reads the vendor's CSV exports, which quote inconsistently. Read it before you touch one.",
    "style": "How reports are written here.",
}
EVERYTHING = ("files", "program-library", "agent-managed-context")


def folder(execution: str, delivery: str) -> Path:
    return GOLDEN / (f"{execution}_{delivery}" if execution == CODE else execution)


@pytest.mark.parametrize(("execution", "delivery"), WAYS)
def test_without_memories(golden: Golden, execution: str, delivery: str) -> None:
    text = system_prompt(agent(execution, delivery=delivery))

    golden(folder(execution, delivery) / "bare.txt", text + "\n")


@pytest.mark.parametrize("revising", REVISING)
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("execution", "delivery"), WAYS)
def test_with_memories(golden: Golden, execution: str, delivery: str, strategy: str, revising: str) -> None:
    facts = agent(
        execution, strategy, delivery=delivery, may_revise=REVISING[revising], capabilities=("files",)
    )

    golden(folder(execution, delivery) / f"{strategy}{revising}.txt", system_prompt(facts) + "\n")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("execution", [CODE, TOOLS])
def test_with_the_memories_of_another_agent(golden: Golden, execution: str, strategy: str) -> None:
    text = system_prompt(agent(execution, strategy, writable=False, is_linked=True))

    golden(folder(execution, "reply") / f"{strategy}_read_only.txt", text + "\n")


@pytest.mark.parametrize("compaction", ["summary", "memory-compaction"])
@pytest.mark.parametrize("execution", [CODE, TOOLS])
def test_with_all_there_is(golden: Golden, execution: str, compaction: str) -> None:
    facts = agent(
        execution,
        "markdown",
        capabilities=EVERYTHING,
        agent_prompt=AGENT,
        is_linked=True,
        compaction=compaction,
    )

    golden(folder(execution, "reply") / f"all_{compaction}.txt", system_prompt(facts) + "\n")


@pytest.mark.parametrize("execution", [CODE, TOOLS])
def test_with_other_agents(golden: Golden, execution: str) -> None:
    text = system_prompt(agent(execution, capabilities=("delegation",), others=OTHERS))

    golden(folder(execution, "reply") / "delegation.txt", text + "\n")


@pytest.mark.parametrize("execution", [CODE, TOOLS])
def test_of_a_reviewer_that_can_do_nothing_but_fork(golden: Golden, execution: str) -> None:
    text = system_prompt(agent(execution, capabilities=("delegation",), role="reviewer", without=ALONE))

    golden(folder(execution, "reply") / "reviewer.txt", text + "\n")


def test_an_agent_that_is_there_alone_is_told_of_no_other() -> None:
    assert system_prompt(agent(CODE, others=OTHERS)) == system_prompt(agent(CODE))


def test_the_agent_of_a_last_state_is_told_of_none_to_enter() -> None:
    others = replace(OTHERS, states={})
    text = system_prompt(agent(CODE, capabilities=("delegation",), others=others))

    assert ("A successor" in text, "A state" in text) == (True, False)


def test_memories_that_are_there_from_the_start_are_told_where_they_stand() -> None:
    told = "- `Memories`: what your window holds of the memories, as they were when it was opened."

    assert [
        told in system_prompt(agent(TOOLS, strategy, is_filled=is_filled))
        for strategy in STRATEGIES
        for is_filled in (False, True)
    ] == [False, True, False, True, False, False]


def test_the_agents_own_part_stands_first_as_it_was_written() -> None:
    own = "  You are\n\n\n- `a`   b\n" + "x" * 200
    facts = agent(CODE)

    assert system_prompt(replace(facts, agent_prompt=f"\n{own}\n \n")) == (
        f"{own.strip()}\n\n{system_prompt(facts)}"
    )


def test_where_types_reject_no_program_none_is_said_to_be_checked() -> None:
    checked, unchecked = (system_prompt(agent(CODE, rejects_types=rejects)) for rejects in (True, False))

    assert unchecked == checked.replace(
        "- The program is checked by the TypeScript compiler in strict mode first."
        " One that is rejected does\n  not run.\n",
        "- The program is compiled first. One that cannot be compiled does not run.\n",
    )
    assert unchecked != checked


def test_the_tools_from_outside_are_told_by_their_namespaces(golden: Golden) -> None:
    tools = (
        Namespace(name="local", brief="Functions of this run.", tools=()),
        Namespace(name="git", brief="Reads repositories.", tools=()),
    )
    for execution in (CODE, TOOLS):
        text = system_prompt(replace(agent(execution), namespaces=tools))

        golden(folder(execution, "reply") / "tools.txt", text + "\n")


@pytest.mark.parametrize("compaction", [None, "summary"])
@pytest.mark.parametrize("execution", [CODE, TOOLS])
def test_skills_are_listed(golden: Golden, execution: str, compaction: str | None) -> None:
    facts = agent(execution, "markdown", capabilities=("skills",), skills=SKILLS, compaction=compaction)
    kept = "_compacted" if compaction else ""

    golden(folder(execution, "reply") / f"skills{kept}.txt", system_prompt(facts) + "\n")


@pytest.mark.parametrize("execution", [CODE, TOOLS])
def test_what_records_are_is_told_where_there_are_some(golden: Golden, execution: str) -> None:
    facts = agent(execution, capabilities=("records",), sections=SECTION_NAMES)

    golden(folder(execution, "reply") / "records.txt", system_prompt(facts) + "\n")


@pytest.mark.parametrize("execution", [CODE, TOOLS])
def test_a_reflector_is_told_how_the_skillbook_is_kept(golden: Golden, execution: str) -> None:
    facts = agent(execution, capabilities=("skillbook",), sections=frozenset({"account"}))

    golden(folder(execution, "reply") / "skillbook.txt", system_prompt(facts) + "\n")


FULL = agent(
    CODE,
    "markdown",
    capabilities=("files", "program-library", "delegation", "skills"),
    agent_prompt=AGENT,
    is_filled=True,
    others=OTHERS,
)
OTHERWISE: dict[str, Any] = {
    "execution": TOOLS,
    "calls": {id_: call for id_, call in FULL.calls.items() if not id_.startswith("files.")},
    "families": FULL.families[:-1],
    "agent_prompt": "",
    "delivery": "tool",
    "rejects_types": False,
    "memories": None,
    "compaction": "summary",
    "skills": SKILLS,
    "sections": SECTION_NAMES,
    "others": OtherAgents(),
    "namespaces": (Namespace(name="git", brief="Reads repositories.", tools=()),),
}
HELD_OTHERWISE: dict[str, Any] = {
    "strategy": strategy_of("scratchpad"),
    "caps": Caps(),
    "writable": False,
    "is_linked": True,
    "is_filled": False,
}


@pytest.mark.parametrize("fact", [field.name for field in fields(PromptFacts)])
def test_each_fact_is_told(fact: str) -> None:
    assert system_prompt(replace(FULL, **{fact: OTHERWISE[fact]})) != system_prompt(FULL)


@pytest.mark.parametrize("fact", [field.name for field in fields(MemoryFacts)])
def test_each_fact_about_memories_is_told(fact: str) -> None:
    assert FULL.memories is not None
    other = replace(FULL, memories=replace(FULL.memories, **{fact: HELD_OTHERWISE[fact]}))

    assert system_prompt(other) != system_prompt(FULL)
