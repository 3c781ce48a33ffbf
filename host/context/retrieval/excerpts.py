"""Cuts out of a text what a query is about, with the secrets masked that stand in it or reach into it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from host.context.retrieval.keywords import fold
from host.core.scrubbing import PLACEHOLDER, scrub_report

EXCERPT_CHARS: Final = 600

_LOOK_AROUND_CHARS: Final = 10_000  # a secret, and the words that tell it is one, are shorter
_MAX_PLACES: Final = 50  # of one keyword in one text


@dataclass(frozen=True, kw_only=True)
class Excerpt:
    """A piece of a text: its lines, from 1, both included, and whether a secret in it was masked."""

    text: str
    first_line: int
    last_line: int
    is_masked: bool


def excerpt(
    text: str, wanted: tuple[str, ...], *, max_chars: int = EXCERPT_CHARS, literals: Iterable[str] = ()
) -> Excerpt | None:
    """The lines around the one that holds most of the keywords, the first of those; `None` if none does.

    Whole lines, as many as `max_chars` hold; of a longer line what is around the keyword.
    """
    folded = fold(text)
    hit = _best_place(folded, wanted)
    if hit is None:
        return None
    start, end = _lines_around(text, _unfolded(text, folded, hit), max_chars)
    cut, is_masked = masked_cut(text, start, end, literals)
    first_line = text.count("\n", 0, start) + 1
    return Excerpt(
        # A placeholder may be longer than what it stands for.
        text=cut[:max_chars],
        first_line=first_line,
        last_line=first_line + text.count("\n", start, end),
        is_masked=is_masked,
    )


def masked_cut(text: str, start: int, end: int, literals: Iterable[str] = ()) -> tuple[str, bool]:
    """The characters from `start` to `end`, masked, and whether anything was.

    A secret that reaches over an end of the cut is masked as a whole.
    """
    begin = max(0, start - _LOOK_AROUND_CHARS)
    parts: list[str] = []
    at = start
    is_masked = False
    for found in scrub_report(text[begin : end + _LOOK_AROUND_CHARS], literals):
        secret_start, secret_end = begin + found.start, begin + found.end
        if secret_end > start and secret_start < end:
            parts += (text[at : max(at, secret_start)], PLACEHOLDER)
            at = secret_end
            is_masked = True
    return "".join((*parts, text[at : max(at, end)])), is_masked


def _best_place(folded: str, wanted: tuple[str, ...]) -> int | None:
    """Where the first keyword stands in the line that holds most of them."""
    held: dict[int, set[str]] = {}
    first: dict[int, int] = {}
    for keyword in wanted:
        for at in _places(folded, keyword):
            line = folded.rfind("\n", 0, at) + 1
            held.setdefault(line, set()).add(keyword)
            first[line] = min(at, first.get(line, at))
    best = min(held, key=lambda line: (-len(held[line]), line), default=None)
    return None if best is None else first[best]


def _places(folded: str, keyword: str) -> Iterator[int]:
    """The first place in each line, of the first lines."""
    at = folded.find(keyword)
    for _ in range(_MAX_PLACES):
        if at < 0:
            return
        yield at
        line_end = folded.find("\n", at)
        at = -1 if line_end < 0 else folded.find(keyword, line_end)


def _unfolded(text: str, folded: str, at: int) -> int:
    """About where in the text a place of its folded form is: in the same line, which may differ in length."""
    if len(text) == len(folded):
        return at
    start = 0
    for _ in range(folded.count("\n", 0, at)):
        start = text.find("\n", start) + 1
    end = text.find("\n", start)
    return min(start + at - (folded.rfind("\n", 0, at) + 1), (len(text) if end < 0 else end))


def _lines_around(text: str, at: int, max_chars: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, at) + 1
    end = _line_end(text, at)
    if end - start > max_chars:
        start = max(start, min(at - max_chars // 4, end - max_chars))
        return start, start + max_chars
    stop = len(text) - text.endswith("\n")
    is_growing = True
    while is_growing:
        is_growing = False
        after = _line_end(text, end + 1)
        if end < stop and after - start <= max_chars:
            end, is_growing = min(after, stop), True
        before = text.rfind("\n", 0, max(0, start - 1)) + 1
        if start and end - before <= max_chars:
            start, is_growing = before, True
    return start, end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
