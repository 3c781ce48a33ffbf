"""How well a measure tells skills that say the same from those that only look like it, and from where on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from host.app.bench.skillbook.calibration_set import KINDS, CalibrationSet, JudgedPair, load_calibration_set
from host.skillbook import SAME, Measure

HALVES: Final[Mapping[str, bool]] = {"tuning": False, "held out": True}

_STEP: Final = 100
_BETA: Final = 2
"""A pair that is missed is never asked about; one that is offered in vain costs one question, once."""


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What is offered of some judged pairs from a threshold on."""

    found: int
    missed: int
    in_vain: int

    @property
    def precision(self) -> float:
        """How many of the offered pairs say the same; 1 where none is offered."""
        offered = self.found + self.in_vain
        return self.found / offered if offered else 1.0

    @property
    def recall(self) -> float:
        """How many of those that say the same are offered; 1 where there are none."""
        same = self.found + self.missed
        return self.found / same if same else 1.0

    @property
    def f2(self) -> float:
        """Both in one figure, in which recall counts twice as much as precision."""
        weight = _BETA**2
        whole = (1 + weight) * self.found + weight * self.missed + self.in_vain
        return (1 + weight) * self.found / whole if whole else 1.0


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """What a measure is worth on the judged pairs.

    Args:
        threshold: from where the measure offers a pair, in ten-thousandths.
        tuned: the threshold that the half for tuning gives: of the whole hundreds the one with the greatest
            F2, of equals the greatest.
        halves: the offer at `threshold` by half.
        curve: the offer at each threshold by half.
        kinds: how many pairs of each kind are offered, of how many, in both halves.
        strangers: how many pairs of skills of different judged pairs are offered, of how many. Hardly any two
            of them say the same.
        digest: SHA-256 of the set.
    """

    measure: str
    threshold: int
    tuned: int
    halves: Mapping[str, Offer]
    curve: Mapping[int, Mapping[str, Offer]]
    kinds: Mapping[str, tuple[int, int]]
    strangers: tuple[int, int]
    digest: str


def calibrate(measure: Measure, judged: CalibrationSet | None = None) -> Calibration:
    """Compares each judged pair, and all skills of the set with each other; some seconds."""
    judged = judged or load_calibration_set()
    similarity = {pair.key: measure.similarity(pair.a, pair.b) for pair in judged.pairs}
    halves = {name: [p for p in judged.pairs if p.held_out == held] for name, held in HALVES.items()}
    curve = {
        least: {name: _offer(pairs, similarity, least) for name, pairs in halves.items()}
        for least in range(_STEP, SAME + 1, _STEP)
    }
    return Calibration(
        measure=measure.name,
        threshold=measure.threshold,
        tuned=max(curve, key=lambda least: (curve[least]["tuning"].f2, least)),
        halves={name: _offer(pairs, similarity, measure.threshold) for name, pairs in halves.items()},
        curve=curve,
        kinds={kind: _offered(judged.pairs, similarity, measure.threshold, kind) for kind in KINDS},
        strangers=_strangers(judged, measure),
        digest=judged.digest,
    )


def _offer(pairs: Iterable[JudgedPair], similarity: Mapping[str, int], least: int) -> Offer:
    judged = [(pair.same, similarity[pair.key] >= least) for pair in pairs]
    return Offer(
        found=judged.count((True, True)),
        missed=judged.count((True, False)),
        in_vain=judged.count((False, True)),
    )


def _offered(
    pairs: Sequence[JudgedPair], similarity: Mapping[str, int], least: int, kind: str
) -> tuple[int, int]:
    of_kind = [pair for pair in pairs if pair.kind == kind]
    return sum(similarity[pair.key] >= least for pair in of_kind), len(of_kind)


def _strangers(judged: CalibrationSet, measure: Measure) -> tuple[int, int]:
    texts = [text for pair in judged.pairs for text in (pair.a, pair.b)]
    offered = sum(one // 2 != other // 2 for one, other, _ in measure.pairs(texts, measure.threshold))
    return offered, len(texts) * (len(texts) - 2) // 2
