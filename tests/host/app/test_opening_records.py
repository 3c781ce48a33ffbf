"""How an agent comes by its section of records: searched once, recorded, and never in the way of its task."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from host.app.agent_records import AgentRecords
from host.app.opening_records import MAX_QUERY_CHARS, opening_section
from host.events import Event, RecordRead
from host.launch import RecordsPlan
from host.records import Store
from tests.helpers.records import NOON, kept, opened

EXPORT = "The billing export runs at 02:00 UTC."
TASK = "When does the billing export run?"


class Beginning:
    """An agent that begins, what it records and what the operator is told."""

    def __init__(self, store: Store) -> None:
        self.records = AgentRecords(store, run="r1", agent_id="root", top_k=5, mask=lambda text: text)
        self.events: list[Event] = []
        self.notes: list[str] = []

    def section(self, task: str = TASK, plan: RecordsPlan | None = None) -> str | None:
        return opening_section(
            self.records,
            plan or RecordsPlan(),
            task=task,
            now=NOON,
            search="search_records",
            emit=self.events.append,
            note=self.notes.append,
        )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path) as store:
        yield store


def test_what_bears_on_the_task_is_told_and_recorded(store: Store) -> None:
    record = kept(store, EXPORT)
    at = Beginning(store)

    told = at.section()

    assert told is not None
    assert EXPORT in told
    assert at.events == [RecordRead(operation="section", current=(record.id,), turn=0)]


@pytest.mark.parametrize(
    ("task", "plan"), [("Say hello.", None), (TASK, RecordsPlan(has_section=False)), ("?!", None)]
)
def test_where_there_is_nothing_to_tell_nothing_is_recorded(
    store: Store, task: str, plan: RecordsPlan | None
) -> None:
    kept(store, EXPORT)
    at = Beginning(store)

    assert (at.section(task, plan), at.events, at.notes) == (None, [], [])


def test_records_for_which_there_is_no_room_are_counted_and_are_no_use(store: Store) -> None:
    record = kept(store, EXPORT)
    other = kept(store, "Something else.")
    at = Beginning(store)

    assert at.section(plan=RecordsPlan(max_section_chars=10)) is None
    assert at.events == [RecordRead(operation="section", current=(), left_out=1, turn=0)]
    at.records.keep_uses()
    store.supersede(record.id, other.id, "moved")
    assert store.status().fields["used_then_withdrawn"] == []


def test_a_long_task_is_searched_for_by_its_beginning(store: Store) -> None:
    kept(store, EXPORT)
    padding = "word " * (MAX_QUERY_CHARS // 5)

    assert Beginning(store).section(padding + TASK) is None
    assert Beginning(store).section(padding[: -len(TASK)] + TASK) is not None


def test_a_store_that_cannot_be_read_keeps_no_agent_from_its_task(store: Store) -> None:
    kept(store, EXPORT)
    at = Beginning(store)
    store.close()

    assert (at.section(), at.events) == (None, [])
    assert len(at.notes) == 1
    assert at.notes[0].startswith("the agent begins without records: G6_E_MEMORY_STORE: ")
