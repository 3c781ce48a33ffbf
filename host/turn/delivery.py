"""Where the program of a reply stands: the reply is the program, or it is the argument of one forced call.

What the window keeps of a reply is decided here as well, before anything runs: so the answer to a call says
that it arrived, and nothing of how the program went.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from host.context import Entry
from host.core.healing import DEFAULT_HEALING, HealingSettings
from host.core.messages import Reply, ToolCall, ToolSpec
from host.core.text import join_words, quoted
from host.core.tool_arguments import parse_arguments
from host.turn.healing import PASSES, Healed, heal
from host.turn.outcome import Fault

SUBMIT_PROGRAM: Final = "submit_program"
_RECEIVED: Final = "received"
_NOT_RUN: Final = "not run: a reply has one program, and the first one is it"
_SHOWN_CHARS: Final = 80
_SCHEMA: Final = {
    "type": "object",
    "properties": {
        "program": {"type": "string", "description": "The whole program: one ES module in TypeScript."}
    },
    "required": ["program"],
    "additionalProperties": False,
}


@dataclass(frozen=True, kw_only=True)
class Delivered:
    """What a reply delivered. Without a program there is a `fault`.

    `as_sent` is the text before it was healed. `notes` tell the operator what nothing is done with.
    """

    kept: tuple[Entry, ...]
    program: str | None = None
    as_sent: str = ""
    healing: tuple[str, ...] = ()
    healing_did_not_converge: bool = False
    fault: Fault | None = None
    notes: tuple[str, ...] = ()


class Delivery(Protocol):
    """Finds the program of a reply, and says which tools the model is offered for it."""

    @property
    def tools(self) -> tuple[ToolSpec, ...]: ...

    @property
    def forced_tool(self) -> str: ...

    def read(self, reply: Reply) -> Delivered: ...


class WholeReply:
    """The text of the reply is the program, once it is healed."""

    tools: Final[tuple[ToolSpec, ...]] = ()
    forced_tool: Final = ""

    def __init__(self, healing: HealingSettings = DEFAULT_HEALING) -> None:
        self._healing: Final = healing

    def read(self, reply: Reply) -> Delivered:
        healed = heal(reply.text, self._healing)
        return Delivered(
            kept=(Entry(role="assistant", band="program", text=healed.text),),
            program=healed.text,
            as_sent=reply.text,
            healing=healed.strategies,
            healing_did_not_converge=healed.did_not_converge,
            notes=tuple(_notes(reply, healed)),
        )


class SubmittedProgram:
    """The program is the argument of the one call that the model has to make. Nothing is healed.

    Text beside the call is kept in the window and never taken for a program. Of several programs the first is
    run.
    """

    tools: Final = (
        ToolSpec(
            name=SUBMIT_PROGRAM,
            description="Runs a program. What its views show is read in the next message.",
            parameters=json.dumps(_SCHEMA),
        ),
    )
    forced_tool: Final = SUBMIT_PROGRAM

    def read(self, reply: Reply) -> Delivered:
        programs: list[str] = []
        answers: list[Entry] = []
        for call in reply.tool_calls:
            try:
                programs.append(_program_in(call))
                answer = _RECEIVED if len(programs) == 1 else _NOT_RUN
            except _Unusable as error:
                answer = str(error)
            answers.append(Entry(role="tool", band="answer", text=answer, answers=call.id))
        message = Entry(role="assistant", band="program", text=reply.text, tool_calls=reply.tool_calls)
        kept = (message, *answers)
        if not programs:
            return Delivered(kept=kept, fault=_missing(answers))
        several = f"the reply submitted {len(programs)} programs, and the first one alone is run"
        notes = (several,) if len(programs) > 1 else ()
        return Delivered(kept=kept, program=programs[0], as_sent=programs[0], notes=notes)


def _notes(reply: Reply, healed: Healed) -> Iterator[str]:
    if healed.did_not_converge:
        yield f"healing found something to repair {PASSES} times over; the reply is compiled as it is"
    if reply.tool_calls:
        names = join_words(quoted(call.name, max_chars=_SHOWN_CHARS) for call in reply.tool_calls)
        yield f"the reply called {names}, and this agent is offered no tools"


class _Unusable(ValueError):
    """A call in which there is no program; the text is the answer to it."""


def _missing(answers: list[Entry]) -> Fault:
    """Told under a heading of its own where no answer to a call can tell it."""
    if answers:
        told = "; ".join(dict.fromkeys(answer.text for answer in answers))
        return Fault("rejected", "missing_completion_no_program", None, told)
    text = f"The reply did not call {SUBMIT_PROGRAM}. There was no program, and nothing ran."
    return Fault("rejected", "missing_completion_no_program", "Notice", text)


def _program_in(call: ToolCall) -> str:
    """Raises `_Unusable`, in words for the model."""
    if call.name != SUBMIT_PROGRAM:
        name = quoted(call.name, max_chars=_SHOWN_CHARS)
        raise _Unusable(f"there is no tool {name}; the one tool is {SUBMIT_PROGRAM}")
    try:
        arguments = parse_arguments(call.arguments)
    except ValueError as error:
        raise _Unusable(f"{SUBMIT_PROGRAM}: its arguments are no JSON: {error}") from error
    except RecursionError as error:
        raise _Unusable(f"{SUBMIT_PROGRAM}: its arguments are nested too deeply") from error
    if not isinstance(arguments, dict):
        raise _Unusable(f'{SUBMIT_PROGRAM} wants one object, {{"program": "…"}}')
    unknown = [name for name in arguments if name != "program"]
    if unknown:
        raise _Unusable(f"{SUBMIT_PROGRAM} does not know {quoted(unknown[0], max_chars=_SHOWN_CHARS)}")
    program = arguments.get("program")
    if not isinstance(program, str):
        raise _Unusable(f"{SUBMIT_PROGRAM} needs program, a string")
    return program
