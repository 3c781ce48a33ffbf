"""The compaction by memories, in a loop whose replies make the calls that they name."""

import re
from collections.abc import Callable, Sequence

import pytest

from host.context import Entry, text_view
from host.context.conversation.turns import MARKER_TOKENS
from host.core.errors import HostDefect, Refusal
from host.core.messages import Reply, Usage
from host.events import ApiCall, Compaction, Notice, RunOrigin, TurnOutcome
from host.memories import strategy_of
from host.operations import OPERATIONS
from host.turn.ceilings import Ceilings
from host.turn.compaction import Compaction as Compacting
from host.turn.compaction import MemoryCompaction, Threshold
from host.turn.compaction.texts import recorded
from host.turn.modes import Carried
from tests.host.turn.bench import Bench, said

TASK = Entry(role="user", band="task", text="Task\n----\ngo")
SPELLINGS = {id_: operation.spelling for id_, operation in OPERATIONS.items()}
WRITES = "memories.write_memory"


def compaction(
    bench: Bench,
    strategy: str = "scratchpad",
    *,
    share: float = 0.25,
    spellings: dict[str, str] | None = None,
) -> MemoryCompaction:
    return MemoryCompaction(
        window=bench.window,
        thread=bench.thread,
        threshold=Threshold(share=share, context_window_tokens=800),
        strategy=strategy_of(strategy),
        spellings=SPELLINGS if spellings is None else spellings,
        memories=lambda: 1,
        emit=lambda event: bench.emit(event, agent_id="root"),
    )


def bench(replies: Sequence[str | Reply], *, ceilings: Ceilings | None = None, share: float = 0.25) -> Bench:
    """An agent whose window is full at 200 of 800 tokens. A reply is a word for each call: `write`, `read`,
    `script`, or a number of tokens to open a view of; `mine` has the window rewritten.
    """
    compacting: list[Compacting] = []

    def make(bench: Bench) -> Compacting:
        compacting.append(compaction(bench, share=share))
        return compacting[0]

    made = Bench(acts(compacting), replies, ceilings=ceilings or Ceilings(max_turns=len(replies)))
    made.opening = (TASK,)
    made.window.keep(TASK)
    made.compacting = make
    return made


def acts(compacting: list[Compacting]) -> Callable[[Bench, str], Carried]:
    calls = {"write": WRITES, "read": "memories.read_memory", "script": "files.write_file"}

    def carry(bench: Bench, reply: str) -> Carried:
        for word in reply.split():
            if word == "mine":
                bench.thread.compact("mine")
            elif word in calls:
                origin: RunOrigin = "onUse" if word == "script" else "program"
                compacting[0].called(call(calls[word], ok=word != "read", origin=origin))
            else:
                bench.window.open(text_view("v", "x" * (4 * (int(word) - MARKER_TOKENS) - 12)))
        return Carried(kept=said(reply))

    return carry


def call(operation: str, *, ok: bool, origin: RunOrigin = "program") -> ApiCall:
    return ApiCall(turn=1, operation=operation, ok=ok, duration_us=0, origin=origin)


def errors(bench: Bench) -> list[str | None]:
    return [outcome.error_type for outcome in bench.captured.of(TurnOutcome)]


def test_the_agent_is_asked_when_its_window_is_full_and_once_for_each_compaction() -> None:
    made = bench(["90", "180", "", "write", "1"])
    made.run()

    assert errors(made) == [None, None, "missing_completion_compaction", None, None]
    asked = [m.text for m in made.prompts[3] if m.text.startswith("Notice\n----\nYour window is full and")]
    assert len(asked) == 1
    assert [(n.turn, n.kind) for n in made.captured.of(Notice) if n.kind != "nothing_shown"] == [
        (2, "compaction_pending")
    ]
    assert [(c.turn, c.observed_tokens, c.threshold_tokens) for c in made.captured.of(Compaction)] == [
        (4, 291, 200)
    ]
    assert made.thread.search("Your window is full").hits == ()


# the replies that follow: whether the compaction is carried out with them
SATISFYING = [
    ("write", True),
    ("write write", True),
    ("write script", True),
    ("script", False),
    ("write read", False),
    ("read write", False),
    ("read", False),
]


@pytest.mark.parametrize(("reply", "is_satisfied"), SATISFYING)
def test_it_is_satisfied_by_a_reply_that_records_and_whose_calls_all_succeed(
    reply: str, is_satisfied: bool
) -> None:
    made = bench(["200", reply])
    made.run()

    assert errors(made)[1] == (None if is_satisfied else "missing_completion_compaction")
    assert len(made.captured.of(Compaction)) == is_satisfied


def test_calls_of_earlier_turns_count_for_nothing() -> None:
    made = bench(["write", "write read", "200", ""])
    made.run()

    assert errors(made) == [None, None, None, "missing_completion_compaction"]


