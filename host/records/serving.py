"""From the rows that an answer is about to the records in it: each is judged as it is served."""

from collections.abc import Callable, Iterable

from host.records.look import Look
from host.records.model import Hit

Best = Callable[[int, set[int]], Iterable[tuple[int, float | None]]]
"""The first so many places in the order of the answer, with their scores, leaving some places out."""


def serve(look: Look, most: int, best: Best) -> tuple[tuple[Hit, ...], set[int]]:
    """The first records that can be served, and the places before them that cannot be."""
    failed: set[int] = set()
    wide = most
    while True:
        hits: list[Hit] = []
        known = len(failed)
        for seq, score in best(wide, failed.copy()):
            record = look.at(seq)
            if record is None:
                failed.add(seq)
            else:
                hits.append(Hit(record, score))
            if len(hits) == most:
                break
        if len(failed) == known or len(hits) == most:
            return tuple(hits), failed
        wide *= 2  # where many were changed, they are not to be found out a few at a time


def readable(look: Look, seqs: set[int]) -> set[int]:
    """Some places without those whose rows are known to be unreadable or missing."""
    gone = look.unreadable.seqs | look.unreadable.missing
    return seqs - gone if gone else seqs
