"""Paths by which an arm says what it changes: `execution`, `memories.params.scope`, `agents[0].prompt`.

A path begins with a key of a run configuration, or with one of an agent (`execution`) or the name of a
capability (`memories`), which mean every agent, and the capability of every agent that has it. `model` means
the model of every agent. An entry of a list is named by its index or by its id: `agents[reader].prompt`.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from host.launch import ABSENT, CAPABILITY_IDS, AgentSettings, Place, RunSettings, value_at

_STEP: Final = re.compile(
    r'(?P<dot>\.?)(?P<key>[A-Za-z_][A-Za-z0-9_-]*)|\[(?:(?P<index>\d{1,4})|(?P<quoted>"(?:[^"\\]|\\.)*")'
    r"|(?P<id>[A-Za-z0-9][A-Za-z0-9_-]*))\]"
)


class PathError(Exception):
    """A path that is none, or that leads nowhere in a configuration; the message says why."""


def parse_path(text: str) -> Place:
    """The steps of a path. Raises `PathError`."""
    steps: list[str | int] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None or (found["key"] and bool(found["dot"]) != bool(steps)):
            break
        steps.append(_step(found))
        at = found.end()
    if at < len(text) or not steps or isinstance(steps[0], int):
        raise PathError("is no path, such as execution, memories.params.scope or agents[0].prompt")
    return tuple(steps)


def places_of(document: Mapping[str, object], path: Place) -> tuple[Place, ...]:
    """Every place in the document that a path means, at least one. Raises `PathError`."""
    first = str(path[0])
    if path == ("model",):
        return tuple(_models(document))
    if first in _keys_of(RunSettings):
        return (_resolved(document, path),)
    if first in _keys_of(AgentSettings):
        return tuple(_resolved(document, (*agent, *path)) for agent in _agents(document))
    if first not in CAPABILITY_IDS:
        raise PathError(f"{first} is no key of a configuration or of an agent, and no capability")
    found = tuple(
        _resolved(document, (*capability, *path[1:]))
        for agent in _agents(document)
        for capability in _entries(document, (*agent, "capabilities"))
        if value_at(document, (*capability, "id")) == first
    )
    if not found:
        raise PathError(f"no agent of the configuration has the capability {first}")
    return found


def _step(found: re.Match[str]) -> str | int:
    if found["index"] is not None:
        return int(found["index"])
    return found["key"] or found["id"] or str(json.loads(found["quoted"]))


def _models(document: Mapping[str, object]) -> Iterator[Place]:
    """Where a model is named; that of the run, where none is yet."""
    own = [(*agent, "model") for agent in _agents(document)]
    named = [place for place in own if value_at(document, place) not in (ABSENT, None)]
    if len(named) < len(own) or not own:
        yield ("model",)
    yield from named


def _resolved(document: Mapping[str, object], path: Place) -> Place:
    """The path with indexes in place of the ids of entries. What it leads through may be absent."""
    done: Place = ()
    for step in path:
        around = value_at(document, done)
        if isinstance(around, list):
            done = (*done, _index(document, done, around, step))
        elif isinstance(around, Mapping) or around in (ABSENT, None):
            done = (*done, step)
        else:
            raise PathError(f"leads into {json.dumps(around, default=repr)}, which holds nothing")
    return done


def _index(document: Mapping[str, object], place: Place, entries: list[object], step: str | int) -> int:
    if isinstance(step, int) and step < len(entries):
        return step
    ids = [value_at(document, (*place, number, "id")) for number in range(len(entries))]
    if step in ids:
        return ids.index(step)
    raise PathError(f"{place[-1]} has no entry {step}")


def _agents(document: Mapping[str, object]) -> list[Place]:
    return _entries(document, ("agents",))


def _entries(document: Mapping[str, object], place: Place) -> list[Place]:
    found = value_at(document, place)
    return [(*place, index) for index in range(len(found))] if isinstance(found, list) else []


def _keys_of(model: type[RunSettings] | type[AgentSettings]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]
