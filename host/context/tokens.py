"""How many tokens a text takes: counters, each with the margin that its figure needs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from host.core.text import utf8_length
from host.core.tokens import estimate_tokens


@runtime_checkable
class Counter(Protocol):
    """Counts the tokens of a text. Who must not overflow a window adds `margin_percent` to what it says."""

    @property
    def name(self) -> str:
        """What a report calls it."""
        ...

    @property
    def margin_percent(self) -> int: ...

    def count(self, text: str) -> int: ...


@dataclass(frozen=True)
class CharacterCounter:
    """Characters / 4. Too low for scripts in which a character takes a token, margin or not."""

    name: str = "characters / 4"
    margin_percent: int = 30

    def count(self, text: str) -> int:
        return estimate_tokens(text)


@dataclass(frozen=True)
class Utf8Counter:
    """The bytes of UTF-8: no tokenizer over bytes makes more tokens than that, so no margin is needed."""

    name: str = "UTF-8 bytes"
    margin_percent: int = 0

    def count(self, text: str) -> int:
        return utf8_length(text)


@dataclass(frozen=True)
class CallerCounter:
    """A function of the caller's, such as the length of what a model's own tokenizer gives."""

    function: Callable[[str], int]
    name: str = "the caller's counter"
    margin_percent: int = 10

    def count(self, text: str) -> int:
        """What the function says. Raises `ValueError` where that is no count."""
        counted = self.function(text)
        if not isinstance(counted, int) or isinstance(counted, bool) or counted < 0:
            raise ValueError(f"{self.name} gave {counted!r}; a whole number of 0 or more is needed")
        return counted
