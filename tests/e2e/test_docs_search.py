"""Documentation end to end: found, opened, used, closed, and gone with the module it is of."""

import json
from pathlib import Path

import pytest

from host.core.messages import Message
from host.events import ApiCall, View
from host.operations import OPERATIONS, operation_page
from runtime_js import Compiler
from tests.helpers.runs import FINISH, SCRATCHPAD, Ran, run_agent

IMPORT = 'import { ApiError, docs, memories, views } from "gg";\nvoid [ApiError, docs, memories, views];\n'
CODE = """\
/** Splits lines. */
export function parseCsv(text: string): Row[] { return text.split("\\n").map((line) => line.split(",")); }
/** The cells of a line. */
export type Row = string[];
export const LIMIT = 3;
export class Table { rows: Row[] = []; }
"""


def run(out: Path, compiler: Compiler, *programs: str) -> Ran:
    """Programs with all that they may use imported, then the ending."""
    replies = [IMPORT + program for program in programs]
    return run_agent(out / "record", [*replies, FINISH], compiler=compiler, memories=SCRATCHPAD)


def written(code: str, call: str = "writeMemory") -> str:
    memory = json.dumps({"name": "csv-tools", "description": "d", "body": "b", "code": code})
    return f"memories.{call}({memory});"


def test_a_search_leads_to_a_page_and_the_page_to_a_call_that_works(
    tmp_path: Path, compiler: Compiler
) -> None:
    limits = "At most 64 memories; a description has 256 characters at most."
    page = operation_page(OPERATIONS["memories.write_memory"], limits)
    search = (
        'const { hits } = docs.search("write memory", { kind: "function" });\n'
        "for (const hit of hits) views.openDocsView(hit.key);"
    )
    example = page[page.index("import {") :]
    ran = run_agent(
        tmp_path / "record",
        [IMPORT + search, example, FINISH],
        compiler=compiler,
        memories=SCRATCHPAD,
    )

    assert ran.told(1) == [
        "View: search results\n----\n1 found for `write memory`.\n\nFunctions:\n"
        "- memories.writeMemory: Writes a new memory. It is in the window from then on,"
        " and its code loads at once.",
        f"Documentation: memories.writeMemory\n----\n{page}",
    ]
    assert [memory.name for memory in ran.result.memories] == ["csv"]
    assert ran.result.status == "completed"


def test_the_exports_of_a_loaded_module_are_found_and_opened(tmp_path: Path, compiler: Compiler) -> None:
    ran = run(
        tmp_path,
        compiler,
        written(CODE),
        'docs.search(undefined, { modules: ["csvTools"] });\n'
        'for (const key of ["csvTools", "Row", "LIMIT"]) views.openDocsView(key);',
        'import * as csvTools from "csvTools"\nimport type { Row } from "csvTools"\n'
        'import { LIMIT } from "csvTools"\nimport { parseCsv } from "csvTools"\n'
        "const rows: Row[] = parseCsv(`${LIMIT},${csvTools.LIMIT}`);\n"
        'views.openText("rows", rows.join());',
    )

    assert ran.told(3) == ["View: rows\n----\n3,3"]
    table_page, parse_page = ran.told(1)
    assert parse_page == (
        "Documentation: csvTools.parseCsv\n----\nfunction parseCsv(text: string): Row[]\n\nSplits lines.\n\n"
        'import { parseCsv } from "csvTools"'
    )
    assert table_page.startswith("Documentation: csvTools.Table\n----\nclass Table")
    assert ran.told(2) == [
        "View: search results\n----\n5 found.\n\n"
        "Modules:\n- csvTools: The module of the memory `csv-tools`.\n\n"
        "Functions:\n- csvTools.LIMIT: const LIMIT: 3\n- csvTools.parseCsv: Splits lines.\n\n"
        "Types:\n- csvTools.Row: The cells of a line.\n- csvTools.Table: class Table",
        "Documentation: csvTools\n----\nThe module of the memory `csv-tools`.\n\n"
        "- `const LIMIT: 3`\n- `type Row = string[]`: The cells of a line.\n- `class Table`\n"
        "- `function parseCsv(text: string): Row[]`: Splits lines.\n\n"
        'import * as csvTools from "csvTools"',
        "Documentation: csvTools.Row\n----\ntype Row = string[]\n\nThe cells of a line.\n\n"
        'import type { Row } from "csvTools"',
        'Documentation: csvTools.LIMIT\n----\nconst LIMIT: 3\n\nimport { LIMIT } from "csvTools"',
    ]


def test_pages_leave_the_search_with_their_module_and_stay_as_history(
    tmp_path: Path, compiler: Compiler
) -> None:
    ran = run(
        tmp_path,
        compiler,
        written(CODE),
        'memories.deleteMemory("csv-tools");\n'
        'views.openText("found", String(docs.search("parseCsv", { kind: "type" }).total));\n'
        'try { views.openDocsView("csvTools.parseCsv"); }\n'
        'catch (error) { views.openText("error", String(error)); }\n'
        'views.openText("closed", String(docs.close("csvTools.parseCsv")));',
    )

    search, found, error, closed = ran.told(2)
    assert search == (
        "View: search results\n----\nNothing found for `parseCsv`."
        " Modules: gg, memories, views, docs and session."
    )
    assert found == "View: found\n----\n0"
    assert error == (
        "View: error\n----\nApiError: There is no page `csvTools.parseCsv`."
        " Modules: gg, memories, views, docs and session."
    )
    assert closed == "View: closed\n----\n0"
    assert "Documentation: csvTools.parseCsv" in headings(ran.prompts[2])


