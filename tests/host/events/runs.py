"""The events of a small run: a read that misses, a program that throws, one that finishes."""

from datetime import timedelta

from host.events import (
    AgentSpawned,
    CodeExecution,
    CompileDiagnostic,
    Defect,
    Ending,
    Event,
    LimitExceeded,
    MemoryRead,
    MemoryRefusal,
    ModelReply,
    Notice,
    OperatorLog,
    Prompt,
    SessionStarted,
    SessionSummary,
    StampedEvent,
    TokenTotals,
    TurnOutcome,
    TurnTiming,
    Usage,
    View,
)
from tests.host.events.samples import START, call
from tests.host.events.stores import PlainStore

STARTED = SessionStarted(
    name="study", task="Count.", config_sha256="0", gg_version="0.1.0", python_version="3.11.7", seed=7
)
DEFECT = Defect(turn=2, kind="compiler", detail="lost", facts={"exitStatus": 2})
LIMIT = LimitExceeded(limit="maxTurns", threshold=2, observed=2, turns=2)
SUMMARY = SessionSummary(
    status="completed",
    exit_code=0,
    ending=Ending(kind="finish", summary="Done."),
    turns=2,
    errors=1,
    error_types={"program_throw": 1},
    usage=TokenTotals(input_tokens=30, output_tokens=7),
    duration_s=1.5,
)


def reply(turn: int, text: str) -> ModelReply:
    return ModelReply(
        turn=turn,
        text=text,
        finish_reason="stop",
        input_tokens=10 * turn,
        output_tokens=2 + turn,
        duration_ms=5.0,
    )


def execution(turn: int, **fields: object) -> CodeExecution:
    defaults: dict[str, object] = {
        "turn": turn,
        "origin": "program",
        "source_path": f"programs/root/000{turn}.ts",
        "sha256": "0",
        "ok": True,
        "outcome": "ended",
        "seed": turn,
    }
    return CodeExecution.model_validate(defaults | fields)


def timing(turn: int) -> TurnTiming:
    return TurnTiming(
        turn=turn, prompt_ms=1.0, request_ms=5.0, response_ms=9.0, compile_ms=2.0, check_ms=3.0, run_ms=4.0
    )


def first_turn() -> list[Event]:
    return [
        Prompt(turn=1, messages=2, new_messages=(), prompt_sha256="0"),
        reply(1, "throw new Error()"),
        call(1),
        call(1, ok=False, code="not-found", message="no file"),
        call(1, operation="memories.read_memory", ok=False, code="not-found", message="no memory"),
        MemoryRead(module_id="store-1", name="a", hit=False, turn=1),
        OperatorLog(level="log", text="hello", turn=1, source="program"),
        execution(
            1, ok=False, outcome="threw", error_type="program_throw", error="Error", healing=["strip-fences"]
        ),
        CompileDiagnostic(
            turn=1,
            file="a.ts",
            line=1,
            column=2,
            code="TS1",
            message="odd",
            severity="warning",
            origin="module",
        ),
        Usage(turn=1, input_tokens=10, output_tokens=3, total_input_tokens=10, total_output_tokens=3),
        TurnOutcome(
            turn=1, outcome="error", error_type="program_throw", error="Error", consecutive_errors=1, turns=1
        ),
        timing(1),
    ]


def second_turn() -> list[Event]:
    return [
        Prompt(turn=2, messages=4, new_messages=(), prompt_sha256="1"),
        reply(2, "session.finish()"),
        *PlainStore("store-1", turn=2).write("a", "one"),
        MemoryRead(module_id="store-1", name="a", hit=True, turn=2),
        MemoryRefusal(
            module_id="store-1",
            call="memories.write_memory",
            code="conflict",
            kind="duplicate",
            message="no",
            turn=2,
        ),
        View(turn=2, action="opened", kind="text", selector="a", bytes=3, tokens=1, origin="program"),
        execution(2, finished=True, api_calls=1),
        Notice(turn=2, kind="no_view", text="The program ran and opened no view."),
        DEFECT,
        TurnOutcome(turn=2, outcome="finished", consecutive_errors=0, turns=2),
        timing(2),
    ]


def whole_run() -> list[Event]:
    return [
        STARTED,
        AgentSpawned(profile="root"),
        OperatorLog(level="warn", text="hint", source="host"),
        *first_turn(),
        *second_turn(),
        LIMIT,
        SUMMARY,
    ]


def stamp(events: list[Event]) -> list[StampedEvent]:
    return [
        StampedEvent(seq=n, at=START + timedelta(seconds=n), run="run-1", agent_id="root", event=event)
        for n, event in enumerate(events, start=1)
    ]
