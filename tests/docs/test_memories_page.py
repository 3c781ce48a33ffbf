"""The guide to memories: its example is a configuration, its tables are whole, its rules have tests."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from docs.render_memories import BOUNDS, DENIED, PINNED
from host import Agent, Run, scripted
from host.launch import validate
from host.launch.capabilities import LIMIT_KEYS, STRATEGIES
from host.memories import Change, Memory, render_notice, strategy_of
from host.memories.refusals import Kind
from tests.helpers.markdown import blocks
from tests.host.launch.documents import broken

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "memories.md"
PAGE = FILE.read_text(encoding="utf-8")
RULES = [row.strip("| ").split(" | ") for row in re.findall(r"^\|.+`tests/.+\|$", PAGE, re.MULTILINE)]
TESTS = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))
EXAMPLE = {
    "id": "memories",
    "enabled": True,
    "implementation": "markdown",
    "params": {
        "scope": "isolated",
        "maxCount": 64,
        "maxLenPerMemory": 0,
        "maxTotalLen": 0,
        "maxLenIndex": 4096,
        "maxLenDescription": 256,
        "maxResults": 25,
    },
}


def _example() -> dict[str, Any]:
    (block,) = [block for block in blocks(FILE) if block.language == "json"]
    found: dict[str, Any] = json.loads(block.text)
    return found


def test_the_example_is_a_configuration(tmp_path: Path) -> None:
    plan = validate(broken(("agents", 0, "capabilities", 0), _example()), base=tmp_path)

    assert _example() == EXAMPLE
    assert plan.root_agent.memories is not None
    assert plan.root_agent.memories.strategy == "markdown"


def test_the_example_is_run(tmp_path: Path) -> None:
    create = (
        'import { memories } from "gg";\nmemories.createMemory({ name: "a", description: "b", body: "c" });\n'
    )

    finish = 'import { session } from "gg";\nsession.finish("done");\n'
    agent = Agent(id="root", model=scripted([create, finish]), capabilities=[_example()])

    result = Run("Note it.", [agent], out=tmp_path / "record").execute()

    assert [(m.name, m.description, m.body) for m in result.memories] == [("a", "b", "c")]


def test_the_tables_have_every_strategy_and_every_limit() -> None:
    assert tuple(PINNED) == STRATEGIES
    assert tuple(BOUNDS) == LIMIT_KEYS


def test_every_rule_by_which_a_store_refuses_has_an_example() -> None:
    assert {denied.refusal().kind for denied in DENIED} == set(Kind)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule[0])[:50])
def test_a_rule_names_its_tests_and_nothing_else(rule: list[str]) -> None:
    assert len(rule) == 2
    assert re.fullmatch(r"`tests/[\w/]+\.py::test_\w+`(, `tests/[\w/]+\.py::test_\w+`)*", rule[1])


@pytest.mark.parametrize(("file", "name"), TESTS)
def test_a_test_that_is_named_is_there(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))

    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_the_sample_of_a_notice_is_what_is_told() -> None:
    about = {
        "deploy-runbook": "how the staging cluster is rolled",
        "api-conventions": "error envelope + pagination rules",
    }
    added, updated = (
        Memory(name=name, description=line, body="-", code=None, on_use=None, revision=1)
        for name, line in about.items()
    )
    changes = (
        Change(kind="added", name=added.name, memory=added, is_code_changed=False),
        Change(kind="updated", name=updated.name, memory=updated, is_code_changed=False),
        Change(kind="deleted", name="scratch-notes", memory=None, is_code_changed=False),
    )
    calls = {"memories.read_memory": "read_memory"}
    told = render_notice(changes, strategy=strategy_of("markdown"), calls=calls, loads_code=False)

    assert [block.text for block in blocks(FILE) if block.language == ""] == [f"{told}\n"]
