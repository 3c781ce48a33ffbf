"""Figures of answers: how much of what is relevant they hold, and what they serve that they must not."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from host.app.bench.retrieval.answering import Answer
from host.app.bench.retrieval.judged_set import STATES, JudgedSet, Question


@dataclass(frozen=True, kw_only=True)
class Quality:
    """Means over questions that have relevant records.

    Args:
        recall_1: share of the relevant records that are the first of an answer.
        recall_5: share of them among its first five.
        recall_10: and among its first ten.
        mrr: one over the place of the first relevant record, 0 where none is among the first ten.
    """

    questions: int
    recall_1: float
    recall_5: float
    recall_10: float
    mrr: float


@dataclass(frozen=True, kw_only=True)
class Misserved:
    """What was served over all questions that must not be.

    Args:
        by_state: hits in a list of an answer that is not of the record's state, by that state.
        abstentions: questions about nothing in the records.
        answered: how many of those were answered with something.
    """

    by_state: Mapping[str, int]
    abstentions: int
    answered: int

    @property
    def hits(self) -> int:
        return sum(self.by_state.values())


def quality(questions: Sequence[Question], answers: Mapping[str, Answer]) -> Quality:
    """The figures of some questions, by `answers` under their keys. At least one has a relevant record."""
    asked = [question for question in questions if question.relevant]
    ranked = [(question.relevant, answers[question.key].current) for question in asked]
    return Quality(
        questions=len(asked),
        recall_1=fmean(_recall(relevant, found, 1) for relevant, found in ranked),
        recall_5=fmean(_recall(relevant, found, 5) for relevant, found in ranked),
        recall_10=fmean(_recall(relevant, found, 10) for relevant, found in ranked),
        mrr=fmean(_reciprocal_rank(relevant, found) for relevant, found in ranked),
    )


def misserved(judged: JudgedSet, answers: Mapping[str, Answer]) -> Misserved:
    """What the answers to all questions serve under a state that is not the record's."""
    hits = Counter(
        judged.records[key].state
        for answer in answers.values()
        for key, state in _served(answer)
        if judged.records[key].state != state
    )
    abstentions = [question for question in judged.questions if question.category == "abstention"]
    return Misserved(
        by_state={state: hits[state] for state in STATES},
        abstentions=len(abstentions),
        answered=sum(not answers[question.key].is_empty for question in abstentions),
    )


def listed_apart(judged: JudgedSet, answers: Mapping[str, Answer], state: str) -> tuple[int, int]:
    """How many forbidden records in a state are in that list of their answer, and of how many."""
    asked = [
        key in _under(answers[question.key], state)
        for question in judged.questions
        for key in question.forbidden
        if judged.records[key].state == state
    ]
    return sum(asked), len(asked)


def _recall(relevant: Sequence[str], found: Sequence[str], places: int) -> float:
    return len(set(relevant) & set(found[:places])) / len(relevant)


def _reciprocal_rank(relevant: Sequence[str], found: Sequence[str]) -> float:
    return next((1 / place for place, key in enumerate(found[:10], 1) if key in relevant), 0.0)


def _served(answer: Answer) -> list[tuple[str, str]]:
    return [(key, state) for state in ("current", "stale", "superseded") for key in _under(answer, state)]


def _under(answer: Answer, state: str) -> tuple[str, ...]:
    return {"current": answer.current, "stale": answer.stale, "superseded": answer.superseded}[state]
