"""Keys of pairs, and what of a decision stands apart from ACE's four fields."""

import pytest

from host.skillbook import SimilarityDecision
from host.skillbook.formats.decisions import key_of, pair_of, written_decision, written_note
from host.skillbook.formats.fields import Unreadable

PAIRS = [
    ("a,b", {"a", "b"}, {"a", "b"}),
    ("b,a", {"a", "b"}, {"a", "b"}),
    ("a,b", set(), {"a", "b"}),
    ("a,b,c", {"a,b", "c"}, {"a,b", "c"}),
    ("a,b,c", {"a", "b,c"}, {"a", "b,c"}),
    ("a,b,c,d", {"a,b", "c,d", "a"}, {"a,b", "c,d"}),
]


@pytest.mark.parametrize(("key", "known", "pair"), PAIRS)
def test_a_key_is_two_ids_and_those_that_are_known_tell_where_one_ends(
    key: str, known: set[str], pair: set[str]
) -> None:
    assert pair_of(key, known) == pair


NO_PAIRS = ["", "a", "a,", ",a", "a,a", "a,b,c"]


@pytest.mark.parametrize("key", NO_PAIRS)
def test_what_is_no_pair_is_refused(key: str) -> None:
    with pytest.raises(Unreadable, match=r"^it is no pair of ids$"):
        pair_of(key, {"a"})


def test_a_key_has_its_ids_sorted() -> None:
    assert key_of(frozenset({"harness-00002", "context-00010"})) == "context-00010,harness-00002"


def test_a_decision_has_aces_four_fields_and_ggs_own_apart() -> None:
    decision = SimilarityDecision(
        reasoning="batch against real time",
        decided_at="2026-01-01",
        similarity=8_235,
        measure="lexical/1",
        hashes={"a": "1", "b": "2"},
        extra={"x_team": "ops"},
        noted_extra={"x_note": 1},
    )

    assert written_decision(decision) == {
        "decision": "KEEP",
        "reasoning": "batch against real time",
        "decided_at": "2026-01-01",
        "similarity_at_decision": 0.8235,
    }
    assert written_note(decision) == {
        "measure": "lexical/1",
        "hashes": {"a": "1", "b": "2"},
        "fields": {"x_team": "ops"},
        "x_note": 1,
    }
