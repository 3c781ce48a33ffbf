"""What a program may use up, and the sentence for each ceiling it can reach."""

import re
from dataclasses import dataclass
from typing import Final

__all__ = [
    "Limits",
    "backlog_sentence",
    "calls_sentence",
    "format_size",
    "guest_time_sentence",
    "is_value_sentence",
    "memory_sentence",
    "stopped_sentence",
    "value_sentence",
]


_VALUE: Final = re.compile(r"Value: [\d.,]+ [A-Za-z]+, limit [\d.,]+ [A-Za-z]+\.")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Ceilings of one program. Guest time is wall time less the time the host spends answering calls."""

    guest_s: float = 30.0
    memory_bytes: int = 256 * 2**20
    stack_bytes: int = 512 * 2**10
    calls: int = 10_000
    value_bytes: int = 8 * 2**20  # the arguments of one call, or its result, as JSON text in UTF-8
    started_at_once: int = 16  # calls at work in the background; the others wait
    backlog_bytes: int = 64 * 2**20  # of the started calls that wait, and of the results that do
    log_lines: int = 200  # kept, from the end
    log_bytes: int = 16 * 2**10  # kept, from the end
    log_line_bytes: int = 2 * 2**10


def guest_time_sentence(used_s: float, limit_s: float) -> str:
    """`Guest time: 30.0 s used, limit 30 s.`"""
    return f"Guest time: {used_s:.1f} s used, limit {round(limit_s, 2):g} s."


def stopped_sentence(used_s: float) -> str:
    """`Stopped from outside: 1.2 s of guest time used.`"""
    return f"Stopped from outside: {used_s:.1f} s of guest time used."


def memory_sentence(limit_bytes: int) -> str:
    """`Memory: limit 256 MiB reached.`"""
    return f"Memory: limit {format_size(limit_bytes)} reached."


def calls_sentence(number: int, limit: int) -> str:
    """`SDK calls: 10,001st call, limit 10,000.`"""
    return f"SDK calls: {number:,}{_ordinal_suffix(number)} call, limit {limit:,}."


def backlog_sentence(what: str, found_bytes: int, limit_bytes: int) -> str:
    """`Calls that wait: 64.1 MiB, limit 64 MiB.`"""
    return f"{what} that wait: {_over(found_bytes, limit_bytes)}."


def value_sentence(found_bytes: int, limit_bytes: int) -> str:
    """`Value: 9.2 MiB, limit 8 MiB.`; in bytes where the rounded sizes would look alike."""
    return f"Value: {_over(found_bytes, limit_bytes)}."


def is_value_sentence(text: str) -> bool:
    """Whether it is that sentence: a program can reword the error that carries it."""
    return _VALUE.fullmatch(text) is not None


def format_size(count: int, *, exact: bool = True) -> str:
    """`8 MiB`, `1.5 KiB`, `12 B`; `exact=False` keeps one decimal even where it is zero."""
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if count >= unit:
            figure = count / unit
            return f"{round(figure, 1):g} {name}" if exact else f"{figure:.1f} {name}"
    return f"{count} B"


def _over(found_bytes: int, limit_bytes: int) -> str:
    if format_size(found_bytes) == format_size(limit_bytes):
        return f"{found_bytes:,} bytes, limit {limit_bytes:,} bytes"
    return f"{format_size(found_bytes, exact=False)}, limit {format_size(limit_bytes)}"


def _ordinal_suffix(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
