"""A window as its agent changes it: turns archived at once, a compaction when the turn ends."""

from dataclasses import dataclass, field

import pytest

from host.context import Entry, Window, docs_view, text_view
from host.context.conversation.folding import HEADER
from host.core.errors import Refusal
from host.events import Compaction, Event
from host.testing import CapturedEvents
from host.turn import AgentThread
from host.turn.thread import Due

TASK = Entry(role="user", band="task", text="Task\n----\ndo it")


@dataclass
class Bench:
    """An agent in its fourth turn; each of the three before opened a view called by its number."""

    captured: CapturedEvents = field(default_factory=CapturedEvents)
    window: Window = field(default_factory=lambda: Window("system"))

    def __post_init__(self) -> None:
        self.window.keep(TASK)
        for turn in (1, 2, 3):
            self.window.open(text_view(str(turn), f"text {turn}"))
            self.tell(turn, f"program {turn}")
        self.thread = AgentThread(
            self.window,
            opening=lambda: (TASK,),
            memories=lambda: 2,
            turn=lambda: 4,
            emit=self.emit,
        )

    def tell(self, turn: int, program: str) -> None:
        self.window.start_turn(turn)
        self.window.keep(Entry(role="assistant", band="program", text=program))
        self.window.end_turn()

    def emit(self, event: Event) -> None:
        self.captured.emit(event, agent_id="root")

    def texts(self) -> list[str]:
        return [entry.text for entry in self.window.entries_from(0)]

    def open_views(self) -> list[str]:
        return [view.selector for view in self.window.current()]


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_archived_turns_leave_the_window_and_can_be_searched(bench: Bench) -> None:
    taken = bench.thread.archive(((1, 1), (3, 3), (3, 3)))

    assert [entry.text for entry in taken.entries] == [
        "program 1",
        "View: 1\n----\ntext 1",
        "program 3",
        "View: 3\n----\ntext 3",
    ]
    assert bench.texts() == ["system", TASK.text, "program 2", "View: 2\n----\ntext 2"]
    assert bench.open_views() == ["2"]
    assert [view.selector for view in taken.closed] == ["1", "3"]
    assert [hit.text for hit in bench.thread.search("text").hits] == [
        "View: 1\n----\ntext 1",
        "View: 3\n----\ntext 3",
    ]
    assert bench.thread.archive(((1, 1),)).entries == ()


@pytest.mark.parametrize("is_sent", [True, False])
def test_a_view_that_was_opened_again_later_stays_open(is_sent: bool, bench: Bench) -> None:
    bench.window.open(text_view("1", "again"))
    if is_sent:
        bench.tell(4, "program 4")
    taken = bench.thread.archive(((1, 1),))

    assert (len(taken.entries), taken.closed) == (2, ())
    assert bench.open_views() == ["2", "3", "1"]


@pytest.mark.parametrize(
    ("span", "told"),
    [
        ((2, 1), "The range 2 to 1 ends before it begins."),
        ((1, 4), "Turn 4 is not over: this is turn 4, and what came before it can be archived."),
        ((9, 9), "Turn 9 is not over: this is turn 4, and what came before it can be archived."),
    ],
)
def test_a_range_that_cannot_be_archived_takes_nothing(
    span: tuple[int, int], told: str, bench: Bench
) -> None:
    before = bench.texts()
    with pytest.raises(Refusal) as caught:
        bench.thread.archive(((1, 1), span))

    assert (caught.value.code, caught.value.message, bench.texts()) == ("invalid-argument", told, before)


def test_a_compaction_waits_for_the_end_of_the_turn(bench: Bench) -> None:
    bench.thread.compact("first")
    bench.thread.compact("the latest counts")
    assert len(bench.texts()) == 8
    bench.window.open(text_view("4", "text 4"))
    bench.thread.compact_if_due(4)
    bench.tell(4, "program 4")

    assert bench.texts() == [
        "system",
        TASK.text,
        f"Summary\n----\n{HEADER}\n> the latest counts",
        "program 4",
        "View: 4\n----\ntext 4",
    ]
    assert bench.open_views() == ["4"]
    assert bench.captured.of(Compaction) == (
        Compaction(
            turn=4,
            cause="agent",
            strategy="summary",
            summary="the latest counts",
            memories_kept=2,
            messages_before=8,
            messages_after=3,
            tokens_before=76,
            tokens_after=59,
        ),
    )
    assert len(bench.thread.search("text").hits) == 3
    assert bench.thread.search("do it").hits == ()  # what the window opens with is not archived
    before = bench.texts()
    bench.thread.compact_if_due(4)
    assert bench.texts() == before


PAGE = docs_view("views", "Shows.")


def test_after_a_compaction_a_page_can_be_opened_again(bench: Bench) -> None:
    bench.window.open(PAGE)
    bench.tell(4, "program 4")
    bench.thread.compact("all")
    bench.thread.compact_if_due(4)

    assert bench.window.open(PAGE) == "opened"


@pytest.mark.parametrize("act", ["archive", "compact"])
def test_a_page_that_this_turn_asked_for_outlives_the_message_it_stood_in(act: str, bench: Bench) -> None:
    bench.window.open(PAGE)
    bench.tell(3, "program")
    assert bench.window.open(PAGE) == "unchanged"
    if act == "archive":
        assert [view.selector for view in bench.thread.archive(((3, 3),)).closed] == ["3"]
    else:
        bench.thread.compact("all")
        bench.thread.compact_if_due(4)
    bench.tell(4, "program 4")

    assert bench.texts()[-2:] == ["program 4", PAGE.text]
    assert bench.window.open(PAGE) == "unchanged"


def test_a_summary_that_another_replaces_can_be_searched(bench: Bench) -> None:
    for turn, summary in ((4, "the first"), (5, "the second")):
        bench.thread.compact(summary)
        bench.thread.compact_if_due(turn)
        bench.tell(turn, f"program {turn}")

    assert [hit.text for hit in bench.thread.search("first").hits] == [
        f"Summary\n----\n{HEADER}\n> the first"
    ]
    assert bench.thread.search("second").hits == ()


def test_nothing_is_archived_while_a_compaction_is_due(bench: Bench) -> None:
    bench.thread.compact("all")
    with pytest.raises(Refusal) as caught:
        bench.thread.archive(((1, 1),))

    assert (caught.value.code, caught.value.kind) == ("refused", "pending_compaction")


def test_a_held_window_is_rewritten_by_nobody_but_the_one_who_holds_it(bench: Bench) -> None:
    bench.thread.refuse_second_compaction()
    bench.thread.hold()
    with pytest.raises(Refusal) as caught:
        bench.thread.refuse_second_compaction()

    assert (caught.value.code, caught.value.kind) == ("refused", "pending_compaction")
    bench.thread.rewrite(
        4,
        "kept",
        strategy="memory-compaction",
        due=Due(observed_tokens=90, threshold_tokens=80),
    )
    bench.thread.refuse_second_compaction()
    (compaction,) = bench.captured.of(Compaction)
    assert (compaction.cause, compaction.strategy, compaction.summary) == (
        "threshold",
        "memory-compaction",
        "kept",
    )
    assert (compaction.observed_tokens, compaction.threshold_tokens) == (90, 80)
