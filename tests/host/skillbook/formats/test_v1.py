"""The first format and the one of bullets, and what each keeps of the second."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.skillbook import FORMATS, Format, Occurrence, Skillbook
from tests.helpers.skillbook_strategies import decisions, skill_lists, v1_payloads

OPS = {"x_team": "ops"}
SKILL = {
    "id": "batch-00001",
    "section": "Batch Jobs",
    "content": "Wait for the lock",
    "justification": "It was held twice",
    "evidence": "run 1",
    "helpful": 3,
    "harmful": 1,
    "neutral": 2,
    "created_at": "2025-01-01",
    "updated_at": "2025-01-02",
    "embedding": None,
    "status": "active",
    "sources": [{"trace_uid": "bench:7", "source_system": "bench", "trace_id": "7", **OPS}],
    **OPS,
}


def raw_book(*skills: dict[str, Any], key: str = "skills") -> dict[str, Any]:
    return {
        key: {each["id"]: each for each in skills},
        "sections": {"Batch Jobs": [each["id"] for each in skills]},
        "next_id": 1,
        "similarity_decisions": {},
        **OPS,
    }


def through_files(book: Skillbook, *formats: Format) -> Skillbook:
    """The book after it was written in each of the formats and read again."""
    for each in formats:
        book = Skillbook.from_dict(json.loads(json.dumps(book.to_dict(each))))
    return book


@given(v1_payloads())
def test_the_first_format_comes_back_from_the_second_as_it_was(payload: dict[str, Any]) -> None:
    book = Skillbook.from_dict(payload)

    assert book.problems == ()
    assert book.to_dict("v1") == payload
    assert through_files(book, "v2").to_dict("v1") == payload
    assert through_files(book, "v2", "v1", "v2", "v2").to_dict("v1") == payload


@given(v1_payloads("bullets"))
def test_bullets_come_back_from_the_second_format_as_they_were(payload: dict[str, Any]) -> None:
    book = Skillbook.from_dict(payload)

    assert book.to_dict("bullets") == payload
    assert through_files(book, "v2", "v1", "v2").to_dict("bullets") == payload


@given(st.data(), st.sampled_from(FORMATS), st.sampled_from(FORMATS))
def test_a_book_of_ggs_own_comes_back_from_each_format(
    data: st.DataObject, first: Format, second: Format
) -> None:
    skills = data.draw(skill_lists())
    book = Skillbook(skills, decisions=data.draw(decisions(skills)))

    again = through_files(book, first, second)

    assert again.contents.skills == book.contents.skills
    assert again.contents.decisions == book.contents.decisions
    assert again.to_dict() == book.to_dict()


def test_a_skill_of_the_first_format_is_one_of_ggs() -> None:
    book = Skillbook.from_dict(raw_book(SKILL))

    (skill,) = book.skills()
    argued = {
        "trace_uid": "v1:batch-00001",
        "source_system": "v1",
        "trace_id": "batch-00001",
        "relation": "v1",
    }
    assert (skill.section, skill.issue, skill.insight) == (
        "context",
        "Wait for the lock",
        "Wait for the lock",
    )
    assert skill.keywords == ("batch_jobs",)
    assert skill.counters == {"used_count": 0, "helpful_count": 3, "harmful_count": 1, "neutral_count": 2}
    assert (skill.active, skill.created_at, skill.updated_at) == (True, "2025-01-01", "2025-01-02")
    assert skill.occurrences == (
        Occurrence(trace_uid="bench:7", source_system="bench", trace_id="7", extra=OPS),
        Occurrence(**argued, operation_type="justification", learning_text="It was held twice"),
        Occurrence(**argued, operation_type="evidence", learning_text="run 1"),
    )
    assert skill.extra == OPS
    assert book.to_dict()["gg"]["v1"] == {"batch-00001": SKILL}


def test_an_invalid_skill_is_inactive() -> None:
    book = Skillbook.from_dict(raw_book({**SKILL, "status": "invalid"}))

    assert book.skills() == []
    assert book.restore("batch-00001").ok
    assert book.to_dict("v1")["skills"]["batch-00001"]["status"] == "active"


def test_what_changed_since_is_written_and_the_rest_stays_as_it_stood() -> None:
    book = through_files(Skillbook.from_dict(raw_book({**SKILL, "embedding": [0.5]})), "v2")
    book.tag_skill(
        "batch-00001", 1, insight_source=Occurrence(trace_uid="gg:1", source_system="gg", trace_id="1")
    )

    written = book.to_dict("v1")["skills"]["batch-00001"]

    changed = {name for name in written if written[name] != SKILL[name]}
    assert changed == {"helpful", "updated_at", "sources"}
    assert written["helpful"] == 4
    assert [source["trace_uid"] for source in written["sources"]] == ["bench:7", "gg:1"]


def test_a_skill_that_says_more_than_the_first_format_can_is_read_from_it_whole() -> None:
    book = Skillbook.from_dict(raw_book(SKILL))
    book.update_skill("batch-00001", insight="Ask who holds it")
    (skill,) = book.skills()

    written = book.to_dict("v1")

    assert written["skills"]["batch-00001"]["content"] == "Wait for the lock\n\nAsk who holds it"
    assert Skillbook.from_dict(written).skills() == [skill]


def test_what_another_tool_changed_in_the_first_format_is_taken_over() -> None:
    book = Skillbook()
    book.add_skill("harness", "The lock is held", keywords=["lock"], scope="shop")
    written = book.to_dict("v1")
    written["skills"]["harness-00001"] |= {"helpful": 2, "status": "invalid"}

    again = Skillbook.from_dict(written).own("harness-00001")

    assert again is not None
    assert (again.helpful_count, again.active) == (2, False)
    assert (again.section, again.keywords, again.scope) == ("harness", ("lock",), "shop")


def test_a_vector_stays_in_the_first_format_and_never_enters_the_second() -> None:
    payload = raw_book({**SKILL, "embedding": [0.25, 0.5]})
    book = Skillbook.from_dict(payload)

    assert book.to_dict("v1") == payload
    assert "0.25" not in json.dumps(book.to_dict())
    assert through_files(book, "v2").to_dict("v1")["skills"]["batch-00001"]["embedding"] is None
    book.update_skill("batch-00001", insight="Ask who holds it")
    assert book.to_dict("v1")["skills"]["batch-00001"]["embedding"] is None


BAD = [
    ({"content": 5}, "its content is `5`, not a text"),
    ({"content": None}, "its content is absent"),
    ({"status": "odd"}, "its status is `'odd'`, none of active, invalid"),
    ({"helpful": "3"}, "its helpful is `'3'`, not a count"),
    ({"sources": [5]}, "one of its sources is `5`, not an object"),
    ({"id": "other"}, "its id is `'other'`, not `batch-00001`, which it stands under"),
]


@pytest.mark.parametrize(("fields", "why"), BAD)
def test_a_skill_that_cannot_be_read_is_told_and_kept_as_it_stands(
    fields: dict[str, object], why: str
) -> None:
    good = {**SKILL, "id": "batch-00002"}
    payload = raw_book(SKILL, good)
    payload["skills"]["batch-00001"] = {**SKILL, **fields}

    book = Skillbook.from_dict(payload)

    assert list(map(str, book.problems)) == [f"skill `batch-00001`: {why}"]
    assert [skill.id for skill in book.skills()] == ["batch-00002"]
    again = through_files(book, "v2")
    assert again.problems == book.problems
    assert again.to_dict("v1") == payload
    assert "batch-00001" not in again.to_dict()["skills"]  # ACE would refuse the whole file
    assert again.add_skill("context", "x", insight="y", skill_id="batch-00001").ok is False


def test_a_skill_of_the_second_format_that_cannot_be_read_goes_through_the_first() -> None:
    payload: dict[str, Any] = {"schema_version": "2", "skills": {"a": {"issue": 5}}, "sections": {}}

    book = through_files(Skillbook.from_dict(payload), "v1")

    assert list(map(str, book.problems)) == ["skill `a`: it was not read from the second format"]
    assert book.to_dict()["skills"] == {"a": {"issue": 5}}


def test_decisions_of_the_first_format_are_about_the_texts_as_they_are() -> None:
    payload = raw_book(SKILL, {**SKILL, "id": "batch-00002"})
    key = "batch-00001,batch-00002"
    kept = {"decision": "KEEP", "reasoning": "r", "decided_at": "d", "similarity_at_decision": 0.9, **OPS}
    payload["similarity_decisions"] = {key: kept}

    book = through_files(Skillbook.from_dict(payload), "v2")

    assert book.has_keep_decision("batch-00002", "batch-00001")
    assert book.to_dict("v1") == payload
    book.update_skill("batch-00001", insight="Ask who holds it")
    assert not book.has_keep_decision("batch-00002", "batch-00001")


def test_a_purged_skill_leaves_nothing_behind() -> None:
    book = Skillbook.from_dict(raw_book(SKILL))
    book.purge("batch-00001")

    for written_as in FORMATS:
        assert "Wait" not in json.dumps(book.to_dict(written_as))


def test_another_skill_under_the_id_of_a_purged_one_has_nothing_of_it() -> None:
    book = Skillbook.from_dict(raw_book(SKILL))
    book.purge("batch-00001")
    assert book.add_skill("harness", "other", skill_id="batch-00001").ok

    written = book.to_dict("v1")["skills"]["batch-00001"]
    assert (written["content"], written["section"], written["helpful"]) == ("other", "harness", 0)
    assert "Wait" not in json.dumps(book.to_dict("v1"))
