"""Places in a configuration document: how they are written, and which comes first.

A path is the keys and indexes that lead to a value. Problems are sorted by where a reader of the file meets
them: keys in the order they are written, absent keys after the ones of their object.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from host.core.errors import Defect
from host.core.text import escape_controls

Path = tuple[str | int, ...]
WHOLE_DOCUMENT: Final = "the document"
_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


class _Absent:
    """What is found at a place where nothing was written; apart from an explicit null."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = _Absent()


class Verbatim(str):
    """A piece of the file as it stands there, which is no value; it is shown without quotes."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A defect before it is placed: its path instead of the written place and the agent.

    `is_of_key`: it says nothing about the value, which may be wrong as well.
    """

    path: Path
    message: str
    found: object = ABSENT
    known: tuple[str, ...] = ()
    is_of_key: bool = False
    example: str = ""


@dataclass(frozen=True)
class Source:
    """The file that a document was read from, and on which line, from 1, each of its places stands."""

    file: str
    lines: Mapping[Path, int]

    def line_of(self, path: Path) -> int:
        """The line of a place; of one that is absent, that of the object or list it is absent from."""
        while path not in self.lines and path:
            path = path[:-1]
        return self.lines.get(path, 1)


def to_defects(
    document: object, problems: Iterable[Problem], source: Source | None = None
) -> tuple[Defect, ...]:
    """The problems as defects, in document order; of two at one place the first reported stands first."""
    ordered = sorted(problems, key=lambda problem: position(document, problem.path))
    return tuple(
        Defect(
            place=render_place(problem.path),
            message=problem.message,
            found=problem.found,
            agent=_agent_of(document, problem.path),
            known=problem.known,
            example=problem.example,
            file=source.file if source else None,
            line=source.line_of(problem.path) if source else None,
        )
        for problem in ordered
    )


def render_place(path: Path) -> str:
    """`agents[0].capabilities[1].params.scope`; a key that is no plain word stands in quotes."""
    written = ""
    for step in path:
        if isinstance(step, int):
            written += f"[{step}]"
        elif _PLAIN_KEY.fullmatch(step):
            written += f".{step}" if written else step
        else:
            written += f"[{escape_controls(json.dumps(step, ensure_ascii=False))}]"
    return written or WHOLE_DOCUMENT


def value_at(document: object, path: Path) -> object:
    """The value as written, or `ABSENT`."""
    current = document
    for step in path:
        current = _child(current, step)
    return current


def position(document: object, path: Path) -> tuple[int, ...]:
    """A sort key: the index of each step among its siblings, an absent one after all that are written."""
    ranks: list[int] = []
    current = document
    for step in path:
        if isinstance(step, int):
            ranks.append(step)
        else:
            siblings = list(current) if isinstance(current, Mapping) else []
            ranks.append(siblings.index(step) if step in siblings else len(siblings))
        current = value_at(current, (step,))
    return tuple(ranks)


def mapping_at(document: object, path: Path) -> Mapping[str, object]:
    """The object at a place, empty where there is none: rules look at what is usable and skip the rest."""
    found = value_at(document, path)
    return found if isinstance(found, Mapping) else {}


def entries_at(document: object, path: Path) -> list[Path]:
    """The path of each entry of the list at a place, none where there is no list."""
    found = value_at(document, path)
    return [(*path, index) for index in range(len(found))] if isinstance(found, list) else []


def _child(value: object, step: str | int) -> object:
    if isinstance(value, Mapping):
        return value.get(step, ABSENT)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return ABSENT


def _agent_of(document: object, path: Path) -> str | None:
    if len(path) < 2 or path[0] != "agents":
        return None
    found = value_at(document, (*path[:2], "id"))
    return found if isinstance(found, str) else None
