"""What a pass would change in a book's file, for a person to read: the lines of each skill and decision."""

import json
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from typing import Any, Final

from host.skillbook.skillbook import Skillbook

_PARTS: Final = ("skills", "similarity_decisions")


def difference(before: Skillbook, after: Skillbook) -> str:
    """A unified diff of the two, skill by skill and decision by decision; empty where nothing differs."""
    old, new = before.to_dict(), after.to_dict()
    return "".join(line for part in _PARTS for line in _part(part, old.get(part, {}), new.get(part, {})))


def _part(part: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key):
            name = f"{part}/{key}"
            yield from unified_diff(_lines(old, key), _lines(new, key), name, name)


def _lines(values: Mapping[str, Any], key: str) -> list[str]:
    """None where there is no such key."""
    if key not in values:
        return []
    return [f"{line}\n" for line in json.dumps(values[key], ensure_ascii=False, indent=2).split("\n")]
