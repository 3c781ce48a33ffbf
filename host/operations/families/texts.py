"""Texts that reach another reader than the caller: whoever gave the task, another agent, a later self."""

from typing import Final

from host.context import MAX_VIEW_BYTES
from host.core.errors import Refusal
from host.core.refusals import refuse_lone_surrogate
from host.core.text import place_of_control, utf8_length

MAX_TEXT_BYTES: Final = MAX_VIEW_BYTES
"""The reader has it in a window, as it does the body of a view."""
MAX_TITLE_CHARS: Final = 200


def check_text(text: str, what: str, *, wanted: str) -> None:
    """Refuses a text that is blank, that UTF-8 cannot carry or that is too long; all else stays as it is.

    `what` begins the message, `wanted` is what a blank one should say.
    """
    refuse_lone_surrogate(text, what)
    if not text.strip():
        raise Refusal("invalid-argument", f"{what} is empty; {wanted}.", kind="empty_text")
    size = utf8_length(text)
    if size > MAX_TEXT_BYTES:
        raise Refusal(
            "limit-exceeded",
            f"{what} has {size:,} of {MAX_TEXT_BYTES:,} bytes; shorten it.",
            kind="text_cap",
        )


def checked_title(title: str) -> str:
    """The title without white space around it. Refuses one that is empty, no single line or too long."""
    line = title.strip()
    if len(line) > MAX_TITLE_CHARS:
        raise Refusal(
            "limit-exceeded",
            f"The title has {len(line):,} of {MAX_TITLE_CHARS} characters; shorten it.",
            kind="title_cap",
        )
    check_text(line, "The title", wanted="say in a line what is to be done")
    if (place := place_of_control(line)) is not None:
        raise Refusal(
            "invalid-argument",
            f"The title is not one line, character {place + 1} is U+{ord(line[place]):04X};"
            " give one line without control characters.",
            kind="title_line",
        )
    return line
