"""The system prompt as a model reads it, and that every name in it exists."""

import re
from pathlib import Path

import pytest

from host.memories import strategy_of
from host.operations import FAMILIES, OPERATIONS, Grants, granted_by
from host.turn.prompt import DeliveryName, memories_prompt, system_prompt
from tests.conftest import Golden

GOLDEN = Path(__file__).parent / "golden"
AGENT = "You keep notes about the vendor's exports.\n"
SCRATCHPAD = {"memories.create_memory", "memories.read_memory"}
MARKDOWN = {"memories.write_memory", "memories.update_memory"}

PROMPTS = [
    pytest.param("bare", set(), set(), "", None, id="nothing but views and the ending"),
    pytest.param(
        "scratchpad",
        {"memories", "files"},
        SCRATCHPAD,
        AGENT,
        memories_prompt(strategy_of("scratchpad"), 256),
        id="scratchpad and files",
    ),
    pytest.param(
        "markdown",
        {"memories"},
        MARKDOWN,
        AGENT,
        memories_prompt(strategy_of("markdown"), 0),
        id="markdown, descriptions of any length",
    ),
    pytest.param(
        "submitted",
        {"program-library", "agent-managed-context"},
        set(),
        "",
        None,
        id="programs are submitted by a call",
    ),
    pytest.param(
        "compacting",
        {"memories", "agent-managed-context"},
        SCRATCHPAD,
        "",
        memories_prompt(strategy_of("scratchpad"), 256),
        id="memories are pinned anew by a compaction",
    ),
]


def prompt(capabilities: set[str], withheld: set[str], agent_prompt: str, memories: str | None) -> str:
    granted = granted_by(OPERATIONS.values(), frozenset(capabilities), frozenset(withheld))
    grants = Grants(OPERATIONS, granted)
    delivery: DeliveryName = "tool" if "program-library" in capabilities else "reply"
    return system_prompt(
        families=FAMILIES,
        grants=grants,
        agent_prompt=agent_prompt,
        memories=memories,
        delivery=delivery,
    )


@pytest.mark.parametrize(("name", "capabilities", "withheld", "agent_prompt", "memories"), PROMPTS)
def test_the_system_prompt(
    golden: Golden,
    name: str,
    capabilities: set[str],
    withheld: set[str],
    agent_prompt: str,
    memories: str | None,
) -> None:
    golden(
        GOLDEN / f"system_prompt_{name}.txt", prompt(capabilities, withheld, agent_prompt, memories) + "\n"
    )


def test_where_types_reject_no_program_none_is_said_to_be_checked() -> None:
    grants = Grants(OPERATIONS, granted_by(OPERATIONS.values(), frozenset(), frozenset()))
    checked, unchecked = (
        system_prompt(families=FAMILIES, grants=grants, agent_prompt="", memories=None, rejects_types=rejects)
        for rejects in (True, False)
    )

    assert unchecked == checked.replace(
        "- The program is checked by the TypeScript compiler in strict mode first."
        " One that is rejected does\n  not run.\n",
        "- The program is compiled first. One that cannot be compiled does not run.\n",
    )
    assert unchecked != checked


@pytest.mark.parametrize(("name", "capabilities", "withheld", "agent_prompt", "memories"), PROMPTS)
def test_every_name_in_the_system_prompt_exists_and_is_the_agents(
    name: str, capabilities: set[str], withheld: set[str], agent_prompt: str, memories: str | None
) -> None:
    text = prompt(capabilities, withheld, agent_prompt, memories)
    granted = granted_by(OPERATIONS.values(), frozenset(capabilities), frozenset(withheld))
    has = {OPERATIONS[id_].spelling for id_ in granted}
    families = {spelling.partition(".")[0] for spelling in has}
    imports = re.findall(r'import \{ (\w+) \} from "([^"]+)"', text)

    named = set(re.findall(r"\b[a-z]+\.[a-z][A-Za-z]+(?=\()", text))
    assert named == {"views.openText", "views.openDocsView", "docs.search", "session.finish"} <= has
    assert {specifier for _, specifier in imports} == {"gg"}
    assert {family for family, _ in imports} == families
    assert set(re.findall(r"functions of `(\w+)`", text)) <= families
