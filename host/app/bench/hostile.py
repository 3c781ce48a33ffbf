"""The hostile programs that come with gg, and what becomes of each: `fixtures/programs/expected.toml`."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from host.app.bench.bundles import bundle_files
from host.launch import shipped_fixture
from sandbox import Call, Ended, HitCeiling, Limits, NeverSettled, ProgramOutcome, Threw

_FOLDER: Final = Path("fixtures", "programs")
_TABLE: Final = "expected.toml"

# Small ceilings, so that reaching them takes little.
_GUEST_S: Final = 0.3
_PATIENT_S: Final = 10.0  # for a program that something else is to end
_MEMORY_MIB: Final = 64
_CALLS: Final = 10_000
_LIMIT_KEYS: Final = frozenset({"guest_s", "memory_mib", "calls"})
_HUGE: Final = json.dumps({"ok": "x" * (9 * 2**20)})


@dataclass(frozen=True, kw_only=True)
class HostileProgram:
    """One program, bundled. `expected` is its row of the table less the limits."""

    name: str
    js: str
    limits: Limits
    expected: Mapping[str, Any]


def hostile_programs(names: frozenset[str] | None = None) -> tuple[HostileProgram, ...]:
    """All of them in the order of their names, or those that are named. Raises `FileNotFoundError`."""
    folder = shipped_fixture(_FOLDER)
    if folder is None:
        raise FileNotFoundError(f"{_FOLDER} is not there; install gg from its wheel or run in a checkout")
    table = tomllib.loads((folder / _TABLE).read_text("utf-8"))
    wanted = sorted(table if names is None else names & set(table))
    bundles = bundle_files([folder / f"{name}.ts" for name in wanted])
    return tuple(_program(name, bundles[name], table[name]) for name in wanted)


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
            return _HUGE
        case [{"echo": value}]:
            return json.dumps({"ok": value})
        case list():
            return '{"ok": []}'
        case _:
            return '{"error": {"code": "invalid-argument", "operation": "x", "message": "no JSON array"}}'


def found(outcome: ProgramOutcome, expected: Mapping[str, Any]) -> dict[str, Any]:
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


def _program(name: str, js: str, row: Mapping[str, Any]) -> HostileProgram:
    return HostileProgram(
        name=name,
        js=js,
        limits=Limits(
            guest_s=row.get("guest_s", _GUEST_S if row["outcome"] == "guest_time" else _PATIENT_S),
            memory_bytes=row.get("memory_mib", _MEMORY_MIB) * 2**20,
            calls=row.get("calls", _CALLS),
        ),
        expected={key: value for key, value in row.items() if key not in _LIMIT_KEYS},
    )
