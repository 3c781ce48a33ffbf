from itertools import combinations

import pytest

from host.skillbook import (
    Decision,
    Delete,
    Keep,
    Merge,
    Question,
    Rewrite,
    SimilarPair,
    asked_about,
    faults_of,
)
from host.skillbook import unsettled as left_open
from tests.helpers.skillbooks import skill

SKILLS = tuple(skill(id_) for id_ in "abc")
PAIRS = tuple(SimilarPair(first_id=a, second_id=b, similarity=9_000) for a, b in combinations("abc", 2))
QUESTION = Question(
    skills=SKILLS, pairs=PAIRS, kept=(frozenset("bc"),), asked=asked_about(SKILLS, {}, "lexical/1")
)


def merge(keep_id: str, *source_ids: str) -> Merge:
    return Merge(source_ids=source_ids, keep_id=keep_id, merged_content="wait", reasoning="the same")


def keep(*skill_ids: str) -> Keep:
    return Keep(skill_ids=skill_ids, reasoning="no")


def delete(skill_id: str) -> Delete:
    return Delete(skill_id=skill_id, reasoning="no more than the others")


def rewrite(skill_id: str) -> Rewrite:
    return Rewrite(skill_id=skill_id, new_content="wait", reasoning="clearer")


FAULTS = [
    pytest.param([merge("a", "b"), keep("a", "c")], [], id="sound"),
    pytest.param([], [], id="nothing"),
    pytest.param(
        [keep("a", "x")], ["KEEP names `x`, and the question is about `a`, `b` and `c`"], id="a stranger"
    ),
    pytest.param([merge("a")], ["MERGE is about two skills or more; name them all"], id="one skill"),
    pytest.param([keep()], ["KEEP is about two skills or more; name them all"], id="no skill"),
    pytest.param(
        [merge("a", "b"), delete("b")],
        ["`b` stands in 2 decisions that change it; decide about it once"],
        id="two decisions about one skill",
    ),
    pytest.param(
        [delete("b"), keep("a", "b")],
        ["KEEP names `b`, which another decision removes; leave it out of one of them"],
        id="kept and removed",
    ),
    pytest.param(
        [merge("b", "c")],
        ["MERGE joins `b` and `c`, which an earlier decision keeps apart; leave one of them out"],
        id="kept apart before",
    ),
]

OPEN = [
    pytest.param([keep("a", "b", "c")], [], id="all kept apart"),
    pytest.param([keep("a", "b")], ["ac", "bc"], id="two kept apart"),
    pytest.param([merge("a", "b")], [], id="merged, and the third measured anew"),
    pytest.param([delete("c")], ["ab"], id="one removed"),
    pytest.param([rewrite("a")], ["bc"], id="one rewritten"),
    pytest.param([], ["ab", "ac", "bc"], id="nothing"),
]


@pytest.mark.parametrize(("decisions", "faults"), FAULTS)
def test_what_is_wrong_with_an_answer(decisions: list[Decision], faults: list[str]) -> None:
    assert list(faults_of(QUESTION, decisions)) == faults


@pytest.mark.parametrize(("decisions", "pairs"), OPEN)
def test_what_an_answer_leaves_open(decisions: list[Decision], pairs: list[str]) -> None:
    assert [pair.first_id + pair.second_id for pair in left_open(QUESTION, decisions)] == pairs
