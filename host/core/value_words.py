"""What a JSON value is, in the words of a message."""

from typing import Final

from host.core.text import quoted

SHOWN_CHARS: Final = 40
"""A value that is written longer is told by its kind."""


def what(value: object) -> str:
    """What was got, on a line and short."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            digits = "" if _is_long(value) else str(value)
            return f"the number {digits}" if 0 < len(digits) <= SHOWN_CHARS else "a large number"
        case str():
            return "a string" if len(value) > SHOWN_CHARS else f"the string {quoted(value)}"
        case list():
            return "an array"
        case _:
            return "an object"


def _is_long(value: float) -> bool:
    """Python refuses to write whole numbers of thousands of digits."""
    return isinstance(value, int) and value.bit_length() > 4 * SHOWN_CHARS
