"""What a failed call of a Python function tells the program that made it: nothing of the host's files."""

import os
import re
from typing import Final

from host.core.errors import API_ERROR_CODES, ApiErrorCode, Refusal, system_reason
from host.core.text import escape_controls, join_words, quoted, shortened

_MAX_MESSAGE_CHARS: Final = 1_000
_PATH: Final = re.compile(r"(?<![\w/:])/(?:[^\s/'\"`:,;()]+/)*[^\s/'\"`:,;()]+")


class ToolFailure(Exception):
    """What a function raises to fail with a code of its own; the message is told as it is.

    Raises `ValueError` for a code that there is not.
    """

    def __init__(self, code: ApiErrorCode, message: str) -> None:
        if code not in API_ERROR_CODES:
            known = join_words(map(quoted, API_ERROR_CODES), "or")
            raise ValueError(f"{quoted(str(code))} is no code of a failure; it is one of {known}")
        super().__init__(message)
        self.code: Final = code
        self.message: Final = message


def refusal_of(spelling: str, error: BaseException) -> Refusal:
    """How the failure of a function is told. Raised from `error`, it leads an operator to the whole of it."""
    if isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        return refusal_of(spelling, error.exceptions[0])
    if isinstance(error, ToolFailure):
        return Refusal(error.code, _fit(error.message), kind="tool")
    said = _said(error)
    return Refusal(
        "io-error", f"{spelling} failed: {type(error).__name__}{f': {said}' if said else ''}", kind="tool"
    )


def _said(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return system_reason(error)  # its own message has a path
    try:
        return _fit(_PATH.sub(_last_part, str(error)))
    except Exception:  # an exception that cannot be written has nothing to say
        return ""


def _last_part(path: re.Match[str]) -> str:
    """Of a path of this host its last part."""
    parent, _, last = path[0].rpartition("/")
    return last if os.path.isdir(parent or "/") else path[0]


def _fit(message: str) -> str:
    return escape_controls(shortened(message.strip(), _MAX_MESSAGE_CHARS))
