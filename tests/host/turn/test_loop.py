"""The loop of one agent over a mode that says what became of each reply."""

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from host.context import text_view
from host.core.errors import HostDefect
from host.core.messages import Message, Reply, Usage
from host.events import (
    ContextBreakdown,
    Event,
    LimitExceeded,
    ModelReply,
    Notice,
    Prompt,
    PromptMessage,
    RecordUnwritable,
    TurnOutcome,
    TurnTiming,
)
from host.events import Usage as UsageEvent
from host.providers import ModelRequest
from host.turn.ceilings import Ceilings
from host.turn.endings import Ending
from host.turn.loop import AgentEnd
from host.turn.modes import Carried
from host.turn.outcome import Fault
from host.turn.request import RequestBuilder
from host.turn.runner import Times
from host.turn.telling import NOTHING_SHOWN
from tests.host.turn.bench import Bench, said

REJECTED = Fault("rejected", "transpile_compile", "Compiler error", "program.ts:1:1: error: no")
THREW = Fault("threw", "program_throw", "Runtime error", "Error: boom")


def finishes(bench: Bench, reply: str) -> Carried:
    bench.endings.declare("finish", "done")
    return Carried(kept=said(reply))


def test_a_turn_leaves_its_events_in_order() -> None:
    def carry(bench: Bench, reply: str) -> Carried:
        bench.clock.advance(0.5)
        bench.endings.declare("finish", "done")
        return Carried(kept=said(reply), times=Times(compile_s=0.001, check_s=0.002, run_s=0.4))

    bench = Bench(carry, [Reply(text="a", usage=Usage(input_tokens=7, output_tokens=3))])
    bench.window.add("user", "task", "Task\n----\nuse hunter22")
    hashed = RequestBuilder(bench.window).build().sha256

    assert bench.run() == AgentEnd(status="completed", ending=Ending("finish", "done"))
    assert bench.prompts == [(Message("system", "system"), Message("user", "Task\n----\nuse [masked:A]"))]
    assert bench.captured.emitted == tuple(
        ("root", event)
        for event in (
            Prompt(
                turn=1,
                messages=2,
                new_messages=(
                    PromptMessage(
                        role="system",
                        band="system",
                        source="gg",
                        authority="governance",
                        trust="trusted",
                        text="system",
                    ),
                    PromptMessage(
                        role="user",
                        band="task",
                        source="caller",
                        authority="user_intent",
                        trust="trusted",
                        text="Task\n----\nuse [masked:A]",
                    ),
                ),
                prompt_sha256=hashed,
            ),
            ContextBreakdown.model_validate(
                {
                    "turn": 1,
                    "bands": {
                        "system": {"messages": 1, "chars": 6, "tokens": 2},
                        "task": {"messages": 1, "chars": 24, "tokens": 6},
                    },
                    "tokens": 12,
                    "counter": "characters / 4",
                    "marginPercent": 0,
                }
            ),
            ModelReply(
                turn=1, text="a", finish_reason="stop", input_tokens=7, output_tokens=3, duration_ms=1000.0
            ),
            UsageEvent(turn=1, input_tokens=7, output_tokens=3, total_input_tokens=7, total_output_tokens=3),
            TurnOutcome(turn=1, outcome="finished", consecutive_errors=0, turns=1),
            TurnTiming(
                turn=1,
                prompt_ms=0.0,
                request_ms=1000.0,
                response_ms=500.0,
                compile_ms=1.0,
                check_ms=2.0,
                run_ms=400.0,
            ),
        )
    )
    assert bench.steps == ["flush", "turn 1: a", "turn ended", "flush", "ended"]
    assert bench.state.usage == Usage(input_tokens=7, output_tokens=3)


def test_what_the_model_reads_stands_in_one_order() -> None:
    def carry(bench: Bench, reply: str) -> Carried:
        bench.window.open(text_view("v", "seen"))
        return Carried(kept=said(reply), fault=THREW, notices=(("on_use_failed", "one"), ("k", "two")))

    bench = Bench(carry, ceilings=Ceilings(max_turns=1))
    bench.run()

    assert bench.told() == [
        ("program", "a"),
        ("text_view", "View: v\n----\nseen"),
        ("notice", "Notice\n----\none"),
        ("notice", "Notice\n----\ntwo"),
        ("error", "Runtime error\n----\nError: boom"),
    ]
    assert bench.captured.of(Notice) == (
        Notice(turn=1, kind="on_use_failed", text="one"),
        Notice(turn=1, kind="k", text="two"),
    )


