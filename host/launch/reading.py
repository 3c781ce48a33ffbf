"""From a path to a document: which file is meant, and JSON with nothing lost on the way.

The standard parser keeps the last of two equal keys and accepts `NaN`; both are defects here.
"""

import json
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Final

from host.core.errors import Defect, HostError, LaunchRefused
from host.launch.places import Path, Problem
from host.launch.shipped import shipped_fixture

_SUFFIXES: Final = (".json", ".yaml", ".yml", ".toml")
_MAX_DEPTH: Final = 64
_MAX_DIGITS: Final = 400  # as many as the largest float has


class ConfigurationNotFound(HostError):
    """The path given to a command leads to no configuration that can be read: wrong use, no defect."""


class _Unusable(ValueError):
    """A piece of the text that the parser would take and a configuration cannot have."""

    def __init__(self, message: str, found: str) -> None:
        super().__init__(message)
        self.found: Final = found


class _Pairs(dict[str, object]):
    """An object as parsed, which remembers the keys that were written more than once."""

    repeated: tuple[str, ...] = ()


def find_configuration(path: FilePath) -> FilePath:
    """The file itself, or the one `run.json` of a directory; `fixtures/…` may be gg's own."""
    if not path.exists():
        path = shipped_fixture(path) or path
    if path.is_dir():
        found = [path / f"run{suffix}" for suffix in _SUFFIXES if (path / f"run{suffix}").exists()]
        if not found:
            raise ConfigurationNotFound(
                f"{path} holds no run.json; name a configuration, or the folder of one"
            )
        if len(found) > 1:
            names = ", ".join(file.name for file in found)
            raise ConfigurationNotFound(f"{path} holds {names}; keep one, or name the file")
        path = found[0]
    if not path.exists():
        raise ConfigurationNotFound(
            f"{path} does not exist; name a configuration, or the folder of a run.json"
        )
    if path.suffix != ".json":
        raise ConfigurationNotFound(
            f"{path} is no JSON file; write the configuration as JSON, in a file *.json"
        )
    return path


def read_document(path: FilePath) -> tuple[Mapping[str, object], list[Problem]]:
    """The document of a JSON file, and the keys that it writes twice. A syntax error refuses at once."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as err:
        raise ConfigurationNotFound(f"{path} cannot be read: {(err.strerror or str(err)).lower()}") from err
    except UnicodeDecodeError as err:
        message = f"byte {err.start + 1} is no UTF-8; save the file as UTF-8"
        raise _refused(str(path), message, f"0x{err.object[err.start]:02x}") from err
    problems: list[Problem] = []
    try:
        parsed = json.loads(
            text, object_pairs_hook=_to_pairs, parse_constant=_refuse_constant, parse_int=_to_int
        )
        document = _plain(parsed, (), problems)
    except json.JSONDecodeError as err:
        place = f"{path}:{err.lineno}:{err.colno}"
        raise _refused(
            place, f"no JSON: {err.msg[:1].lower()}{err.msg[1:]}", _line_of(text, err.lineno)
        ) from err
    except RecursionError as err:
        raise _refused(str(path), f"nested deeper than {_MAX_DEPTH} levels", text.strip()) from err
    except _Unusable as err:
        raise _refused(str(path), str(err), err.found) from err
    if not isinstance(document, dict):
        raise _refused(str(path), "needs an object", parsed)
    return document, problems


def _refused(place: str, message: str, found: object) -> LaunchRefused:
    return LaunchRefused((Defect(place=place, message=message, found=found),))


def _line_of(text: str, number: int) -> str:
    lines = text.split("\n")
    return lines[number - 1].strip() if number <= len(lines) else ""


def _to_pairs(pairs: list[tuple[str, object]]) -> _Pairs:
    parsed = _Pairs(pairs)
    if len(parsed) < len(pairs):
        keys = [key for key, _ in pairs]
        parsed.repeated = tuple(dict.fromkeys(key for key in keys if keys.count(key) > 1))
    return parsed


def _refuse_constant(name: str) -> object:
    raise _Unusable(f"no JSON: {name} is no JSON number", name)


def _to_int(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise _Unusable(f"a number of {len(digits):,} digits, more than any key takes", digits)
    return int(digits)


def _plain(value: object, path: Path, problems: list[Problem]) -> object:
    if len(path) > _MAX_DEPTH:
        raise RecursionError
    if isinstance(value, list):
        return [_plain(item, (*path, index), problems) for index, item in enumerate(value)]
    if not isinstance(value, _Pairs):
        return value
    for key in value.repeated:
        problems.append(
            Problem(path=(*path, key), message="written more than once; keep one", found=value[key])
        )
    return {key: _plain(item, (*path, key), problems) for key, item in value.items()}
