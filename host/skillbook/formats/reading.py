"""Reads a book in whichever of ACE's formats it is."""

from collections.abc import Mapping
from typing import Any

from host.core.clock import Clock
from host.skillbook.formats.v2 import SCHEMA_VERSION, Problem, read_v2
from host.skillbook.skillbook import Skillbook


def read_book(payload: object, *, clock: Clock | None = None) -> tuple[Skillbook, list[Problem]]:
    """The book, and what of it could not be read. Raises `ValueError` for what is none."""
    if not isinstance(payload, Mapping):
        raise ValueError(f"it is {type(payload).__name__}, not an object")
    version = payload.get("schema_version")
    if str(version) == SCHEMA_VERSION:
        return read_v2(dict[str, Any](payload), clock=clock)
    raise ValueError(f"its schema_version is {version!r}")
