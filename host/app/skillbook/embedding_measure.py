"""Skills compared by the vectors of the `embeddings` extra: they are alike in other words as well.

The similarity is the cosine of the two texts' vectors, 0 where it is below, in ten-thousandths. The vectors
are whole numbers, and what is counted of them as well until the last division: the figure is the same on
every machine. The measure's name says the model, its version and the rules by which a vector is made.

The model speaks the Latin script alone. A text of which less than half of the letters stand in it is not
read: by the one product name in it, it would be like every other text that has the name.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from host.app.embedding import record_embedder
from host.core.envelope import Refused
from host.launch import embeddings_missing
from host.records import INPUT, Embedder
from host.skillbook import SAME, Measure, compared_text, four_decimals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_THRESHOLD: Final = 6_200
"""Taken on the half of fixtures/skillbook/pairs.jsonl that is for tuning."""
_LATIN: Final = re.compile("[A-Za-zÀ-ɏ]")
_ROWS: Final = 512
_ROUNDING: Final = 1e-3
_LEAST: Final = 1


class EmbeddingMeasure:
    """The `Measure` by an embedder."""

    threshold: Final = _THRESHOLD

    def __init__(self, embedder: Embedder) -> None:
        self._embedder: Final = embedder
        self.name: Final = f"embeddings/{embedder.model.replace(' ', '-')}"

    def similarity(self, a: str, b: str) -> int:
        if a == b:
            return SAME
        one, other = map(_whole_numbers, self._vectors([a, b]))
        return _cosine(_dot(one, other), _dot(one, one), _dot(other, other))

    def reads(self, text: str) -> bool:
        return bool(self._vectors([text])[0])

    def pairs(self, texts: Sequence[str], least: int) -> Iterator[tuple[int, int, int]]:
        """See `Measure.pairs`. Compares each vector with each, some 10 ms for a thousand."""
        if least < _LEAST:
            raise ValueError(
                f"a least similarity of {four_decimals(least)} is below {four_decimals(_LEAST)}, "
                "and every two texts reach it"
            )
        read = [(place, vector) for place, vector in enumerate(self._vectors(texts)) if vector]
        if len(read) < 2:
            return
        places = [place for place, _ in read]
        vectors = _matrix([vector for _, vector in read])
        squares = (vectors * vectors).sum(axis=1)
        lengths = squares**0.5
        for begin in range(0, len(places), _ROWS):
            # Sums of whole numbers below 2**24, which 32 bits hold exactly in whichever order they are added.
            dots = vectors[begin : begin + _ROWS] @ vectors.T
            enough = (least - 1) / SAME - _ROUNDING
            near = dots >= enough * lengths[begin : begin + _ROWS, None] * lengths[None, :]
            for row, column in zip(*near.nonzero(), strict=True):
                if begin + row < column:
                    squared = int(squares[begin + row]), int(squares[column])
                    similarity = _cosine(int(dots[row, column]), *squared)
                    if similarity >= least:
                        yield places[begin + row], places[column], similarity

    def _vectors(self, texts: Sequence[str]) -> Sequence[bytes]:
        return self._embedder.embed([_latin(compared_text(text)) for text in texts])


def embedding_measure() -> Measure:
    """The measure of this process. Raises `Refused` where the extra is not installed, or lacks its files."""
    missing = embeddings_missing()
    if missing is not None:
        raise Refused.of(INPUT, f"comparing skills by embeddings {missing}")
    measure = EmbeddingMeasure(record_embedder())
    measure.reads("refund")  # which reads the files, so that what lacks is said before anything is asked
    return measure


def _latin(text: str) -> str:
    """The text, or nothing where most of its letters are of other scripts."""
    letters = [char for char in text if char.isalpha()]
    return text if 2 * sum(_LATIN.match(char) is not None for char in letters) >= len(letters) else ""


def _matrix(vectors: Sequence[bytes]) -> "NDArray[np.float32]":
    import numpy as np

    rows = np.frombuffer(b"".join(vectors), dtype=np.int8)
    return rows.reshape(len(vectors), -1).astype(np.float32)


def _whole_numbers(vector: bytes) -> list[int]:
    return [byte - 256 if byte > 127 else byte for byte in vector]


def _dot(one: Sequence[int], other: Sequence[int]) -> int:
    """0 where either is empty."""
    return sum(a * b for a, b in zip(one, other, strict=False))


def _cosine(dot: int, square: int, other_square: int) -> int:
    return max(0, round(SAME * dot / math.sqrt(square * other_square))) if dot else 0
