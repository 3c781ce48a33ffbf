"""Who decides about similar skills: a model, an operator or a script."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from host.core.messages import Usage
from host.skillbook.consolidation.questions import Question, faults_of
from host.skillbook.formats.fields import Unreadable, list_field, object_of
from host.skillbook.merging import Decision, decision_from_json

NOTHING: Final = Usage()


@dataclass(frozen=True, kw_only=True)
class Answered:
    """Decisions about a question, to be carried out in their order, and what they cost. They may be none, or
    leave pairs open.
    """

    decisions: tuple[Decision, ...]
    usage: Usage = NOTHING


@dataclass(frozen=True, kw_only=True)
class Unanswered:
    """No answer that could be carried out was had for this question; others may be asked."""

    why: str
    usage: Usage = NOTHING


@dataclass(frozen=True, kw_only=True)
class Stopped:
    """Nothing more is to be asked: the person left, or whatever decides cannot be reached."""

    why: str
    usage: Usage = NOTHING


Answer = Answered | Unanswered | Stopped


class Decider(Protocol):
    """Decides about one question after the other."""

    async def decide(self, question: Question) -> Answer:
        """Never raises for what the decider itself could not do."""
        ...

    @property
    def unused(self) -> tuple[Decision, ...]:
        """Decisions that were made beforehand, and that no question so far was about."""
        ...


class ScriptedDecider:
    """Decisions that were written beforehand: each question gets those that are about its skills alone."""

    def __init__(self, decisions: Iterable[Decision]) -> None:
        self._left: Final = list(decisions)

    async def decide(self, question: Question) -> Answer:
        known = frozenset(question.skill_ids)
        fitting = tuple(decision for decision in self._left if known.issuperset(decision.skill_ids))
        if not fitting:
            return Unanswered(why="the script has no decision about these skills")
        for decision in fitting:
            self._left.remove(decision)
        if faults := faults_of(question, fitting):
            return Unanswered(why="; ".join(faults))
        return Answered(decisions=fitting)

    @property
    def unused(self) -> tuple[Decision, ...]:
        return tuple(self._left)


def decisions_from_json(payload: object) -> tuple[Decision, ...]:
    """The decisions of an object `{"decisions": […]}`. Raises `ValueError` that names each that is none."""
    raw = list_field(object_of(payload, "the answer"), "decisions")
    decisions: list[Decision] = []
    faults: list[str] = []
    for number, each in enumerate(raw, start=1):
        try:
            decisions.append(decision_from_json(each))
        except Unreadable as error:
            faults.append(f"decision {number}: {error}")
    if not raw:
        faults.append("it has no list `decisions`, or an empty one")
    if faults:
        raise Unreadable("; ".join(faults))
    return tuple(decisions)
