"""Why a server could not be started or a call failed, in words for people and for programs."""

import re
from typing import Final

from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED
from pydantic import ValidationError

from host.core.text import escape_line, shortened
from host.tools.servers.bounds import ERROR_CHARS
from host.tools.servers.connection import Misbehaved
from host.tools.servers.fate import Fate
from host.tools.servers.messages import TOO_LARGE, UNREADABLE
from host.tools.servers.preparing import CannotStart
from host.tools.servers.spec import ServerFailure, ServerSpec
from host.tools.servers.web import FAILED, SESSION_LOST

IN_PLACE: Final = frozenset({FAILED, SESSION_LOST, TOO_LARGE, UNREADABLE})
"""Codes of errors that gg put in the place of an answer; their messages complete a sentence on the server."""

_NO_MODULE: Final = re.compile(r"No module named '?([\w.]+)")
_BY_HAND: Final = "Run it by hand to see what it says."
_LOOK: Final = "Look whether it runs, and whether the URL is right."
_OF_STATUS: Final = {
    401: "Name the header that it wants, and the variable that holds its value, in `headersFrom`.",
    403: "Look whether the value that `headersFrom` takes from the environment is still good.",
    404: "Look whether the URL is that of the server's endpoint; many end with /mcp.",
    405: "Look whether the URL is that of the server's endpoint; many end with /mcp.",
}


def failure_of(spec: ServerSpec, error: Exception, fate: Fate) -> ServerFailure:
    """What is said of a server that did not start."""
    reason, remedy = _reason_and_remedy(spec, leaf_of(error), fate)
    return ServerFailure(
        server=spec.name,
        target=spec.target,
        reason=escape_line(shortened(reason, ERROR_CHARS)),
        remedy=escape_line(remedy),
        stderr=tuple(fate.stderr),
    )


def leaf_of(error: Exception) -> Exception:
    """The first of those that a group holds."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


def _reason_and_remedy(spec: ServerSpec, error: Exception, fate: Fate) -> tuple[str, str]:
    where = f"at {spec.target}" if spec.url else "on its stdout"
    match error:
        case CannotStart():
            return error.reason, error.remedy
        case TimeoutError() if fate.strayed:
            return _strayed(fate), "Its stdout is for messages of MCP alone: is it an MCP server over stdio?"
        case TimeoutError():
            reason = f"did not tell its tools within {spec.start_timeout_s:g} s"
            return reason, "If it only needs longer, as at a first download, raise `startSecs`."
        case MCPError(code=code) if code in IN_PLACE:
            remedy = _OF_STATUS.get(fate.http_status or 0, _LOOK)
            return error.message, _BY_HAND if spec.command else remedy
        case MCPError(code=code) if code == CONNECTION_CLOSED and fate.ended.is_set():
            return _ended(fate)
        case MCPError():
            return f"refused to start: {error.message} ({error.code})", _BY_HAND if spec.command else _LOOK
        case Misbehaved():
            return str(error), "Take it out of the configuration, or use another version of it."
        case ValidationError():
            return f"answers {where} with what is no MCP: {first_of(error)}", "Is it an MCP server?"
        case _:
            return f"cannot be started: {error or type(error).__name__}", _BY_HAND if spec.command else _LOOK


def _strayed(fate: Fate) -> str:
    return f"writes something else than messages to its stdout, first `{fate.strayed}`"


def _ended(fate: Fate) -> tuple[str, str]:
    missing = next((found[1] for line in fate.stderr if (found := _NO_MODULE.search(line))), None)
    reason = f"{fate.words} before it had told its tools"
    if missing is not None:
        return reason, f"Install the module {missing} for the Python that the command names."
    if fate.strayed:
        reason += f", and wrote `{fate.strayed}` to its stdout, which is for messages of MCP alone"
    return reason, _BY_HAND


def first_of(error: ValidationError) -> str:
    """The first thing that is wrong, and where."""
    found = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, found["loc"]))
    return f"{place}: {found['msg']}" if place else str(found["msg"])