SHOWN = [
    pytest.param(Carried(kept=said("a")), False, ["nothing_shown"], id="nothing"),
    pytest.param(Carried(kept=said("a")), True, [], id="a view"),
    pytest.param(Carried(kept=said("a"), fault=REJECTED), False, [], id="an error"),
    pytest.param(Carried(kept=said("a"), notices=(("k", "n"),)), False, ["k"], id="a notice"),
]


@pytest.mark.parametrize(("carried", "opens", "notices"), SHOWN)
def test_a_program_that_showed_nothing_is_told_so(carried: Carried, opens: bool, notices: list[str]) -> None:
    def carry(bench: Bench, reply: str) -> Carried:
        if opens:
            bench.window.open(text_view("v", ""))
        return carried

    bench = Bench(carry, ceilings=Ceilings(max_turns=1))
    bench.run()

    assert [notice.kind for notice in bench.captured.of(Notice)] == notices
    assert (("notice", f"Notice\n----\n{NOTHING_SHOWN}") in bench.told()) == (notices == ["nothing_shown"])


def test_each_request_begins_with_the_one_before() -> None:
    bench = Bench(replies=["a", "b", "c"], ceilings=Ceilings(max_turns=3))
    bench.run()

    first, second, third = bench.prompts
    assert second[: len(first)] == first
    assert third[: len(second)] == second
    assert [prompt.messages for prompt in bench.captured.of(Prompt)] == [1, 3, 5]
    assert [len(prompt.new_messages) for prompt in bench.captured.of(Prompt)] == [1, 2, 2]


def test_an_error_turn_goes_on_and_is_counted() -> None:
    def carry(bench: Bench, reply: str) -> Carried:
        return finishes(bench, reply) if reply == "c" else Carried(kept=said(reply), fault=REJECTED)

    bench = Bench(carry, ["a", "b", "c"])

    assert bench.run().status == "completed"
    assert bench.captured.of(TurnOutcome) == (
        TurnOutcome(
            turn=1,
            outcome="error",
            error_type="transpile_compile",
            error="program.ts:1:1: error: no",
            consecutive_errors=1,
            turns=1,
        ),
        TurnOutcome(
            turn=2,
            outcome="error",
            error_type="transpile_compile",
            error="program.ts:1:1: error: no",
            consecutive_errors=2,
            turns=2,
        ),
        TurnOutcome(turn=3, outcome="finished", consecutive_errors=0, turns=3),
    )
    assert (bench.count.errors, bench.count.by_type) == (2, {"transpile_compile": 2})


def test_a_reply_that_was_cut_off_is_dropped_and_asked_for_again() -> None:
    bench = Bench(finishes, [Reply(text="half", finish_reason="length"), "whole"])

    assert bench.run().status == "completed"
    assert bench.prompts[0] == bench.prompts[1]
    assert [(o.outcome, o.error_type) for o in bench.captured.of(TurnOutcome)] == [
        ("error", "model_length_capped"),
        ("finished", None),
    ]
    assert bench.told()[0] == ("program", "whole")


STOPS = [
    pytest.param(
        Ceilings(max_turns=2),
        None,
        AgentEnd(status="exhausted", error="maxTurns: 2, limit 2"),
        LimitExceeded(limit="maxTurns", threshold=2, observed=2, turns=2),
        id="turns",
    ),
    pytest.param(
        Ceilings(max_runtime_s=2.0),
        None,
        AgentEnd(status="timed_out", error="maxRuntimeSecs: 2, limit 2"),
        LimitExceeded(limit="maxRuntimeSecs", threshold=2.0, observed=2.0, turns=2),
        id="time",
    ),
    pytest.param(
        Ceilings(max_consecutive_errors=2),
        THREW,
        AgentEnd(status="limit_exceeded", error="maxConsecutiveErrors: 2, limit 2"),
        LimitExceeded(limit="maxConsecutiveErrors", threshold=2, observed=2, turns=2),
        id="errors in a row",
    ),
    pytest.param(
        Ceilings(max_error_rate=0.5, error_rate_window=2),
        THREW,
        AgentEnd(status="limit_exceeded", error="maxErrorRate: 1, limit 0.5"),
        LimitExceeded(limit="maxErrorRate", threshold=0.5, observed=1.0, turns=2),
        id="error rate",
    ),
]


