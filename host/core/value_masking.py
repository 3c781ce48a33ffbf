"""Finds the values of secrets that are known, and marks each with its name.

Every character that belongs to an occurrence of a secret is of it, also where occurrences overlap or one
secret contains another. So is what is left of one where a text was cut, which its mark tells, each long line
of one that has several, and what gg has brought on one line of it. What was masked already is left alone.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from typing import Final

from host.core.json_edits import Edit
from host.core.remnants import Remnants, was_cut
from host.core.scrubbing.literals import in_url
from host.core.text import escape_line

MIN_LINE_CHARS: Final = 16  # of a secret of several lines, whose lines may come apart
_NOT_IN_NAMES: Final = re.compile(r"\W")


class ValueMasker:
    """Gives each secret's value the marker `[masked:NAME]`, also as it stands inside a string of JSON, of
    JSON in JSON, or in a URL.

    Blank values are no secrets. `standing` is what stands in the place of other secrets, and one of the
    `markers`.
    """

    def __init__(self, secrets: Mapping[str, str], *, standing: str) -> None:
        named = {value.strip(): name for name, value in sorted(secrets.items(), reverse=True)}
        named.pop("", None)
        self.values: Final = tuple(named)
        self._name_of: Final = {
            form: name
            for value, name in named.items()
            for text in (*_long_lines(value), *_on_one_line(value), value)
            if text
            for form in (*_in_json(text), in_url(text), text)
        }
        self._forms: Final = tuple(self._name_of)
        # At every place, since an occurrence may begin within another.
        self._overlapping: Final = re.compile(f"(?=({_any_of(self._name_of)}))")
        self._remnants: Final = Remnants(self._name_of)
        self.markers: Final = frozenset((standing, *map(_marker, self._name_of.values())))
        self._marker: Final = re.compile(_any_of(self.markers))

    def edits(self, text: str) -> list[Edit]:
        """What is to become of the text, in order. Nothing of it overlaps."""
        if not self._forms:
            return []
        has_whole = any(form in text for form in self._forms)  # far faster than to search for all at once
        if not has_whole and not was_cut(text):
            return []
        return [Edit(start, end, _marker(name)) for start, end, name in self._runs(text, has_whole=has_whole)]

    def _runs(self, text: str, *, has_whole: bool) -> Iterator[tuple[int, int, str]]:
        """Start, end and name of each run of overlapping occurrences, which has the name of its longest."""
        start = end = longest = 0
        name = ""
        for begin, stop, found in self._occurrences(text, has_whole=has_whole):
            if name and begin >= end:
                yield start, end, name
                name = ""
            if not name:
                start, end, longest = begin, stop, 0
            end = max(end, stop)
            if stop - begin > longest:
                longest, name = stop - begin, found
        if name:
            yield start, end, name

    def _occurrences(self, text: str, *, has_whole: bool) -> Iterator[tuple[int, int, str]]:
        """Start, end and name of each occurrence outside the markers, in the order of their starts."""
        for begin, stop in self._between_markers(text):
            whole = (
                (found.start(), found.end(1), self._name_of[found[1]])
                for found in self._overlapping.finditer(text, begin, stop if has_whole else begin)
            )
            left = ((a, b, self._name_of[form]) for a, b, form in self._remnants.find(text, begin, stop))
            yield from merge(whole, left)

    def _between_markers(self, text: str) -> Iterator[tuple[int, int]]:
        begin = 0
        for marker in self._marker.finditer(text):
            yield begin, marker.start()
            begin = marker.end()
        yield begin, len(text)


def _long_lines(value: str) -> Iterator[str]:
    lines = [line.strip() for line in value.split("\n")]
    yield from (line for line in lines if len(line) >= MIN_LINE_CHARS and len(lines) > 1)


def _on_one_line(value: str) -> tuple[str, str]:
    """As gg quotes a text, and as it shows one in an excerpt."""
    return escape_line(value), " ".join(value.split())


def _in_json(value: str) -> tuple[str, ...]:
    """The value as JSON text spells it, in ASCII and in Unicode, and as JSON in JSON does: such as a string
    of a program that is the argument of a call.
    """
    once = (_quoted(value, True), _quoted(value, False))
    return *once, *(_quoted(form, in_ascii) for form in once for in_ascii in (True, False))


def _quoted(value: str, in_ascii: bool) -> str:
    return json.dumps(value, ensure_ascii=in_ascii)[1:-1]


def _marker(name: str) -> str:
    return f"[masked:{_NOT_IN_NAMES.sub('_', name)}]"


def _any_of(texts: Iterable[str]) -> str:
    """A pattern of the longest of the texts that stands at a place."""
    return "|".join(map(re.escape, sorted(set(texts), key=len, reverse=True)))
