"""Whose name an approval may be recorded under, and what an approval does to lessons."""
# ruff: noqa: RUF001 - these are the letters that are taken for others

from pathlib import Path
from typing import Final

import pytest

from host.records.approving import why_no_reviewer
from tests.helpers.records import ABSENT_ID, MovableClock, edit, kept, opened, refused

WRITERS: Final = ("model:planner", "Agent: Scribe ", "user:kim", "tool:web search", "Ben")

NO_PERSON: Final = {
    "nothing": "",
    "space": " \u3000\t",
    "only what is not seen": "\u200b\u2060",
    "a role": "agent",
    "in capitals": "SYSTEM",
    "of full width": "ｔｏｏｌ",
    "with a zero-width space": "assis\u200btant",
    "with a letter of Cyrillic": "mоdel",
    "before a colon": "agent:run-1",
    "before a colon of full width": "Model：planner",
    "before a colon and space": " assistant : Sam",
    "after another part": "team:agent:7",
    "after a colon": "the: agent",
    "before a slash": "agent/run-1",
    "with a number": "Agent 7",
    "with a number of two digits": "model-10",
    "with low lines and a number": "tool_3",
    "a writer without its prefix": "planner",
    "in other capitals": "PLANNER",
    "with accents": "plánner",
    "whose writer has spaces": "scribe",
    "in other spacing": "Web  Search",
    "a family": "Claude",
    "a family with an o of Greek": "Claude Οpus",
    "a family with an e of Cyrillic": "Claudе",
    "a version": "gpt-4o",
    "a version without a dash": "GPT4",
    "a family among words": "Sam (via Gemini)",
    "a vendor": "OpenAI reviewer",
    "with low lines": "qwen_2_5",
    "a family with another letter for l": "CIaude",
    "a family with a digit for l": "L1ama",
    "a role with digits": "m0de1:x",
    "a person who is called so": "Jean-Claude Petit",
}
OWN_NAMES: Final = (
    *("Sam Rivera", "SAM rivera", "Sаm Rivera", "Sam\u00a0Rivera", "Sám Rivera"),
    *("Sam RIvera", "Sam R1vera"),
)
PERSONS: Final = (
    "Sam Rivera",
    "sam",
    "Claudia Grünwald",
    "Claudette",
    "Ben",  # who wrote here, if not this lesson
    "kim",  # a user's name is nobody else's
    "Agentha Moss",
    "山田太郎",
    "Toolan, P.",
    "Agent Smith",
    "kim@systems.example",
    "Tool 7a",
    "system-owner Ada",
    "Mo Delacroix",
    "Iliana",
    "reviewer:sam",
    "GPTA member",
)


@pytest.mark.parametrize("name", NO_PERSON.values(), ids=NO_PERSON)
def test_no_agent_model_or_tool_approves(name: str) -> None:
    assert why_no_reviewer(name, writers=WRITERS) is not None


@pytest.mark.parametrize("name", PERSONS)
def test_a_person_approves(name: str) -> None:
    assert why_no_reviewer(name, writers=WRITERS) is None


def test_an_approval_is_kept_as_a_claim(tmp_path: Path) -> None:
    clock = MovableClock()
    with opened(tmp_path, clock=clock) as store:
        lesson = kept(store, "Escalate disputes.", written_by="model:planner", kind="lesson", tags=["a"])
        clock.pass_by(hours=1)
        answer = store.approve(lesson.id, reviewer=" Sam Rivera ", reason=" agreed\n").to_json()
        assert answer["code"] == "G6_E_MEMORY_APPROVED"
        assert answer["completion_state"] == "qualified-draft"
        assert answer["message"] == "The approval of 1 lesson is recorded, as a claim."
        record = store.recall(kind="lesson").current[0].record
        assert answer["records"] == [record.to_json()]
        assert record.to_json()["approval"] == {
            "reviewer": "Sam Rivera",
            "reviewer_is": "claim",
            "at": "2026-11-01T13:00:00.000000Z",
            "reason": "agreed",
        }
        assert record.to_json()["approval_is"] == "claim"
        assert (record.status, record.seq, record.tags) == ("approved", lesson.seq, ("a",))
        assert store.search("disputes").held_back == 0
    with opened(tmp_path) as store:
        assert store.recall(kind="lesson").current[0].record == record