def test_a_bill_over_the_estimate_makes_it_due() -> None:
    made = bench([Reply(text="1", usage=Usage(input_tokens=200)), "write"])
    made.run()

    assert [c.observed_tokens for c in made.captured.of(Compaction)] == [212]


def test_a_compaction_that_the_agent_asked_for_comes_before_one_that_is_due() -> None:
    made = bench(["150", "mine 20", "1"])
    made.run()

    assert errors(made) == [None] * 3
    assert [(c.cause, c.strategy) for c in made.captured.of(Compaction)] == [("agent", "summary")]


def test_a_window_that_is_full_where_the_session_stops_is_left_as_it_is() -> None:
    made = bench(["200"])

    assert made.run().status == "exhausted"
    assert made.told()[-1][0] == "text_view"


GATED = [
    ("scratchpad", {"memories.write_memory", "memories.update_memory", "memories.delete_memory"}),
    ("markdown", {"memories.create_memory", "memories.edit_memory", "memories.delete_memory"}),
    ("keyword-search", {"memories.create_memory", "memories.edit_memory", "memories.delete_memory"}),
]


def passes(gate: Compacting) -> set[str]:
    passed = set()
    for operation in OPERATIONS.values():
        try:
            gate.gate(operation)
        except Refusal:
            continue
        passed.add(operation.id)
    return passed


@pytest.mark.parametrize(("strategy", "admitted"), GATED)
def test_while_it_is_pending_only_calls_that_record_something_pass(strategy: str, admitted: set[str]) -> None:
    made = Bench()
    gate = compaction(made, strategy)
    assert passes(gate) == set(OPERATIONS)
    made.window.add("user", "notice", "x" * 800)
    gate.after_telling(1)

    assert passes(gate) == admitted


def test_calls_that_the_agent_does_not_have_are_neither_admitted_nor_named() -> None:
    made = Bench()
    gate = compaction(made, spellings={WRITES: "write_memory", "files.read_file": "read_file"})
    made.window.add("user", "notice", "x" * 800)
    gate.after_telling(1)

    assert passes(gate) == {WRITES}
    with pytest.raises(Refusal) as caught:
        gate.gate(OPERATIONS["files.read_file"])
    assert (caught.value.code, caught.value.kind) == ("refused", "pending_compaction")
    assert caught.value.message == (
        "read_file is not carried out while a compaction is pending: record what you need to go on first,"
        " with write_memory."
    )


def test_an_agent_that_could_record_nothing_is_gg_s_own_fault() -> None:
    with pytest.raises(HostDefect) as caught:
        compaction(Bench(), spellings={"memories.read_memory": "read_memory"})

    assert str(caught.value) == (
        "agents: memory-compaction of an agent that has no call to record anything with"
    )


def test_a_window_that_opens_full_ends_the_run() -> None:
    made = bench(["1"], share=0.005)

    assert made.run().status == "compaction_failed"
    assert made.prompts == []


def test_a_window_that_is_too_full_to_ask_ends_the_run() -> None:
    made = bench(["700", "write"], ceilings=Ceilings(max_turns=9))

    end = made.run()
    assert (end.status, re.sub(r"about \d+", "about N", str(end.error))) == (
        "compaction_failed",
        "the window would hold about N tokens with the request to record something in memories, of a"
        " contextWindow of 800; a lower threshold, smaller views or a larger contextWindow would help",
    )
    assert errors(made) == [None]


def test_memories_that_leave_the_window_full_end_the_run() -> None:
    made = bench(["200", "write", "1"], ceilings=Ceilings(max_turns=9))
    made.opening = (TASK, Entry(role="user", band="memories", text="x" * 800))

    end = made.run()

    assert end.status == "compaction_failed"
    assert str(end.error).startswith("the rewritten window holds about ")
    assert [compaction.turn for compaction in made.captured.of(Compaction)] == [2]


WHERE = [
    ("scratchpad", 1, "You hold 1 memory: whole above, under Memories."),
    ("scratchpad", 0, "You hold no memories now."),
    (
        "markdown",
        2,
        "You hold 2 memories: the index above, under Memories, is up to date, and memories.readMemory reads"
        " one.",
    ),
    (
        "keyword-search",
        2,
        "You hold 2 memories: memories.searchMemories finds them, and memories.readMemory reads one.",
    ),
]


@pytest.mark.parametrize(("strategy", "memories", "where"), WHERE)
def test_the_note_says_where_the_memories_are(strategy: str, memories: int, where: str) -> None:
    assert recorded(strategy_of(strategy), SPELLINGS, memories) == (
        "Your window was full. You recorded your state in your memories, and everything that was said before"
        f" is gone from the window. {where}"
    )
