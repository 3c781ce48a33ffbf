"""Calls of tools and what they gave, as lines for a person.

A value is shown on one line, its long texts cut, or whole: an argument to a row, a text with its own lines.
"""

import json
from collections.abc import Iterator
from typing import Final, Literal

from host.cli.lines import Line, block, labeled, styled
from host.core.errors import API_ERROR_CODES
from host.core.text import shortened

Shown = Literal["named", "brief", "whole"]
"""How much of a call is shown: the tool's name, one line, or everything."""

_NOTHING: Final = "null"
_TEXT_CHARS: Final = 60
_LINE_CHARS: Final = 160


def call_lines(name: str, arguments: str, shown: Shown) -> Iterator[Line]:
    """A call as a model wrote it."""
    yield from _lines("call", name, arguments, shown, most=None)


def result_lines(name: str, text: str, shown: Shown, *, most: int | None) -> Iterator[Line]:
    """What a call gave: JSON, or why it failed. `most` rows of it are shown, of nothing none."""
    if text == _NOTHING and shown != "whole":
        return
    if is_failure(text):
        yield labeled("failed", styled(name, "name"), f" {text}", style="warn")
    else:
        yield from _lines("result", name, text, shown, most=most)


def is_failure(text: str) -> bool:
    """Whether the answer to a call is `code: message`, as no JSON begins."""
    code, colon, _ = text.partition(": ")
    return bool(colon) and code in API_ERROR_CODES


def _lines(label: str, name: str, text: str, shown: Shown, *, most: int | None) -> Iterator[Line]:
    head = styled(name, "name")
    if shown == "named":
        yield labeled(label, head)
        return
    try:
        value = json.loads(text, strict=False)
        rows = None if shown == "brief" else _rows(value)
        told = _brief(value)
    except (ValueError, RecursionError):
        rows, told = None, text
    if rows is None:
        yield labeled(label, head, f" {shortened(told, _LINE_CHARS)}")
        return
    yield labeled(label, head)
    yield from block("\n".join(rows), most=most, may_crop=False)


def _brief(value: object) -> str:
    if isinstance(value, dict):
        value = {name: _cut(item) for name, item in value.items()}
    return _dumped(value)


def _cut(value: object) -> object:
    return shortened(value, _TEXT_CHARS) if isinstance(value, str) else value


def _rows(value: object) -> list[str] | None:
    """The rows of a value that is shown whole; none of one that a line shows as well."""
    match value:
        case str():
            return [value]
        case dict() if any(isinstance(item, str) for item in value.values()):
            return [_row(name, item) for name, item in value.items()]
        case list() if len(value) > 1:
            return [_dumped(item) for item in value]
        case _ if len(told := _dumped(value)) > _LINE_CHARS:
            return [told]
    return None


def _row(name: str, item: object) -> str:
    told = item.removesuffix("\n").replace("\n", "\n  ") if isinstance(item, str) else _dumped(item)
    return f"{name}: {told}"


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
