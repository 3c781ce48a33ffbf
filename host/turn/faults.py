"""What a program met, told in the places of the model's own source.

A host-made line can never be imitated: control characters are escaped, and every further line of a guest's
text is set behind a gutter.
"""

from typing import Final

from host.core.text import escape_controls
from runtime_js import SourceMap, locate_stack
from sandbox import GuestError

MAX_ERROR_BYTES: Final = 8 * 1024
MAX_FRAMES: Final = 10
NEVER_SETTLED: Final = "The program waits on a promise that can never settle."


def render_guest_error(error: GuestError, source_map: SourceMap) -> str:
    """Name, message and the frames in the model's source. A thrown value that is no Error gets no place."""
    if not error.is_error:
        return _bounded(f"Uncaught value: {_gutter(error.message)}", ())
    if error.code is not None:
        head = f"{error.name}: {error.operation} ({error.code}): {error.message}"
    else:
        head = f"{error.name}: {error.message}" if error.message else error.name
    frames = tuple(
        f"    at {frame.function} ({frame.file}:{frame.line}:{frame.column})"
        if frame.function
        else f"    at {frame.file}:{frame.line}:{frame.column}"
        for frame in locate_stack(error.stack, source_map)[:MAX_FRAMES]
    )
    return _bounded(_gutter(head), frames)


def place_of(stack: str, source_map: SourceMap) -> str | None:
    """`program.ts:4:7`: where in the model's source the innermost frame of a stack stands."""
    frames = locate_stack(stack, source_map)
    return f"{frames[0].file}:{frames[0].line}:{frames[0].column}" if frames else None


def _gutter(text: str) -> str:
    first, *rest = escape_controls(text).split("\n")
    return "\n".join([first, *(f"  | {line}" for line in rest)])


def _bounded(head: str, frames: tuple[str, ...]) -> str:
    room = MAX_ERROR_BYTES - sum(len(frame) + 1 for frame in frames) - 64
    encoded = head.encode("utf-8")
    if len(encoded) > room:
        kept = encoded[:room].decode("utf-8", "ignore")
        head = f"{kept}\n({len(encoded) - len(kept.encode('utf-8')):,} more bytes)"
    return "\n".join([head, *frames])
