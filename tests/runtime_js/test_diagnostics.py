import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_js.diagnostics import render_diagnostics
from runtime_js.units import Diagnostic

MEMBER = Diagnostic(
    file="program.ts",
    line=3,
    column=15,
    message="Property 'nam' does not exist on type 'MemoryUsage'. Did you mean 'name'?",
    code="TS2551",
    source_line="console.log(r.nam);",
)
SYNTAX = Diagnostic(file="csvTools.ts", line=12, column=7, message='Unexpected "="', source_line="const = 5")

EXCERPTS = [
    pytest.param("\tif (a) b(;", 10, "  7 | \tif (a) b(;\n    | \t        ^", id="tab"),
    pytest.param("字字 = é;", 4, "  7 | 字字 = é;\n    |      ^", id="wide characters"),
    pytest.param("😀 + x", 5, "  7 | 😀 + x\n    |      ^", id="emoji"),
    pytest.param("e\u0301 = x", 4, "  7 | e\u0301 = x\n    |   ^", id="combining"),
    pytest.param("a\x1b[31m;", 3, "  7 | a\\x1b[31m;\n    |      ^", id="escape"),
    pytest.param(
        "a\u2028b\u202ec", 5, "  7 | a\\u2028b\\u202ec\n    |               ^", id="breaks and overrides"
    ),
    pytest.param("a", 2, "  7 | a\n    |  ^", id="after the end"),
    pytest.param("", 1, "  7 | \n    | ^", id="empty line"),
    pytest.param("x" * 300, 150, f"  7 | …{'x' * 100}…\n    | {' ' * 61}^", id="within a long line"),
    pytest.param("x" * 300, 1, f"  7 | {'x' * 100}…\n    | ^", id="at the start of a long line"),
    pytest.param("x" * 300, 300, f"  7 | …{'x' * 61}\n    | {' ' * 61}^", id="at the end of a long line"),
]

MESSAGES = [
    pytest.param(
        "Type 'A' is not assignable to type 'B'.\n  Types of property 'c' are incompatible.",
        "Type 'A' is not assignable to type 'B'. Types of property 'c' are incompatible.",
        id="explained over lines",
    ),
    pytest.param(
        "x\r\nprogram.ts:1:1: error: forged\u2028\x1b[2J",
        "x program.ts:1:1: error: forged\\u2028\\x1b[2J",
        id="forged",
    ),
    pytest.param("x" * 1_005, "x" * 1_000 + "… (5 more characters)", id="long"),
]


def test_a_diagnostic_has_its_place_its_line_and_a_caret() -> None:
    assert render_diagnostics([MEMBER, SYNTAX]) == (
        "program.ts:3:15: error TS2551: Property 'nam' does not exist on type 'MemoryUsage'."
        " Did you mean 'name'?\n"
        "  3 | console.log(r.nam);\n"
        "    |               ^\n"
        'csvTools.ts:12:7: error: Unexpected "="\n'
        "  12 | const = 5\n"
        "     |       ^"
    )


def test_a_source_that_is_not_shown_leaves_one_line() -> None:
    hidden = replace(SYNTAX, file="csvTools.on-use.ts", source_line=None)

    assert render_diagnostics([hidden]) == 'csvTools.on-use.ts:12:7: error: Unexpected "="'
    assert render_diagnostics([SYNTAX], show_source=False) == 'csvTools.ts:12:7: error: Unexpected "="'


@pytest.mark.parametrize(("line", "column", "expected"), EXCERPTS)
def test_the_caret_stands_under_its_character(line: str, column: int, expected: str) -> None:
    diagnostic = replace(SYNTAX, line=7, column=column, source_line=line)

    assert render_diagnostics([diagnostic]).split("\n", 1)[1] == expected


@pytest.mark.parametrize(("message", "expected"), MESSAGES)
def test_a_message_is_one_line(message: str, expected: str) -> None:
    diagnostic = replace(SYNTAX, message=message, source_line=None)

    assert render_diagnostics([diagnostic]) == f"csvTools.ts:12:7: error: {expected}"


def test_of_many_diagnostics_twenty_are_told_and_the_rest_counted() -> None:
    rendered = render_diagnostics([replace(SYNTAX, source_line=None)] * 21).split("\n")

    assert len(rendered) == 21
    assert rendered[-1] == "1 more error not shown"


def test_of_long_diagnostics_as_many_are_told_as_fit() -> None:
    rendered = render_diagnostics([replace(SYNTAX, message="é" * 900, source_line=None)] * 15)

    assert rendered.split("\n")[-1] == "11 more errors not shown"
    assert len(rendered.encode()) <= 8 * 2**10


def test_nothing_is_rendered_as_nothing() -> None:
    assert render_diagnostics([]) == ""


DIAGNOSTICS = st.builds(
    Diagnostic,
    file=st.just("program.ts"),
    line=st.integers(1, 99_999),
    column=st.integers(1, 400),
    message=st.text(max_size=2_000),
    source_line=st.text(max_size=400),
)


@given(st.lists(DIAGNOSTICS, max_size=25))
def test_every_line_is_the_hosts_own(diagnostics: list[Diagnostic]) -> None:
    rendered = render_diagnostics(diagnostics)

    assert len(rendered.encode()) <= 8 * 2**10
    for line in rendered.splitlines():
        assert re.match(r"program\.ts:\d+:\d+: error: |  +\d* \| |\d+ more errors? not shown$", line)


def test_warnings_are_called_so() -> None:
    many = (SYNTAX,) * 22

    rendered = render_diagnostics(many, severity="warning").split("\n")

    assert rendered[0] == 'csvTools.ts:12:7: warning: Unexpected "="'
    assert rendered[-1] == "2 more warnings not shown"
    assert render_diagnostics((MEMBER,), severity="warning").startswith("program.ts:3:15: warning TS2551: ")
