"""Events of one program: its run, its calls, its diagnostics."""

from typing import Literal

from pydantic import Field

from host.events.types.base import CompileOrigin, EventModel, Many, Milliseconds, RunOrigin, Turn

ExecutionOutcome = Literal["ended", "threw", "never_settled", "hit_ceiling", "rejected", "defect"]
"""`rejected`: the compiler refused it and nothing ran. `defect`: gg's own fault kept it from ending."""


class CodeExecution(EventModel):
    """A program or an on-use script was compiled and, if it compiled, run."""

    turn: Turn
    origin: RunOrigin = Field(
        description="The model's reply, or a script queued by the use of a memory or skill."
    )
    memory: str | None = Field(default=None, description="Slug of the memory whose script it is.")
    skill: str | None = Field(default=None, description="Name of the skill whose script it is.")
    rerun: int = Field(
        default=0, description="0, or which of the turn's programs registered with `programs.rerun` it is."
    )
    source_path: str | None = Field(default=None, description="The text as run, relative to the record.")
    sha256: str = Field(
        description="SHA-256 of the text as run, before masking (UTF-8, lone surrogates passed)."
    )
    ok: bool = Field(description="Whether it ran to its end.")
    outcome: ExecutionOutcome = Field(description="How it ended.")
    error_type: str | None = Field(default=None, description="Which kind of failure, where it is one.")
    error: str | None = Field(
        default=None, description="The text that was told, located in the model's own source."
    )
    finished: bool = Field(
        default=False, description="Whether an ending call was made; a failure after it revokes it."
    )
    api_calls: int = Field(default=0, description="Calls that it made.")
    seed: int = Field(description="Seed of `Math.random` and `crypto`.")
    healing: Many[str] = Field(default=(), description="Strategies that were applied to the reply, in order.")
    healing_did_not_converge: bool = Field(
        default=False, description="Whether each pass found more to repair, so that nothing was."
    )
    compile_ms: Milliseconds = Field(default=0.0, description="Bundling.")
    check_ms: Milliseconds = Field(default=0.0, description="Type checking.")
    run_ms: Milliseconds = Field(default=0.0, description="From the hand-over to a worker to its outcome.")
    guest_ms: Milliseconds = Field(default=0.0, description="Guest time: run time less the host's answers.")
    compile_cached: bool = Field(default=False, description="Whether the result came from the cache.")
    logs_dropped: int = Field(default=0, description="Log lines beyond the cap, of which the tail was kept.")


class ApiCall(EventModel):
    """One operation was called. Written when it ended; no arguments, no result."""

    turn: Turn
    operation: str = Field(description="Id of the operation.")
    ok: bool = Field(description="Whether it succeeded.")
    code: str | None = Field(default=None, description="Code of the `ApiError`, where it failed.")
    message: str | None = Field(default=None, description="Message of the `ApiError`, where it failed.")
    duration_us: int = Field(description="Host time from the record's opening to its close, microseconds.")
    origin: RunOrigin = Field(
        description="The model's reply, or a script queued by the use of a memory or skill."
    )
    place: str | None = Field(
        default=None, description="The call's place, as `program.ts:4:7`, where it is known."
    )


class CompileDiagnostic(EventModel):
    """The compiler reported something about a source. Of one compilation the first 100 are written."""

    turn: Turn
    file: str = Field(description="`program.ts`, `<key>.ts` or `<key>.on-use.ts`.")
    line: int = Field(description="Line, from 1.")
    column: int = Field(description="Column in code points, from 1.")
    code: str = Field(description="`TS2551` and the like; empty for a syntax error.")
    message: str = Field(description="The compiler's text.")
    severity: Literal["error", "warning"] = Field(description="Whether it refused the source.")
    origin: CompileOrigin = Field(description="The model's reply, or a half of a memory or skill.")
