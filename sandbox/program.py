"""What a host hands to the sandbox, and what the sandbox asks of the host meanwhile."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Literal

__all__ = ["Answerer", "Background", "Call", "CallRefusal", "GuestGlobals", "GuestProgram"]


@dataclass(frozen=True)
class GuestGlobals:
    """What every engine evaluates before a program."""

    prelude: str  # JavaScript, an expression whose value is the boot function
    lazy: Mapping[str, str]  # global name -> expression of a function that makes it; evaluated at first use


@dataclass(frozen=True, kw_only=True)
class GuestProgram:
    """One program. A place in it reads `program.js:<line>:<column>` in a stack."""

    js: str  # one ES module without imports
    seed: int  # 64 bits; `Math.random` and `crypto` draw from it


@dataclass(frozen=True)
class Call:
    """One call of the host by a program. All three are text of the program's making.

    `arguments` is JSON text as the SDK encodes it, nested at most `frames.VALUE_DEPTH` deep: an array, or
    where that could not be made a string that says why. A program that tampers with the SDK can make it any
    text. The strings may hold lone surrogates.
    """

    operation: str
    arguments: str
    stack: str
    refusal: "CallRefusal | None" = None  # set where the sandbox refuses it; there are no arguments then


@dataclass(frozen=True)
class CallRefusal:
    """Why the sandbox refuses a call. The answerer is told, so that every call is on its record."""

    code: Literal["limit-exceeded", "invalid-argument", "unavailable"]
    message: str


# Gives the envelope's JSON text: {"ok": …} or {"error": {"code", "operation", "message"}}.
# A call with a refusal is refused whatever the answer; an answer that is an error as well takes precedence.
# If it raises, the worker is killed and the exception leaves `SandboxPool.run`.
Answerer = Callable[[Call], str]


def _none(operation: str) -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class Background:
    """How calls that a program starts without waiting for them are carried out.

    `may` says of an operation whether the answerer may be asked for it in other threads, several at once and
    beside the program's other calls; a started call of any other is answered in the thread of
    `SandboxPool.run`, before the program goes on. `while_waiting` gives what is entered while that thread
    does nothing but wait for such calls; it is left before the program goes on.
    """

    may: Callable[[str], bool] = _none
    while_waiting: Callable[[], AbstractContextManager[object]] = nullcontext
