"""Replaces the one place of a text where another stands, and tells why it is none or several."""

import re
from dataclasses import dataclass
from typing import Final

from host.core.text import join_words

_SHOWN_PLACES: Final = 5
_HINT_CHARS: Final = 2**20
_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True)
class NotOnce:
    """What was to be replaced stands in so many places. `told` says it, after the name of what was sought."""

    places: int
    told: str


def replace_once(text: str, old: str, new: str) -> str | NotOnce:
    """The text with `new`, taken literally, in the one place of `old`. Places that overlap are several."""
    places = _first_places(text, old)
    if not places:
        near = _near(text, old) if len(text) <= _HINT_CHARS else ""
        return NotOnce(0, f"does not occur in it{near}")
    if len(places) > 1:
        return _several(text, old, places)
    return text[: places[0]] + new + text[places[0] + len(old) :]


def _first_places(text: str, old: str) -> list[int]:
    """Where it occurs, up to one place more than is shown."""
    places: list[int] = []
    at = text.find(old)
    while at >= 0 and len(places) <= _SHOWN_PLACES:
        places.append(at)
        at = text.find(old, at + 1)
    return places


def _several(text: str, old: str, places: list[int]) -> NotOnce:
    apart = text.count(old)  # less than all where a place begins within another
    least = "at least " if len(places) > max(apart, _SHOWN_PLACES) else ""
    count = f"{least}{max(apart, len(places)):,} times"
    lines = list(dict.fromkeys(text.count("\n", 0, place) + 1 for place in places[:_SHOWN_PLACES]))
    first = "first " if len(places) > _SHOWN_PLACES else ""
    where = f"{first}in line{'' if len(lines) == 1 else 's'} {join_words(map(str, lines))}"
    return NotOnce(max(apart, len(places)), f"occurs {count}, {where}")


def _near(text: str, old: str) -> str:
    """Says that the text would be found but for its line ends, or but for its white space."""
    plain, plain_old = text.replace("\r\n", "\n"), old.replace("\r\n", "\n")
    if (at := plain.find(plain_old)) >= 0:
        ends = r"\r\n" if "\r\n" in text else r"\n"
        line = plain.count("\n", 0, at) + 1
        return f"; it does with line ends as the text has them, {ends}, in line {line}"
    words = _SPACE.sub(" ", old).strip()
    at = _SPACE.sub(" ", text).find(words) if words else -1
    return "" if at < 0 else f"; it does with other white space, in line {_line_of(text, at)}"


def _line_of(text: str, squeezed: int) -> int:
    """The line of a text in which so many characters are passed, a run of white space counted as one."""
    dropped = 0
    for run in _SPACE.finditer(text):
        if run.start() - dropped >= squeezed:
            break
        dropped += len(run[0]) - 1
    return text.count("\n", 0, squeezed + dropped) + 1
