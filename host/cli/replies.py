"""What a reply is shown as: the program in it, whether it is the text or the argument of a call."""

from collections.abc import Iterator
from typing import Literal

from host.core.tool_arguments import parse_arguments
from host.events import ModelReply, RequestedCall

Shown = tuple[Literal["program", "says", "call"], str]


def shown_reply(reply: ModelReply) -> Iterator[Shown]:
    """The parts of a reply in the order in which they are shown; what was said beside a program is first."""
    programs = [(call, _program_in(call)) for call in reply.tool_calls]
    has_program = any(program is not None for _, program in programs)
    if reply.text or not programs:
        yield ("says" if has_program else "program"), reply.text
    for call, program in programs:
        yield ("call", f"{call.name} {call.arguments}") if program is None else ("program", program)


def _program_in(call: RequestedCall) -> str | None:
    try:
        arguments = parse_arguments(call.arguments)
    except (ValueError, RecursionError):
        return None  # as a model may write it, which is what is shown
    program = arguments.get("program") if isinstance(arguments, dict) else None
    return program if isinstance(program, str) else None
