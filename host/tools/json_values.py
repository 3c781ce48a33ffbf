"""Whether a Python value is one that JSON has a form for, and where it is not."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from host.core.text import escape_line, has_lone_surrogate, shortened
from host.tools.spelling import member_name

MAX_LEVELS: Final = 100
"""Of values within one another."""
_MOST_BITS: Final = 13_000
"""Python writes whole numbers of 4,300 digits at most."""
_SHOWN_CHARS: Final = 40

Step = str | int


@dataclass(frozen=True)
class Misfit:
    """A value that does not fit: the way to it, and what is wrong with it, which follows its place."""

    way: tuple[Step, ...]
    fault: str


def misfit(value: object) -> Misfit | None:
    """The first part of a value that JSON cannot carry to a program."""
    return next(_misfits(value, ()), None)


def place(way: tuple[Step, ...]) -> str:
    """`options.modules[0]`; empty for the value itself."""
    text = ""
    for step in way:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            name = member_name(shortened(step, _SHOWN_CHARS))
            text += f"[{name}]" if name.startswith('"') else f"{'.' if text else ''}{escape_line(name)}"
    return text


def _misfits(value: object, way: tuple[Step, ...]) -> Iterator[Misfit]:
    if len(way) > MAX_LEVELS:
        yield Misfit(way[:3], f"holds values within one another, more than {MAX_LEVELS} levels")
        return
    match value:
        case None | bool():
            return
        case int():
            if value.bit_length() > _MOST_BITS:
                yield Misfit(way, "is a number of thousands of digits")
        case float():
            if not math.isfinite(value):
                yield Misfit(way, f"is {value}, which is no number of JSON")
        case str():
            if has_lone_surrogate(value):
                yield Misfit(way, "holds a lone surrogate, which is half a character")
        case list() | tuple():
            for number, item in enumerate(value):
                yield from _misfits(item, (*way, number))
        case dict():
            for name, item in value.items():
                yield from _key_misfits(name, way)
                yield from _misfits(item, (*way, str(name)))
        case _:
            yield Misfit(way, f"is of the Python type {type(value).__name__}, for which JSON has no form")


def _key_misfits(name: object, way: tuple[Step, ...]) -> Iterator[Misfit]:
    if not isinstance(name, str):
        yield Misfit(way, f"has a key of the Python type {type(name).__name__}")
    elif has_lone_surrogate(name):
        yield Misfit(way, "has a key with a lone surrogate, which is half a character")
