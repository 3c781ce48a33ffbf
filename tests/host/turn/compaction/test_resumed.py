"""The compaction of an agent whose window goes on from that of another one, and may be full as it begins."""

import pytest

from host.context import Entry
from host.events import Compaction, Notice
from host.memories import strategy_of
from host.operations import OPERATIONS
from host.turn.ceilings import Ceilings
from host.turn.compaction import Compaction as Compacting
from host.turn.compaction import MemoryCompaction, OnDemand, SummaryCompaction, Threshold
from tests.host.turn.bench import Bench

THRESHOLD = Threshold(share=0.25, context_window_tokens=800)
SPELLINGS = {id_: operation.spelling for id_, operation in OPERATIONS.items()}


def memories(bench: Bench) -> Compacting:
    return MemoryCompaction(
        window=bench.window,
        thread=bench.thread,
        threshold=THRESHOLD,
        strategy=strategy_of("scratchpad"),
        spellings=SPELLINGS,
        memories=lambda: 1,
        emit=lambda event: bench.emit(event, agent_id="root"),
    )


def summary(bench: Bench) -> Compacting:
    return SummaryCompaction(window=bench.window, thread=bench.thread, threshold=THRESHOLD)


def on_demand(bench: Bench) -> Compacting:
    return OnDemand(bench.thread)


def copy(tokens: int, compacting: object, *replies: str, turns: int = 1) -> Bench:
    """A copy whose window holds so many tokens beside the system prompt; it may take so many turns."""
    made = Bench(replies=replies or ("a",), ceilings=Ceilings(max_turns=turns), is_copy=True)
    made.compacting = compacting  # type: ignore[assignment]  # a table of functions
    made.window.keep(Entry(role="user", band="text_view", text="x" * 4 * tokens, turn=-1))
    return made


@pytest.mark.parametrize("compacting", [memories, summary, on_demand])
def test_a_full_window_is_no_reason_not_to_begin(compacting: object) -> None:
    made = copy(300, compacting, "a", "a summary")

    assert made.run().status == "exhausted"
    assert made.count.turns == 1


@pytest.mark.parametrize("compacting", [memories, summary])
def test_a_window_that_opens_full_is_one_where_it_is_no_copy(compacting: object) -> None:
    made = copy(300, compacting)
    made.is_copy = False

    assert made.run().status == "compaction_failed"


def test_a_copy_with_a_full_window_is_to_record_its_state_first() -> None:
    made = copy(300, memories)
    made.run()

    (notice,) = made.captured.of(Notice)
    assert (notice.turn, notice.kind) == (0, "compaction_pending")
    assert made.prompts[0][-1].text == f"Notice\n----\n{notice.text}"


def test_a_copy_that_has_room_is_asked_for_nothing() -> None:
    made = copy(30, memories)
    made.run()

    assert [notice.kind for notice in made.captured.of(Notice)] == ["nothing_shown"]


def test_a_full_window_is_summed_up_when_the_first_turn_has_ended() -> None:
    made = copy(300, summary, "a", "a summary", "b", turns=2)
    made.run()

    assert [(event.turn, event.summary) for event in made.captured.of(Compaction)] == [(1, "a summary")]
