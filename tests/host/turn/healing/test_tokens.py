"""Lines that no program holds, and lines of programs that resemble prose."""

import pytest

from host.turn.healing.tokens import is_no_code

NO_CODE = [
    "the program",
    "Here is the program:",
    "I'll read it",
    "The vendor's file, and the customer's",
    '"a" "b"',
    "a 1",
    "1. Read",
    "`a` b",
    "and/or the rest",
    "# Plan",
    "## Plan",
    "a\u2026",
    "\u201cquoted\u201d",
    "x = \u201cquoted\u201d",
    "\U0001f680",
    "\u7a0b\u5e8f\uff1a",
    "\x1b[32m",
    "a\x00",
    '"unended',
    "see it // or not",
]

# Each may stand in a program, or it is not told what stands before it.
MAY_BE_CODE = [
    "",
    "a",
    "a.b",
    "a\tas\tb as unknown",
    "class A extends B implements C",
    "let a",
    "await a",
    "x is string",
    "asserts x",
    "get a",
    "type A",
    "using a",
    "import a from 'b'",
    "export * from 'b'",
    "declare module 'b'",
    "accessor a",
    "unique symbol",
    "tag`a`",
    "tag `a`",
    "a `b",
    "`${a} b c`",
    "@Input name",
    "/a b/.test(c)",
    "return /a b/",
    "a / b",
    "// a b",
    "a /* b c",
    "* a",
    "'a' in b",
    "1 in b",
    "if (a) b",
    "} b",
    "#a in b",
    "#!/usr/bin/env node",
    "'a line that goes on \\",
    "\\u0061 b",
    "pr\u00e9nom",
    "\u7a0b\u5e8f",
    "\u092a\u094d\u0930\u094b\u0917\u094d\u0930\u093e\u092e",
    "l\u00b7l",
    "a\rb",
    "a\u2028b",
    "\ufeffa",
]


@pytest.mark.parametrize("line", NO_CODE)
def test_lines_that_no_program_holds(line: str) -> None:
    assert is_no_code(f" {line}\r")


@pytest.mark.parametrize("line", MAY_BE_CODE)
def test_lines_that_a_program_may_hold(line: str) -> None:
    assert not is_no_code(f" {line}\r")
