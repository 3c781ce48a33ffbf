"""How well similar skills are told apart on frozen pairs, by each measure; as a program it prints a table."""

import sys
from collections.abc import Iterator
from typing import Final

from host.app.bench.skillbook import Calibration, calibrate
from host.app.skillbook import embedding_measure
from host.launch import embeddings_missing
from host.skillbook import Lexical, four_decimals

SHOWN_STEPS: Final = 300


def table(figures: Calibration) -> Iterator[str]:
    """The lines of one measure: the offer around its threshold, and what is offered of each kind."""
    judged = sum(of for _, of in figures.kinds.values())
    yield f"{figures.measure}, {judged} pairs, set {figures.digest[:12]}"
    threshold, tuned = four_decimals(figures.threshold), four_decimals(figures.tuned)
    yield f"threshold {threshold}; the half for tuning gives {tuned}"
    yield ""
    yield f"{'from':10}{'half':12}  found  missed  in vain  precision  recall     F2"
    around = range(figures.threshold % SHOWN_STEPS or SHOWN_STEPS, 10_000, SHOWN_STEPS)
    for least in (at for at in around if abs(at - figures.threshold) <= 6 * SHOWN_STEPS):
        for half, offer in figures.curve[least].items():
            counts = f"{offer.found:7}{offer.missed:8}{offer.in_vain:9}"
            shares = f"{offer.precision:11.3f}{offer.recall:8.3f}{offer.f2:7.3f}"
            yield f"{four_decimals(least):10}{half:12}{counts}{shares}"
    yield ""
    yield "offered, of all pairs of the kind in both halves"
    for kind, (offered, of) in figures.kinds.items():
        yield f"{kind:16}{offered:4} of {of}"
    yield f"{'of two pairs':16}{figures.strangers[0]:4} of {figures.strangers[1]:,}"


def tables() -> Iterator[str]:
    """One measure after another; that of the extra where it is installed."""
    yield from table(calibrate(Lexical()))
    if not embeddings_missing():
        yield ""
        yield from table(calibrate(embedding_measure()))


if __name__ == "__main__":
    sys.stdout.write("\n".join(("python -m tests.helpers.skillbook_calibration", *tables())) + "\n")
