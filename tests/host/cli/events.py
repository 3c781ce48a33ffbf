"""Events of a small run, as the log would hand them to a subscriber."""

from datetime import UTC, datetime

from host.events import (
    AgentSurface,
    ApiCall,
    CodeExecution,
    CompileDiagnostic,
    Defect,
    Ending,
    Event,
    LimitExceeded,
    MemoryRead,
    MemoryRevision,
    ModelReply,
    Notice,
    OperatorLog,
    Prompt,
    PromptMessage,
    RequestedCall,
    SessionStarted,
    SessionSummary,
    StampedEvent,
    TokenTotals,
    TurnOutcome,
    TurnTiming,
    View,
)

DIAGNOSTIC = (
    "program.ts:3:15: error TS2551: Property 'nam' does not exist on type 'MemoryUsage'.\n"
    "  3 | console.log(r.nam);\n"
    "    |               ^"
)
HASH = "0" * 64


def stamped(*events: Event) -> list[StampedEvent]:
    at = datetime(2026, 11, 30, 15, 24, 5, tzinfo=UTC)
    return [
        StampedEvent(seq=seq, at=at, run="r", agent_id="analyst", event=event)
        for seq, event in enumerate(events, start=1)
    ]


def started(task: str = "Summarise exports.csv") -> SessionStarted:
    return SessionStarted(
        name="quickstart",
        task=task,
        config_sha256=HASH,
        gg_version="0.1.0",
        python_version="3.11.7",
        seed=7,
    )


def prompt(turn: int, *messages: tuple[str, str]) -> Prompt:
    new = tuple(PromptMessage(role="user", band=band, text=text) for band, text in messages)
    return Prompt(turn=turn, messages=len(new), new_messages=new, prompt_sha256=HASH)


def reply(turn: int, text: str, finish_reason: str = "stop") -> ModelReply:
    return ModelReply(
        turn=turn, text=text, finish_reason=finish_reason, input_tokens=0, output_tokens=0, duration_ms=0.2
    )


def call(turn: int, operation: str, *, code: str | None = None, message: str | None = None) -> ApiCall:
    return ApiCall(
        turn=turn,
        operation=operation,
        ok=code is None,
        code=code,
        message=message,
        duration_us=12,
        origin="program",
        place="program.ts:4:7",
    )


def view(
    turn: int, selector: str, *, action: str = "opened", size: int = 812, origin: str = "program"
) -> View:
    return View.model_validate(
        {
            "turn": turn,
            "action": action,
            "kind": "text",
            "selector": selector,
            "bytes": size,
            "tokens": size // 4,
            "origin": origin,
        }
    )


def execution(turn: int, error: str | None = None, *, memory: str | None = None) -> CodeExecution:
    return CodeExecution(
        turn=turn,
        origin="onUse" if memory else "program",
        memory=memory,
        sha256=HASH,
        ok=error is None,
        outcome="threw" if error else "ended",
        error_type="program_throw" if error else None,
        error=error,
        seed=1,
    )


def outcome(turn: int, error: str | None = None, *, kind: str = "progressed") -> TurnOutcome:
    return TurnOutcome.model_validate(
        {
            "turn": turn,
            "outcome": "error" if error else kind,
            "error_type": "program_throw" if error else None,
            "error": error,
            "consecutive_errors": 1 if error else 0,
            "turns": turn,
        }
    )


def timing(turn: int, request_ms: float = 0.1) -> TurnTiming:
    return TurnTiming(
        turn=turn,
        prompt_ms=0.1,
        request_ms=request_ms,
        response_ms=15,
        compile_ms=3.2,
        check_ms=9.4,
        run_ms=2.1,
    )


BODY = "The third column is sometimes quoted."


def revision(name: str, change: str = "written", code: str | None = None, number: int = 1) -> MemoryRevision:
    body = "" if change == "deleted" else BODY
    return MemoryRevision.model_validate(
        {
            "module_id": "m1",
            "name": name,
            "revision": number,
            "change": change,
            "op": "write",
            "description": "d",
            "body": body,
            "code": code,
            "on_use": code,
            "len": len(body),
            "lines": 1 if body else 0,
            "author": "analyst",
            "turn": 2,
        }
    )


def summary(status: str = "completed", *, turns: int = 3, errors: int = 1) -> SessionSummary:
    return SessionSummary.model_validate(
        {
            "status": status,
            "exit_code": 0,
            "ending": Ending(kind="finish", summary="Two vendors."),
            "turns": turns,
            "errors": errors,
            "usage": TokenTotals(input_tokens=0, output_tokens=0),
            "duration_s": 1.25,
        }
    )


