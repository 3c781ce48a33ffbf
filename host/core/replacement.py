"""Replaces the one place of a text where another stands, and tells why it is none or several."""

from dataclasses import dataclass
from typing import Final

from host.core.near_miss import near_miss
from host.core.text import counted, join_words

_SHOWN_PLACES: Final = 5
_MAX_PLACES: Final = 10_000
_MAX_COMPARED_CHARS: Final = 2**24


@dataclass(frozen=True)
class NotOnce:
    """What was to be replaced stands in so many places, or in more. `told` says so, after what it was."""

    places: int
    told: str


def replace_once(text: str, old: str, new: str) -> str | NotOnce:
    """The text with `new`, taken literally, in the one place of `old`. Places that overlap are several."""
    at = text.find(old)
    if at < 0:
        return NotOnce(0, f"does not occur in it{near_miss(text, old)}")
    if text.find(old, at + 1) >= 0:
        return _several(text, old)
    return text[:at] + new + text[at + len(old) :]


def _several(text: str, old: str) -> NotOnce:
    """Counts the places one by one, so that none is lost in another, as long as that takes little time."""
    places: list[int] = []
    at = text.find(old)
    most = max(_SHOWN_PLACES + 1, min(_MAX_PLACES, _MAX_COMPARED_CHARS // len(old)))
    while at >= 0 and len(places) < most:
        places.append(at)
        at = text.find(old, at + 1)
    least, count = ("at least ", max(len(places), text.count(old))) if at >= 0 else ("", len(places))
    lines = list(dict.fromkeys(text.count("\n", 0, place) + 1 for place in places[:_SHOWN_PLACES]))
    first = "first " if count > _SHOWN_PLACES else ""
    where = f"{first}in line{'' if len(lines) == 1 else 's'} {join_words(map(str, lines))}"
    return NotOnce(count, f"occurs {least}{counted(count, 'time')}, {where}")
