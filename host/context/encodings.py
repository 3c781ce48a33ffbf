"""Tokens as a vendor's encoding makes them, counted by the extra `tokens`; nothing is downloaded."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import cast

from host.core.surrogates import sendable
from host.core.text import quoted
from host.core.tokens import ENCODINGS, encodings_missing


@dataclass(frozen=True)
class BpeCounter:
    """The tokens of an encoding, `o200k_base` or `cl100k_base`: right for models that have it, and for all
    others an estimate without a margin.

    The spelling of a special token, such as `<|endoftext|>`, is text like any other; half of a surrogate pair
    counts as U+FFFD, which is sent in its place. The encoding is loaded by the first count of a process, in
    half a second and some 100 MB. Raises `ValueError` for any other name, `ModuleNotFoundError` without the
    extra.
    """

    encoding: str

    def __post_init__(self) -> None:
        if self.encoding not in ENCODINGS:
            known = ", ".join(ENCODINGS)
            raise ValueError(f"encoding {quoted(str(self.encoding))} is unknown; known are {known}")
        missing = encodings_missing()
        if missing is not None:
            raise ModuleNotFoundError(f"counting by {self.encoding} {missing}")

    @property
    def name(self) -> str:
        return self.encoding

    @property
    def margin_percent(self) -> int:
        return 0

    def count(self, text: str) -> int:
        return _count_by(self.encoding)(sendable(text)) if text else 0


@cache
def _count_by(encoding: str) -> Callable[[str], int]:
    # The package's own interface stops at a million characters, and holds each encoding twice.
    compiled = import_module("bpe_openai._bindings")
    return cast(Callable[[str], int], compiled.tokenizer_for_encoding(encoding).count)
