"""The parts of a run out of its events: of which kind each is, whose, and what is told once."""

from collections.abc import Iterable

import pytest

from host.app.reflection.run_turns import HOST_KINDS, MAX_PART_CHARS, RunTurns
from host.events import (
    AgentEnded,
    AgentSurface,
    ApiCall,
    CompileDiagnostic,
    Ending,
    Event,
    LimitExceeded,
    ModelReply,
    Prompt,
    PromptMessage,
    RequestedCall,
    TurnOutcome,
)
from tests.host.events.team import stamp

CODE = AgentSurface(execution_mode="responses_as_code", operations=())


def prompt(turn: int, *messages: tuple[str, str], role: str = "user") -> Prompt:
    new = tuple(PromptMessage(role=role, band=band, text=text) for band, text in messages)
    return Prompt(turn=turn, messages=len(new), new_messages=new, prompt_sha256="0" * 64)


def reply(turn: int, text: str = "", *calls: RequestedCall) -> ModelReply:
    return ModelReply(
        turn=turn,
        text=text,
        tool_calls=calls,
        finish_reason="stop",
        input_tokens=0,
        output_tokens=0,
        duration_ms=0,
    )


def failed(operation: str = "files.read_file", message: str = "there is no such file") -> ApiCall:
    return ApiCall(
        turn=1,
        operation=operation,
        ok=False,
        code="not-found",
        message=message,
        duration_us=1,
        origin="program",
    )


def judged(error_type: str | None = None, error: str | None = None, turn: int = 1) -> TurnOutcome:
    return TurnOutcome(
        turn=turn,
        outcome="error" if error_type else "progressed",
        error_type=error_type,
        error=error,
        consecutive_errors=0,
        turns=turn,
    )


def of(events: Iterable[Event], agent_id: str = "root") -> RunTurns:
    return RunTurns(stamp([(agent_id, event) for event in events]))


def parts(events: Iterable[Event]) -> list[tuple[int | None, str, str, str]]:
    return [(part.turn, part.kind, part.label, part.text) for turn in of(events).turns for part in turn.parts]


def test_a_program_and_what_the_compiler_says_of_it() -> None:
    diagnostic = CompileDiagnostic(
        turn=1,
        file="program.ts",
        line=2,
        column=3,
        code="TS1",
        message="No.",
        severity="error",
        origin="program",
    )
    told = "program.ts:2:3: error TS1: No.\n  2 | let secret = 1;"

    assert parts([CODE, reply(1, "let a;"), diagnostic, judged("transpile_compile", told)]) == [
        (1, "reply", "the agent's program", "let a;"),
        (1, "diagnostic", "diagnostic of the compiler", "program.ts:2:3: error TS1: No."),
    ]


def test_calls_and_their_answers_of_which_an_error_is_told_once() -> None:
    asked = RequestedCall(id="1", name="read_file", arguments='{"path": "a"}')
    answers = prompt(2, ("result", "not-found: there is no such file"), ("result", '"b"'), role="tool")

    assert parts([reply(1, "", asked), failed(), judged(), answers]) == [
        (1, "reply", "the agent's calls", 'read_file {"path": "a"}'),
        (1, "host error", "error of a call", "files.read_file: not-found: there is no such file"),
        (1, "result", "answer to a call", '"b"'),
    ]


def test_what_a_tool_from_outside_says_is_a_result_also_where_it_fails() -> None:
    answer = prompt(2, ("result", "not-found: Add a skill."), role="tool")

    assert parts([failed("tools.git.log", "Add a skill."), answer]) == [
        (1, "result", "error of a tool", "tools.git.log: not-found: Add a skill.")
    ]


ERRORS = [
    ("sandbox_timeout", "host error", "what ended the turn"),
    ("model_parse", "host error", "what ended the turn"),
    ("program_throw", "result", "error of the program"),
    ("program_unknown_name", "result", "error of the program"),
    ("program_api_error", "result", "error of the program"),
]


@pytest.mark.parametrize(("error_type", "kind", "label"), ERRORS)
def test_an_error_is_the_hosts_unless_the_program_has_thrown_it(
    error_type: str, kind: str, label: str
) -> None:
    assert parts([judged(error_type, "It ended.")]) == [(1, kind, label, "It ended.")]


def test_a_call_that_failed_and_ended_the_program_is_told_once() -> None:
    error = "ApiError: files.readFile (not-found): there is no such file\n    at program.ts:1:1"

    assert [part[1] for part in parts([failed(), judged("program_api_error", error)])] == ["host error"]


BANDS = [
    ("memories", "memory"),
    ("records", "memory"),
    ("text_view", "result"),
    ("file_view", "file"),
    ("docs_view", "page"),
    ("skill", "page"),
    ("results", "result"),
    ("notice", "other"),
    ("summary", "other"),
]


@pytest.mark.parametrize(("band", "kind"), BANDS)
def test_what_was_read_is_of_the_turn_before_and_of_the_kind_of_its_band(band: str, kind: str) -> None:
    assert kind not in HOST_KINDS
    assert parts([prompt(3, (band, "View: a\n----\nprices"))]) == [
        (2, kind, f'{band.replace("_", " ")}, headed "View: a"', "prices")
    ]


def test_prompts_task_programs_errors_and_skills_are_told_elsewhere() -> None:
    assert (
        parts([prompt(1, *((band, "x") for band in ("system", "task", "program", "error", "skillbook")))])
        == []
    )


def test_what_is_sent_again_after_a_compaction_or_to_a_copy_is_told_once() -> None:
    again = ("text_view", "View: a\n----\nprices")
    events: list[tuple[str, Event]] = [
        ("root", prompt(2, again)),
        ("root", prompt(3, again)),
        ("root-2", prompt(1, again)),
    ]

    run = RunTurns(stamp(events))

    assert [part.agent_id for turn in run.turns for part in turn.parts] == ["root"]
    assert run.run == "run-1"


def test_what_a_summary_was_asked_with_is_no_part() -> None:
    summary = prompt(2, ("text_view", "View: a\n----\nprices")).model_copy(update={"purpose": "summary"})

    assert parts([summary]) == []


def test_a_long_part_is_cut_and_controls_are_spelled_out() -> None:
    [(_, _, _, text)] = parts([reply(1, "\x1b" + "x" * MAX_PART_CHARS)])

    assert text.startswith("\\u001bxxx")
    assert text.endswith("x…")
    assert len(text) == MAX_PART_CHARS + 6


def test_how_others_have_ended_and_which_limits_were_reached() -> None:
    ended = AgentEnded(status="completed", ending=Ending(kind="finish", summary="Read it."))
    limit = LimitExceeded(limit="maxTurns", threshold=3, observed=3, turns=3)

    run = of([judged(), ended, limit], "kid")

    assert [(part.kind, part.text, part.agent_id, part.at) for part in run.ends] == [
        ("outcome", "`kid` ended: completed", "kid", 1),
        ("reply", "Read it.", "kid", 1),
        ("outcome", "maxTurns: 3, limit 3", "kid", 1),
    ]


def test_turns_that_failed() -> None:
    run = of([judged(), judged("program_throw", "x", turn=2)])

    assert [(turn.turn, turn.number, turn.has_failed, turn.error_type) for turn in run.turns] == [
        (1, 0, False, None),
        (2, 1, True, "program_throw"),
    ]
