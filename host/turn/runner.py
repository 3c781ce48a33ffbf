"""Compiles one text and runs it in the sandbox, each of its calls through the bracket.

Programs and onUse scripts take the same way; they differ in what they may call and in who is told of a
failure. A fault of gg's own is latched here and told to nobody but the operator.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from host.core.errors import ApiErrorCode, HostDefect, Refusal
from host.core.module_keys import Carrier
from host.core.text import escape_controls
from host.events import CodeExecution, Event, OperatorLog, sha256_of
from host.operations import VALUE_CAP, Bracket, Caller, open_attachments
from host.turn.code import AgentCode, Use, emit_diagnostics
from host.turn.faults import place_of
from host.turn.latch import Latch
from host.turn.outcome import Fault, fault_of
from host.turn.told_diagnostics import told_diagnostics
from runtime_js import (
    Compiled,
    Compiler,
    CompilerBroken,
    CompileRejected,
    SourceMap,
    relocate_frames,
)
from sandbox import (
    Background,
    Call,
    GuestProgram,
    ProgramOutcome,
    SandboxError,
    SandboxPool,
    Stop,
    WorkerCrashed,
)

_KINDS: Final[Mapping[ApiErrorCode, str]] = {
    "limit-exceeded": VALUE_CAP,
    "invalid-argument": "arguments",
    "unavailable": "program_ended",
}


@dataclass(frozen=True, kw_only=True)
class Times:
    """Where the host's time went, seconds."""

    compile_s: float = 0.0
    check_s: float = 0.0
    run_s: float = 0.0

    def __add__(self, other: "Times") -> "Times":
        return Times(
            compile_s=self.compile_s + other.compile_s,
            check_s=self.check_s + other.check_s,
            run_s=self.run_s + other.run_s,
        )


@dataclass(frozen=True, kw_only=True)
class Execution:
    """How one program or script went. `defect` is gg's own fault, of which the model learns nothing."""

    fault: Fault | None = None
    defect: HostDefect | None = None
    times: Times = field(default_factory=Times)
    guest_s: float = 0.0

    @property
    def ran_to_its_end(self) -> bool:
        return self.fault is None and self.defect is None


@dataclass(frozen=True, kw_only=True)
class ProgramText:
    """A text to run, and what its event says of it.

    `rerun` counts the programs of a turn that were registered to run again, from 1; `carrier` is the memory
    or skill whose script it is.
    """

    source: str
    source_path: str
    seed: int
    healing: tuple[str, ...] = ()
    healing_did_not_converge: bool = False
    rerun: int = 0
    carrier: Carrier | None = None