def test_an_open_page_follows_its_module_and_an_unchanged_one_stays(
    tmp_path: Path, compiler: Compiler
) -> None:
    changed = CODE.replace("type Row = string[]", "type Row = readonly string[]")
    ran = run(
        tmp_path,
        compiler,
        written(CODE),
        'views.openDocsView("csvTools"); views.openDocsView("csvTools.Row");',
        written(CODE, "updateMemory"),
        written(changed, "updateMemory"),
    )

    assert ran.told(3)[0].startswith("Notice\n----\nThe program ran and opened no view.")
    assert headings_of(ran.told(4)) == ["Documentation: csvTools", "Documentation: csvTools.Row"]


def test_closed_pages_are_gone_from_the_next_prompt(tmp_path: Path, compiler: Compiler) -> None:
    ran = run(
        tmp_path,
        compiler,
        'for (const target of [views, docs.close, ApiError, "gg"]) views.openDocsView(target);',
        'views.openText("first", `${docs.close("docs.close")} ${docs.close("docs.close")}'
        ' ${docs.close("nothing")} ${views.close("views")}`);',
        "for (const view of views.current()) view.close();",
    )

    assert headings_of(ran.told(1)) == [
        "Documentation: views",
        "Documentation: docs.close",
        "Documentation: ApiError",
        "Documentation: gg",
    ]
    assert headings(ran.prompts[2]) == [
        "Task",
        "Documentation: views",
        "Documentation: ApiError",
        "Documentation: gg",
        "View: first",
    ]
    assert ran.told(2) == ["View: first\n----\n1 0 0 0"]
    assert [heading for heading in headings(ran.prompts[3]) if heading != "Notice"] == ["Task"]
    assert [(event.kind, event.selector) for event in ran.of(View) if event.action == "closed"] == [
        ("docs", "docs.close"),
        ("docs", "views"),
        ("docs", "ApiError"),
        ("docs", "gg"),
        ("text", "first"),
    ]
    assert [call.operation for call in ran.of(ApiCall)][-6:-1] == [
        "views.current",
        "docs.close",
        "docs.close",
        "docs.close",
        "views.close",
    ]


NO_TARGETS = [
    pytest.param(
        "123 as any",
        "invalid-argument",
        "views.openDocsView: target wants a function, a family or a key and got the number 123.",
        id="a number",
    ),
    pytest.param(
        "{ key: 'views' } as any",
        "invalid-argument",
        "views.openDocsView: target wants a function, a family or a key and got an object.",
        id="an object",
    ),
    pytest.param(
        "() => 1",
        "invalid-argument",
        "The target is empty: it is no key, or a function that has no name.",
        id="a function without a name",
    ),
    pytest.param(
        "undefined as any",
        "invalid-argument",
        "views.openDocsView needs target, and it is missing.",
        id="nothing",
    ),
    pytest.param(
        "views.current()[0]!.close",
        "not-found",
        "No loaded module has a page `close`. Near to it: views.close, docs.close and docs.closeAll.",
        id="a method of a result",
    ),
    pytest.param(
        "files.readFile",
        "not-found",
        "There is no page `files.readFile`. Modules: gg, memories, views, docs and session.",
        id="a call that is not granted",
    ),
    pytest.param(
        "files",
        "not-found",
        "There is no page `files`. Near to it: views.",
        id="a family that is not granted",
    ),
]


@pytest.mark.parametrize(("target", "code", "message"), NO_TARGETS)
def test_what_no_page_is_of_is_refused(
    target: str, code: str, message: str, tmp_path: Path, compiler: Compiler
) -> None:
    program = 'import { files } from "gg";\nvoid files;\nviews.openText("a", "");\n'
    ran = run(tmp_path, compiler, f"{program}views.openDocsView({target});")

    assert ran.told(1)[-1].startswith(
        f"Runtime error\n----\nApiError: views.openDocsView ({code}): {message}\n    at program.ts:6:"
    )


def test_a_script_of_a_memory_can_search(tmp_path: Path, compiler: Compiler) -> None:
    script = 'views.openText("n", String(docs.search("finish").total));'
    memory = json.dumps({"name": "a", "description": "d", "body": "b", "onUse": script})
    ran = run(tmp_path, compiler, f"memories.writeMemory({memory});")

    assert headings_of(ran.told(1)) == ["View: search results", "View: n"]


def headings(prompt: tuple[Message, ...]) -> list[str]:
    """What heads the messages of a prompt that are the host's, less the system prompt."""
    return headings_of([message.text for message in prompt if message.role == "user"])


def headings_of(texts: list[str]) -> list[str]:
    return [text.partition("\n")[0] for text in texts]
