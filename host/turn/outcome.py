"""Whose fault a failure is: a program that failed is told to its model, in the terms of `error_types`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from host.context import Heading
from host.events import ExecutionOutcome
from host.turn.error_types import TurnErrorType
from host.turn.faults import NEVER_SETTLED, render_ceiling, render_guest_error
from runtime_js import SourceMap
from sandbox import Ceiling, Ended, GuestError, HitCeiling, NeverSettled, ProgramOutcome, Threw

CEILING_TYPES: Final[Mapping[Ceiling, TurnErrorType]] = {
    "guest_time": "sandbox_timeout",
    "memory": "sandbox_out_of_memory",
    "calls": "sandbox_calls",
    "value": "sandbox_value",
    "stopped": "sandbox_stopped",
}


@dataclass(frozen=True)
class Fault:
    """A failure of the model's: what kind it is, and the message that tells it, unless it has no heading."""

    kind: ExecutionOutcome
    error_type: TurnErrorType
    heading: Heading | None
    text: str


def fault_of(
    outcome: ProgramOutcome, source_map: SourceMap, spelling: Callable[[str], str] | None = None
) -> Fault | None:
    """What is told of a program that ran; `None` for one that ran to its end.

    `spelling` gives the call of an operation's id; that of the table where it is `None`.
    """
    match outcome:
        case Ended():
            return None
        case Threw(error=error):
            return Fault("threw", _thrown_type(error), "Runtime error", render_guest_error(error, source_map))
        case NeverSettled():
            return Fault("never_settled", "program_never_settled", "Runtime error", NEVER_SETTLED)
        case HitCeiling(ceiling=ceiling, sentence=sentence, last_call=call):
            text = render_ceiling(sentence, call, source_map, spelling)
            return Fault("hit_ceiling", CEILING_TYPES[ceiling], "Runtime error", text)
        case _:
            assert_never(outcome)


def _thrown_type(error: GuestError) -> TurnErrorType:
    if error.code == "unavailable" or error.name == "ReferenceError":
        return "program_unknown_name"
    return "program_throw" if error.code is None else "program_api_error"