class ProgramRunner:
    """Runs the programs and scripts of one agent. Blocking; to be called from a thread.

    `report_state` is called when one has ended: what many calls changed is reported once. `background` says
    which calls may go on while the program does; `stop` is what ends one from outside.
    """

    def __init__(
        self,
        *,
        compiler: Compiler,
        pool: SandboxPool,
        bracket: Bracket,
        code: AgentCode,
        latch: Latch,
        emit: Callable[[Event], None],
        defect_of: Callable[[CompilerBroken], HostDefect],
        report_state: Callable[[], None],
        background: Background | None = None,
        stop: Stop | None = None,
    ) -> None:
        self._background: Final = background
        self._stop: Final = stop
        self._compiler: Final = compiler
        self._pool: Final = pool
        self._bracket: Final = bracket
        self._code: Final = code
        self._latch: Final = latch
        self._emit: Final = emit
        self._defect_of: Final = defect_of
        self._report_state: Final = report_state

    def run_program(self, text: ProgramText, caller: Caller) -> Execution:
        """Compiles and runs a program of a turn."""
        run = _Run(caller=caller, text=text)
        try:
            compiled = self._compiler.compile(self._code.program_unit(text.source))
        except CompileRejected as rejected:
            emit_diagnostics(
                self._emit, rejected.diagnostics, turn=caller.turn, severity="error", origin="program"
            )
            told = told_diagnostics(rejected.diagnostics)
            fault = Fault("rejected", "transpile_compile", "Compiler error", told)
            times = Times(compile_s=rejected.bundle_s, check_s=rejected.check_s)
            return self._closed(run, Execution(fault=fault, times=times), None, None)
        except CompilerBroken as broken:
            return self._broken(run, self._defect_of(broken))
        emit_diagnostics(
            self._emit, compiled.warnings, turn=caller.turn, severity="warning", origin="program"
        )
        return self._run(run, compiled, None)

    def run_use(self, use: Use, caller: Caller, *, seed: int, source_path: str, budget_s: float) -> Execution:
        """Runs an onUse script, compiled when it was loaded."""
        text = ProgramText(source=use.source, source_path=source_path, seed=seed, carrier=use.carrier)
        return self._run(_Run(caller=caller, text=text), use.script, budget_s)

    def _run(self, run: "_Run", compiled: Compiled, budget_s: float | None) -> Execution:
        def answer(call: Call) -> str:
            return self._bracket.answer(
                run.caller,
                call.operation,
                call.arguments,
                lambda: place_of(call.stack, compiled.source_map),
                refusal=_refusal_of(call),
            )

        started = time.monotonic()
        try:
            outcome = self._pool.run(
                GuestProgram(js=compiled.js, seed=run.text.seed),
                answer,
                budget_s=budget_s,
                background=self._background,
                stop=self._stop,
            )
        except SandboxError as error:
            return self._broken(run, _defect_of_sandbox(error))
        open_attachments(run.caller)
        self._log(run, outcome, compiled.source_map)
        execution = Execution(
            fault=fault_of(outcome, compiled.source_map, self._bracket.spelling),
            defect=self._latch.defect,
            times=Times(
                compile_s=compiled.bundle_s, check_s=compiled.check_s, run_s=time.monotonic() - started
            ),
            guest_s=outcome.stats.guest_s,
        )
        return self._closed(run, execution, outcome, compiled)

    def _broken(self, run: "_Run", defect: HostDefect) -> Execution:
        self._latch.record(defect)
        return self._closed(run, Execution(defect=defect), None, None)

    def _log(self, run: "_Run", outcome: ProgramOutcome, source_map: SourceMap) -> None:
        for line in outcome.stats.logs:
            self._emit(
                OperatorLog(
                    level=line.level,
                    text=escape_controls(relocate_frames(line.text, source_map)),
                    turn=run.caller.turn,
                    source=run.caller.origin,
                )
            )

    def _closed(
        self, run: "_Run", execution: Execution, outcome: ProgramOutcome | None, compiled: Compiled | None
    ) -> Execution:
        fault, stats = execution.fault, outcome and outcome.stats
        carrier = run.text.carrier
        self._report_state()
        self._emit(
            CodeExecution(
                turn=run.caller.turn,
                origin=run.caller.origin,
                memory=carrier.name if carrier and carrier.origin == "memory" else None,
                skill=carrier.name if carrier and carrier.origin == "skill" else None,
                rerun=run.text.rerun,
                source_path=run.text.source_path,
                sha256=sha256_of(run.text.source),
                ok=execution.ran_to_its_end,
                outcome=fault.kind if fault else "defect" if execution.defect else "ended",
                error_type=fault.error_type if fault else None,
                error=fault.text if fault else None,
                finished=run.caller.origin == "program" and run.caller.endings.declared is not None,
                api_calls=stats.calls if stats else 0,
                seed=run.text.seed,
                healing=run.text.healing,
                healing_did_not_converge=run.text.healing_did_not_converge,
                compile_ms=execution.times.compile_s * 1000,
                check_ms=execution.times.check_s * 1000,
                run_ms=execution.times.run_s * 1000,
                guest_ms=execution.guest_s * 1000,
                compile_cached=compiled.cached if compiled else False,
                logs_dropped=stats.logs_dropped if stats else 0,
            )
        )
        return execution


@dataclass(frozen=True, kw_only=True)
class _Run:
    caller: Caller
    text: ProgramText


def _refusal_of(call: Call) -> Refusal | None:
    """Why the sandbox refuses a call, in the bracket's terms."""
    found = call.refusal
    if found is None:
        return None
    return Refusal(found.code, found.message, kind=_KINDS[found.code])


def _defect_of_sandbox(error: SandboxError) -> HostDefect:
    """With what a worker that died has left, for the operator."""
    facts: dict[str, object] = {}
    if isinstance(error, WorkerCrashed):
        facts = {"exitStatus": error.exit_status, "stderrTail": error.stderr_tail, "doing": error.doing}
    return HostDefect("sandbox", str(error), facts)
