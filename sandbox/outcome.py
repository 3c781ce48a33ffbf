"""How a program ended: a closed union, and what it used up meanwhile."""

from dataclasses import dataclass
from typing import Literal

from sandbox.program import Call

__all__ = [
    "Ceiling",
    "Ended",
    "GuestError",
    "HitCeiling",
    "LogLine",
    "NeverSettled",
    "ProgramOutcome",
    "RunStats",
    "Threw",
]

Ceiling = Literal["guest_time", "memory", "calls", "value", "stopped"]


@dataclass(frozen=True)
class LogLine:
    """One `console` call: `level` is the method's name, `text` at most `Limits.log_line_bytes`."""

    level: str
    text: str


@dataclass(frozen=True)
class RunStats:
    """What the program used. `logs` is the tail that was kept, `logs_dropped` counts the lines before it."""

    guest_s: float
    calls: int
    logs: tuple[LogLine, ...]
    logs_dropped: int


@dataclass(frozen=True)
class GuestError:
    """What a program threw, as text of its own making: bounded, possibly with lone surrogates.

    `code` and `operation` are those of an ApiError, else None. Where `is_error` is false, `name` is the
    kind of value (`string`, `null`, `object`, …), `message` its text or its own property names, and
    there is no stack.
    """

    name: str
    message: str
    stack: str
    code: str | None
    operation: str | None
    is_error: bool


@dataclass(frozen=True)
class Ended:
    """All statements ran, no job is left and no rejection is without a handler."""

    stats: RunStats


@dataclass(frozen=True)
class Threw:
    """An exception or a rejection that nobody handled."""

    error: GuestError
    stats: RunStats


@dataclass(frozen=True)
class NeverSettled:
    """The program waits on a promise that nothing can settle any more."""

    stats: RunStats


@dataclass(frozen=True)
class HitCeiling:
    """A limit of the sandbox ended the program, or a `Stop` did; `sentence` says which, with its figure."""

    ceiling: Ceiling
    sentence: str
    last_call: Call | None
    stats: RunStats


ProgramOutcome = Ended | Threw | NeverSettled | HitCeiling
