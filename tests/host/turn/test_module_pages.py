"""The pages of a loaded module, from what the checker says of its exports."""

import pytest

from host.core.module_keys import Carrier
from host.operations import Page
from host.turn.module_pages import module_pages
from runtime_js import ExportDoc

PARSE = ExportDoc(
    name="parseCsv",
    kind="function",
    signature="function parseCsv(text: string): string[][]",
    comment="Splits lines.\nQuotes count.\n@param text - The lines.",
)
LIMIT = ExportDoc(name="LIMIT", kind="constant", signature="const LIMIT: 10", comment="@deprecated")
TABLE = ExportDoc(
    name="Table", kind="class", signature="class Table<T> {\n    rows: T[];\n}", comment="  Rows\u2028\x00.  "
)
ROW = ExportDoc(name="Row", kind="type", signature=f"type Row = {'x' * 200}", comment="")
DEFAULT = ExportDoc(
    name="default", kind="function", signature="function main(a: number): number", comment="Runs."
)

PAGES = [
    pytest.param(
        PARSE,
        "function",
        "Splits lines.",
        "function parseCsv(text: string): string[][]\n\n"
        "Splits lines.\nQuotes count.\n@param text - The lines.\n\n"
        'import { parseCsv } from "csvTools"',
        id="function",
    ),
    pytest.param(
        LIMIT,
        "function",
        "const LIMIT: 10",
        'const LIMIT: 10\n\n@deprecated\n\nimport { LIMIT } from "csvTools"',
        id="constant, a comment that is a tag",
    ),
    pytest.param(
        TABLE,
        "type",
        "Rows\\u2028\\u0000.",
        "class Table<T> {\n    rows: T[];\n}\n\n  Rows\u2028\x00.  \n\n" + 'import { Table } from "csvTools"',
        id="class, a comment with controls",
    ),
    pytest.param(
        ROW,
        "type",
        f"type Row = {'x' * 148}…",
        f'type Row = {"x" * 200}\n\nimport type {{ Row }} from "csvTools"',
        id="type, longer than a line may be",
    ),
    pytest.param(
        DEFAULT,
        "function",
        "Runs.",
        'function main(a: number): number\n\nRuns.\n\nimport csvTools from "csvTools"',
        id="default",
    ),
]


@pytest.mark.parametrize(("export", "kind", "summary", "text"), PAGES)
def test_the_page_of_an_export(export: ExportDoc, kind: str, summary: str, text: str) -> None:
    _, page = module_pages(Carrier("memory", "csv-tools"), "csvTools", (export,))

    assert (page.key, page.module, page.name) == (f"csvTools.{export.name}", "csvTools", export.name)
    assert (page.kind, page.summary, page.text, page.signature) == (kind, summary, text, export.signature)


def test_the_page_of_a_module_lists_its_exports() -> None:
    page, *exports = module_pages(Carrier("memory", "csv-tools"), "csvTools", (PARSE, LIMIT, TABLE, DEFAULT))

    assert len(exports) == 4
    assert page == Page(
        key="csvTools",
        kind="module",
        module="csvTools",
        name="csvTools",
        signature="",
        summary="The module of the memory `csv-tools`.",
        text="""\
The module of the memory `csv-tools`.

- `function parseCsv(text: string): string[][]`: Splits lines.
- `const LIMIT: 10`
- `class Table<T>`: Rows\\u2028\\u0000.
- `function main(a: number): number`: Runs.

import * as csvTools from "csvTools\"""",
    )


def test_a_module_without_exports_says_so() -> None:
    (page,) = module_pages(Carrier("memory", "a"), "a", ())

    assert page.text == 'The module of the memory `a`.\n\nIt exports nothing.\n\nimport * as a from "a"'


def test_a_module_called_as_a_family_is_keeps_apart_from_it() -> None:
    pages = module_pages(Carrier("memory", "views"), "views", (PARSE,))

    assert [(page.key, page.module, page.name) for page in pages] == [
        ("lib:views", "lib:views", "views"),
        ("lib:views.parseCsv", "lib:views", "parseCsv"),
    ]
    assert pages[1].text.endswith('import { parseCsv } from "views"')
