"""Messages of the protocol, read from bytes that a server sent."""

import re
from typing import Final

from mcp_types import ErrorData, JSONRPCError, JSONRPCMessage, jsonrpc_message_adapter
from pydantic import ValidationError

from host.core.text import format_over
from host.tools.servers.bounds import MAX_MESSAGE_BYTES
from host.tools.servers.lines import LongLine

TOO_LARGE: Final = 8_000_413
"""Code of an error that stands in the place of an answer that was too long to be read."""
UNREADABLE: Final = 8_000_400
"""The same, of one that is no JSON which can be read."""

# The halves of surrogate pairs, alone: JavaScript writes them when it cuts a text within a character, and the
# reader of messages takes none. The other branches keep pairs, and escapes such as `\\ud800`, as they are.
_ESCAPES: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)
_MAY_BE_HALF: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_FIRST: Final = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,15})"?\s*,')
_LAST: Final = re.compile(rb',\s*"id"\s*:\s*"?(\d{1,15})"?\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z')
_ASKS: Final = re.compile(rb'\A\s*\{[^{}\[\]]*"method"\s*:')


class NoMessage(ValueError):
    """What came is no message, and answers no request that could be told of it."""


def read_message(line: bytes) -> JSONRPCMessage:
    """The message in a line; an answer that cannot be read becomes an error that answers the same request.

    Raises `NoMessage`.
    """
    try:
        return jsonrpc_message_adapter.validate_json(without_half_characters(line), by_name=False)
    except ValidationError as error:
        reason = error.errors(include_url=False, include_input=False)[0]["msg"]
    answered = answered_by(line, line)
    if answered is None:
        raise NoMessage(reason)
    return answer_in_place(answered, UNREADABLE, f"gave an answer that cannot be read: {reason}")


def read_long_line(line: LongLine) -> JSONRPCMessage | None:
    """The error in the place of an answer that was too long; `None` for what was no answer.

    Raises `NoMessage` where nobody can tell whom it answers.
    """
    answered = answered_by(line.head, line.tail)
    if answered is not None:
        return answer_in_place(answered, TOO_LARGE, too_large(line.size_bytes))
    if _ASKS.match(line.head):
        return None
    raise NoMessage(f"sent a message that names no call: {format_over(line.size_bytes, MAX_MESSAGE_BYTES)}")


def too_large(size_bytes: int) -> str:
    """Completes a sentence about an answer."""
    return f"is too large: {format_over(size_bytes, MAX_MESSAGE_BYTES)}"


def answered_by(head: bytes, tail: bytes) -> int | None:
    """The request that an answer names, where its number is among the first or the last members.

    Servers write it there; within valid JSON neither place can be part of a text.
    """
    if _ASKS.match(head):
        return None
    found = _FIRST.match(head) or _LAST.search(tail)
    return None if found is None else int(found[1])


def answer_in_place(request: int | None, code: int, message: str) -> JSONRPCError:
    """An error that answers a request in the server's place."""
    return JSONRPCError(jsonrpc="2.0", id=request, error=ErrorData(code=code, message=message))


def without_half_characters(text: bytes) -> bytes:
    """JSON in UTF-8, with U+FFFD for what no text in UTF-8 holds."""
    if _MAY_BE_HALF.search(text):
        text = _ESCAPES.sub(lambda found: rb"\ufffd" if found[1] else found[0], text)
    try:
        text.decode()
    except UnicodeDecodeError:
        return text.decode(errors="replace").encode()
    return text