QUICKSTART: tuple[Event, ...] = (
    started(),
    prompt(1, ("system", "You keep notes."), ("task", "Task\n----\nSummarise exports.csv")),
    reply(1, 'import { views } from "gg";\nviews.openFile("exports.csv");'),
    view(1, "exports.csv"),
    call(1, "views.open_file"),
    execution(1),
    outcome(1),
    timing(1, request_ms=1234.0),
    prompt(
        2,
        ("program", "…"),
        ("file_view", "File: exports.csv:1-9 of 9 lines\n----\nid;name\r\n" + "1;x\r\n" * 8),
    ),
    reply(2, "".join(f"line{number};\n" for number in range(1, 13))),
    revision("csv-tools", code="export const a = 1"),
    call(2, "memories.write_memory"),
    call(2, "files.read_file", code="not-found", message="There is no 'a.csv'."),
    call(2, "memories.read_memory"),
    call(2, "memories.read_memory"),
    MemoryRead(module_id="m1", name="csv-tools", hit=True, turn=2),
    OperatorLog(level="log", text="rows: 3", turn=2, source="program"),
    view(2, "csvTools.parseCsv", origin="host", size=120),
    execution(2),
    view(2, "csv-notes", size=40, action="replaced"),
    execution(2, memory="csv-tools"),
    Notice(turn=2, kind="x", text="A notice.\nIn two lines."),
    outcome(2),
    timing(2),
    prompt(3, ("text_view", "View: csv-notes\n----\nRow 1 is a header.")),
    reply(3, "console.log(r.nam);"),
    CompileDiagnostic(
        turn=3,
        file="program.ts",
        line=3,
        column=15,
        code="TS2551",
        message="m",
        severity="error",
        origin="program",
    ),
    CompileDiagnostic(
        turn=3,
        file="csvTools.ts",
        line=1,
        column=2,
        code="TS1",
        message="odd",
        severity="warning",
        origin="module",
    ),
    execution(3, DIAGNOSTIC),
    outcome(3, DIAGNOSTIC),
    timing(3),
    summary(),
)
FAILING: tuple[Event, ...] = (
    started(),
    prompt(1),
    reply(1, "x", finish_reason="length"),
    outcome(1, "The reply was cut off at the length limit."),
    Defect(
        turn=2,
        kind="compiler",
        detail="esbuild could not finish",
        facts={"exitStatus": -9, "stderrTail": "a\nb"},
    ),
    LimitExceeded(limit="maxTurns", threshold=2, observed=2, turns=2),
    summary("internal_error", errors=0),
)
HOSTILE = "\x1b[2J\x1b]0;owned\x07 [bold red]x[/] \u202egnp.exe \x9b31m"
ATTACKS: tuple[Event, ...] = (
    started(f"task {HOSTILE}\nTurn 99"),
    prompt(1, ("text_view", f"View: {HOSTILE}\n----\n{HOSTILE}\nTurn 2\r\ncompleted after 9 turns")),
    reply(1, f"// {HOSTILE}\r// over\n\tindented"),
    call(1, "files.read_file", code="io-error", message=HOSTILE),
    revision("csv-tools", change="deleted"),
    OperatorLog(level="log", text=f"{HOSTILE}\nnext", turn=1, source="program"),
    view(1, HOSTILE, action="closed"),
    execution(1, f"Error: {HOSTILE}\n  | more"),
    Notice(turn=1, kind="x", text=HOSTILE),
    Defect(turn=1, kind="sandbox", detail=HOSTILE, facts={"stderrTail": HOSTILE}),
)


def calling(turn: int, *calls: tuple[str, str], text: str = "") -> ModelReply:
    """A reply that calls tools: name and arguments of each."""
    made = tuple(
        RequestedCall(id=f"{turn}_{place}", name=name, arguments=arguments)
        for place, (name, arguments) in enumerate(calls, start=1)
    )
    return reply(turn, text).model_copy(update={"tool_calls": made})


def answers(asked: ModelReply, *texts: str) -> Prompt:
    """The prompt after a reply, with what its calls were answered."""
    said = PromptMessage(role="assistant", band="calls", text=asked.text, tool_calls=asked.tool_calls)
    results = [
        PromptMessage(role="tool", band="result", text=text, answers=made.id)
        for made, text in zip(asked.tool_calls, texts, strict=True)
    ]
    new = (said, *results)
    return Prompt(turn=asked.turn + 1, messages=len(new), new_messages=new, prompt_sha256=HASH)


def tool_call(turn: int, operation: str, *, code: str | None = None, message: str | None = None) -> ApiCall:
    made = call(turn, operation, code=code, message=message)
    return made.model_copy(update={"origin": "tool", "place": None})


NOTE = '{"name": "csv", "description": "The exports.", "body": "Column 3\\nis quoted."}'
FIRST = calling(1, ("write_memory", NOTE), ("read_file", '{"path": "a.csv"}'), text="I note that.")
SECOND = calling(2, *[("delete_memory", '{"name": "csv"}')] * 22, ("finish", "{odd"))
CALLING: tuple[Event, ...] = (
    started(),
    AgentSurface(execution_mode="tool_calling", operations=(), tools=("write_memory", "finish")),
    prompt(1, ("system", "You keep notes.")),
    FIRST,
    revision("csv"),
    tool_call(1, "memories.write_memory"),
    tool_call(1, "files.read_file", code="not-found", message="There is no file `a.csv`."),
    view(1, "dot.png", origin="tool"),
    outcome(1),
    timing(1),
    answers(FIRST, '{"count":1,"max_count":null}', "not-found: There is no file `a.csv`."),
    SECOND,
    *[tool_call(2, "memories.delete_memory")] * 22,
    view(2, "a.csv", origin="tool"),
    Notice(turn=2, kind="ending_revoked", text="The session goes on."),
    outcome(2),
    timing(2),
    answers(SECOND, *['"Gone,\\nat last."'] * 22, "null"),
    reply(3, "import { nothing } from no program"),
    outcome(3, "The reply called no tool."),
    summary(),
)