@pytest.mark.parametrize(("ceilings", "fault", "end", "event"), STOPS)
def test_a_ceiling_ends_the_agent_at_a_boundary(
    ceilings: Ceilings, fault: Fault | None, end: AgentEnd, event: LimitExceeded
) -> None:
    bench = Bench(lambda bench, reply: Carried(kept=said(reply), fault=fault), ["a"] * 9, ceilings=ceilings)

    assert bench.run() == end
    assert bench.captured.of(LimitExceeded) == (event,)
    assert len(bench.prompts) == 2


def test_an_ending_on_the_last_turn_completes() -> None:
    assert Bench(finishes, ceilings=Ceilings(max_turns=1)).run().status == "completed"


def test_a_canceled_run_ends_at_the_boundary() -> None:
    def carry(bench: Bench, reply: str) -> Carried:
        bench.state.cancel()
        return Carried(kept=said(reply))

    bench = Bench(carry, ["a", "b"])

    assert bench.run() == AgentEnd(status="canceled")
    assert [outcome.outcome for outcome in bench.captured.of(TurnOutcome)] == ["progressed"]


def test_no_usable_reply_ends_the_run() -> None:
    bench = Bench(replies=["a"])

    assert bench.run() == AgentEnd(status="model_error", error="scripted replies used up after 1")
    assert bench.count.turns == 1


class Silent:
    """A provider that never answers."""

    async def reply(self, request: ModelRequest) -> Reply:
        await anyio.Event().wait()
        raise AssertionError("nobody sets the event")


def test_the_time_of_a_run_ends_the_wait_for_a_reply_though_the_clock_lags() -> None:
    bench = Bench(provider=Silent(), ceilings=Ceilings(max_runtime_s=0.01), reply_s=0.0)

    assert bench.run() == AgentEnd(status="timed_out", error="maxRuntimeSecs: 0.01, limit 0.01")
    assert bench.captured.types == ("prompt", "context_breakdown", "limit_exceeded")


def latches(bench: Bench, reply: str) -> Carried:
    bench.latch.record(HostDefect("compiler", "it is gone"))
    return Carried(kept=said(reply), fault=THREW)


def declares_and_latches(bench: Bench, reply: str) -> Carried:
    bench.endings.declare("finish", "done")
    bench.latch.record(HostDefect("compiler", "it is gone"))
    return Carried(kept=said(reply))


def raises_a_defect(bench: Bench, reply: str) -> Carried:
    raise HostDefect("compiler", "it is gone")


def raises(bench: Bench, reply: str) -> Carried:
    return {}["absent"]  # type: ignore[no-any-return]


DEFECTS = [
    pytest.param(latches, "compiler: it is gone", id="latched, and the program threw"),
    pytest.param(declares_and_latches, "compiler: it is gone", id="latched after an ending"),
    pytest.param(raises_a_defect, "compiler: it is gone", id="raised"),
    pytest.param(raises, "turn: turn 1 raised KeyError('absent')", id="an exception nobody expected"),
]


@pytest.mark.parametrize(("carry", "error"), DEFECTS)
def test_a_fault_of_ggs_own_ends_the_run_and_the_model_is_told_nothing(
    carry: Callable[[Bench, str], Carried], error: str
) -> None:
    bench = Bench(carry)

    assert bench.run() == AgentEnd(status="internal_error", error=error)
    assert [str(defect) for defect in bench.reported] == [error]
    assert bench.told() == []
    assert bench.captured.of(TurnOutcome) == (
        TurnOutcome(turn=1, outcome="fatal", consecutive_errors=0, turns=1),
    )
    assert (bench.count.turns, bench.count.errors) == (1, 0)


def full_at(kind: type[Event]) -> Callable[[Event], None]:
    def sink(event: Event) -> None:
        if isinstance(event, kind):
            raise RecordUnwritable(Path("events.ndjson"), "No space left on device")

    return sink


@pytest.mark.parametrize("kind", [Prompt, ModelReply, Notice, TurnTiming])
def test_a_run_that_cannot_be_recorded_ends(kind: type[Event]) -> None:
    bench = Bench(sink=full_at(kind))

    assert bench.run() == AgentEnd(
        status="internal_error", error="record_unwritable: events.ndjson: No space left on device"
    )
    assert kind.type not in bench.captured.types
