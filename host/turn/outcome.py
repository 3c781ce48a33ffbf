"""Whose fault a failure is, and what follows from it.

| what failed | error type | the model reads | the turn |
|---|---|---|---|
| the compiler rejected the program | `transpile_compile` | the diagnostics | error |
| a call failed and was not caught | `program_api_error` | the engine's text | error |
| a name or call that this agent does not have | `program_unknown_name` | the engine's text | error |
| the program threw | `program_throw` | the engine's text | error |
| a promise that can never settle | `program_never_settled` | that sentence | error |
| a ceiling ended it | `sandbox_timeout`, `sandbox_out_of_memory`, … | the ceiling's sentence | error |
| the provider cut the reply off | `model_length_capped` | nothing; it is asked again | error |
| gg itself | none | nothing | fatal, the run ends |
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from host.context import Heading
from host.events import ExecutionOutcome
from host.turn.faults import NEVER_SETTLED, render_ceiling, render_guest_error
from runtime_js import SourceMap
from sandbox import Ceiling, Ended, GuestError, HitCeiling, NeverSettled, ProgramOutcome, Threw

_CEILING_TYPES: Final[Mapping[Ceiling, str]] = {
    "guest_time": "sandbox_timeout",
    "memory": "sandbox_out_of_memory",
    "calls": "sandbox_calls",
    "value": "sandbox_value",
}


@dataclass(frozen=True)
class Fault:
    """A failure of the model's: what kind it is, and the message that tells it, unless it has no heading."""

    kind: ExecutionOutcome
    error_type: str
    heading: Heading | None
    text: str


def fault_of(outcome: ProgramOutcome, source_map: SourceMap) -> Fault | None:
    """What is told of a program that ran; `None` for one that ran to its end."""
    match outcome:
        case Ended():
            return None
        case Threw(error=error):
            return Fault("threw", _thrown_type(error), "Runtime error", render_guest_error(error, source_map))
        case NeverSettled():
            return Fault("never_settled", "program_never_settled", "Runtime error", NEVER_SETTLED)
        case HitCeiling(ceiling=ceiling, sentence=sentence, last_call=call):
            text = render_ceiling(sentence, call, source_map)
            return Fault("hit_ceiling", _CEILING_TYPES[ceiling], "Runtime error", text)
        case _:
            assert_never(outcome)


def _thrown_type(error: GuestError) -> str:
    if error.code == "unavailable" or error.name == "ReferenceError":
        return "program_unknown_name"
    return "program_throw" if error.code is None else "program_api_error"
