"""Figures of answers that can be worked out by hand."""

from typing import Final

import pytest

from host.app.bench.retrieval.answering import Answer
from host.app.bench.retrieval.judged_set import JudgedRecord, JudgedSet, Question
from host.app.bench.retrieval.scoring import Misserved, Quality, listed_apart, misserved, quality


def record(key: str, state: str = "current") -> JudgedRecord:
    return JudgedRecord(
        key=key,
        text=f"the text of {key}",
        written_by="agent:1",
        source="here",
        tags=(),
        kind="note",
        passage=None,
        stale_after=None,
        state=state,
        superseded_by=None,
    )


def question(
    key: str, relevant: str = "", forbidden: str = "", category: str = "fact", held_out: bool = False
) -> Question:
    return Question(
        key=key,
        query=f"what is {key}",
        category=category,
        relevant=tuple(relevant.split()),
        forbidden=tuple(forbidden.split()),
        held_out=held_out,
    )


JUDGED: Final = JudgedSet(
    records={
        one.key: one
        for one in (
            record("a"),
            record("b"),
            record("old", "stale"),
            record("gone", "forgotten"),
            record("was", "superseded"),
            record("idea", "proposed"),
            record("torn", "unreadable"),
        )
    },
    questions=(
        question("one", "a", "old was"),
        question("two", "a b", "old"),
        question("none", category="abstention"),
    ),
    digest="",
)
QUALITIES: Final = [
    pytest.param(
        "a b", Quality(questions=1, recall_1=1, recall_5=1, recall_10=1, mrr=1), "a", id="the first"
    ),
    pytest.param(
        "x y a", Quality(questions=1, recall_1=0, recall_5=1, recall_10=1, mrr=1 / 3), "a", id="the third"
    ),
    pytest.param(
        "1 2 3 4 5 a",
        Quality(questions=1, recall_1=0, recall_5=0, recall_10=1, mrr=1 / 6),
        "a",
        id="the sixth",
    ),
    pytest.param(
        "1 2 3 4 5 6 7 8 9 10 a",
        Quality(questions=1, recall_1=0, recall_5=0, recall_10=0, mrr=0),
        "a",
        id="beyond the tenth",
    ),
    pytest.param("", Quality(questions=1, recall_1=0, recall_5=0, recall_10=0, mrr=0), "a", id="nothing"),
    pytest.param(
        "x b a",
        Quality(questions=1, recall_1=0, recall_5=1, recall_10=1, mrr=1 / 2),
        "a b",
        id="two, by the first of them",
    ),
    pytest.param(
        "a x",
        Quality(questions=1, recall_1=0.5, recall_5=0.5, recall_10=0.5, mrr=1),
        "a b",
        id="one of two",
    ),
]


@pytest.mark.parametrize(("found", "expected", "relevant"), QUALITIES)
def test_the_figures_of_one_question(found: str, expected: Quality, relevant: str) -> None:
    answers = {"one": Answer(current=tuple(found.split()))}

    assert quality([question("one", relevant)], answers) == expected


def test_figures_are_means_over_the_questions_that_have_an_answer() -> None:
    answers = {"one": Answer(current=("a",)), "two": Answer(), "none": Answer(current=("a",))}

    assert quality(JUDGED.questions, answers) == Quality(
        questions=2, recall_1=0.5, recall_5=0.5, recall_10=0.5, mrr=0.5
    )


def test_what_is_listed_under_its_own_state_is_served_rightly() -> None:
    answers = {
        "one": Answer(current=("a",), stale=("old",), superseded=("was",)),
        "two": Answer(),
        "none": Answer(),
    }

    found = misserved(JUDGED, answers)

    assert (found.hits, found.abstentions, found.answered) == (0, 1, 0)
    assert (listed_apart(JUDGED, answers, "stale"), listed_apart(JUDGED, answers, "superseded")) == (
        (1, 2),
        (1, 1),
    )


def test_what_is_listed_elsewhere_counts_under_its_state_each_time() -> None:
    answers = {
        "one": Answer(current=("old", "gone", "was", "torn"), stale=("idea",)),
        "two": Answer(current=("a", "old"), superseded=("b",)),
        "none": Answer(stale=("old",)),
    }

    assert misserved(JUDGED, answers) == Misserved(
        by_state={
            "current": 1,
            "stale": 2,
            "superseded": 1,
            "proposed": 1,
            "forgotten": 1,
            "unreadable": 1,
        },
        abstentions=1,
        answered=1,
    )
