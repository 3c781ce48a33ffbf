"""What two passages are compared by: their words, the numbers in them, and their negations."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from host.core.unicode_text import nfkc, visible

NEGATIONS: Final = frozenset(["no", "not", "never", "none", "nor", "neither", "without", "cannot"])
_CONTRACTED: Final = "n't"

_WORD: Final = re.compile(r"\w+")
_WORD_OR_CONTRACTION: Final = re.compile(r"\w+(?:'t(?!\w))?")
_CURLY: Final = re.compile("[\u02bc\u2018\u2019]")
# A sign is one where nothing stands before it that it could join. Groups of three digits are of thousands.
_NUMBER: Final = re.compile(
    r"(?:(?<![\w.)\]])[-\u2212])?(?:\d{1,3}(?:[,'_]\d{3})++(?!\d)|\d++)(?:[.,:/\u2044]\d++)*+"
)
_SEPARATOR: Final = re.compile(r"[,'_](?=\d{3}(?!\d))")


@dataclass(frozen=True)
class Wording:
    """A passage as it is compared. Case, zero-width characters and forms of width tell nothing."""

    text: str

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(words(self._folded))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """Every number, with its sign and its decimals, without separators of thousands; sorted."""
        return tuple(sorted(_SEPARATOR.sub("", number).replace("\u2212", "-") for number in self._numbers()))

    @cached_property
    def negations(self) -> tuple[tuple[str, int], ...]:
        """Each negation and how often it stands there; sorted. Whatever ends in `n't` is one."""
        return tuple(sorted(Counter(self._negations()).items()))

    @cached_property
    def _folded(self) -> str:
        return _CURLY.sub("'", nfkc(visible(self.text)).casefold())

    def _numbers(self) -> Iterator[str]:
        return (match[0] for match in _NUMBER.finditer(self._folded))

    def _negations(self) -> Iterator[str]:
        for word in _WORD_OR_CONTRACTION.findall(self._folded):
            if word.endswith(_CONTRACTED):
                yield _CONTRACTED
            elif word in NEGATIONS:
                yield word


def words(text: str) -> list[str]:
    """The words of a text, casefolded, in order."""
    return _WORD.findall(text.casefold())
