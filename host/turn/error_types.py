"""What an error turn is told apart by: one type for each way in which a model's turn can fail.

A turn that failed by gg's own fault has none: it counts toward no ceiling, and the model is told nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

TurnErrorType = Literal[
    "transpile_compile",
    "program_api_error",
    "program_unknown_name",
    "program_throw",
    "program_never_settled",
    "sandbox_timeout",
    "sandbox_out_of_memory",
    "sandbox_calls",
    "sandbox_value",
    "sandbox_stopped",
    "missing_completion_no_program",
    "missing_completion_no_call",
    "missing_completion_compaction",
    "model_parse",
    "model_length_capped",
    "model_timeout",
]


@dataclass(frozen=True)
class TurnError:
    """`failed` is what happened, `reads` what the model reads of it."""

    failed: str
    reads: str


_ENGINE: Final = "The engine's text under `Runtime error`, placed in its own source."
_CEILING: Final = "The ceiling's sentence under `Runtime error`, and the last call."

TURN_ERRORS: Final[Mapping[TurnErrorType, TurnError]] = {
    "transpile_compile": TurnError(
        "The compiler rejected the program: its syntax, its types or what it imports.",
        "The located diagnostics under `Compiler error`.",
    ),
    "program_api_error": TurnError("A call failed and the program did not catch it.", _ENGINE),
    "program_unknown_name": TurnError(
        "The program used a name that does not exist, or a call that this agent does not have.", _ENGINE
    ),
    "program_throw": TurnError("The program threw, or a rejection found no handler.", _ENGINE),
    "program_never_settled": TurnError(
        "The program waits on a promise that nothing can settle.", "That sentence under `Runtime error`."
    ),
    "sandbox_timeout": TurnError("Its guest time was used up.", _CEILING),
    "sandbox_out_of_memory": TurnError("Its memory was used up, and it did not catch that.", _CEILING),
    "sandbox_calls": TurnError("It made more calls than a program may.", _CEILING),
    "sandbox_value": TurnError("An argument or a result was too large, and it did not catch that.", _CEILING),
    "sandbox_stopped": TurnError(
        "Whoever sent the program has stopped it, which a client of `gg mcp` can.",
        "That sentence under `Runtime error`, and the last call.",
    ),
    "missing_completion_no_program": TurnError(
        "The reply was to call `submit_program`, and no program was in it.",
        "What was wrong, as the answer to the call or as a `Notice`.",
    ),
    "missing_completion_no_call": TurnError(
        "The reply was to call tools, and called none.", "That sentence, as a `Notice`."
    ),
    "missing_completion_compaction": TurnError(
        "A memory compaction is pending, and the reply recorded nothing, or a call of it did not succeed.",
        "What was missing, and the calls that record something, as a `Notice`.",
    ),
    "model_parse": TurnError(
        "The arguments of a tool call are no JSON object.", "What was wrong, as the answer to the call."
    ),
    "model_length_capped": TurnError(
        "The provider cut the reply off at its length limit.", "Nothing: the same is asked again."
    ),
    "model_timeout": TurnError(
        "The reply took longer than the model's `timeoutSecs`.", "Nothing: the same is asked again."
    ),
}
