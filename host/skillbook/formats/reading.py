"""A book in whichever format it is."""

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

from host.skillbook.contents import Contents
from host.skillbook.formats.fields import Unreadable, named, object_of
from host.skillbook.formats.v1 import read_v1, write_v1
from host.skillbook.formats.v2 import SCHEMA_VERSION, read_v2, write_v2

Format = Literal["bullets", "v1", "v2"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)


def format_of(payload: Mapping[str, Any]) -> Format:
    """Which format it is. Raises `Unreadable` for none of them, and for one that came after gg."""
    version = payload.get("schema_version")
    if str(version) == SCHEMA_VERSION:
        return "v2"
    if version is not None and str(version) != "1":
        raise Unreadable(f"its schema_version is {named(version)}, which this gg does not know")
    if "skills" in payload:
        return "v1"
    if "bullets" in payload:
        return "bullets"
    raise Unreadable("it has neither skills nor bullets")


def read_contents(payload: object) -> Contents:
    """What a book holds. What of it cannot be read is told, and kept as it stood.

    Raises `ValueError` for what is no book.
    """
    raw = object_of(payload, "it")
    match format_of(raw):
        case "v2":
            return read_v2(raw)
        case "v1":
            return read_v1(raw, "skills")
        case "bullets":
            return read_v1(raw, "bullets")


def write_contents(contents: Contents, written_as: Format = "v2") -> dict[str, Any]:
    """The contents as JSON values of a format. What it has no place for stands under `gg`."""
    match written_as:
        case "v2":
            return write_v2(contents)
        case "v1":
            return write_v1(contents, "skills")
        case "bullets":
            return write_v1(contents, "bullets")
