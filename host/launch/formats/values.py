"""What every format parses to: JSON values, with a problem for each value that JSON does not have."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time
from types import MappingProxyType
from typing import Final

from host.launch.places import Path, Problem, Verbatim

MAX_DEPTH: Final = 64
MAX_DIGITS: Final = 309  # as many as the largest float has
_MAX_BITS: Final = 1024
_MAX_PRINTED_BITS: Final = 14_000  # Python prints no more than 4,300 decimal digits
_TOO_LARGE: Final = "larger than any number that a key takes"


class SyntaxFault(Exception):
    """Text that is none of its format. `line` and `column` count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line: Final = line
        self.column: Final = column

    @classmethod
    def at(cls, message: str, text: str, index: int) -> "SyntaxFault":
        """The fault at a character of the text."""
        return cls(message, text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


class TooDeep(Exception):
    """Lists and objects stand in one another more than `MAX_DEPTH` deep."""


class Unreadable(Verbatim):
    """A value that no configuration can hold: the text it is written as, and the reason."""

    reason: str

    def __new__(cls, text: str, reason: str) -> "Unreadable":
        made = super().__new__(cls, text)
        made.reason = reason
        return made


class Pairs(dict[str, object]):
    """An object as parsed, which remembers the keys that were written more than once or cannot be keys.

    `refused` has the reason of each key that the object is without.
    """

    repeated: tuple[str, ...] = ()
    refused: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Parsed:
    """A document. `lines` has the line, from 1, of every key and entry; of a key written twice the last."""

    value: object
    problems: tuple[Problem, ...]
    lines: Mapping[Path, int]


def to_values(raw: object) -> tuple[object, tuple[Problem, ...]]:
    """The document of what a parser gave, and what is wrong with its values. Raises `TooDeep`."""
    problems: list[Problem] = []
    return _plain(raw, (), problems), tuple(problems)


def to_pairs(pairs: list[tuple[str, object]]) -> Pairs:
    """An object out of its keys and values; the last of equal keys counts."""
    parsed = Pairs(pairs)
    if len(parsed) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        parsed.repeated = tuple(key for key, count in counts.items() if count > 1)
    return parsed


def to_int(digits: str, base: int = 10) -> int | Unreadable:
    """A whole number, unless no key takes one so large; with base 0 by its prefix."""
    return int(digits, base) if len(digits) <= MAX_DIGITS else Unreadable(digits, _TOO_LARGE)


def to_float(text: str) -> float | Unreadable:
    """A number with a fraction or an exponent, unless it is NaN or without end."""
    value = float(text)
    return value if math.isfinite(value) else Unreadable(text, "not a finite number")


def _plain(value: object, path: Path, problems: list[Problem]) -> object:
    if len(path) > MAX_DEPTH:
        raise TooDeep
    if isinstance(value, list):
        return [_plain(item, (*path, index), problems) for index, item in enumerate(value)]
    if isinstance(value, dict):
        problems += _key_problems(value, path) if isinstance(value, Pairs) else ()
        return {key: _plain(item, (*path, key), problems) for key, item in value.items()}
    readable = _readable(value)
    if isinstance(readable, Unreadable):
        problems.append(Problem(path=path, message=readable.reason, found=readable))
    return readable


def _key_problems(pairs: Pairs, path: Path) -> Iterator[Problem]:
    for key in pairs.repeated:
        message = "written more than once; keep one"
        yield Problem(path=(*path, key), message=message, found=pairs[key], is_of_key=True)
    for key, reason in pairs.refused.items():
        yield Problem(path=(*path, key), message=reason, found=Verbatim(key), is_of_key=True)


def _readable(value: object) -> object:
    if isinstance(value, date | time):
        return Unreadable(value.isoformat(), "a date or a time; set it in quotes, as text")
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        shown = str(value) if value.bit_length() <= _MAX_PRINTED_BITS else hex(value)
        return Unreadable(shown, _TOO_LARGE)
    return value
