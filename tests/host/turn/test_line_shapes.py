"""Lines that are certainly code, certainly prose, and those that are neither."""

import pytest

from host.turn.line_shapes import is_certainly_code, is_certainly_prose

CODE = [
    'import { views } from "gg";',
    "import type { A } from 'a'",
    'import "gg"',
    "import * as gg from 'gg'",
    "export const a = 1",
    "export default async () => {",
    "const a = 1",
    "let total: number = 0",
    "const { a, b } = c;",
    "var [x] = y",
    "async function run<T>(a: T) {",
    "function* each() {",
    "class CsvReader extends Reader {",
    "interface Row {",
    "type Row = Record<string, string>",
    "type Pair<A, B> = [A, B]",
    "if (a) {",
    "for (const row of rows)",
    "} else {",
    "} catch (error) {",
    "try {",
    "return a;",
    "throw new Error('no');",
    "await run()",
    "foo()",
    'views.openText("a", "b");',
    "views.openText(",
    "parse<Row>(text)",
    "rows.map((row) =>",
    "total += row.length;",
    "rows[0] = first;",
    ")",
    "});",
    "};",
    "`);",
]

PROSE = [
    "Here is the program:",
    "I'll read the file first, then count its rows.",
    "I use `views.openText(label, body)` to show it.",
    "Done.",
    "**Plan:**",
    "# Plan",
    "- Read the vendor's file first",
    "1. Count the rows of it",
    "> It says that rows are quoted",
    "\u4ee5\u4e0b\u662f\u7a0b\u5e8f\uff1a",
    "Voilà le programme :",
]

NEITHER = [
    "",
    "   ",
    "x",
    "foo",
    "let x",
    "total + 1",
    "// a comment",
    "{",
    "}",
    '"a": 1,',
    "| a | b |",
    "npm install",
    "id,name",
    "views.openText(label, body) opens a view.",
    "The call `f()` returns {a}",
    "<details>",
    "---",
]


@pytest.mark.parametrize("line", CODE)
def test_code(line: str) -> None:
    assert (is_certainly_code(f"  {line}\r"), is_certainly_prose(line)) == (True, False)


@pytest.mark.parametrize("line", PROSE)
def test_prose(line: str) -> None:
    assert (is_certainly_code(line), is_certainly_prose(f"  {line}\r")) == (False, True)


@pytest.mark.parametrize("line", NEITHER)
def test_neither(line: str) -> None:
    assert (is_certainly_code(line), is_certainly_prose(line)) == (False, False)
