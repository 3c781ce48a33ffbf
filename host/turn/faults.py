"""What a program met, told in the places of the model's own source.

A host-made line can never be imitated: control characters are escaped, every further line of a guest's text
is set behind a gutter, and its first line begins with the name of an error.
"""

import re
from collections.abc import Callable
from typing import Final

from host.core.scrubbing.cuts import last_cut
from host.core.text import escape_controls, escape_line, quoted, shortened, utf8_length
from host.operations import OPERATIONS
from runtime_js import Frame, SourceMap, locate_stack
from sandbox import Call, GuestError

MAX_ERROR_BYTES: Final = 8 * 1024
NEVER_SETTLED: Final = "The program waits on a promise that can never settle."

_ERROR_NAME: Final = re.compile(r"(?:[A-Za-z_$][\w$]*)?(?:Error|Exception)", re.ASCII)
_FUNCTION_NAME: Final = re.compile(r"[\w$#.<>\[\]][\w$#.<>\[\] ]*")
_CALL_CHARS: Final = 80
_NOTE_BYTES: Final = 64


def render_guest_error(error: GuestError, source_map: SourceMap) -> str:
    """Name, message and the frames in the model's source. A thrown value that is no Error gets no place."""
    if not error.is_error:
        return _bounded(f"Uncaught value: {error.message}", ())
    name = error.name if _ERROR_NAME.fullmatch(error.name) else f"Error named {quoted(error.name)}"
    if error.code is not None:
        name = f"{name}: {call_spelling(error.operation or '')} ({escape_line(error.code)})"
    frames = tuple(map(_frame_line, locate_stack(error.stack, source_map)))
    return _bounded(f"{name}: {error.message}" if error.message else name, frames)


def render_ceiling(
    sentence: str,
    last_call: Call | None,
    source_map: SourceMap,
    spelling: Callable[[str], str] | None = None,
) -> str:
    """The ceiling's sentence, and under it the call that the program had made last, where it made one.

    `spelling` gives the call of an operation's id; that of the table where it is `None`.
    """
    if last_call is None:
        return _bounded(sentence, ())
    place = place_of(last_call.stack, source_map)
    where = f" at {place}" if place else ""
    spelled = (spelling or call_spelling)(last_call.operation)
    return _bounded(sentence, (f"Last call: {spelled}{where}.",))


def call_spelling(operation_id: str) -> str:
    """`files.read_file` → `files.readFile`; what names no call of the table is cut and escaped."""
    operation = OPERATIONS.get(operation_id)
    return operation.spelling if operation else escape_line(shortened(operation_id, _CALL_CHARS))


def place_of(stack: str, source_map: SourceMap) -> str | None:
    """`program.ts:4:7`: where in the model's source the innermost frame of a stack stands."""
    frames = locate_stack(stack, source_map)
    return f"{frames[0].file}:{frames[0].line}:{frames[0].column}" if frames else None


def _frame_line(frame: Frame) -> str:
    """A function is named only by what can be no place of a frame: a guest may call it anything."""
    place = f"{frame.file}:{frame.line}:{frame.column}"
    return (
        f"    at {frame.function} ({place})"
        if _FUNCTION_NAME.fullmatch(frame.function)
        else f"    at {place}"
    )


def _gutter(text: str) -> str:
    first, *rest = escape_controls(text).split("\n")
    return "\n".join([first, *(f"  | {line}" for line in rest)])


def _bounded(text: str, below: tuple[str, ...]) -> str:
    """A guest's text over lines of the host's, cut where the whole would be too long."""
    head = _gutter(text)
    room = MAX_ERROR_BYTES - sum(utf8_length(line) + 1 for line in below) - _NOTE_BYTES
    encoded = head.encode("utf-8")
    if len(encoded) > room:
        kept = head[: last_cut(head, len(encoded[:room].decode("utf-8", "ignore")))]
        head = f"{kept}\n({len(encoded) - utf8_length(kept):,} more bytes)"
    return "\n".join([head, *below])
