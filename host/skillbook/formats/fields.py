"""Reads the fields of JSON objects that others have written."""

from collections.abc import Mapping
from typing import Any

from host.core.text import quoted

_SHOWN_CHARS = 40


class Unreadable(ValueError):
    """Why a part of a book is not read."""


def object_of(value: object, what: str) -> dict[str, Any]:
    """The value as an object; `what` begins the message."""
    if not isinstance(value, dict):
        raise Unreadable(f"{what} is {named(value)}, not an object")
    return value


def text_field(raw: Mapping[str, Any], name: str, default: str | None = None) -> str | None:
    """A text, or the default where it is absent or null."""
    value = raw.get(name)
    if value is None:
        return default
    if not isinstance(value, str):
        raise Unreadable(f"its {name} is {named(value)}, not a text")
    return value


def filled_field(raw: Mapping[str, Any], name: str) -> str:
    """A text that is not blank."""
    value = text_field(raw, name)
    if value is None or not value.strip():
        raise Unreadable(f"its {name} is {'absent' if value is None else 'blank'}")
    return value


def count_field(raw: Mapping[str, Any], name: str) -> int:
    """A whole number from 0 on; 0 where it is absent."""
    value = raw.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise Unreadable(f"its {name} is {named(value)}, not a count")
    return value


def flag_field(raw: Mapping[str, Any], name: str, default: bool) -> bool:
    value = raw.get(name, default)
    if not isinstance(value, bool):
        raise Unreadable(f"its {name} is {named(value)}, neither true nor false")
    return value


def list_field(raw: Mapping[str, Any], name: str) -> list[Any]:
    """A list, empty where it is absent or null."""
    value = raw.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise Unreadable(f"its {name} is {named(value)}, not a list")
    return value


def one_of(raw: Mapping[str, Any], name: str, known: tuple[str, ...]) -> str | None:
    """One of a few words, `None` where it is absent or null."""
    value = raw.get(name)
    if value is None or (isinstance(value, str) and value in known):
        return value
    raise Unreadable(f"its {name} is {named(value)}, none of {', '.join(known)}")


def others(raw: Mapping[str, Any], *known: str) -> dict[str, Any]:
    """The fields that are none of the known ones."""
    return {name: value for name, value in raw.items() if name not in known}


def named(value: object) -> str:
    """A value as a message shows it."""
    return "null" if value is None else quoted(repr(value), max_chars=_SHOWN_CHARS)
