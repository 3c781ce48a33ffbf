"""Requests that cannot be read, and the errors that answer them."""

import json
import re
from dataclasses import dataclass
from typing import Final

import mcp_types as types
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from host.core.text import format_over
from host.mcp.bounds import MAX_MESSAGE_BYTES
from host.tools import LongLine

_ID: Final = rb'"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")\s*'
_PAIR: Final = re.compile(rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_HALF: Final = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
# Clients write it first or last; within valid JSON neither place can be part of a text.
_FIRST: Final = re.compile(rb'\A\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?' + _ID + rb",")
_LAST: Final = re.compile(rb",\s*" + _ID + rb'(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z')


@dataclass(frozen=True, kw_only=True)
class Unreadable:
    """What was sent is no message; `answer` tells its sender."""

    answer: types.JSONRPCError


def read_request(line: bytes | LongLine) -> types.JSONRPCMessage | Unreadable:
    """The message of a line, or the error that answers what it was meant to be."""
    if isinstance(line, LongLine):
        told = f"The message is too large: {format_over(line.size_bytes, MAX_MESSAGE_BYTES)}."
        return _error(types.INVALID_REQUEST, told, _asked(line.head, line.tail))
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        is_json = first["type"] != "json_invalid"
        reason = _no_message(line, first) if is_json else _no_json(line, first)
        code = types.INVALID_REQUEST if is_json else types.PARSE_ERROR
        return _error(code, f"The message cannot be read: {reason}.", _id_of(line))
    if isinstance(message, types.JSONRPCNotification) and _has_id(line):
        told = "The request cannot be answered: its id is neither a whole number nor a text."
        return _error(types.INVALID_REQUEST, told, None)
    return message


def _error(code: int, message: str, request: str | int | None) -> Unreadable:
    error = types.ErrorData(code=code, message=message)
    return Unreadable(answer=types.JSONRPCError(jsonrpc="2.0", id=request, error=error))


def _no_json(line: bytes, error: ErrorDetails) -> str:
    """The reader of messages tells of an escape that it had expected, where half a character stands."""
    if _HALF.search(_PAIR.sub(b"", line)):
        return "a text of it holds a lone surrogate, which is no character"
    return error["msg"]


def _no_message(line: bytes, error: ErrorDetails) -> str:
    if line.lstrip().startswith(b"["):
        return "it is a list, and each message is sent alone"
    place = ".".join(map(str, error["loc"][1:]))  # below the name of the model
    return f"{error['msg']}: {place}" if place else error["msg"]


def _has_id(line: bytes) -> bool:
    """Whether a notification holds what it must not; one that does is a request that cannot be named."""
    return b'"id"' in line and "id" in json.loads(line)


def _id_of(line: bytes) -> str | int | None:
    """The standard library reads texts with half characters as well."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return _asked(line, line)
    found = message.get("id") if isinstance(message, dict) else None
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None


def _asked(head: bytes, tail: bytes) -> str | int | None:
    found = _FIRST.match(head) or _LAST.search(tail)
    if found is None:
        return None
    return int(found[1]) if found[1].isdigit() else found[1][1:-1].decode("utf-8", "replace")
