"""What a hybrid search needs besides the store: something that makes vectors of texts by their meaning."""

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    """Texts of like meaning have vectors whose cosine is near 1. Safe for several threads."""

    @property
    def model(self) -> str:
        """Which model of which version this is. What another one made is made anew."""
        ...

    @property
    def vector_bytes(self) -> int:
        """The size of a vector."""
        ...

    @property
    def least(self) -> float:
        """The cosine from which on a text counts as one of like meaning."""
        ...

    def embed(self, texts: Sequence[str]) -> Sequence[bytes]:
        """A vector for each text, always the same; empty for one of which the model understands no word."""
        ...

    def similarities(self, vector: bytes, others: bytes) -> Sequence[float]:
        """The cosine of a vector and each of the others, which stand one behind the other; equal vectors
        have equal ones.
        """
        ...
