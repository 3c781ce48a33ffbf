"""From a path to a document: which file is meant, and its text as JSON values by its suffix."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Final

from host.core.errors import Defect, HostError, LaunchRefused, system_reason
from host.core.regular_files import open_regular
from host.core.text import format_size, join_words
from host.launch.formats import (
    MAX_DEPTH,
    Parsed,
    SyntaxFault,
    TooDeep,
    parse_json,
    parse_toml,
    parse_yaml,
)
from host.launch.places import ABSENT, Problem, Source, Verbatim
from host.launch.rendering import refusal
from host.launch.shipped import shipped_fixture

_PARSERS: Final[Mapping[str, Callable[[str], Parsed]]] = {
    ".json": parse_json,
    ".yaml": parse_yaml,
    ".yml": parse_yaml,
    ".toml": parse_toml,
}
_EVENTS_OF_RECORD: Final = "events.ndjson"
_MAX_BYTES: Final = 4 * 2**20
_EXCERPT_CHARS: Final = 120


class ConfigurationNotFound(HostError):
    """The path given to a command leads to no configuration that can be read: wrong use, no defect."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """A configuration as JSON values, with what its text holds beyond them; `source` is absent in memory."""

    values: Mapping[str, object]
    problems: tuple[Problem, ...] = ()
    source: Source | None = None


def find_configuration(path: FilePath) -> FilePath:
    """The file itself, or the one `run.*` of a directory; `fixtures/…` may be gg's own."""
    if not os.path.exists(path):
        path = shipped_fixture(path) or path
    if os.path.isdir(path):
        path = _run_file(path)
    if not os.path.exists(path):
        raise ConfigurationNotFound(f"{path} does not exist; name a configuration, or the folder of one")
    if path.suffix.lower() not in _PARSERS:
        kinds = join_words((f"*{suffix}" for suffix in _PARSERS), "or")
        raise ConfigurationNotFound(f"{path} is no configuration by its name; write it in a file {kinds}")
    if os.path.exists(path.parent / _EVENTS_OF_RECORD):
        raise ConfigurationNotFound(f"{path} belongs to a session record; gg show {path.parent} shows it")
    return path


def read_document(path: FilePath) -> Document:
    """The document of a file. Text that cannot be parsed refuses at once."""
    text = _text(path)
    if not text.strip():
        raise _refused(path, "the file is empty; a configuration has a task and agents")
    try:
        parsed = _PARSERS[path.suffix.lower()](text)
    except SyntaxFault as err:
        place = f"{path}:{err.line}:{err.column}"
        found = _excerpt(text, err.line, err.column) or ABSENT  # at the end of the file
        defect = Defect(place=place, message=str(err), found=found, line=err.line)
        raise refusal((defect,)) from err
    except TooDeep as err:
        raise _refused(path, f"nested deeper than {MAX_DEPTH} levels", text.strip()) from err
    if not isinstance(parsed.value, dict):
        raise _refused(path, "needs an object", parsed.value)
    return Document(values=parsed.value, problems=parsed.problems, source=Source(str(path), parsed.lines))


def _run_file(folder: FilePath) -> FilePath:
    names = [f"run{suffix}" for suffix in _PARSERS]
    found = [name for name in names if os.path.exists(folder / name)]
    if not found:
        raise ConfigurationNotFound(
            f"{folder} holds no {join_words(names, 'or')}; name a configuration, or the folder of one"
        )
    if len(found) > 1:
        raise ConfigurationNotFound(f"{folder} holds {join_words(found)}; keep one, or name the file")
    return folder / found[0]


def _text(path: FilePath) -> str:
    try:
        with open_regular(path) as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as err:
        raise ConfigurationNotFound(f"{path} cannot be read: {system_reason(err)}") from err
    if len(data) > _MAX_BYTES:
        most = format_size(_MAX_BYTES)
        raise _refused(path, f"larger than {most}; keep long replies in a folder of their own")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        message = f"byte {err.start + 1} is no UTF-8; save the file as UTF-8"
        raise _refused(path, message, f"0x{err.object[err.start]:02x}") from err


def _refused(path: FilePath, message: str, found: object = ABSENT) -> LaunchRefused:
    return refusal((Defect(place=str(path), message=message, found=found),))


def _excerpt(text: str, line: int, column: int) -> Verbatim:
    """The line, or what stands around the column where it is long."""
    whole = text.split("\n")[line - 1]
    start = max(0, column - _EXCERPT_CHARS // 2) if len(whole) > _EXCERPT_CHARS else 0
    return Verbatim(f"{'…' if start else ''}{whole[start : start + _EXCERPT_CHARS].strip()}")
