"""What is left of a secret where a text was cut.

A cut leaves a mark, so what stands beside a mark may be the beginning or the end of a secret, and what stands
between two of them a piece of its middle.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

MIN_END_CHARS: Final = 4  # less of a secret says nothing, and is met by chance
MIN_PIECE_CHARS: Final = 8

# Every mark that gg leaves where it cuts a text.
_MARK: Final = re.compile(r"…|\n\([\d,]+ more bytes\)")


def was_cut(text: str) -> bool:
    """Whether a mark stands in the text."""
    return _MARK.search(text) is not None


class Remnants:
    """Finds what is left of `secrets`. Costs what the text costs to search, however many marks it has."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets: Final = tuple(secret for secret in secrets if len(secret) > MIN_END_CHARS)
        self._beginnings: Final = _by(self._secrets, slice(None, MIN_END_CHARS))
        self._ends: Final = _by(self._secrets, slice(-MIN_END_CHARS, None))
        self._longest: Final = max(map(len, self._secrets), default=0)

    def find(self, text: str, begin: int, stop: int) -> list[tuple[int, int, str]]:
        """Start and end of each remnant and the secret that it is of, in order."""
        marks = list(_MARK.finditer(text, begin, stop))
        if not marks or not self._secrets:
            return []
        starts, ends = [mark.start() for mark in marks], [mark.end() for mark in marks]
        found = {
            *self._before(text, starts, begin, stop),
            *self._after(text, ends, begin, stop),
            *self._between(text, starts, ends),
        }
        return sorted(found)

    def _before(self, text: str, starts: list[int], begin: int, stop: int) -> Iterator[tuple[int, int, str]]:
        for at, head in _places(text, self._beginnings, begin, stop):
            mark = bisect_left(starts, at + MIN_END_CHARS)
            if mark < len(starts):
                kept = text[at : min(starts[mark], at + self._longest)]
                yield from (
                    (at, starts[mark], secret)
                    for secret in self._beginnings[head]
                    if at + len(kept) == starts[mark] and secret.startswith(kept)
                )

    def _after(self, text: str, ends: list[int], begin: int, stop: int) -> Iterator[tuple[int, int, str]]:
        for at, tail in _places(text, self._ends, begin, stop):
            to = at + MIN_END_CHARS
            mark = bisect_left(ends, at + 1) - 1
            if mark >= 0:
                kept = text[max(ends[mark], to - self._longest) : to]
                yield from (
                    (ends[mark], to, secret)
                    for secret in self._ends[tail]
                    if to - len(kept) == ends[mark] and secret.endswith(kept)
                )

    def _between(self, text: str, starts: list[int], ends: list[int]) -> Iterator[tuple[int, int, str]]:
        for start, end in zip(ends, starts[1:], strict=False):
            if MIN_PIECE_CHARS <= end - start < self._longest:
                piece = text[start:end]
                yield from ((start, end, secret) for secret in self._secrets if piece in secret)


def _by(secrets: Iterable[str], part: slice) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for secret in secrets:
        found.setdefault(secret[part], []).append(secret)
    return found


def _places(text: str, parts: Iterable[str], begin: int, stop: int) -> Iterator[tuple[int, str]]:
    """Where each of the parts stands. One search for each: many of them in one expression take far longer."""
    for part in parts:
        at = text.find(part, begin, stop)
        while at >= 0:
            yield at, part
            at = text.find(part, at + 1, stop)
