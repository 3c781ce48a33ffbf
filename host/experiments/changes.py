"""What an arm changes in a configuration, and the configuration that it comes to."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from host.experiments.paths import parse_path, places_of
from host.launch import CAPABILITY_IDS, Place, value_at


@dataclass(frozen=True)
class Change:
    """A value for every place that a path means. `path` is as written."""

    path: str
    value: object


@dataclass(frozen=True)
class Changed:
    """A document after changes, and which places each of them set, in the order of the changes."""

    document: Mapping[str, object]
    places: tuple[tuple[Place, ...], ...]


def apply_changes(document: Mapping[str, object], changes: Sequence[Change]) -> Changed:
    """The document with each change made in turn; the one given stays as it is. Raises `PathError`."""
    made: dict[str, Any] = copy.deepcopy(dict(document))
    placed: list[tuple[Place, ...]] = []
    for change in changes:
        path = parse_path(change.path)
        places = places_of(made, path)
        for place in places:
            put_at(made, place, _value_for(made, path, place, change.value))
        placed.append(places)
    return Changed(document=made, places=tuple(placed))


def _value_for(document: Mapping[str, object], path: Place, place: Place, value: object) -> object:
    if path == ("model",) and isinstance(value, str):
        return _named(value_at(document, place), value)
    if len(path) == 1 and path[0] in CAPABILITY_IDS and isinstance(value, Mapping):
        return {"id": path[0], **value}
    return copy.deepcopy(value)


def _named(before: object, name: str) -> object:
    """A model by its name alone, with the context window that was written for the one before."""
    window = before.get("contextWindow") if isinstance(before, Mapping) else None
    return name if window is None else {"provider": name, "contextWindow": window}


def put_at(document: Any, place: Place, value: object) -> None:  # noqa: ANN401  # JSON
    """Sets the value at a place of a document, in place; objects that are absent on the way are made."""
    inner = document
    for step in place[:-1]:
        if isinstance(inner, dict) and inner.get(step) is None:
            inner[step] = {}
        inner = inner[step]
    inner[place[-1]] = value
