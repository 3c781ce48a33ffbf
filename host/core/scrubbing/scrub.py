"""Replaces recognised secrets in a text by a placeholder, and says where they stood."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from host.core.scrubbing import literals as known
from host.core.scrubbing.credentials import placed_secrets
from host.core.scrubbing.folded import Folded
from host.core.scrubbing.key_blocks import key_blocks
from host.core.scrubbing.named_values import NamedValues
from host.core.scrubbing.spans import Span, masked, settled
from host.core.scrubbing.vendor_keys import vendor_keys

PLACEHOLDER: Final = "[REDACTED]"


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

    Scrubbing twice changes nothing. Whatever is not masked stays as it is. Takes time in proportion to the
    text and the number of literals.
    """
    return masked(text, PLACEHOLDER, _spans(text, literals))


def scrub_report(text: str, literals: Iterable[str] = ()) -> tuple[Scrubbed, ...]:
    """What `scrub` masks in the text, in order."""
    found: list[Scrubbed] = []
    line, counted = 1, 0
    for span in _spans(text, literals):
        if span.rule:
            line += text.count("\n", counted, span.start)
            counted = span.start
            end_line = line + text.count("\n", span.start, span.end)
            found.append(
                Scrubbed(rule=span.rule, start=span.start, end=span.end, line=line, end_line=end_line)
            )
    return tuple(found)


def _spans(text: str, literals: Iterable[str]) -> list[Span]:
    spellings = known.forms(literals)
    return settled(text, PLACEHOLDER, lambda view: _found(view, spellings))


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
    yield from key_blocks(ascii_text)
    yield from placed_secrets(ascii_text)
    yield from NamedValues(folded.text, folded.ascii).find()
