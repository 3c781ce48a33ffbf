"""What is wrong with a reply that is written as JSON: the place, what is there, what it needs."""

import json
import re
from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError

from host.core.text import escape_line, nearest, shortened

# By the last key on the way to a place, entries of a list left out.
KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("text", "toolCalls", "finishReason", "usage", "error"),
    "toolCalls": ("name", "arguments"),
    "usage": ("inputTokens", "outputTokens", "cost"),
}
_WANTED: Final[Mapping[str, str]] = {
    "": "an object",
    "text": "text",
    "toolCalls": "a list of calls",
    "name": "text",
    "arguments": "an object, or text",
    "finishReason": '"stop", "length" or "timeout"',
    "usage": "an object",
    "inputTokens": "a whole number, 0 or more",
    "outputTokens": "a whole number, 0 or more",
    "cost": "a number, 0 or more",
    "error": "text",
}
_POSITION: Final = re.compile(r" at line (\d+) column (\d+)$")
_MAX_FOUND_CHARS: Final = 120


def reply_fault(error: ValidationError) -> str:
    """The first fault of a reply's text, in words that follow the name of its file."""
    first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid":
        told = first["ctx"]["error"].replace("EOF while parsing", "the text ends inside")
        at = _POSITION.search(told)
        where = f":{at[1]}:{max(1, int(at[2]))}" if at else ""
        return f"{where}: no JSON: {_POSITION.sub('', told)}"
    steps = _steps(first["loc"])
    holder = _last_key(steps[:-1])
    if first["type"] == "extra_forbidden" and holder in KEYS:
        return f": {_place(steps)}: unknown key{_hint(str(steps[-1]), KEYS[holder])}"
    if first["type"] == "missing":
        return f": {_place(steps)}: required"
    wanted = "an object" if steps and isinstance(steps[-1], int) else _WANTED[_last_key(steps)]
    return f": {_place(steps)}: needs {wanted}, and this is {_shown(first['input'])}"


def _steps(loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The way to the place; below `arguments` pydantic names the kinds that it tried."""
    return loc[: loc.index("arguments") + 1] if "arguments" in loc else loc


def _last_key(steps: tuple[str | int, ...]) -> str:
    return next((step for step in reversed(steps) if isinstance(step, str)), "")


def _hint(name: str, known: tuple[str, ...]) -> str:
    close = nearest(name, known, count=1)
    hint = f'; did you mean "{close[0]}"?' if close else ";"
    return f"{hint} known are {', '.join(known)}"


def _place(steps: tuple[str | int, ...]) -> str:
    written = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return escape_line(written.removeprefix(".")) or "the reply"


def _shown(found: object) -> str:
    shown = escape_line(json.dumps(found, ensure_ascii=False, default=repr))
    return shown if len(shown) <= _MAX_FOUND_CHARS else shortened(shown, _MAX_FOUND_CHARS - 1)
