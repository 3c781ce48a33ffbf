"""Spans of a text that are masked, and the text with a placeholder in place of each."""

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, kw_only=True, order=True)
class Span:
    """Characters `start` to `end` of a text, and the rule that found them; it has none where a placeholder
    or a marker stood there already."""

    start: int
    end: int
    rule: str


Finder = Callable[[str], Iterable[Span]]


def settled(text: str, placeholder: str, find: Finder, *, standing: Iterable[Span]) -> list[Span]:
    """The spans after whose masking `find` finds nothing more. They do not overlap and are in order.

    What was masked may leave something to be found beside it, so it is looked for again, until what is found
    lies in what is masked. What is `standing`, in order, is masked already; `find` reads a placeholder in its
    place.
    """
    spans = list(standing)
    while True:
        view = _View(text, placeholder, spans)
        more = [span for found in find(view.text) if not view.covers(span := view.original(found))]
        if not more:
            return spans
        spans = united([*spans, *more])


def settled_text(text: str, mask: Callable[[str], str]) -> str:
    """The text after as many passes of `mask` as change it, so that another one changes nothing."""
    while (again := mask(text)) != text:
        text = again
    return text


def united(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those that overlap as one. It has the rule of the first that has one."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start < found[-1].end:
            last = found[-1]
            found[-1] = Span(start=last.start, end=max(last.end, span.end), rule=last.rule or span.rule)
        else:
            found.append(span)
    return found


def masked(text: str, placeholder: str, spans: Iterable[Span]) -> str:
    """What stood there already stays as it is."""
    return _replaced(text, spans, lambda span: placeholder if span.rule else text[span.start : span.end])


def _replaced(text: str, spans: Iterable[Span], by: Callable[[Span], str]) -> str:
    parts: list[str] = []
    done = 0
    for span in spans:
        parts += (text[done : span.start], by(span))
        done = span.end
    return "".join((*parts, text[done:])) if parts else text


class _View:
    """The text as it is masked so far."""

    def __init__(self, text: str, placeholder: str, spans: list[Span]) -> None:
        self._spans: Final = spans
        self._begins: Final = [span.start for span in spans]
        self._length: Final = len(placeholder)
        self._starts: Final[list[int]] = []  # of the placeholders in this view
        shift = 0
        for span in spans:
            self._starts.append(span.start + shift)
            shift += len(placeholder) - (span.end - span.start)
        self.text: Final = _replaced(text, spans, lambda _: placeholder)

    def original(self, span: Span) -> Span:
        """Where it stands in the text itself; a placeholder that it touches it has as a whole."""
        return Span(start=self._place(span.start)[0], end=self._place(span.end - 1)[1], rule=span.rule)

    def covers(self, span: Span) -> bool:
        """Whether it lies, in the text itself, in what is masked."""
        number = bisect_right(self._begins, span.start) - 1
        return number >= 0 and span.end <= self._spans[number].end

    def _place(self, at: int) -> tuple[int, int]:
        """Start and end of the character `at`, or of the span whose placeholder it is of."""
        number = bisect_right(self._starts, at) - 1
        if number < 0:
            return at, at + 1
        span = self._spans[number]
        beyond = at - self._starts[number] - self._length
        if beyond < 0:
            return span.start, span.end
        return span.end + beyond, span.end + beyond + 1
