"""What a decision about similar skills does to a book, and when it is refused."""

import re
from dataclasses import replace

import pytest

from host.skillbook import (
    Asked,
    Decision,
    Delete,
    Done,
    Keep,
    Merge,
    Rewrite,
    SimilarityDecision,
    Skill,
    Skillbook,
    apply_decision,
    asked_about,
    decision_from_json,
    text_hash,
)
from tests.helpers.skillbooks import START, book_of, own, skill, source

PAIR = frozenset("ab")
MERGE = Merge(source_ids=("b",), keep_id="a", merged_content="Wait, then ask", reasoning="they say the same")
A = skill("a", helpful_count=3, used_count=5, keywords=("lock",), occurrences=(source("1"), source("2")))
B = skill(
    "b", helpful_count=2, harmful_count=1, keywords=("file", "lock"), occurrences=(source("2"), source("3"))
)


def about(book: Skillbook, similarity: int = 8_712) -> Asked:
    return asked_about(book.skills(include_invalid=True), {PAIR: similarity}, "lexical/1")


def decide(book: Skillbook, decision: Decision) -> Done:
    return apply_decision(book, decision, asked=about(book), source=source("run#7"))


def because(kind: str, text: str) -> dict[str, str]:
    return {"operation_type": kind, "learning_text": text}


def test_a_merge_sums_the_counters_and_unites_the_sources() -> None:
    book = book_of(A, B, skill("c"))

    assert decide(book, MERGE) == Done(ok=True, skill_id="a", did="merged b into a")

    assert book.skills() == [
        skill(
            "a",
            insight="Wait, then ask",
            used_count=5,
            helpful_count=5,
            harmful_count=1,
            keywords=("lock", "file"),
            occurrences=(source("1"), source("2"), source("3")),
        ),
        skill("c"),
    ]
    merged = replace(source("run#7"), **because("MERGE", "they say the same"))
    assert own(book, "b") == replace(
        B, active=False, merged_into="a", occurrences=(source("2"), source("3"), merged)
    )
    assert book.get_skill("b") == book.get_skill("a")


def test_a_source_that_is_named_twice_or_stays_is_counted_once() -> None:
    book = book_of(A, B)

    assert decide(book, replace(MERGE, source_ids=("b", "a", "b"))).ok
    assert own(book, "a").helpful_count == 5
    assert decide(book, MERGE).why == "`b` was merged into `a` since the question; ask again"
    assert own(book, "a").helpful_count == 5


def test_a_restored_skill_takes_its_counters_out_again() -> None:
    book = book_of(A, B)
    decide(book, MERGE)
    book.tag_skill("b", 1)

    assert book.restore("b") == Done(ok=True, skill_id="b", did="restored b; its counters are taken out of a")

    assert own(book, "a").counters == {**A.counters, "helpful_count": 4}
    assert own(book, "b").counters == B.counters
    assert own(book, "b").merged_into is None
    assert [each.id for each in book.skills()] == ["a", "b"]


def test_a_skill_that_was_merged_on_is_taken_out_all_the_way() -> None:
    book = book_of(A, B, skill("c", helpful_count=10))
    decide(book, MERGE)
    decide(book, Merge(source_ids=("a",), keep_id="c", merged_content="x", reasoning="r"))
    assert [own(book, id_).helpful_count for id_ in "abc"] == [5, 2, 15]
    assert book.get_skill("b") == own(book, "c")

    book.restore("b")
    assert [own(book, id_).helpful_count for id_ in "abc"] == [3, 2, 13]
    book.restore("a")
    assert [own(book, id_).helpful_count for id_ in "abc"] == [3, 2, 10]


def test_counters_never_fall_below_nothing() -> None:
    book = book_of(skill("a", helpful_count=1), skill("b", helpful_count=2, merged_into="a", active=False))

    book.restore("b")

    assert own(book, "a").helpful_count == 0


def test_what_was_merged_into_a_skill_that_is_purged_is_restored_by_itself() -> None:
    book = book_of(A, B)
    decide(book, MERGE)
    book.purge("a")

    assert book.get_skill("b") == own(book, "b")
    assert book.restore("b").did == "restored b"
    assert own(book, "b").counters == B.counters


def test_what_was_merged_into_a_skill_that_is_purged_was_merged_into_the_next() -> None:
    book = book_of(skill("a", used_count=1), skill("b", used_count=2), skill("c", used_count=4))
    for keep, gone in (("b", "c"), ("a", "b")):
        decide(book, Merge(source_ids=(gone,), keep_id=keep, merged_content="x", reasoning="r"))

    book.purge("b")
    assert book.add_skill("context", "another", insight="x", skill_id="b").ok

    assert book.get_skill("c") == own(book, "a")
    assert book.restore("c").did == "restored c; its counters are taken out of a"
    assert [each.used_count for each in book.skills()] == [3, 4, 0]


def test_a_merge_of_skills_of_the_harness_says_another_issue() -> None:
    book = book_of(skill("a", section="harness", insight=None), skill("b", section="harness"))

    assert decide(book, MERGE).ok
    assert (own(book, "a").issue, own(book, "a").insight) == ("Wait, then ask", None)


