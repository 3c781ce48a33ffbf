"""Agents that hold another agent's memories to read them: what they are offered, shown and told."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from host.events import AgentSurface, ApiCall, CompileDiagnostic, MemoryRefusal, MemoryRevision, MemoryState
from runtime_js import Compiler
from tests.helpers.acts import (
    Act,
    creates,
    deletes,
    edits,
    finishes,
    forks,
    reads,
    searches,
    spawns,
    updates,
    waits,
    writes,
)
from tests.helpers.memory_turns import EXECUTIONS, STRATEGIES, Execution
from tests.helpers.teams import Said, Script, TeamRan, failed_checks, memories, run_team, starts

READING: Final = {
    "scratchpad": [],
    "markdown": ["read_memory"],
    "keyword-search": ["read_memory", "search_memories"],
}
WRITING: Final = {
    "scratchpad": ["write_memory", "update_memory", "delete_memory"],
    "markdown": ["create_memory", "edit_memory", "delete_memory"],
    "keyword-search": ["create_memory", "edit_memory", "delete_memory"],
}


def attempts(strategy: str) -> tuple[Act, ...]:
    """Every call of the strategy that writes, each with arguments that would do."""
    if strategy == "scratchpad":
        return writes("mine"), updates("there", "Mine."), deletes("there")
    return creates("mine"), edits("there", "A note.", "Mine."), deletes("there")


def run_reader(
    out: Path,
    strategy: str,
    execution: Execution,
    *replies: Said,
    compiler: Compiler,
) -> TeamRan:
    """An agent that has made the memory `there`, and its reader."""
    make = (writes if strategy == "scratchpad" else creates)("there")
    script: Script = {
        "lead": [(make,), (spawns("reader"), waits()), (finishes(),)],
        "reader": [*replies, (finishes(),)],
    }
    agents = {
        "lead": {"capabilities": [memories("isolated", strategy)], "roster": starts("reader")},
        "reader": {"capabilities": [memories("read-only", strategy)]},
    }
    ran = run_team(out, script, agents, execution=execution, compiler=compiler)
    assert (ran.result.error, failed_checks(ran)) == (None, [])
    return ran


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_reader_has_exactly_the_calls_that_read(
    strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    ran = run_reader(tmp_path / "r", strategy, execution, compiler=compiler)

    (surface,) = ran.of(AgentSurface, "reader")
    assert of_memories(surface.operations) == READING[strategy]
    assert set(WRITING[strategy]) <= set(of_memories(surface.withheld))
    if execution == "tool_calling":
        assert [tool for tool in surface.tools if "memor" in tool] == READING[strategy]
    (writer,) = ran.of(AgentSurface, "lead")
    assert sorted(of_memories(writer.operations)) == sorted(READING[strategy] + WRITING[strategy])
    assert {state.writable for state in ran.of(MemoryState, "reader")} == {False}


def of_memories(operations: Any) -> list[str]:  # noqa: ANN401 - ids of operations
    return [id_.partition(".")[2] for id_ in operations if id_.startswith("memories.")]


# The calls that a reader has, as a refusal names them.
NAMED: Final = {
    ("markdown", "tool_calling"): "The calls there are: read_memory.",
    ("markdown", "responses_as_code"): "The calls there are: memories.readMemory.",
    ("keyword-search", "tool_calling"): "The calls there are: read_memory and search_memories.",
    ("keyword-search", "responses_as_code"): (
        "The calls there are: memories.readMemory and memories.searchMemories."
    ),
}
ANOTHERS: Final = "You have the memories of another agent"
IN_THE_WINDOW: Final = "They are read in the window alone."


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_write_that_arrives_anyway_is_refused_with_the_calls_that_there_are(
    strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    ran = run_reader(tmp_path / "r", strategy, execution, attempts(strategy), compiler=compiler)

    why = "the memories are another agent's, to be read only"
    remedy = NAMED.get((strategy, execution), IN_THE_WINDOW)
    tried = [("write" if strategy == "scratchpad" else "create", "mine")]
    tried += [("update" if strategy == "scratchpad" else "edit", "there"), ("delete", "there")]
    messages = [f"Cannot {verb} `{name}`: {why}. {remedy}" for verb, name in tried]
    assert ran.given("reader", 1) == [f"refused: {message}" for message in messages]
    refusals = ran.of(MemoryRefusal, "reader")
    assert [(each.kind, each.message) for each in refusals] == [("read_only", each) for each in messages]
    made = [call for call in ran.of(ApiCall, "reader") if call.operation.startswith("memories.")]
    assert [(call.ok, call.code) for call in made] == [(False, "refused")] * 3
    assert [(agent_id, each.name) for agent_id, each in ran.by_agent(MemoryRevision)] == [("lead", "there")]


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_reader_reads_and_is_told_whose_memories_they_are(
    strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    looks = {"markdown": (reads("there"),), "keyword-search": (searches("note"), reads("there"))}
    acts = looks.get(strategy, (waits(),))
    ran = run_reader(tmp_path / "r", strategy, execution, acts, compiler=compiler)

    opened = [message.text for message in ran.prompts["reader"][0]]
    prompt = " ".join(opened[0].split())
    assert (
        "You have the memories of another agent: notes that it writes, and that you can read but not"
        in prompt
    )
    assert not any(name in prompt for tool in WRITING[strategy] for name in (tool, camel(tool)))
    pinned = {
        "scratchpad": ["Memories\n----\n- `there` — About there.\n```\nA note.\n```"],
        "markdown": ["Memories\n----\n- `there` — About there."],
    }
    assert opened[1:-2] == pinned.get(strategy, [])
    assert opened[-2].startswith("Context\n----\n`lead`, which set your task, works on this.")
    if strategy != "scratchpad":
        assert ran.given("reader", 1)[-1] == "A note."
    if strategy == "keyword-search":
        hits = ran.given("reader", 1)[0]
        (hit,) = hits["hits"] if execution == "tool_calling" else hits
        assert (hit["name"], hit["excerpt"]) == ("there", "A note.")


def camel(tool: str) -> str:
    first, _, second = tool.partition("_")
    return first + second.capitalize()


TYPED: Final = """\
import { memories } from "gg";
memories.%s({} as any);
"""
DOCS: Final = """\
import { docs, views } from "gg";
const keys = docs.search("memory", { limit: 100 }).hits.map((page) => page.key);
let failed = "";
try { views.openDocsView("memories.%s"); } catch (error: any) { failed = error.code; }
views.openText("docs", JSON.stringify([keys, failed]));
"""


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_reader_s_programs_are_declared_and_documented_no_call_that_writes(
    strategy: str, tmp_path: Path, compiler: Compiler
) -> None:
    names = [camel(tool) for tool in WRITING[strategy]]
    programs = [program % name for name in names for program in (TYPED, DOCS)]
    ran = run_reader(tmp_path / "r", strategy, "responses_as_code", *programs, compiler=compiler)

    found = [
        (each.line, each.message.partition(" does not")[0]) for each in ran.of(CompileDiagnostic, "reader")
    ]
    assert found == [(2, f"Property '{name}'") for name in names]
    reading = {f"memories.{camel(tool)}" for tool in READING[strategy]}
    for turn in (2, 4, 6):
        (shown,) = (text for text in ran.told("reader", turn) if text.startswith("View: docs\n"))
        keys, failed = json.loads(shown.partition("\n----\n")[2])
        assert failed == "not-found"
        assert {key for key in keys if key.startswith("memories.") and key[9].islower()} == reading


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_copy_of_one_that_may_write_its_own_may_read_and_is_told_so(
    strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    make = (writes if strategy == "scratchpad" else creates)("there")
    script: Script = {
        "root": [(make,), (forks(),), (waits(),), (finishes(),)],
        "root-2": [attempts(strategy), (finishes(),)],
    }
    root = {"root": {"capabilities": [memories("read-only", strategy)]}}
    ran = run_team(tmp_path / "r", script, root, execution=execution, compiler=compiler)

    assert (ran.result.error, failed_checks(ran)) == (None, [])
    assert [answer.partition(":")[0] for answer in ran.given("root-2", 1)] == ["refused"] * 3
    (surface,) = ran.of(AgentSurface, "root-2")
    assert of_memories(surface.operations) == READING[strategy]
    own, copied = ran.prompts["root"][2], ran.prompts["root-2"][0]
    assert "You keep memories: notes that you write" in " ".join(own[0].text.split())
    assert ANOTHERS in " ".join(copied[0].text.split())
    assert copied[1 : len(own) - 2] == own[1 : len(own) - 2]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_the_prompt_of_a_copy_that_may_do_the_same_is_the_original_s(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    """To the byte, whatever there is to read by now: what a provider has cached of it is of use to both."""
    script: Script = {
        "root": [(creates("there"),), (forks(),), (waits(),), (finishes(),)],
        "root-2": [(creates("mine"),), (finishes(),)],
    }
    root = {"root": {"capabilities": [memories("isolated")]}}
    ran = run_team(tmp_path / "r", script, root, execution=execution, compiler=compiler)

    own, copied = ran.prompts["root"][1], ran.prompts["root-2"][0]
    assert copied[: len(own)] == own
