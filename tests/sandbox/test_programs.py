"""Hostile programs, one per file: each ends as the table says, the next one is fine, the host stays small."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from host.app.bench.hostile import HostileProgram, answer, found, hostile_programs
from runtime_js.globals import guest_globals
from sandbox import Ended, GuestProgram, Limits, SandboxPool
from tests.helpers.processes import resident_bytes

PROGRAMS: Final = Path(__file__).parents[2] / "fixtures" / "programs"
EXPECTED: Final[dict[str, dict[str, Any]]] = tomllib.loads((PROGRAMS / "expected.toml").read_text("utf-8"))

HOST_GROWTH_BYTES: Final = 64 * 2**20


@pytest.fixture(scope="module")
def programs() -> dict[str, HostileProgram]:
    return {program.name: program for program in hostile_programs()}


@pytest.fixture(scope="module")
def pools() -> Iterator[dict[Limits, SandboxPool]]:
    made: dict[Limits, SandboxPool] = {}
    yield made
    for pool in made.values():
        pool.close()


def test_every_program_has_its_line_in_the_table() -> None:
    assert sorted(EXPECTED) == sorted(path.stem for path in PROGRAMS.glob("*.ts"))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_hostile_program(
    name: str, programs: dict[str, HostileProgram], pools: dict[Limits, SandboxPool]
) -> None:
    program = programs[name]
    pool = pools.setdefault(program.limits, SandboxPool(globals=guest_globals(), limits=program.limits))
    resident = resident_bytes()

    outcome = pool.run(GuestProgram(js=program.js, seed=1), answer)

    assert found(outcome, program.expected) == program.expected
    assert isinstance(pool.run(GuestProgram(js="1 + 1", seed=1), answer), Ended)
    assert resident_bytes() - resident < HOST_GROWTH_BYTES