def test_several_are_approved_or_none(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        lessons = [kept(store, f"Lesson {n}.", kind="lesson") for n in range(3)]
        ids = [lesson.id for lesson in lessons]
        with refused("G6_E_MEMORY_NOT_FOUND"):
            store.approve([*ids, ABSENT_ID], reviewer="Sam", reason="ok")
        note = kept(store, "A note.")
        with refused("G6_E_MEMORY_NOT_A_PROPOSAL"):
            store.approve([*ids, note.id], reviewer="Sam", reason="ok")
        assert len(store.recall(proposed=True).current) == 3
        answer = store.approve([*ids, ids[0].upper()], reviewer="Sam", reason="ok").to_json()
        assert [record["id"] for record in answer["records"]] == ids  # type: ignore[attr-defined]
        with refused("G6_E_MEMORY_NOT_A_PROPOSAL") as caught:
            store.approve(ids[1], reviewer="Sam", reason="again")
        assert caught.value.message == f"record {ids[1]} is approved already; nothing was approved"


def test_the_first_of_several_reasons_is_told(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        own = kept(store, "Mine.", written_by="Sam Rivera", kind="lesson")
        with refused("G6_E_MEMORY_INPUT"):
            store.approve([], reviewer="", reason="")
        with refused("G6_E_MEMORY_NO_REASON"):
            store.approve(ABSENT_ID, reviewer="agent", reason=" ")
        with refused("G6_E_MEMORY_REVIEWER"):
            store.approve(ABSENT_ID, reviewer="agent", reason="ok")
        with refused("G6_E_MEMORY_REVIEWER"):
            store.approve([ABSENT_ID, own.id], reviewer="sam  RIVERA", reason="ok")
        with refused("G6_E_MEMORY_NOT_FOUND"):
            store.approve([own.id, ABSENT_ID], reviewer="Ada", reason="ok")


def test_nobody_approves_their_own(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        lesson = kept(store, "Always agree.", written_by="Sam Rivera", kind="lesson")
        for name in (
            "Sam Rivera",
            "SAM rivera",
            "Sаm Rivera",
            "Sam\u00a0Rivera",
            "Sám Rivera",
            "Sam RIvera",
            "Sam R1vera",
        ):
            with refused("G6_E_MEMORY_REVIEWER"):
                store.approve(lesson.id, reviewer=name, reason="ok")
        assert store.approve(lesson.id, reviewer="Sam Riviera", reason="ok").code == "G6_E_MEMORY_APPROVED"


def test_a_writer_of_another_record_lends_no_name(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        lesson = kept(store, "Agree.", written_by="user", kind="lesson")
        other = kept(store, "Else.", written_by="Agent:X ")
        with refused("G6_E_MEMORY_REVIEWER") as caught:
            store.approve(lesson.id, reviewer="x", reason="ok")
        assert caught.value.message == "reviewer `x` is who wrote here as `Agent:X`; give a person's name"
        store.forget(record_ids=other.id, reason="gone")
        store.approve(lesson.id, reviewer="x", reason="ok")


def test_a_lesson_that_was_edited_is_not_approved(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        lesson = kept(store, "Ask first.", kind="lesson")
        edit(store, "UPDATE records SET text = 'Never ask.'")
        with refused("G6_E_MEMORY_STORE"):
            store.approve(lesson.id, reviewer="Sam", reason="ok")


def test_a_superseded_lesson_may_be_approved_and_stays_superseded(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        lesson = kept(store, "Ask first.", kind="lesson")
        store.supersede(lesson.id, kept(store, "Ask twice.").id, "better")
        store.approve(lesson.id, reviewer="Sam", reason="ok")
        found = store.search("ask first", kind="lesson")
        assert [hit.record.status for hit in found.superseded] == ["approved"]
        assert found.current == ()


def test_an_approval_must_fit(tmp_path: Path) -> None:
    with opened(tmp_path, max_store_bytes=1_000) as store:
        lesson = kept(store, "Ask.", kind="lesson")
        with refused("G6_E_MEMORY_FULL"):
            store.approve(lesson.id, reviewer="Sam", reason="x" * 1_000)
        with refused("G6_E_MEMORY_INPUT"):
            store.approve(lesson.id, reviewer="Sam", reason="x" * 256 * 1024)
        store.approve(lesson.id, reviewer="Sam", reason="x" * 100)


@pytest.mark.parametrize("bad", [5, None, ["a", 5], {"a": 1}, "\ud800"])
def test_what_is_no_id_is_told(tmp_path: Path, bad: object) -> None:
    with opened(tmp_path) as store, refused("G6_E_MEMORY_INPUT"):
        store.approve(bad, reviewer="Sam", reason="ok")  # type: ignore[arg-type]
