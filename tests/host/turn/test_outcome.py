"""Whose fault an outcome is: one row for each."""

from typing import get_args

import pytest

from host.turn.outcome import Fault, fault_of
from runtime_js import SourceMap
from sandbox import (
    Ceiling,
    Ended,
    GuestError,
    HitCeiling,
    NeverSettled,
    ProgramOutcome,
    RunStats,
    Threw,
)

STATS = RunStats(guest_s=0.0, calls=0, logs=(), logs_dropped=0)
MAP = SourceMap("", "", [])


def threw(name: str, code: str | None = None) -> Threw:
    operation = None if code is None else "files.readFile"
    return Threw(GuestError(name, "m", "", code, operation, is_error=True), STATS)


ROWS = [
    pytest.param(Ended(STATS), None, id="ended"),
    pytest.param(
        threw("TypeError"), Fault("threw", "program_throw", "Runtime error", "TypeError: m"), id="threw"
    ),
    pytest.param(
        Threw(GuestError("string", "m", "", None, None, is_error=False), STATS),
        Fault("threw", "program_throw", "Runtime error", "Uncaught value: m"),
        id="threw no error",
    ),
    pytest.param(
        threw("ReferenceError"),
        Fault("threw", "program_unknown_name", "Runtime error", "ReferenceError: m"),
        id="an unknown name",
    ),
    pytest.param(
        threw("ApiError", "unavailable"),
        Fault("threw", "program_unknown_name", "Runtime error", "ApiError: files.readFile (unavailable): m"),
        id="a call that the agent does not have",
    ),
    pytest.param(
        threw("ApiError", "not-found"),
        Fault("threw", "program_api_error", "Runtime error", "ApiError: files.readFile (not-found): m"),
        id="a call that failed",
    ),
    pytest.param(
        NeverSettled(STATS),
        Fault(
            "never_settled",
            "program_never_settled",
            "Runtime error",
            "The program waits on a promise that can never settle.",
        ),
        id="never settled",
    ),
    *(
        pytest.param(
            HitCeiling(ceiling, "The sentence.", None, STATS),
            Fault("hit_ceiling", error_type, "Runtime error", "The sentence."),
            id=ceiling,
        )
        for ceiling, error_type in (
            ("guest_time", "sandbox_timeout"),
            ("memory", "sandbox_out_of_memory"),
            ("calls", "sandbox_calls"),
            ("value", "sandbox_value"),
            ("stopped", "sandbox_stopped"),
        )
    ),
]


@pytest.mark.parametrize(("outcome", "expected"), ROWS)
def test_each_outcome_has_one_row(outcome: ProgramOutcome, expected: Fault | None) -> None:
    assert fault_of(outcome, MAP) == expected


def test_no_outcome_and_no_ceiling_is_without_a_row() -> None:
    outcomes = [row.values[0] for row in ROWS]

    assert {type(outcome) for outcome in outcomes} == set(get_args(ProgramOutcome))
    assert {outcome.ceiling for outcome in outcomes if isinstance(outcome, HitCeiling)} == set(
        get_args(Ceiling)
    )
