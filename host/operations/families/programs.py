"""The programs family: what the agent has run, outside its window, and running a text as a program."""

from typing import ClassVar

from pydantic import Field

from host.core.errors import Refusal
from host.operations.model import Arguments, Family, NoArguments, Operation, Result
from host.operations.services import Caller, Programs


class GetArguments(Arguments):
    turn: int | None = Field(default=None, description="The turn; the latest one when omitted.")


class RerunArguments(Arguments):
    source: str = Field(description="A whole program, as a reply would hold it.")


class ProgramSummary(Result):
    """A program of an earlier turn."""

    turn: int = Field(
        description="The turn in which it ran, from 1; below 0 what ran before this agent was copied."
    )
    lines: int = Field(description="Its lines.")
    chars: int = Field(description="Its characters.")
    ok: bool = Field(description="Whether it ran to its end.")
    error: str | None = Field(
        default=None, description="The first line of what went wrong, cut after 200 characters."
    )

    methods: ClassVar = {"source": "source(): string"}


def _programs(caller: Caller) -> Programs:
    if caller.programs is None:
        raise Refusal("unavailable", "This agent keeps no programs.", kind="no_programs")
    return caller.programs


def _history(caller: Caller, _: NoArguments) -> list[ProgramSummary]:
    return [
        ProgramSummary(
            turn=past.turn, lines=past.lines, chars=past.chars, ok=past.error is None, error=past.error
        )
        for past in _programs(caller).history()
    ]


def _get(caller: Caller, arguments: GetArguments) -> str:
    return _programs(caller).get(arguments.turn)


def _rerun(caller: Caller, arguments: RerunArguments) -> None:
    _programs(caller).rerun(arguments.source)


FAMILY = Family(
    "programs",
    "Keeps the programs of earlier turns and runs one of them, or another text, again.",
    (
        Operation(
            id="programs.history",
            summary="Lists the programs of earlier turns, oldest first; rejected and failed ones too.",
            arguments=NoArguments,
            run=_history,
            result=list[ProgramSummary],
            capability="program-library",
            guest_result="result.map((program) => ({ ...program, source: () => get(program.turn) }))",
            example="const failed = programs.history().filter((program) => !program.ok);",
        ),
        Operation(
            id="programs.get",
            summary="Gives the source of an earlier turn's program, as it was run.",
            arguments=GetArguments,
            run=_get,
            result=str,
            capability="program-library",
            failures=(("not-found", "there is no program of that turn; the message names those there are"),),
            example="const source = programs.get(1);",
        ),
        Operation(
            id="programs.rerun",
            summary=(
                "Runs a text as a program when the current one has run to its end, in the same turn. A"
                " failure after the call revokes it; so does an ending. At most four programs run in a turn."
            ),
            arguments=RerunArguments,
            run=_rerun,
            capability="program-library",
            failures=(
                ("invalid-argument", "the source is empty or holds a lone surrogate"),
                ("refused", "the program has registered another one"),
            ),
            in_on_use=False,
            example='programs.rerun(programs.get(1).replace("2025", "2026"));',
        ),
    ),
)
