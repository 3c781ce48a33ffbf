"""Replaces recognised secrets in a text by a placeholder, and says where they stood."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from host.core.scrubbing import literals as known
from host.core.scrubbing.credentials import placed_secrets
from host.core.scrubbing.folded import Folded
from host.core.scrubbing.key_blocks import key_blocks
from host.core.scrubbing.named_values import NamedValues
from host.core.scrubbing.spans import Span, masked, settled
from host.core.scrubbing.vendor_keys import cut_keys, vendor_keys

PLACEHOLDER: Final = "[REDACTED]"
STANDING: Final = re.compile(rf"{re.escape(PLACEHOLDER)}|\[masked:\w+\]")
"""What stands in the place of a secret already: the placeholder, or the marker with a variable's name."""


@dataclass(frozen=True, kw_only=True)
class Scrubbed:
    """One secret of a text: the rule that found it, where it stood, in characters from 0 and lines from 1.
    Never what it was, nor how long the placeholder's text is.
    """

    rule: str
    start: int
    end: int
    line: int
    end_line: int


def scrub(text: str, literals: Iterable[str] = ()) -> str:
    """The text with `PLACEHOLDER` in place of each recognised secret, and of each of the `literals`.

    Scrubbing twice changes nothing. Whatever is not masked stays as it is, also a marker `[masked:NAME]`.
    Takes time in proportion to the text and the number of literals.
    """
    return masked(text, PLACEHOLDER, spans_of(text, known.forms(literals)))


def scrub_report(text: str, literals: Iterable[str] = ()) -> tuple[Scrubbed, ...]:
    """What `scrub` masks in the text, in order."""
    found: list[Scrubbed] = []
    line, counted = 1, 0
    for span in spans_of(text, known.forms(literals)):
        if span.rule:
            line += text.count("\n", counted, span.start)
            counted = span.start
            end_line = line + text.count("\n", span.start, span.end)
            found.append(
                Scrubbed(rule=span.rule, start=span.start, end=span.end, line=line, end_line=end_line)
            )
    return tuple(found)


def spans_of(
    text: str, spellings: tuple[str, ...] = (), *, markers: Collection[str] = (PLACEHOLDER,)
) -> list[Span]:
    """Where something is masked, in order; `spellings` are all those of the literals. What stood masked has
    no rule, as the `markers` whatever their names are.
    """
    standing = _standing(text, spellings, markers) if "[" in text else []
    return settled(text, PLACEHOLDER, lambda view: _found(view, spellings), standing=standing)


def _standing(text: str, spellings: tuple[str, ...], markers: Collection[str]) -> list[Span]:
    """A marker that holds a secret itself, in the place of a name, is none."""
    return [
        Span(start=at.start(), end=at.end(), rule="")
        for at in STANDING.finditer(text)
        if at[0] in markers or not (_has_key(at[0]) or any(known.places(at[0], spellings)))
    ]


def _has_key(marker: str) -> bool:
    return any(vendor_keys(marker.encode("ascii", "replace")))


def _found(text: str, spellings: tuple[str, ...]) -> Iterator[Span]:
    for start, end in known.places(text, spellings):
        yield Span(start=start, end=end, rule=known.RULE)
    folded = Folded(text)
    for start, end, rule in _by_rules(folded, spellings):
        begin, stop = folded.span(start, end)
        yield Span(start=begin, end=stop, rule=rule)


def _by_rules(folded: Folded, spellings: tuple[str, ...]) -> Iterator[tuple[int, int, str]]:
    ascii_text = folded.ascii.decode("ascii")
    yield from ((start, end, known.RULE) for start, end in known.places(folded.text, spellings))
    yield from vendor_keys(folded.ascii)
    yield from cut_keys(folded.ascii)
    if "PRIVATE KEY" in ascii_text or "Private-Lines" in ascii_text:
        yield from key_blocks(ascii_text)
    yield from placed_secrets(ascii_text, folded.ascii)
    yield from NamedValues(folded.text, folded.ascii).find()
