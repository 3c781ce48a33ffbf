"""Proves the ceilings: runs hostile programs and measures how far each went beyond them.

Time is the wall clock of the whole run, the kill and the host's own work included, so it is never less than
the guest time that the ceiling counts. Memory is the most that was resident of the worker, read while it
runs, beyond what an idle worker has and the engine may use.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from host.app.bench.hostile import HostileProgram, answer, found, hostile_programs
from runtime_js import guest_globals
from sandbox import Ended, GuestProgram, ProgramOutcome, SandboxPool, read_peak_bytes

_OVER_GOAL_S: Final = 0.3
_OVER_GOAL_BYTES: Final = 64 * 2**20
_SAMPLE_EVERY_S: Final = 0.002
_IDLE: Final = GuestProgram(js="1 + 1;\n", seed=1)


@dataclass(frozen=True, kw_only=True)
class LimitProof:
    """What became of one program. `outcome` is a ceiling, or `ended`, `threw`, `never-settled`.

    `over_s` and `over_bytes` are how far it went beyond its ceilings, beside the most that it should go.
    `differs` says what is not as the table has it, and is empty where all is. The memory is `None` where the
    system does not tell.
    """

    name: str
    outcome: str
    expected: str
    differs: str
    wall_s: float
    guest_limit_s: float
    over_s: float
    over_goal_s: float = _OVER_GOAL_S
    peak_bytes: int | None
    memory_limit_bytes: int
    over_bytes: int | None
    over_goal_bytes: int = _OVER_GOAL_BYTES


@dataclass(frozen=True, kw_only=True)
class LimitsVerdict:
    """All proofs together: the worst of each kind, how many programs each thing ended, and who differs."""

    programs: int
    worst_time: LimitProof
    worst_memory: LimitProof | None
    outcomes: Mapping[str, int]
    differing: tuple[str, ...]


def limit_proofs(tell: Callable[[str], None], names: frozenset[str] | None = None) -> Iterator[LimitProof]:
    """Runs the programs one after another, each in a worker of its own; `tell` hears which one is next."""
    programs = hostile_programs(names)
    for number, program in enumerate(programs, start=1):
        tell(f"{program.name}, {number} of {len(programs)}")
        yield _prove(program)


def verdict_of(proofs: Iterable[LimitProof]) -> LimitsVerdict:
    """Of at least one proof."""
    proofs = tuple(proofs)
    measured = [proof for proof in proofs if proof.over_bytes is not None]
    return LimitsVerdict(
        programs=len(proofs),
        worst_time=max(proofs, key=lambda proof: proof.over_s),
        worst_memory=max(measured, key=lambda proof: proof.over_bytes or 0) if measured else None,
        outcomes=dict(Counter(proof.outcome for proof in proofs).most_common()),
        differing=tuple(proof.name for proof in proofs if proof.differs),
    )


def _prove(program: HostileProgram) -> LimitProof:
    with SandboxPool(globals=guest_globals(), limits=program.limits, size=1, keep_warm=0) as pool:
        if not isinstance(pool.run(_IDLE, answer), Ended):
            raise RuntimeError("a worker could not run 1 + 1")
        (pid,) = pool.worker_pids
        idle_bytes = read_peak_bytes(pid)
        began = time.perf_counter()
        with _peak_of(pid) as peak:
            outcome = pool.run(GuestProgram(js=program.js, seed=1), answer)
            wall_s = time.perf_counter() - began
    return proof_of(program, outcome, wall_s, idle_bytes, max(peak, default=None))


def proof_of(
    program: HostileProgram,
    outcome: ProgramOutcome,
    wall_s: float,
    idle_bytes: int | None,
    peak_bytes: int | None,
) -> LimitProof:
    seen, limits = found(outcome, program.expected), program.limits
    over_bytes = None
    if idle_bytes is not None and peak_bytes is not None:
        over_bytes = max(0, peak_bytes - idle_bytes - limits.memory_bytes)
    return LimitProof(
        name=program.name,
        outcome=seen["outcome"],
        expected=program.expected["outcome"],
        differs=_difference(seen, program.expected),
        wall_s=wall_s,
        guest_limit_s=limits.guest_s,
        over_s=max(0.0, wall_s - limits.guest_s),
        peak_bytes=peak_bytes,
        memory_limit_bytes=limits.memory_bytes,
        over_bytes=over_bytes,
    )


def _difference(seen: Mapping[str, object], expected: Mapping[str, object]) -> str:
    """`outcome 'ended', expected 'threw'`, or nothing."""
    for key, wanted in expected.items():
        if seen.get(key) != wanted:
            return f"{key} {seen.get(key)!r:.80}, expected {wanted!r:.80}"
    return ""


@contextmanager
def _peak_of(pid: int) -> Iterator[list[int]]:
    """Collects the worker's peak in a thread; it is gone with the worker, so it is read until the end."""
    peaks: list[int] = []
    stop = threading.Event()

    def sample() -> None:
        while (peak := read_peak_bytes(pid)) is not None:
            peaks[:] = [peak]
            if stop.wait(_SAMPLE_EVERY_S):
                return

    thread = threading.Thread(target=sample, name="gg-bench-peak", daemon=True)
    thread.start()
    try:
        yield peaks
    finally:
        stop.set()
        thread.join()
