"""A document that may be launched, how a test breaks a place of it, and how each format writes it."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from host.core.errors import Defect, LaunchRefused
from host.launch import LaunchPlan, validate

Document = dict[str, Any]
SUFFIXES = (".json", ".yaml", ".yml", ".toml")

LIMITS: Document = {
    "maxCount": 64,
    "maxLenPerMemory": 0,
    "maxTotalLen": 0,
    "maxLenIndex": 4096,
    "maxLenDescription": 256,
    "maxResults": 25,
}
MEMORIES: Document = {
    "id": "memories",
    "enabled": True,
    "implementation": "scratchpad",
    "features": {"reviseMemories": True},
    "params": {"scope": "isolated", **LIMITS},
}
VALID: Document = {
    "name": "quickstart",
    "task": "Summarise exports.csv",
    "root": "analyst",
    "model": {"provider": "scripted", "replies": ["export {}"]},
    "limits": {"maxTurns": 20, "maxRuntimeSecs": 600, "maxConsecutiveErrors": 5},
    "sandbox": {"guestSecs": 30, "memoryMiB": 256},
    "seed": 7,
    "agents": [
        {
            "id": "analyst",
            "execution": "responses_as_code",
            "codeMode": {"typecheck": "error", "healing": {"strip-fences": True}},
            "prompt": "You keep notes.",
            "capabilities": [MEMORIES],
        }
    ],
}


def broken(place: tuple[str | int, ...], value: object) -> Document:
    """The valid document with another value at a place."""
    document = copy.deepcopy(VALID)
    parent: Any = document
    for step in place[:-1]:
        parent = parent[step]
    if isinstance(parent, list) and place[-1] == len(parent):
        parent.append(value)
    else:
        parent[place[-1]] = value
    return document


def changed(change: Callable[[Document], object]) -> Document:
    """The valid document after `change`."""
    document = copy.deepcopy(VALID)
    change(document)
    return document


def outcome(document: Document, base: Path) -> LaunchPlan | tuple[Defect, ...]:
    """The plan, or every defect."""
    try:
        return validate(document, base=base)
    except LaunchRefused as refused:
        return refused.defects


def defects_of(capability: Document, base: Path) -> list[Defect]:
    """What is wrong in the valid document with another capability in the place of its memories."""
    found = outcome(broken(("agents", 0, "capabilities", 0), capability), base)
    return [] if isinstance(found, LaunchPlan) else list(found)


def written(document: object, suffix: str) -> str:
    """The document as a file of that suffix holds it; TOML has no null."""
    if suffix == ".json":
        return json.dumps(document, indent=2)
    if suffix == ".toml":
        assert isinstance(document, dict)
        return "".join(f"{_toml(key)} = {_toml(value)}\n" for key, value in document.items())
    return yaml.dump(document, Dumper=_Quoting, sort_keys=False, allow_unicode=True)


class _Quoting(yaml.SafeDumper):
    """Quotes every text: PyYAML would leave plain what means a number in YAML 1.2 alone, such as `0o17`."""

    def ignore_aliases(self, data: object) -> bool:
        """An object that stands at two places is written at both."""
        return True


_Quoting.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')
)


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    assert value is not None, "TOML has no null"
    return str(value).lower()