def test_a_merge_ends_the_decisions_about_what_is_merged() -> None:
    book = book_of(A, B, skill("c"))
    for other in ("a", "c"):
        book.set_similarity_decision("b", other, "differ")
    book.set_similarity_decision("a", "c", "differ")

    assert decide(book, MERGE).did == "merged b into a; 2 decisions to keep them apart from others ended"
    assert set(book.decisions) == {frozenset("ac")}


def test_what_was_learned_from_untrusted_evidence_stays_so_in_a_merge() -> None:
    book = book_of(replace(A, evidence_is="host"), replace(B, evidence_is="untrusted"))

    decide(book, MERGE)

    assert own(book, "a").evidence_is == "untrusted"


SCOPES = [
    (None, None, True),
    (None, "shop", True),
    ("shop", "shop", True),
    ("shop", None, False),
    ("shop", "b", False),
]


@pytest.mark.parametrize(("keep", "other", "is_done"), SCOPES)
def test_a_merge_takes_a_skill_from_no_run_that_sees_it(
    keep: str | None, other: str | None, is_done: bool
) -> None:
    book = book_of(replace(A, scope=keep), replace(B, scope=other))

    answer = decide(book, MERGE)

    assert answer.ok is is_done
    assert own(book, "a").scope == keep
    if not is_done:
        assert answer.why == (
            "`a` is for `shop` alone, and `b` would no longer be seen elsewhere; keep the one that is for"
            " everywhere"
        )


def test_an_update_keeps_the_id() -> None:
    book = book_of(A)
    update = Rewrite(skill_id="a", new_content=" Ask in batch runs ", reasoning="to tell them apart")

    assert decide(book, update) == Done(ok=True, skill_id="a", did="updated a")
    told = replace(source("run#7"), **because("UPDATE", "to tell them apart"))
    assert book.skills() == [replace(A, insight="Ask in batch runs", occurrences=(*A.occurrences, told))]
    assert decide(book, update).why == "it says so already, and nothing of it changes"


def test_a_deletion_is_undone_by_restore() -> None:
    book = book_of(A, B)

    assert (
        decide(book, Delete(skill_id="b", reasoning="says nothing more")).did
        == "removed b; restore undoes it"
    )
    assert own(book, "b").occurrences[-1] == replace(
        source("run#7"), **because("DELETE", "says nothing more")
    )
    book.restore("b")
    assert [each.id for each in book.skills()] == ["a", "b"]
    assert own(book, "a") == A


def test_a_reason_without_a_run_says_that_it_is_of_a_consolidation() -> None:
    book = book_of(A)

    apply_decision(book, Delete(skill_id="a", reasoning="r"), asked=about(book))

    told = own(book, "a").occurrences[-1]
    assert (told.trace_uid, told.operation_type, told.learning_text) == ("gg:consolidation", "DELETE", "r")


def test_two_that_are_kept_apart_are_so_about_their_texts_at_their_similarity() -> None:
    book = book_of(A, B)

    assert decide(book, Keep(skill_ids=("b", "a", "b"), reasoning="batch against real time")).did == (
        "a and b are kept apart"
    )
    assert book.decisions == {
        PAIR: SimilarityDecision(
            reasoning="batch against real time",
            decided_at=START,
            similarity=8_712,
            measure="lexical/1",
            hashes={"a": text_hash(A), "b": text_hash(B)},
        )
    }
    assert book.skills() == [A, B]


def test_each_two_of_several_are_kept_apart() -> None:
    book = book_of(A, B, skill("c"))

    decide(book, Keep(skill_ids=("a", "b", "c"), reasoning="r"))

    assert {pair: each.similarity for pair, each in book.decisions.items()} == {
        PAIR: 8_712,
        frozenset("ac"): None,
        frozenset("bc"): None,
    }
    assert {each.measure for each in book.decisions.values()} == {"lexical/1", None}


def test_fields_of_others_stay_where_a_pair_is_decided_anew() -> None:
    before = SimilarityDecision(
        reasoning="r",
        decided_at="d",
        extra={"x_team": "ops", "similarity_at_decision": 0.87121},
        noted_extra={"x_note": 1},
    )
    book = Skillbook([A, B], decisions={PAIR: before})

    decide(book, Keep(skill_ids=("a", "b"), reasoning="again"))

    again = book.decisions[PAIR]
    assert (again.reasoning, again.extra, again.noted_extra) == ("again", {"x_team": "ops"}, {"x_note": 1})


