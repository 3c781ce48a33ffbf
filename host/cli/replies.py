"""What a reply is shown as: the program in it, or what it says and the calls that it asks for.

The program is the text, or the argument of a call. Where replies are calls of tools, no text is a program.
"""

from typing import Literal

from host.core.tool_arguments import parse_arguments
from host.events import ModelReply, RequestedCall

Text = tuple[Literal["program", "says"], str]


def shown_reply(
    reply: ModelReply, *, calls_tools: bool = False
) -> tuple[tuple[Text, ...], tuple[RequestedCall, ...]]:
    """Its texts in the order in which they are shown, and the calls in which there is no program.

    What was said beside a program comes before it.
    """
    programs = [None if calls_tools else _program_in(call) for call in reply.tool_calls]
    submitted: list[Text] = [("program", program) for program in programs if program is not None]
    calls = tuple(call for call, program in zip(reply.tool_calls, programs, strict=True) if program is None)
    if reply.tool_calls and not reply.text:
        return tuple(submitted), calls
    return (("says" if calls_tools or submitted else "program", reply.text), *submitted), calls


def _program_in(call: RequestedCall) -> str | None:
    try:
        arguments = parse_arguments(call.arguments)
    except (ValueError, RecursionError):
        return None  # as a model may write it, which is what is shown
    program = arguments.get("program") if isinstance(arguments, dict) else None
    return program if isinstance(program, str) else None
