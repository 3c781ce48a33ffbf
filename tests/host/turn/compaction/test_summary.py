"""The compaction by a summary, in a loop whose replies and figures are given."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import anyio
import pytest

from host.context import Entry, text_view
from host.context.conversation.folding import HEADER
from host.context.conversation.turns import MARKER_TOKENS
from host.core.errors import PersonLeft
from host.core.messages import Message, Reply, ToolCall, ToolSpec, Usage
from host.core.tokens import estimate_tokens
from host.events import (
    Compaction,
    LimitExceeded,
    ModelReply,
    Notice,
    Prompt,
    TurnOutcome,
    TurnTiming,
)
from host.events import Usage as UsageEvent
from host.providers import ModelRequest, ScriptedReply
from host.turn.ceilings import Ceilings
from host.turn.compaction import SummaryCompaction, Threshold
from host.turn.compaction.texts import ASKS_FOR_SUMMARY
from host.turn.endings import Ending
from host.turn.loop import AgentEnd
from host.turn.modes import Carried
from host.turn.outcome import Fault
from tests.host.turn.bench import Bench, said

TASK = Entry(role="user", band="task", text="Task\n----\ngo")
ASKS = Message("user", f"Notice\n----\n{ASKS_FOR_SUMMARY}")
SUBMIT = ToolSpec(name="submit_program", description="d", parameters="{}")


def bench(
    replies: Sequence[str | Reply | ScriptedReply],
    carry: Callable[[Bench, str], Carried] | None = None,
    *,
    share: float = 0.5,
    window_tokens: int = 200,
    ceilings: Ceilings | None = None,
) -> Bench:
    """An agent whose window is full at 100 of 200 tokens; the system prompt and the task are 9 of them, each
    reply is 5.
    """
    made = Bench(carry or views_of(80), replies, ceilings=ceilings or Ceilings(max_turns=3))
    made.opening = (TASK,)
    made.window.keep(TASK)
    threshold = Threshold(share=share, context_window_tokens=window_tokens)
    made.compacting = lambda bench: SummaryCompaction(
        window=bench.window, thread=bench.thread, threshold=threshold
    )
    return made


def views_of(*tokens: int) -> Callable[[Bench, str], Carried]:
    """Each turn opens a view that takes so many tokens, the last figure from there on."""
    left = list(tokens)

    def carry(bench: Bench, reply: str) -> Carried:
        size = left.pop(0) if len(left) > 1 else left[0]
        title = "View: v\n----\n"
        bench.window.open(text_view("v", "x" * (4 * (size - MARKER_TOKENS) - len(title))))
        return Carried(kept=said(reply))

    return carry


def bands(bench: Bench) -> list[str]:
    return [band for band, _ in bench.told()]


def test_a_full_window_is_rewritten_before_the_messages_of_the_turn() -> None:
    made = bench(["a", "b", "  so far\n", "c"])
    end = made.run()

    assert end.status == "exhausted"
    assert made.prompts[2] == (*made.prompts[1], ASKS)
    assert [m.text.split("\n")[0] for m in made.prompts[3]] == ["system", "Task", "Summary", "b", "View: v"]
    assert made.prompts[3][2].text == f"Summary\n----\n{HEADER}\n> so far"
    assert made.captured.of(Compaction) == (
        Compaction(
            turn=2,
            cause="threshold",
            strategy="summary",
            summary="so far",
            observed_tokens=179,
            threshold_tokens=100,
            memories_kept=0,
            messages_before=5,
            messages_after=3,
            tokens_before=94 + estimate_tokens(ASKS.text) + MARKER_TOKENS,
            tokens_after=41,
        ),
    )


def test_the_request_for_a_summary_is_recorded_billed_and_timed() -> None:
    usage = Usage(input_tokens=5, output_tokens=2)
    made = bench(["a", "b", Reply(text="so far", usage=usage), "c"])
    made.run()

    assert [(p.turn, p.purpose, p.messages) for p in made.captured.of(Prompt)] == [
        (1, "turn", 2),
        (2, "turn", 4),
        (2, "summary", 5),
        (3, "turn", 5),
    ]
    assert [len(prompt.dropped) for prompt in made.captured.of(Prompt)] == [0, 0, 0, 4]
    assert [(r.turn, r.purpose) for r in made.captured.of(ModelReply)][2] == (2, "summary")
    assert made.captured.of(UsageEvent)[2] == UsageEvent(
        turn=2,
        purpose="summary",
        input_tokens=5,
        output_tokens=2,
        total_input_tokens=5,
        total_output_tokens=2,
    )
    assert made.state.usage == usage
    assert [timing.compact_ms for timing in made.captured.of(TurnTiming)] == [0.0, 1000.0, 0.0]
    assert [timing.request_ms for timing in made.captured.of(TurnTiming)] == [1000.0] * 3
    assert made.steps[:6] == ["flush", "turn 1: a", "turn ended", "flush", "flush", "turn 2: b"]


# what the view of a turn adds to a window of 14 tokens, what its request is billed, whether a summary is due
DUE = [
    pytest.param(85, 0, False, id="one token under it"),
    pytest.param(86, 0, True, id="at it"),
    pytest.param(87, 0, True, id="over it"),
    pytest.param(80, 9, False, id="billed as estimated"),
    pytest.param(80, 14, False, id="billed for one token under it"),
    pytest.param(80, 15, True, id="billed up to it"),
]


@pytest.mark.parametrize(("added", "billed", "is_due"), DUE)
def test_a_summary_is_due_at_the_threshold(added: int, billed: int, is_due: bool) -> None:
    first = Reply(text="a", usage=Usage(input_tokens=billed))
    made = bench([first, "so far", "c"], views_of(added, 8), ceilings=Ceilings(max_turns=2))
    made.run()

    assert [reply.purpose for reply in made.captured.of(ModelReply)] == (
        ["turn", "summary", "turn"] if is_due else ["turn", "turn"]
    )


def test_notices_and_the_error_of_the_turn_are_measured_and_kept() -> None:
    threw = Fault("threw", "program_throw", "Runtime error", "x" * 304)

    def carry(bench: Bench, reply: str) -> Carried:
        if reply == "b":
            return Carried(kept=said(reply))
        return Carried(kept=said(reply), fault=threw, notices=(("k", "y" * 40),))

    made = bench(["a", "so far", "b"], carry, ceilings=Ceilings(max_turns=2))
    made.run()

    assert bands(made)[:5] == ["task", "summary", "program", "notice", "error"]
    assert [notice.kind for notice in made.captured.of(Notice)] == ["k", "nothing_shown"]


CALLS = (ToolCall(id="1", name="submit_program", arguments="{}"),)
USELESS = [
    (Reply(text=" \n"), "empty"),
    (Reply(text="so f", finish_reason="length"), "cut off at the length limit"),
    (Reply(tool_calls=CALLS), "calls without a text"),
]


@pytest.mark.parametrize(("useless", "_"), USELESS)
def test_a_reply_that_is_no_summary_is_asked_for_once_more(useless: Reply, _: str) -> None:
    made = bench(["a", "b", useless, "so far", "c"])

    assert made.run().status == "exhausted"
    assert made.prompts[2] == made.prompts[3]
    assert [c.summary for c in made.captured.of(Compaction)] == ["so far"]


@pytest.mark.parametrize(("useless", "fault"), USELESS)
def test_without_a_summary_the_run_ends(useless: Reply, fault: str) -> None:
    made = bench(["a", "b", Reply(), useless])

    assert made.run() == AgentEnd(
        status="compaction_failed",
        error=(
            "the model was asked for a summary of its window 2 times and gave none: its replies were empty"
            f" and {fault}"
        ),
    )
    assert [o.outcome for o in made.captured.of(TurnOutcome)] == ["progressed"] * 2
    assert bands(made)[-2:] == ["program", "text_view"]
    assert made.steps[-3:] == ["turn ended", "flush", "ended"]


def test_calls_beside_a_summary_are_left_out() -> None:
    made = bench(["a", "b", Reply(text="so far", tool_calls=CALLS), "c"])
    made.run()

    assert [c.summary for c in made.captured.of(Compaction)] == ["so far"]
    assert [len(m.tool_calls) for m in made.prompts[3]] == [0] * 5


@pytest.mark.parametrize("forced", ["submit_program", ""])
def test_no_tool_has_to_be_called_for_a_summary(forced: str) -> None:
    made = bench(["a", "b", "so far", "c"])
    made.tools, made.forced_tool = (SUBMIT,), forced
    made.run()

    assert [request.tools for request in made.requests[1:3]] == [(SUBMIT,), (SUBMIT,)]
    assert [request.forced_tool for request in made.requests] == [forced, forced, "", forced]
    assert [request.wants_text for request in made.requests] == [False, False, True, False]


def ends(bench: Bench, reply: str) -> Carried:
    views_of(80)(bench, reply)
    if reply == "b":
        bench.endings.declare("finish", "done")
    return Carried(kept=said(reply))


def cancels(bench: Bench, reply: str) -> Carried:
    if reply == "b":
        bench.state.cancel()
    return views_of(80)(bench, reply)


NOT_ASKED = [
    pytest.param(ends, Ceilings(), AgentEnd(status="completed", ending=Ending("finish", "done")), id="ended"),
    pytest.param(cancels, Ceilings(), AgentEnd(status="canceled"), id="canceled"),
    pytest.param(
        views_of(80),
        Ceilings(max_turns=2),
        AgentEnd(status="exhausted", error="maxTurns: 2, limit 2"),
        id="the last turn",
    ),
    pytest.param(
        views_of(80),
        Ceilings(max_runtime_s=2.0),
        AgentEnd(status="timed_out", error="maxRuntimeSecs: 2, limit 2"),
        id="out of time",
    ),
]


@pytest.mark.parametrize(("carry", "ceilings", "end"), NOT_ASKED)
def test_nothing_is_asked_of_a_session_that_stops(
    carry: Callable[[Bench, str], Carried], ceilings: Ceilings, end: AgentEnd
) -> None:
    made = bench(["a", "b", "so far"], carry, ceilings=ceilings)

    assert made.run() == end
    assert [reply.purpose for reply in made.captured.of(ModelReply)] == ["turn", "turn"]
    assert bands(made)[-2:] == ["program", "text_view"]


class Answering:
    """Gives what each function gives, in order, at most to the end of time."""

    def __init__(self, *answers: Callable[[], Reply] | None) -> None:
        self._answers = list(answers)

    async def reply(self, request: ModelRequest) -> Reply:
        answer = self._answers.pop(0)
        if answer is None:
            await anyio.Event().wait()
            raise AssertionError("nobody sets the event")
        return answer()


def leaves() -> Reply:
    raise PersonLeft("gone")


def text(said: str) -> Callable[[], Reply]:
    return lambda: Reply(text=said)


def test_a_wait_for_a_summary_ends_with_the_run_s_time() -> None:
    made = bench([], ceilings=Ceilings(max_runtime_s=0.02))
    made.reply_s, made.provider = 0.0, Answering(text("a"), text("b"), None)

    assert made.run() == AgentEnd(status="timed_out", error="maxRuntimeSecs: 0.02, limit 0.02")
    assert made.captured.types[-5:] == (
        "prompt",
        "context_breakdown",
        "turn_outcome",
        "turn_timing",
        "limit_exceeded",
    )
    assert made.captured.of(LimitExceeded)[0].turns == 2


def test_a_person_who_leaves_at_the_request_for_a_summary_cancels_the_run() -> None:
    made = bench([])
    made.provider = Answering(text("a"), text("b"), leaves)

    assert made.run() == AgentEnd(status="canceled")


def test_a_provider_that_fails_at_the_request_for_a_summary_ends_the_run() -> None:
    made = bench(["a", "b", ScriptedReply(error="overloaded")])

    assert made.run() == AgentEnd(status="model_error", error="overloaded")
    assert [o.outcome for o in made.captured.of(TurnOutcome)] == ["progressed"] * 2


@pytest.mark.parametrize("summary", ["so far", ""])
def test_a_run_that_is_canceled_while_a_summary_is_written_asks_nothing_more(summary: str) -> None:
    made = bench([])

    def canceled() -> Reply:
        made.state.cancel()
        return Reply(text=summary)

    made.provider = Answering(text("a"), text("b"), canceled)

    assert made.run() == AgentEnd(status="canceled")
    assert len(made.prompts) == 3


def test_a_summary_that_leaves_the_window_full_ends_the_run() -> None:
    made = bench(["a", "b", "x" * 400])

    assert made.run() == AgentEnd(
        status="compaction_failed",
        error=(
            "the rewritten window holds about 140 tokens and is to be rewritten at 100, 0.5 of a"
            " contextWindow of 200; a larger contextWindow, a higher threshold, a shorter summary or fewer"
            " and shorter memories would help"
        ),
    )
    assert len(made.captured.of(Compaction)) == 1


def test_messages_of_a_turn_that_no_request_could_hold_end_the_run() -> None:
    made = bench(["a", "b", "so far"], views_of(80, 190))

    assert made.run() == AgentEnd(
        status="compaction_failed",
        error=(
            "the rewritten window holds about 236 tokens with the messages of the turn, of a contextWindow of"
            " 200; smaller views or a larger contextWindow would help"
        ),
    )


def test_a_turn_over_the_threshold_that_the_window_can_hold_is_read_and_leaves_with_the_next() -> None:
    made = bench(["a", "one", "b", "two", "c"], views_of(120, 120, 8))
    made.run()

    assert [c.turn for c in made.captured.of(Compaction)] == [1, 2]
    assert [m.text.split("\n")[0] for m in made.prompts[2]] == ["system", "Task", "Summary", "a", "View: v"]


def test_a_window_that_opens_full_ends_the_run_before_anything_is_asked() -> None:
    made = bench(["a"], share=0.02)

    assert made.run() == AgentEnd(
        status="compaction_failed",
        error=(
            "the window opens with about 9 tokens and is to be rewritten at 4, 0.02 of a contextWindow of"
            " 200; a larger contextWindow, a higher threshold or a shorter prompt and task would help"
        ),
    )
    assert (made.prompts, made.captured.emitted) == ([], ())


def test_a_compaction_that_the_agent_asked_for_comes_before_one_that_is_due() -> None:
    def carry(bench: Bench, reply: str) -> Carried:
        if reply == "b":
            bench.thread.compact("mine")
        return views_of(80)(bench, reply)

    made = bench(["a", "b", "c"], carry, ceilings=Ceilings(max_turns=3))
    made.run()

    assert [(c.cause, c.summary) for c in made.captured.of(Compaction)] == [("agent", "mine")]
    assert [reply.purpose for reply in made.captured.of(ModelReply)] == ["turn"] * 3


def test_a_summary_of_the_agent_s_own_that_no_request_could_hold_ends_the_run() -> None:
    def carry(bench: Bench, reply: str) -> Carried:
        bench.thread.compact("x" * 800)
        return Carried(kept=said(reply))

    made = bench(["a", "b"], carry)

    end = made.run()
    assert end.status == "compaction_failed"
    assert str(end.error).startswith("the rewritten window holds about 245 tokens with the messages of the")
    assert [c.cause for c in made.captured.of(Compaction)] == ["agent"]


def test_the_bill_of_a_window_says_nothing_of_the_one_it_was_rewritten_into() -> None:
    billed = Reply(text="a", usage=Usage(input_tokens=900))
    made = bench([billed, "so far", "b", "c"], views_of(8), ceilings=Ceilings(max_turns=3))
    made.run()

    assert [c.observed_tokens for c in made.captured.of(Compaction)] == [913]


def test_a_turn_that_was_cut_off_can_have_filled_the_window() -> None:
    cut = Reply(text="half", finish_reason="length", usage=Usage(input_tokens=190))
    made = bench([cut, "so far", "b"], views_of(8), ceilings=Ceilings(max_turns=2))
    made.run()

    assert [m.text.split("\n")[0] for m in made.prompts[2]] == ["system", "Task", "Summary"]


def test_summaries_before_the_latest_and_what_they_replaced_can_be_searched() -> None:
    made = bench(["a", "one", "b", "two", "c"], views_of(120, 120, 8))
    made.run()

    assert [hit.text for hit in made.thread.search("one").hits] == [f"Summary\n----\n{HEADER}\n> one"]
    assert made.thread.search("two").hits == ()
    assert made.thread.search("Your window is full").hits == ()


def test_a_masked_secret_stays_masked_in_the_request_for_a_summary() -> None:
    secret = replace(TASK, text="use hunter22")
    made = bench(["a", "b", "with hunter22", "c"], views_of(70))
    made.window.keep(secret)
    made.run()

    assert all("hunter22" not in message.text for prompt in made.prompts for message in prompt)
    assert made.prompts[3][2].text == f"Summary\n----\n{HEADER}\n> with [masked:A]"
