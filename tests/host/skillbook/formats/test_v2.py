"""The second format: what is read, what is written, what is kept that nobody could read."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.skillbook import Skill, Skillbook
from tests.helpers.skillbook_strategies import decisions, skill_lists

OPS = {"x_team": "ops"}
DECISION = {
    "decision": "KEEP",
    "reasoning": "batch against real time",
    "decided_at": "2026-01-01",
    "similarity_at_decision": 0.8712,
}


def raw_skill(id_: str, **fields: object) -> dict[str, Any]:
    return {
        "id": id_,
        "section": "context",
        "keywords": ["lock"],
        "issue": f"the lock of {id_} is held",
        "insight": "wait for it",
        "occurrences": [],
        "active": True,
        "used_count": 0,
        "helpful_count": 0,
        "harmful_count": 0,
        "neutral_count": 0,
        "created_at": "2026-01-01",
        "updated_at": "2026-01-02",
        **fields,
    }


def raw_book(*skills: dict[str, Any], **fields: object) -> dict[str, Any]:
    return {
        "schema_version": "2",
        "skills": {each["id"]: each for each in skills},
        "sections": {"context": [each["id"] for each in skills]},
        "next_id": len(skills),
        "similarity_decisions": {},
        **fields,
    }


@given(st.data())
def test_a_book_comes_back_as_it_was_written(data: st.DataObject) -> None:
    skills = data.draw(skill_lists())
    kept = data.draw(decisions(skills))
    book = Skillbook(skills, decisions=kept)

    text = json.dumps(book.to_dict())
    again = Skillbook.from_dict(json.loads(text))

    assert again.contents.skills == tuple(skills)
    assert again.contents.decisions == kept
    assert again.problems == ()
    assert json.dumps(again.to_dict()) == text


def test_fields_that_gg_does_not_know_are_kept_at_every_level() -> None:
    source = {"trace_uid": "gg:1#2", "source_system": "gg", "trace_id": "1#2", **OPS}
    payload = raw_book(raw_skill("a", occurrences=[source], **OPS), raw_skill("b"), **OPS)
    payload["sections"] |= OPS
    payload["gg"] = {
        "decisions": {"a,b": {"hashes": {"a": "1", "b": "2"}, "measure": "lexical/1", **OPS}, **OPS},
        "v1": OPS,
        **OPS,
    }
    payload["similarity_decisions"] = {"a,b": DECISION}

    assert Skillbook.from_dict(payload).to_dict() == payload


def test_a_field_that_ace_does_not_know_is_moved_out_of_its_decision() -> None:
    payload = raw_book(raw_skill("a"), raw_skill("b"), similarity_decisions={"a,b": {**DECISION, **OPS}})

    written = Skillbook.from_dict(payload).to_dict()

    assert written["similarity_decisions"] == {"a,b": DECISION}
    assert written["gg"]["decisions"]["a,b"]["fields"] == OPS
    assert Skillbook.from_dict(written).to_dict() == written


BAD = [
    ({"issue": 5}, "its issue is `5`, not a text"),
    ({"issue": None}, "its issue is absent"),
    ({"issue": " "}, "its issue is blank"),
    ({"insight": ["x"]}, "its insight is `['x']`, not a text"),
    ({"keywords": "lock"}, "its keywords is `'lock'`, not a list"),
    ({"keywords": ["lock", 1]}, "its keywords are `['lock', 1]`, not all of them texts"),
    ({"section": 1}, "its section is `1`, not a text"),
    ({"occurrences": ["run 1"]}, "one of its sources is `'run 1'`, not an object"),
    ({"active": "no"}, "its active is `'no'`, neither true nor false"),
    ({"helpful_count": -1}, "its helpful_count is `-1`, not a count"),
    ({"used_count": True}, "its used_count is `True`, not a count"),
    ({"created_at": 1}, "its created_at is `1`, not a text"),
    ({"id": "c"}, "its id is `'c'`, not `bad`, which it stands under"),
    ({"scope": 1}, "its scope is `1`, not a text"),
    ({"evidence_is": "nobody"}, "its evidence_is is `'nobody'`, none of host, untrusted"),
    ({"gg_review": True}, "its gg_review is `True`, none of pending, rejected"),
]


@pytest.mark.parametrize(("fields", "why"), BAD)
def test_a_skill_that_cannot_be_read_is_told_and_kept_as_it_stands(
    fields: dict[str, object], why: str
) -> None:
    payload = raw_book(raw_skill("a"), raw_skill("bad"), raw_skill("z"))
    payload["skills"]["bad"] |= {**fields, **OPS}
    before = json.dumps(payload)

    book = Skillbook.from_dict(payload)

    assert list(map(str, book.problems)) == [f"skill `bad`: {why}"]
    assert [skill.id for skill in book.skills(include_invalid=True)] == ["a", "z"]
    assert json.dumps(book.to_dict()) == before
    book.tag_skill("a", 1)
    assert book.to_dict()["skills"]["bad"] == json.loads(before)["skills"]["bad"]


@pytest.mark.parametrize("value", [5, None, "ops", ["a"]])
def test_what_is_no_object_is_kept_among_the_skills_and_stands_in_no_section(value: object) -> None:
    payload = raw_book(raw_skill("a"), **OPS)
    payload["skills"]["x_team"] = value
    payload["sections"]["context"] = ["a", "x_team"]

    written = Skillbook.from_dict(payload).to_dict()

    assert written["skills"] == payload["skills"]
    assert written["sections"] == {"context": ["a"]}


def test_an_unread_skill_keeps_its_id_until_it_is_purged() -> None:
    book = Skillbook.from_dict(raw_book(raw_skill("context-00002"), raw_skill("context-00003", issue=5)))

    assert book.add_skill("context", "new", insight="x", skill_id="context-00003").ok is False
    assert book.tag_skill("context-00003", 1).why == (
        "skill `context-00003` could not be read from the file; mend it there, or purge it"
    )
    assert book.add_skill("context", "new", insight="x").skill_id == "context-00004"
    assert book.purge("context-00003").ok
    assert list(book.to_dict()["skills"]) == ["context-00002", "context-00004"]


DECISIONS = [
    ("a,b", {"decision": "MERGE"}, "its decision is `'MERGE'`, not KEEP"),
    ("a,b", {"similarity_at_decision": "0.9"}, "its similarity_at_decision is `'0.9'`, not a number"),
    ("a,b", {"similarity_at_decision": True}, "its similarity_at_decision is `True`, not a number"),
    ("a,b", {"reasoning": 1}, "its reasoning is `1`, not a text"),
    ("a,a", {}, "it is no pair of ids"),
    ("a", {}, "it is no pair of ids"),
    ("a,b,c", {}, "it is no pair of ids"),
]


@pytest.mark.parametrize(("key", "fields", "why"), DECISIONS)
def test_a_decision_that_cannot_be_read_is_told_and_kept_as_it_stands(
    key: str, fields: dict[str, object], why: str
) -> None:
    raw = {key: {**DECISION, **fields}}
    payload = raw_book(raw_skill("a"), raw_skill("b"), similarity_decisions=raw)
    payload["gg"] = {"decisions": {key: {"measure": "lexical/1"}}}

    book = Skillbook.from_dict(payload)

    assert list(map(str, book.problems)) == [f"decision `{key}`: {why}"]
    assert book.decisions == {}
    assert book.to_dict() == payload


def test_ids_with_commas_are_told_apart_by_those_that_there_are() -> None:
    payload = raw_book(raw_skill("a,b"), raw_skill("c"), similarity_decisions={"a,b,c": DECISION})

    book = Skillbook.from_dict(payload)

    assert set(book.decisions) == {frozenset({"a,b", "c"})}
    assert book.has_keep_decision("c", "a,b")
    assert Skillbook.from_dict(book.to_dict()).decisions == book.decisions


def test_a_key_that_could_be_several_pairs_is_kept_and_told() -> None:
    skills = map(raw_skill, ("a,b", "c", "a", "b,c"))
    book = Skillbook.from_dict(raw_book(*skills, similarity_decisions={"a,b,c": DECISION}))

    assert list(map(str, book.problems)) == [
        "decision `a,b,c`: it could be several pairs of ids, as ids of the book hold commas"
    ]
    assert book.to_dict()["similarity_decisions"] == {"a,b,c": DECISION}
    assert book.set_similarity_decision("a,b", "c", "differ").ok is False


SIMILARITIES = [(0.8712, 8712), (0.87123456, 8712), (0.0, None), (0, None), (1.0000001, 10_000), (1, 10_000)]


@pytest.mark.parametrize(("written", "read"), SIMILARITIES)
def test_a_similarity_is_counted_in_ten_thousandths_and_written_as_it_stood(
    written: float, read: int | None
) -> None:
    raw = {"a,b": {**DECISION, "similarity_at_decision": written}}
    book = Skillbook.from_dict(raw_book(raw_skill("a"), raw_skill("b"), similarity_decisions=raw))

    assert book.decisions[frozenset("ab")].similarity == read
    assert book.to_dict()["similarity_decisions"] == raw


def test_a_free_section_of_older_files_becomes_a_keyword() -> None:
    book = Skillbook.from_dict(raw_book(raw_skill("a", section="Batch Jobs", keywords=["Lock"])))

    (skill,) = book.skills()
    assert (skill.section, skill.keywords) == ("context", ("batch_jobs", "lock"))


def test_an_embedding_never_stays() -> None:
    book = Skillbook.from_dict(raw_book(raw_skill("a", embedding=[0.25, 0.5])))

    assert book.to_dict() == raw_book(raw_skill("a"))


def test_sections_list_only_what_there_is_in_the_order_of_the_file() -> None:
    payload = raw_book(raw_skill("a"), raw_skill("b"), raw_skill("c"))
    payload["sections"] = {"context": ["c", "gone", "a"], "mine": ["a", "gone"], "empty": []}

    assert Skillbook.from_dict(payload).to_dict()["sections"] == {
        "context": ["c", "a", "b"],
        "mine": ["a"],
        "empty": [],
    }


def test_what_is_absent_is_as_a_new_skill_has_it() -> None:
    book = Skillbook.from_dict({"schema_version": "2", "skills": {"s-7": {"issue": " x "}}})

    assert book.skills() == [Skill(id="s-7", section="context", issue="x", keywords=("context",))]
    assert book.add_skill("context", "y", insight="z").skill_id == "context-00008"


NO_BOOKS = [
    ([], "it is `[]`, not an object"),
    ({}, "it has neither skills nor bullets"),
    ({"schema_version": "3", "skills": {}}, "its schema_version is `'3'`, which this gg does not know"),
    ({"schema_version": "2", "skills": []}, "its list of skills is `[]`, not an object"),
    ({"schema_version": "2", "similarity_decisions": 1}, "its similarity_decisions is `1`, not an object"),
    ({"schema_version": "2", "sections": []}, "its sections is `[]`, not an object"),
    ({"schema_version": "2", "next_id": "x"}, "its next_id is `'x'`, not a number from 0 on"),
    ({"schema_version": "2", "next_id": -1}, "its next_id is `-1`, not a number from 0 on"),
    ({"schema_version": "2", "gg": 1}, "its gg is `1`, not an object"),
]


@pytest.mark.parametrize(("payload", "why"), NO_BOOKS)
def test_what_is_no_book_is_refused(payload: object, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        Skillbook.from_dict(payload)
