"""The figures of a run, from events alone."""

from datetime import UTC, datetime, timedelta

from host.events import (
    AgentSpawned,
    AgentSurface,
    ApiCall,
    BandSize,
    CodeExecution,
    ContextBreakdown,
    Ending,
    Event,
    MemoryCaps,
    MemoryPeak,
    MemoryState,
    ModelReply,
    Prompt,
    RequestedCall,
    SessionStarted,
    SessionSummary,
    StampedEvent,
    TokenTotals,
    TurnOutcome,
    TurnTiming,
    Usage,
)
from host.experiments import Phases, measure

HASH = "0" * 64
AT = datetime(2026, 12, 1, tzinfo=UTC)


def stamped(*events: Event, agent_id: str = "root") -> list[StampedEvent]:
    return [
        StampedEvent(seq=n, at=AT + timedelta(seconds=n - 1), run="r", agent_id=agent_id, event=event)
        for n, event in enumerate(events, start=1)
    ]


def request(turn: int, **tokens: int) -> list[Event]:
    bands = {name: BandSize(messages=1, chars=4 * size, tokens=size) for name, size in tokens.items()}
    return [
        Prompt(turn=turn, messages=1, new_messages=(), prompt_sha256=HASH),
        ContextBreakdown(turn=turn, bands=bands),
    ]


def reply(turn: int, text: str, *, billed: tuple[int, int] = (0, 0), calls: int = 0) -> ModelReply:
    return ModelReply(
        turn=turn,
        text=text,
        tool_calls=tuple(RequestedCall(id=f"c{n}", name="abcd", arguments='{"a"}xyz') for n in range(calls)),
        finish_reason="stop",
        input_tokens=billed[0],
        output_tokens=billed[1],
        duration_ms=1.0,
    )


def call(operation: str, code: str | None = None) -> ApiCall:
    return ApiCall(turn=1, operation=operation, ok=code is None, code=code, duration_us=5, origin="program")


def state(count: int, peak: int) -> MemoryState:
    return MemoryState(
        module_id="memories-1",
        strategy="markdown",
        memories=(),
        count=count,
        total_len=0,
        total_lines=0,
        peak=MemoryPeak(count=peak, total_len=0, total_lines=0),
        caps=MemoryCaps(),
        scope="isolated",
        writable=True,
    )


STARTED = SessionStarted(
    name="n", task="Do it.", config_sha256=HASH, gg_version="0", python_version="3", seed=7
)
SUMMARY = SessionSummary(
    status="completed",
    exit_code=0,
    ending=Ending(kind="finish", summary="42"),
    turns=2,
    errors=1,
    usage=TokenTotals(input_tokens=0, output_tokens=0),
    duration_s=1.25,
)


def test_a_run_in_figures() -> None:
    rejected = CodeExecution(turn=1, origin="program", sha256=HASH, ok=False, outcome="rejected", seed=1)
    error = TurnOutcome(turn=1, outcome="error", error_type="compile", consecutive_errors=1, turns=1)
    progressed = TurnOutcome(turn=2, outcome="finished", consecutive_errors=0, turns=2)
    timing = TurnTiming(
        turn=1, prompt_ms=1, request_ms=2, response_ms=30, compile_ms=4, check_ms=5, run_ms=6, compact_ms=7
    )

    found = measure(
        stamped(
            STARTED,
            AgentSpawned(profile="root"),
            state(0, 0),
            *request(1, system=100, memories=20),
            reply(1, "four byte", billed=(500, 60)),
            rejected,
            call("files.read_file"),
            call("files.edit_file", "not-found"),
            error,
            timing,
            state(2, 3),
            *request(2, system=100, memories=30),
            reply(2, "x", billed=(600, 70)),
            state(1, 3),
            progressed,
            timing,
            SUMMARY,
        )
    )

    assert (found.status, found.summary, found.task, found.seed) == ("completed", "42", "Do it.", 7)
    assert (found.turns, found.model_calls, found.agents) == (2, 2, 1)
    assert (found.input_tokens, found.output_tokens, found.is_estimated) == (1100, 130, False)
    assert found.memory_tokens == 50
    assert found.calls == {"files.read_file": 1, "files.edit_file": 1}
    assert (found.host_calls, found.failed_calls, found.errors) == (2, {"not-found": 1}, {"compile": 1})
    assert found.compile_rejections == 1
    assert found.phases == Phases(prompt_ms=2, model_ms=4, compile_ms=18, run_ms=12, other_ms=30)
    assert (found.wall_ms, found.cost, found.cached_tokens) == (1250, None, None)
    assert (found.memories_held, found.memories_peak) == (1, 3)


def test_what_no_provider_has_billed_is_estimated_with_what_is_said_of_tools() -> None:
    surface = AgentSurface(execution_mode="tool_calling", operations=(), tools=("abcd",), tools_tokens=1000)

    found = measure(stamped(STARTED, surface, *request(1, system=100), reply(1, "12345678", calls=2)))

    assert (found.input_tokens, found.output_tokens, found.is_estimated) == (1100, 2 + 2 * 3, True)


def test_what_providers_price_and_cache_is_summed_up() -> None:
    def usage(cost: float | None, cached: int | None) -> Usage:
        return Usage(
            turn=1,
            input_tokens=9,
            output_tokens=9,
            cached_input_tokens=cached,
            cost=cost,
            total_input_tokens=9,
            total_output_tokens=9,
        )

    found = measure(stamped(STARTED, usage(0.25, None), usage(None, 5), usage(0.5, 0)))

    assert (found.cost, found.cached_tokens) == (0.75, 5)


def test_a_run_that_was_cut_off_is_measured_as_far_as_it_came() -> None:
    found = measure(stamped(STARTED, *request(1, system=10)))

    assert (found.status, found.summary, found.model_calls, found.wall_ms) == ("cut off", "", 1, 2000)


def test_a_record_without_events_has_no_figures() -> None:
    found = measure([])

    assert (found.status, found.turns, found.wall_ms, found.phases) == ("cut off", 0, 0, Phases())
