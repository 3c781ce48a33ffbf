"""What a frozen conversation keeps when it is cut."""

import pytest

from host.context import ConversationWindow
from tests.helpers.compaction_quality import KINDS, PERCENTS, WAYS, load, survivors, table


def test_the_facts_are_in_the_conversation() -> None:
    turns = [turn["content"] for turn in load("importer.jsonl")]

    for fact in load("facts.jsonl"):
        assert fact["text"] in turns[fact["turn"] - 1]
        assert fact["kind"] in KINDS


@pytest.mark.parametrize("way", WAYS)
def test_a_window_that_holds_it_all_keeps_every_fact(way: str) -> None:
    assert survivors(WAYS[way], 100, as_it_goes=True).total() == len(load("facts.jsonl"))


def test_in_a_small_window_a_note_keeps_more_than_the_newest_turns_do() -> None:
    trimmed = survivors(ConversationWindow.trim, PERCENTS[-1], as_it_goes=True)
    folded = survivors(ConversationWindow.compress, PERCENTS[-1], as_it_goes=True)

    assert folded.total() > trimmed.total()
    assert folded["decision"] > trimmed["decision"]


def test_the_table_has_a_row_for_each_window_and_way() -> None:
    rows = [line for line in table() if line.split("%")[0].strip().isdigit()]

    assert len(rows) == 2 * len(PERCENTS) * len(WAYS)
    assert all(row.endswith("/50") for row in rows)
