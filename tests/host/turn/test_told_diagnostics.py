"""Diagnostics of sources that hold secrets."""

import pytest

from host.core.masking import Masker
from host.turn.told_diagnostics import told_diagnostics
from runtime_js import Diagnostic

KEY = "sk-abcdefghijklmnopqrstuv"


def diagnostic(source_line: str | None, column: int, message: str = "It is wrong.") -> Diagnostic:
    return Diagnostic(file="program.ts", line=3, column=column, message=message, source_line=source_line)


def test_a_short_line_is_quoted_as_it_is_and_masked_later() -> None:
    told = told_diagnostics([diagnostic(f'const a: 1 = "{KEY}";', 7)])

    assert Masker({}).mask(told) == (
        'program.ts:3:7: error: It is wrong.\n  3 | const a: 1 = "[REDACTED]";\n    |       ^'
    )


@pytest.mark.parametrize("column", range(1, 220, 7))
def test_of_a_long_line_no_part_of_a_secret_is_quoted(column: int) -> None:
    told = told_diagnostics([diagnostic(f'const a: 1 = "{"x " * 50}{KEY}{" y" * 50}";', column)])

    assert told == f"program.ts:3:{column}: error: It is wrong."


def test_a_long_line_without_secrets_is_quoted_in_part() -> None:
    told = told_diagnostics([diagnostic("const a: 1 = 2; " * 20, 100)])

    assert told.split("\n")[1].startswith("  3 | …")


def test_a_message_is_masked_before_it_is_cut() -> None:
    message = f"Type '{'x' * 980} {KEY}' is not assignable."
    told = told_diagnostics([diagnostic(None, 1, message)])

    assert "sk-" not in told
    assert "[REDACTED]" in told


def test_of_a_call_without_sources_nothing_changes() -> None:
    assert told_diagnostics([diagnostic(None, 1)]) == "program.ts:3:1: error: It is wrong."
