"""Proofs of the ceilings: how far beyond is counted, what differs is named, and real programs are proved."""

from dataclasses import replace
from typing import Final

import pytest

from host.app.bench.hostile import HostileProgram, hostile_programs
from host.app.bench.limits_proofs import LimitProof, LimitsVerdict, limit_proofs, proof_of, verdict_of
from sandbox import Ended, HitCeiling, Limits, RunStats

MIB: Final = 2**20
STATS: Final = RunStats(guest_s=0.3, calls=0, logs=(), logs_dropped=0)
PROOF: Final = LimitProof(
    name="spin_loop",
    outcome="guest_time",
    expected="guest_time",
    differs="",
    wall_s=0.35,
    guest_limit_s=0.3,
    over_s=0.05,
    peak_bytes=20 * MIB,
    memory_limit_bytes=64 * MIB,
    over_bytes=0,
)


@pytest.fixture(scope="module")
def spin() -> HostileProgram:
    (program,) = hostile_programs(frozenset({"spin_loop"}))
    return replace(program, limits=Limits(guest_s=0.3, memory_bytes=64 * MIB))


@pytest.mark.parametrize(
    ("wall_s", "idle", "peak", "over_s", "over"),
    [
        pytest.param(0.5, 13 * MIB, 80 * MIB, 0.2, 3 * MIB, id="beyond both"),
        pytest.param(0.25, 13 * MIB, 20 * MIB, 0.0, 0, id="within both"),
        pytest.param(0.25, None, None, 0.0, None, id="a system that does not tell"),
    ],
)
def test_what_is_beyond_the_ceilings(
    spin: HostileProgram, wall_s: float, idle: int | None, peak: int | None, over_s: float, over: int | None
) -> None:
    found = proof_of(spin, HitCeiling("guest_time", "", None, STATS), wall_s, idle, peak)

    assert (found.over_s, found.over_bytes, found.differs) == (pytest.approx(over_s), over, "")


def test_what_differs_is_named_with_what_was_expected(spin: HostileProgram) -> None:
    found = proof_of(spin, Ended(STATS), 0.1, 0, 0)

    assert (found.outcome, found.expected) == ("ended", "guest_time")
    assert found.differs == "outcome 'ended', expected 'guest_time'"


def test_the_verdict_names_the_worst_and_who_differs() -> None:
    slow = replace(PROOF, name="slow", over_s=0.2)
    large = replace(PROOF, name="large", outcome="memory", over_bytes=MIB)
    other = replace(PROOF, name="other", differs="outcome 'ended', expected 'memory'")

    assert verdict_of([PROOF, slow, large, other]) == LimitsVerdict(
        programs=4,
        worst_time=slow,
        worst_memory=large,
        outcomes={"guest_time": 3, "memory": 1},
        differing=("other",),
    )


def test_where_no_memory_is_known_nobody_is_the_worst() -> None:
    assert verdict_of([replace(PROOF, peak_bytes=None, over_bytes=None)]).worst_memory is None


@pytest.mark.slow
def test_hostile_programs_are_proved() -> None:
    heard: list[str] = []
    names = frozenset({"flood_calls", "mem_strings", "spin_loop", "storm_never"})

    proofs = list(limit_proofs(heard.append, names))

    assert [(proof.name, proof.outcome, proof.differs) for proof in proofs] == [
        ("flood_calls", "calls", ""),
        ("mem_strings", "memory", ""),
        ("spin_loop", "guest_time", ""),
        ("storm_never", "never-settled", ""),
    ]
    assert [proof.peak_bytes is not None and proof.peak_bytes > 0 for proof in proofs] == [True] * 4
    assert heard == [
        "flood_calls, 1 of 4",
        "mem_strings, 2 of 4",
        "spin_loop, 3 of 4",
        "storm_never, 4 of 4",
    ]
