"""What a program makes of hits, and the limits that it finds where each call is described."""

from pathlib import Path

import pytest

from host.events import ApiCall, MemoryRead, MemorySearch
from runtime_js import Compiler
from tests.helpers.runs import FINISH, FINISHES, MARKDOWN, SCRATCHPAD, calls, run_agent

SEARCHED = {
    **SCRATCHPAD,
    "implementation": "keyword-search",
    "params": {**SCRATCHPAD["params"], "maxCount": 9, "maxResults": 2},
}
MAKE = (
    'import { memories } from "gg";\n'
    'for (const name of ["a", "b", "c"]) memories.createMemory({\n'
    '  name, body: `Row of ${name}.`, code: name === "b" ? "export const two = 2;" : undefined,\n'
    "});\n"
)
SEARCH = (
    'import { memories, views } from "gg";\n'
    'const hits = memories.searchMemories(["row", "of b"]);\n'
    "const [best, second] = hits;\n"
    'views.openText("found", JSON.stringify([hits, hits.total, hits.length, best?.read(), second?.name]));\n'
)
USE = 'import { two } from "b";\nimport { views } from "gg";\nviews.openText("two", String(two));\n'


def test_a_program_reads_what_it_found(tmp_path: Path, compiler: Compiler) -> None:
    ran = run_agent(tmp_path / "r", [MAKE, SEARCH, USE, FINISH], memories=SEARCHED, compiler=compiler)

    hits = [
        f'{{"name":"{name}","description":"","matched":{matched},"occurrences":{matched},'
        f'"excerpt":"Row of {name}.","revision":1}}'
        for name, matched in (("b", 2), ("a", 1))
    ]
    assert f'View: found\n----\n[[{",".join(hits)}],3,2,"Row of b.","a"]' in ran.told(2)
    assert ran.of(MemorySearch) == [
        MemorySearch(module_id="memories-1", keywords=("row", "of b"), total=3, names=("b", "a"), turn=2)
    ]
    assert [(read.name, read.hit) for read in ran.of(MemoryRead)] == [("b", True)]
    assert [call.operation for call in ran.of(ApiCall) if call.turn == 2] == [
        "memories.search_memories",
        "memories.read_memory",
        "views.open_text",
    ]
    assert ran.told(3) == ["View: two\n----\n2"]


def test_the_page_of_a_call_tells_the_limits_in_force(tmp_path: Path, compiler: Compiler) -> None:
    opens = (
        'import { memories, views } from "gg";\n'
        "for (const call of [memories.createMemory, memories.searchMemories]) views.openDocsView(call);\n"
    )

    ran = run_agent(tmp_path / "r", [opens, FINISH], memories=SEARCHED, compiler=compiler)

    create, search = ran.told(1)
    assert "\n\nAt most 9 memories; a description has 256 characters at most.\n\n" in create
    assert "\n\n2 hits at most.\n\n" in search


def test_a_limit_is_told_in_the_words_of_the_tool(tmp_path: Path) -> None:
    reply = calls(("create_memory", {"name": "a", "description": "x" * 257, "contents": "b"}))

    ran = run_agent(tmp_path / "r", [reply, FINISHES], memories=MARKDOWN, execution="tool_calling")

    assert ran.answers(1) == [
        "limit-exceeded: Cannot create `a`: description is 257 of 256 characters. Shorten it and call"
        " create_memory again."
    ]


@pytest.mark.parametrize("name", ["edit_memory", "delete_memory"])
def test_a_tool_that_is_withheld_is_told_with_those_that_there_are(tmp_path: Path, name: str) -> None:
    memories = {**MARKDOWN, "features": {"reviseMemories": False}}

    ran = run_agent(
        tmp_path / "r",
        [calls((name, {"name": "a", "old_string": "b"})), FINISHES],
        memories=memories,
        execution="tool_calling",
    )

    assert ran.answers(1) == [
        f"unavailable: {name} is not available to this agent. The calls there are: create_memory and"
        " read_memory."
    ]
