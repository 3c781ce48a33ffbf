"""Lines that are certainly code, certainly prose, ornaments, and those that are none of these."""

import pytest

from host.turn.healing.line_shapes import (
    is_certainly_code,
    is_certainly_prose,
    is_ornament,
    may_be_code,
)

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
    "for (;;) {}",
    "while (busy) { step() }",
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
    "Here is the program",
    "I'll read the file first, then count its rows.",
    "I\u2019ll read the vendor\u2019s file",
    "I use `views.openText(label, body)` to show it.",
    "See [the page](https://example.com/a_b) for more.",
    "It reads the file (which is small), and counts.",
    "it reads the file and/or counts its rows.",
    "so that the rows of the second file are counted as well",
    "Does that work?",
    "# Plan",
    "## 2. Count the rows",
    "- Read the vendor's file first",
    "* counts its rows.",
    "1. Count the rows of it",
    "- [x] Read the file",
    "> It says that rows are quoted",
    "\U0001f680 Let's go!",
    "\u4ee5\u4e0b\u662f\u7a0b\u5e8f\uff1a",
    "\u6b21\u306e\u30d7\u30ed\u30b0\u30e9\u30e0\u3067\u3059\u3002",
    "Voil\u00e0 le programme :",
    "Hier ist das Programm:",
    "\u0647\u0630\u0627 \u0647\u0648 \u0627\u0644\u0628\u0631\u0646\u0627\u0645\u062c:",
    "\u092f\u0939 \u092a\u094d\u0930\u094b\u0917\u094d\u0930\u093e\u092e \u0939\u0948\u0964",
]

# Some of these are lines of programs, of none of which prose is certain, and some are only too short.
NEITHER = [
    "",
    "   ",
    "x",
    "foo",
    "let x",
    "let count, total, first, last",
    "total + 1",
    "// a comment",
    "// A comment that reads as a sentence does.",
    "/* A comment that reads as a sentence does. */",
    "#!/usr/bin/env -S node with more words",
    "class Widget extends Base implements Shape",
    "value as unknown as Row",
    "abstract class Shape extends Base implements Drawn",
    '"This is one line and the next one follows" +',
    '"This is a string of many words"',
    'This is the end of a string"',
    "'use strict'",
    "Outer:",
    "Promise.",
    "Sure!",
    "{",
    "}",
    '"a": 1,',
    "npm install",
    "npm install --save-dev typescript eslint prettier vitest more",
    "git commit -m message here now please",
    "SELECT name FROM users",
    "id,name",
    "views.openText(label, body) opens a view.",
    "The call `f()` returns {a}",
    "Total = count of rows.",
    "for row in rows:",
    "if the file is there, read it.",
    "a sentence cut here\rfoo()",
    "The file is read \u2028foo()",
    "Read " * 3000,
    "---",
]

ORNAMENTS = [
    "---",
    "*****",
    "===",
    "Sure!",
    "**Plan:**",
    "**program.ts**",
    "Step 1:",
    "Done.",
    "| a | b |",
    "|---|---|",
    "<think>",
    "</thinking>",
    "<!-- the program -->",
    "\u2705",
    "\U0001f389 Done!",
]

NO_ORNAMENTS = [
    "",
    "x",
    "done.",
    "--x",
    "Foo.bar",
    "Foo!.bar",
    "| `a` |",
    "<details>",
    "Done(1):",
    "a" * 20_000,
]

MAY_BE_CODE = [
    *CODE,
    "let x",
    "x++",
    "{",
    "}",
    ".then(read)",
    "a + b",
    "total = 5",
    "break",
    "else",
    "/*",
    "`",
    "/** Reads the file */",
    "So much for the rows. */",
    "conts rows = files.listDir()",
    "I call it; then I return;",
    "x" * 20_000,
]

MAY_GO = [
    *PROSE,
    *ORNAMENTS,
    "",
    "// program.ts",
    "program.ts",
    "`program.ts`:",
    "File: program.ts",
    "id,name",
    "42",
    "- `files.readTextFile(path)`",
    "<details>",
    "<summary>The program</summary>",
    "</answer>",
    "I call `views.openText(label, body)` (as said) & finish:",
    "$ npm install",
]


@pytest.mark.parametrize("line", CODE)
def test_code(line: str) -> None:
    assert (is_certainly_code(f"  {line}\r"), is_certainly_prose(line), is_ornament(line)) == (
        True,
        False,
        False,
    )


@pytest.mark.parametrize("line", PROSE)
def test_prose(line: str) -> None:
    assert (is_certainly_code(line), is_certainly_prose(f"  {line}\r")) == (False, True)


@pytest.mark.parametrize("line", NEITHER)
def test_neither(line: str) -> None:
    assert (is_certainly_code(line), is_certainly_prose(line)) == (False, False)


@pytest.mark.parametrize("line", ORNAMENTS)
def test_ornaments(line: str) -> None:
    assert (is_ornament(f"  {line}\r"), is_certainly_code(line)) == (True, False)


@pytest.mark.parametrize("line", NO_ORNAMENTS)
def test_no_ornaments(line: str) -> None:
    assert not is_ornament(line)


@pytest.mark.parametrize("line", MAY_BE_CODE)
def test_what_may_be_code(line: str) -> None:
    assert may_be_code(f"  {line}\r")


@pytest.mark.parametrize("line", MAY_GO)
def test_what_may_go(line: str) -> None:
    assert not may_be_code(f"  {line}\r")
