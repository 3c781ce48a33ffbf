"""What a book holds at one moment, in whichever format it stands in a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from host.skillbook.model import Extra, Pair, SimilarityDecision, Skill


@dataclass(frozen=True)
class Problem:
    """What of a file could not be read, and why. It stays in the file as it stands there."""

    place: str
    why: str

    def __str__(self) -> str:
        return f"{self.place}: {self.why}"


@dataclass(frozen=True, kw_only=True)
class Unread:
    """Skills and decisions that could not be read, as they stood. A decision has its note by gg, or `None`.

    `v1` are skills of the first format, which stand apart from those of the second.
    """

    skills: Mapping[str, Any] = field(default_factory=dict)
    v1: Mapping[str, Any] = field(default_factory=dict)
    decisions: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)

    @property
    def ids(self) -> frozenset[str]:
        return frozenset((*self.skills, *self.v1))


@dataclass(frozen=True, kw_only=True)
class Rest:
    """What a book keeps beside its skills and decisions.

    Args:
        next_id: the last number that an id was made of.
        order: ids as they stood in the file, of skills that could not be read as well.
        sections: the file's lists of ids by section.
        v1: skills as they stood in the first format, by id.
        v1_top: fields at the top of a file of the first format for which the second has no place.
        gg: fields under `gg` that this version does not know.
        extra: fields at the top that are not gg's own.
        has_stamped: whether a decision was found that did not say which texts it was about.
    """

    next_id: int = 0
    order: tuple[str, ...] = ()
    sections: Extra = field(default_factory=dict)
    v1: Mapping[str, Any] = field(default_factory=dict)
    v1_top: Extra = field(default_factory=dict)
    gg: Extra = field(default_factory=dict)
    extra: Extra = field(default_factory=dict)
    unread: Unread = field(default_factory=Unread)
    problems: tuple[Problem, ...] = ()
    has_stamped: bool = False


@dataclass(frozen=True, kw_only=True)
class Contents:
    """Skills in their order, decisions, and the rest."""

    skills: tuple[Skill, ...] = ()
    decisions: Mapping[Pair, SimilarityDecision] = field(default_factory=dict)
    rest: Rest = field(default_factory=Rest)
