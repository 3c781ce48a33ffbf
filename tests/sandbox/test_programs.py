"""Hostile programs, one per file: each ends as the table says, the next one is fine, the host stays small."""

import json
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from runtime_js.globals import guest_globals
from sandbox import (
    Call,
    Ended,
    GuestProgram,
    HitCeiling,
    Limits,
    NeverSettled,
    ProgramOutcome,
    SandboxPool,
    Threw,
)
from tests.helpers.guest_sdk import bundle_files

PROGRAMS: Final = Path(__file__).parents[2] / "fixtures" / "programs"
EXPECTED: Final[dict[str, dict[str, Any]]] = tomllib.loads((PROGRAMS / "expected.toml").read_text("utf-8"))

GUEST_S: Final = 0.3
MEMORY_MIB: Final = 64
HOST_GROWTH_BYTES: Final = 64 * 2**20
HUGE: Final = json.dumps({"ok": "x" * (9 * 2**20)})


@pytest.fixture(scope="module")
def bundles() -> dict[str, str]:
    return bundle_files(sorted(PROGRAMS.glob("*.ts")))


@pytest.fixture(scope="module")
def pools() -> Iterator[dict[Limits, SandboxPool]]:
    made: dict[Limits, SandboxPool] = {}
    yield made
    for pool in made.values():
        pool.close()


def test_every_program_has_its_line_in_the_table() -> None:
    assert sorted(EXPECTED) == sorted(path.stem for path in PROGRAMS.glob("*.ts"))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_hostile_program(name: str, bundles: dict[str, str], pools: dict[Limits, SandboxPool]) -> None:
    expected = EXPECTED[name]
    limits = limits_of(expected)
    pool = pools.setdefault(limits, SandboxPool(globals=guest_globals(), limits=limits))
    resident = resident_bytes()

    outcome = pool.run(GuestProgram(js=bundles[name], seed=1), answer)

    assert found(outcome, expected) == {
        key: value for key, value in expected.items() if key not in LIMIT_KEYS
    }
    assert isinstance(pool.run(GuestProgram(js="1 + 1", seed=1), answer), Ended)
    assert resident_bytes() - resident < HOST_GROWTH_BYTES


LIMIT_KEYS: Final = frozenset({"guest_s", "memory_mib", "calls"})


def limits_of(expected: dict[str, Any]) -> Limits:
    return Limits(
        guest_s=expected.get("guest_s", GUEST_S if expected["outcome"] == "guest_time" else 10.0),
        memory_bytes=expected.get("memory_mib", MEMORY_MIB) * 2**20,
        calls=expected.get("calls", 10_000),
    )


def answer(call: Call) -> str:
    """A host that knows nothing: empty results, but what is asked to be echoed, and one result too large."""
    if call.refusal is not None:
        return "{}"  # nothing to add: the sandbox refuses it
    try:
        arguments = json.loads(call.arguments)
    except ValueError:
        arguments = None
    match arguments:
        case ["huge"]:
            return HUGE
        case [{"echo": value}]:
            return json.dumps({"ok": value})
        case list():
            return '{"ok": []}'
        case _:
            return '{"error": {"code": "invalid-argument", "operation": "x", "message": "no JSON array"}}'


def found(outcome: ProgramOutcome, expected: dict[str, Any]) -> dict[str, Any]:
    """What happened, told in the table's words, as far as the table tells."""
    seen: dict[str, Any] = {}
    lines = outcome.stats.logs
    match outcome:
        case Ended():
            seen["outcome"] = "ended"
        case NeverSettled():
            seen["outcome"] = "never-settled"
        case HitCeiling(ceiling):
            seen["outcome"] = ceiling
        case Threw(error):
            seen = {
                "outcome": "threw",
                "error": error.name,
                "message": error.message,
                "code": error.code or "",
            }
    seen["log"] = lines[-1].text if lines else ""
    seen["logs"] = (
        0 < sum(len(line.text.encode()) for line in lines) <= 16 * 2**10 and outcome.stats.logs_dropped > 0
    )
    return {key: value for key, value in seen.items() if key in expected or key == "outcome"}


def resident_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