SKILLS = (
    A,
    B,
    skill("gone", active=False),
    skill("held", active=False, review="pending"),
    skill("x,y"),
    skill("y"),
)
REFUSED = [
    (replace(MERGE, source_ids=("none",)), "there is no skill `none`"),
    (replace(MERGE, keep_id="none"), "there is no skill `none`"),
    (replace(MERGE, source_ids=("a",)), "MERGE is about two skills or more; name them all"),
    (replace(MERGE, merged_content=" "), "the insight is empty; say what to do about it"),
    (replace(MERGE, source_ids=("b", "gone")), "`gone` is not active"),
    (replace(MERGE, source_ids=("b", "held")), "`held` is not active"),
    (Keep(skill_ids=("a", "none"), reasoning="r"), "there is no skill `none`"),
    (Keep(skill_ids=("a", "a"), reasoning="r"), "KEEP is about two skills or more; name them all"),
    (Keep(skill_ids=(), reasoning="r"), "KEEP is about two skills or more; name them all"),
    (Delete(skill_id="none", reasoning="r"), "there is no skill `none`"),
    (Rewrite(skill_id="none", new_content="x", reasoning="r"), "there is no skill `none`"),
    (Rewrite(skill_id="a", new_content=" ", reasoning="r"), "the insight is empty; say what to do about it"),
]


@pytest.mark.parametrize(("decision", "why"), REFUSED)
def test_what_is_refused_changes_nothing(decision: Decision, why: str) -> None:
    book = book_of(*SKILLS)
    before = book.contents

    refused = decide(book, decision)

    assert (refused.ok, refused.did, refused.why) == (False, "", why)
    assert book.contents == before


DECISIONS = [
    MERGE,
    Rewrite(skill_id="b", new_content="x", reasoning="r"),
    Delete(skill_id="b", reasoning="r"),
    Keep(skill_ids=("a", "b"), reasoning="r"),
]


@pytest.mark.parametrize("decision", DECISIONS)
def test_a_decision_about_a_text_that_changed_since_is_refused(decision: Decision) -> None:
    book = book_of(A, B)
    asked = about(book)
    book.update_skill("b", insight="something else")
    before = book.contents

    assert apply_decision(book, decision, asked=asked).why == (
        "what `b` says changed since the question; ask again"
    )
    assert book.contents == before


@pytest.mark.parametrize("decision", DECISIONS)
def test_a_decision_about_what_nobody_asked_is_refused(decision: Decision) -> None:
    book = book_of(A, B)
    asked = asked_about([A], {}, "lexical/1")

    assert apply_decision(book, decision, asked=asked).why == ("nobody was asked about `b`; decide about a")


def test_a_pair_that_a_file_could_not_tell_is_not_kept_apart_and_neither_are_the_others() -> None:
    book = book_of(*map(skill, ("a,b", "c", "a", "b,c")))

    answer = decide(book, Keep(skill_ids=("a", "c", "a,b"), reasoning="r"))

    assert answer.why == "a file could not tell `a,b` and `c` from another pair"
    assert book.decisions == {}


READ = [
    (
        {
            "type": "MERGE",
            "source_ids": ["b", "b"],
            "keep_id": "a",
            "merged_content": "Wait, then ask",
            "reasoning": "they say the same",
        },
        MERGE,
    ),
    (
        {"type": "UPDATE", "skill_id": "a", "new_content": "x", "reasoning": "r"},
        Rewrite(skill_id="a", new_content="x", reasoning="r"),
    ),
    ({"type": "DELETE", "skill_id": "a"}, Delete(skill_id="a", reasoning="")),
    ({"type": "KEEP", "skill_ids": ["a", "b"], "reasoning": "r"}, Keep(skill_ids=("a", "b"), reasoning="r")),
    (
        {"type": "KEEP", "skill_ids": ["a", "b"], "differentiation": "batch"},
        Keep(skill_ids=("a", "b"), reasoning="batch"),
    ),
]


@pytest.mark.parametrize(("payload", "decision"), READ)
def test_a_decision_is_read_from_json(payload: dict[str, object], decision: Decision) -> None:
    assert decision_from_json(payload) == decision


NONE = [
    ("KEEP", "the decision is `'KEEP'`, not an object"),
    ({}, "its type is ``, none of MERGE, UPDATE, DELETE and KEEP"),
    ({"type": "keep"}, "its type is `keep`, none of MERGE, UPDATE, DELETE and KEEP"),
    ({"type": "MERGE", "source_ids": ["b"], "merged_content": "x"}, "its keep_id is absent"),
    ({"type": "MERGE", "source_ids": ["b"], "keep_id": "a"}, "its merged_content is absent"),
    ({"type": "KEEP", "skill_ids": "a,b"}, "its skill_ids is `'a,b'`, not a list"),
    ({"type": "KEEP", "skill_ids": ["a", 1]}, "its skill_ids are `['a', 1]`, not all of them ids"),
    ({"type": "DELETE", "skill_id": 1}, "its skill_id is `1`, not a text"),
]


@pytest.mark.parametrize(("payload", "why"), NONE)
def test_what_is_no_decision_is_refused(payload: object, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        decision_from_json(payload)


def test_fifty_that_say_the_same_become_one() -> None:
    skills: list[Skill] = [skill(f"s-{n}", used_count=1, occurrences=(source(str(n)),)) for n in range(50)]
    book = book_of(*skills)
    rest = tuple(each.id for each in skills[1:])

    assert decide(book, Merge(source_ids=rest, keep_id="s-0", merged_content="Wait", reasoning="r")).ok

    (left,) = book.skills()
    assert (left.used_count, len(left.occurrences)) == (50, 50)
    assert {book.get_skill(id_) for id_ in rest if book.get_skill(id_) is not left} == set()
