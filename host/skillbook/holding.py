"""Skills and decisions as they are held in memory, for several threads."""

import threading
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from host.skillbook.absorbing import absorbers
from host.skillbook.contents import Contents, Problem, Rest
from host.skillbook.formats.fields import others
from host.skillbook.model import Pair, Section, SimilarityDecision, Skill

EVERYWHERE: Final = "*"
"""As a scope to read by: skills of all scopes."""


class Holding:
    """Skills by their ids and decisions by pairs of them. `lock` may be taken again by who holds it."""

    def __init__(
        self,
        skills: Iterable[Skill] = (),
        *,
        decisions: Mapping[Pair, SimilarityDecision] | None = None,
        rest: Rest | None = None,
    ) -> None:
        self.lock: Final = threading.RLock()
        self._skills: Final = {skill.id: skill for skill in skills}
        self._decisions: Final = dict(decisions or {})
        self._rest = rest or Rest()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What could not be read of the file that the book came from."""
        return self._rest.problems

    @property
    def unread(self) -> Mapping[str, Any]:
        """Skills that could not be read, as they stood."""
        return {**self._rest.unread.skills, **self._rest.unread.v1}

    @property
    def contents(self) -> Contents:
        """What is held now."""
        with self.lock:
            return Contents(
                skills=tuple(self._skills.values()), decisions=dict(self._decisions), rest=self._rest
            )

    def skills(self, include_invalid: bool = False, *, scope: str | None = EVERYWHERE) -> list[Skill]:
        """Active skills in scope, in the order in which they were added: those of `scope` and those for
        everywhere. With `include_invalid` also those that are removed, held back or merged.
        """
        with self.lock:
            found = list(self._skills.values())
        if scope != EVERYWHERE:
            found = [skill for skill in found if skill.scope is None or skill.scope == scope]
        return found if include_invalid else [skill for skill in found if skill.is_served]

    def get_skill(self, skill_id: str) -> Skill | None:
        """The skill under an id, or the one that it was merged into."""
        with self.lock:
            skill = self._skills.get(skill_id)
            return None if skill is None else [skill, *absorbers(skill, self._skills)][-1]

    def own(self, skill_id: str) -> Skill | None:
        """The skill under exactly this id, also where it was merged."""
        with self.lock:
            return self._skills.get(skill_id)

    @property
    def by_id(self) -> Mapping[str, Skill]:
        """All skills by their own ids."""
        return MappingProxyType(self._skills)

    @property
    def decisions(self) -> Mapping[Pair, SimilarityDecision]:
        return MappingProxyType(self._decisions)

    def put(self, skill: Skill) -> None:
        """Puts a skill as it is in place of the one under its id."""
        with self.lock:
            self._skills[skill.id] = skill

    def put_decision(self, pair: Pair, decision: SimilarityDecision | None) -> None:
        """Puts a decision about two skills, or none, in place of the one that there is."""
        with self.lock:
            if decision is None:
                self._decisions.pop(pair, None)
            else:
                self._decisions[pair] = decision

    def drop(self, skill_id: str) -> bool:
        """Drops a skill, also one that could not be read; whether there was one."""
        with self.lock:
            unread = self._rest.unread
            if self._skills.pop(skill_id, None) is None and skill_id not in unread.ids:
                return False
            left = replace(unread, skills=others(unread.skills, skill_id), v1=others(unread.v1, skill_id))
            # Another skill may have the id one day, with another place and nothing in the first format.
            self._rest = replace(
                self._rest,
                unread=left,
                v1=others(self._rest.v1, skill_id),
                order=tuple(id_ for id_ in self._rest.order if id_ != skill_id),
            )
            return True

    def keep_beside(self, rest: Rest, taken: Collection[str], *, whole: bool) -> None:
        """Keeps what the file of another book has beside its skills: how those that were `taken` stood in the
        first format, and fields that nobody knows, as far as there are none of the name here. A book that
        held nothing takes the `whole` of it but what could not be read.
        """
        with self.lock:
            own = self._rest
            order = (*own.order, *(id_ for id_ in rest.order if id_ in taken))
            known = {id_: raw for id_, raw in rest.v1.items() if id_ in taken}
            self._rest = replace(
                own,
                next_id=max(own.next_id, rest.next_id),
                order=tuple(dict.fromkeys(order)),
                sections={**rest.sections, **own.sections} if whole else own.sections,
                v1={**others(own.v1, *taken), **known},
                v1_top={**rest.v1_top, **own.v1_top} if whole else own.v1_top,
                gg={**rest.gg, **own.gg},
                extra={**rest.extra, **own.extra},
            )

    def end_decisions(self, skill_id: str) -> int:
        """Drops every decision about a skill; gives how many there were."""
        with self.lock:
            ended = [pair for pair in self._decisions if skill_id in pair]
            for pair in ended:
                del self._decisions[pair]
            return len(ended)

    def _new_id(self, section: Section) -> str:
        """`context-00001`: the first that no skill has."""
        number = self._rest.next_id
        while True:
            number += 1
            new_id = f"{section}-{number:05d}"
            if new_id not in self._skills and new_id not in self._rest.unread.ids:
                self._rest = replace(self._rest, next_id=number)
                return new_id
