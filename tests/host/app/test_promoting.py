"""Memories of a run as records."""

from pathlib import Path

import pytest

from host.app.promoting import (
    Promotion,
    RunMemory,
    memories_of_run,
    promote,
    promoted_text,
    promotion_arguments,
)
from host.core.masking import Masker
from host.events import AgentModule, AgentModules, AgentTransition, Event, HandedModule
from host.records import Store
from tests.host.events.runs import stamp
from tests.host.events.stores import PlainStore

MEMORY = RunMemory(
    run="20261201-aa", agent_id="analyst", turn=3, slug="exports", description="Exports.", body="At 02:00.\n"
)
TEXTS = [
    ("Exports.", "At 02:00.", "Exports.\n\nAt 02:00."),
    (" Exports. ", "\n  a\nb\n", "Exports.\n\na\nb"),
    ("", "At 02:00.", "At 02:00."),
    ("Exports.", " \n", "Exports."),
    ("", "", ""),
]


def unmasked(text: str) -> str:
    return text


def story() -> list[Event]:
    one, two = PlainStore("one"), PlainStore("two", turn=5)
    return [
        *one.write("b", "first", "d"),
        *one.write("b", "second", "d"),
        *one.write("gone", "x"),
        *one.delete("gone"),
        *two.write("a", "other"),
    ]


@pytest.mark.parametrize(("description", "body", "text"), TEXTS)
def test_the_text_is_the_description_and_the_body(description: str, body: str, text: str) -> None:
    assert promoted_text(description, body) == text


def test_the_writer_is_the_agent_and_the_source_the_turn() -> None:
    assert promotion_arguments(MEMORY, kind="lesson", tags=("ops",), mask=unmasked) == {
        "text": "Exports.\n\nAt 02:00.",
        "written_by": "agent:20261201-aa/analyst",
        "source": "run:20261201-aa#3",
        "kind": "lesson",
        "tags": ["ops"],
    }


def test_a_memory_of_no_turn_has_the_run_as_its_source() -> None:
    memory = RunMemory(run="r", agent_id="a", turn=None, slug="s", description="", body="x")

    assert promotion_arguments(memory, mask=unmasked)["source"] == "run:r"


def test_secrets_are_masked() -> None:
    memory = RunMemory(run="r", agent_id="a", turn=1, slug="s", description="", body="use hunter22")

    masked = promotion_arguments(memory, mask=Masker({"API_KEY": "hunter22"}).mask)
    assert masked["text"] == "use [masked:API_KEY]"


def outcome(promotion: Promotion) -> tuple[str, bool, str | None]:
    refused = promotion.refused
    return promotion.memory.slug, promotion.existed, refused.code if refused else None


def test_what_cannot_be_kept_stops_no_other_memory(tmp_path: Path) -> None:
    bodies = {"long": "x" * 4_001, "code-alone": "", "exports": "At 02:00.", "longest": "y" * 4_000}
    memories = [
        RunMemory(run="r", agent_id="a", turn=1, slug=slug, description="", body=body)
        for slug, body in bodies.items()
    ]
    with Store(tmp_path / "m.db") as store:
        first = [*map(outcome, promote(store, memories, mask=unmasked))]
        again = [*map(outcome, promote(store, memories[2:], mask=unmasked))]

    assert first == [
        ("long", False, "G6_E_MEMORY_INPUT"),
        ("code-alone", False, "G6_E_MEMORY_NO_TEXT"),
        ("exports", False, None),
        ("longest", False, None),
    ]
    assert again == [("exports", True, None), ("longest", True, None)]


def test_the_memories_of_a_run_are_those_that_are_held_in_the_end() -> None:
    memories = memories_of_run(stamp(story()))

    assert [(each.slug, each.description, each.body, each.turn) for each in memories] == [
        ("b", "d", "second", 1),
        ("a", "", "other", 5),
    ]
    assert {each.agent_id for each in memories} == {"root"}


def held(module_id: str) -> AgentModules:
    row = AgentModule(kind="memories", module_id=module_id, enabled=True, writable=True)
    return AgentModules(modules=(row,))


def test_of_some_agents_their_stores_alone_are_looked_at() -> None:
    events = stamp([held("one"), *story()])

    assert [each.slug for each in memories_of_run(events, {"root"})] == ["b"]
    assert memories_of_run(events, {"other"}) == ()


def test_what_a_store_was_copied_with_is_there_once() -> None:
    handed = HandedModule(kind="memories", disposition="copied", from_id="one", to_id="copy")
    spawn = AgentTransition(by="fork", to="b", profile="b", modules=(handed,))
    events = stamp([*story(), spawn, *PlainStore("copy", turn=7).write("c", "new")])

    assert [(each.slug, each.turn) for each in memories_of_run(events)] == [("b", 1), ("a", 5), ("c", 7)]
