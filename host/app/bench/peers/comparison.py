"""Compares gg with its peers: the same work, on one machine, in one run, in turns.

Each round measures every peer once, so that whatever else the machine does meets them alike; what is told is
the median over the rounds, with the fastest and the slowest.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import count
from statistics import median
from typing import Final

from host.app.bench.figures import Tell
from host.app.bench.peers.base import Peer, Runner, Work
from host.app.bench.peers.plain_process import run_python
from host.app.bench.peers.programs import REPORTED
from host.app.bench.peers.table import INSTALL, PEERS

ROUNDS: Final = 9
_CALLS: Final = 500  # Monty allows a program 1,000
_SAMPLE_S: Final = 0.1  # a sample is the median of what fits in this time
_MOST_REPEATS: Final = 20


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What one kind of work took one peer, over the rounds; `unit` is that of the three figures."""

    work: str
    peer: str
    median: float
    fastest: float
    slowest: float
    unit: str
    rounds: int


@dataclass(frozen=True, kw_only=True)
class PeerNote:
    """What a peer's figures are of. `missing` is what to do about one that is not installed, else empty."""

    peer: str
    version: str
    compared: str
    missing: str


def peer_notes(peers: Sequence[Peer] = PEERS) -> tuple[PeerNote, ...]:
    """Of all peers, those that are not installed as well."""
    return tuple(
        PeerNote(
            peer=peer.name,
            version=peer.version or "",
            compared=peer.compared,
            missing=f"{peer.package} is not installed; {INSTALL}" if peer.version is None else "",
        )
        for peer in peers
    )


def compare(
    tell: Tell, *, peers: Sequence[Peer] = PEERS, rounds: int = ROUNDS, calls: int = _CALLS
) -> Iterator[Comparison]:
    """Measures those that are installed, one kind of work after another; two minutes.

    Raises `RuntimeError` for a peer whose program does not report what the others do.
    """
    for work in Work:
        chosen = [peer for peer in peers if work in peer.works and peer.version is not None]
        if not chosen:
            continue
        with ExitStack() as stack:
            measures = {peer.name: _measure(work, peer, stack, calls) for peer in chosen}
            samples = _in_turns(measures, rounds, partial(_tell_round, tell, work, rounds))
        scale, unit = (1e6, "µs") if work is Work.CALL else (1e3, "ms")
        for name, taken in samples.items():
            yield Comparison(
                work=work.value,
                peer=name,
                median=median(taken) * scale,
                fastest=min(taken) * scale,
                slowest=max(taken) * scale,
                unit=unit,
                rounds=rounds,
            )


def _tell_round(tell: Tell, work: Work, rounds: int, number: int) -> None:
    tell(f"{work.value}, round {number} of {rounds}")


def _in_turns(
    measures: Mapping[str, Callable[[], float]], rounds: int, tell_round: Callable[[int], None]
) -> dict[str, list[float]]:
    samples: dict[str, list[float]] = {name: [] for name in measures}
    for number in range(1, rounds + 1):
        tell_round(number)
        for name, measure in measures.items():
            samples[name].append(measure())
    return samples


def _measure(work: Work, peer: Peer, stack: ExitStack, calls: int) -> Callable[[], float]:
    """A function that takes one sample, in seconds; what it needs stays open until the stack is closed."""
    if work is Work.COLD:
        return lambda: float(run_python("host.app.bench.peers.first_use", peer.name))
    reported: list[str] = []
    run = stack.enter_context(peer.open(reported.append))
    run(peer.texts.sum)  # what a first use costs is a figure of its own
    salts, texts = count(), peer.texts
    match work:
        case Work.CALL:
            return lambda: _typical(lambda: _calls_less_none(run, peer, calls))
        case Work.FRESH:
            return lambda: _typical(lambda: _timed(run, texts.salted(texts.sum, next(salts))))
        case Work.WHOLE:
            return lambda: _typical(lambda: _whole(run, peer, next(salts), reported))


def _calls_less_none(run: Runner, peer: Peer, calls: int) -> float:
    return (_timed(run, peer.texts.calling(calls)) - _timed(run, peer.texts.calling(0))) / calls


def _whole(run: Runner, peer: Peer, salt: int, reported: list[str]) -> float:
    reported.clear()
    took = _timed(run, peer.texts.salted(peer.texts.whole, salt))
    if reported != [REPORTED]:
        raise RuntimeError(f"{peer.name} reported {reported} in place of {REPORTED!r}")
    return took


def _timed(run: Runner, program: str) -> float:
    began = time.perf_counter()
    run(program)
    return time.perf_counter() - began


def _typical(sample: Callable[[], float]) -> float:
    """The median of as many samples as fit in the time, at least one."""
    until = time.perf_counter() + _SAMPLE_S
    samples = [sample()]
    while time.perf_counter() < until and len(samples) < _MOST_REPEATS:
        samples.append(sample())
    return median(samples)
