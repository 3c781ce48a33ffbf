"""An embedder whose meanings are written down, for hybrid searches without a model."""

import re
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Final

_WORD: Final = re.compile(r"\w+")
_MOST: Final = 255


class ConceptEmbedder:
    """Understands the words that it is given, and no other (`host.records.Embedder`).

    A vector has a byte for each concept: how many of its words a text has.

    Args:
        concepts: by concept the words for it, in small letters.
        model: the name that is kept with the vectors.
        least: the cosine from which on texts are near one another.
    """

    def __init__(
        self, concepts: Mapping[str, Sequence[str]], *, model: str = "concepts 1", least: float = 0.5
    ) -> None:
        self._places: Final = {word: place for place, words in enumerate(concepts.values()) for word in words}
        self._size: Final = len(concepts)
        self._model: Final = model
        self._least: Final = least
        self._embedded: list[str] = []

    @property
    def model(self) -> str:
        return self._model

    @property
    def vector_bytes(self) -> int:
        return self._size

    @property
    def least(self) -> float:
        return self._least

    @property
    def embedded(self) -> tuple[str, ...]:
        """All texts of which vectors were made, in order."""
        return tuple(self._embedded)

    def embed(self, texts: Sequence[str]) -> tuple[bytes, ...]:
        self._embedded += texts
        return tuple(map(self._vector, texts))

    def similarities(self, vector: bytes, others: bytes) -> tuple[float, ...]:
        size = self._size
        return tuple(_cosine(vector, others[start : start + size]) for start in range(0, len(others), size))

    def _vector(self, text: str) -> bytes:
        counts = [0] * self._size
        for word in _WORD.findall(text.lower()):
            if word in self._places:
                place = self._places[word]
                counts[place] = min(counts[place] + 1, _MOST)
        return bytes(counts) if any(counts) else b""


def _cosine(one: bytes, other: bytes) -> float:
    norms = sum(x * x for x in one) * sum(x * x for x in other)
    return sum(x * y for x, y in zip(one, other, strict=True)) / sqrt(norms) if norms else 0.0
