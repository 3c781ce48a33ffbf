"""How alike two skills are: a whole number from 0 to 10,000, of their embedding texts and nothing else."""

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

SAME: Final = 10_000
"""How similar a text is to itself: similarities are counted in ten-thousandths."""


class Measure(Protocol):
    """A way to compare embedding texts. Under one name the same two texts have one similarity, whatever else
    stands in the book and on whichever machine; of two names the figures do not compare.
    """

    @property
    def name(self) -> str:
        """What a decision is kept under: `lexical/1`."""
        ...

    @property
    def threshold(self) -> int:
        """From which similarity on a pair is worth a question, as calibrated for this measure."""
        ...

    def similarity(self, a: str, b: str) -> int:
        """How similar two texts are; in either order."""
        ...

    def reads(self, text: str) -> bool:
        """Whether there is anything in a text that it can be compared by. What is not read is similar to
        nothing but the same text.
        """
        ...

    def pairs(self, texts: Sequence[str], least: int) -> Iterator[tuple[int, int, int]]:
        """Each two of different texts that are similar by `least` or more: the places of both, the smaller
        first, and their similarity. In no order that anyone may rely on.

        Raises `ValueError` for a `least` that everything would reach.
        """
        ...


def four_decimals(similarity: int) -> str:
    """`0.8235`."""
    return f"{similarity / SAME:.4f}"
