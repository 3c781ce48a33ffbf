"""Vectors of texts by WordLlama, a table of one vector for each piece of a word, from its installed files.

A text's vector is the mean of those of its pieces, less the mean of the whole table. The table is that of a
language model that read English above all: words in other scripts, digits and symbols would only put noise
into the mean, and are left to the search by words. The package is imported when it is first needed, which
takes a second and 90 MB. Nothing is ever downloaded.
"""

import logging
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from host.core.envelope import Refused
from host.launch import embeddings_missing
from host.records import INPUT, Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PACKAGE: Final = "wordllama"
_RULES: Final = 1
"""By which rules of this module a vector is made; a change of them has all vectors made anew."""

_LATIN: Final = "A-Za-zÀ-ÖØ-öø-ɏ"
_WORD: Final = re.compile(f"(?<![0-9{_LATIN}])[{_LATIN}][{_LATIN}'\u2019]+(?![0-9{_LATIN}])")
_DIMENSIONS: Final = 256
_MAX_PIECES: Final = 4_096  # more than a record has; a query may be of any length
_LARGEST: Final = 127
_LEAST: Final = 0.36
"""Taken on the half of fixtures/retrieval that is for tuning: a little above the greatest cosine, 0.339,
that a question there has with any record where nothing is about it.
"""


class WordLlamaEmbedder:
    """An `Embedder` of 256 dimensions, a byte each. Safe for several threads.

    `embed` raises `Refused` where the package lacks its files.
    """

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._loaded: _Table | None = None

    @cached_property
    def model(self) -> str:
        return f"{_PACKAGE} {version(_PACKAGE)} l2_supercat_{_DIMENSIONS} {_RULES}"

    @property
    def vector_bytes(self) -> int:
        return _DIMENSIONS

    @property
    def least(self) -> float:
        return _LEAST

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        table = self._table()
        return [table.vector(text) for text in texts]

    def similarities(self, vector: bytes, others: bytes) -> list[float]:
        """Exact sums of whole numbers below 2**24, and so the same wherever a vector stands."""
        import numpy as np

        one = np.frombuffer(vector, dtype=np.int8).astype(np.float32)
        many = np.frombuffer(others, dtype=np.int8).reshape(-1, _DIMENSIONS).astype(np.float32)
        # By einsum and not by @, whose threads wait for one another on a machine that is busy.
        squares = np.einsum("ij,ij->i", many, many) * np.einsum("i,i->", one, one)
        cosines = np.einsum("ij,j->i", many, one) / np.sqrt(np.maximum(squares, 1))
        found: list[float] = cosines.tolist()
        return found

    def _table(self) -> "_Table":
        with self._lock:
            if self._loaded is None:
                self._loaded = _Table()
            return self._loaded


class _Table:
    """The model in memory."""

    def __init__(self) -> None:
        with _quiet_logs():
            import wordllama
        folder = Path(wordllama.__file__).parent
        try:
            # Without the folder it would ask for the pieces of words over the network.
            model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
        except FileNotFoundError as error:
            raise Refused.of(
                INPUT,
                f"a hybrid search needs the files of the package {_PACKAGE}, and they are not there: {error};"
                f" pip install --force-reinstall {_PACKAGE}",
            ) from error
        self._tokenizer: Final[Any] = model.tokenizer
        self._vectors: Final[NDArray[np.float32]] = model.embedding
        self._middle: Final[NDArray[np.float32]] = self._vectors.mean(axis=0)

    def vector(self, text: str) -> bytes:
        """In whole numbers from -127 to 127; empty where no word is one that it knows."""
        import numpy as np

        words = " ".join(_WORD.findall(text))
        # One text at a time: of several it makes threads, which speak up when a process is forked.
        pieces = self._tokenizer.encode(words, add_special_tokens=False).ids[:_MAX_PIECES]
        if not pieces:
            return b""
        mean = self._vectors[pieces].mean(axis=0) - self._middle
        most = float(np.abs(mean).max())
        return np.round(mean * (_LARGEST / most)).astype(np.int8).tobytes() if most else b""


_EMBEDDER: Final = WordLlamaEmbedder()


def record_embedder() -> Embedder:
    """The one of this process. Raises `Refused` where the extra is not installed."""
    missing = embeddings_missing()
    if missing is not None:
        raise Refused.of(INPUT, f"a hybrid search {missing}")
    return _EMBEDDER


@contextmanager
def _quiet_logs() -> Iterator[None]:
    """Around an import that sets up logging for the whole process, unless it is set up already."""
    root, handler = logging.getLogger(), logging.NullHandler()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
