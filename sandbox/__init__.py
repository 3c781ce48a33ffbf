"""Runs untrusted programs, each in a worker process that the host can lose without harm.

A pool runs programs and gives outcomes; what goes wrong otherwise is a `SandboxError`. Behind it: `protocol`
(the pipe, its docstring is the specification), `checkout` (one exchange, the watchdog), `started` (the calls
that a program does not wait for), `handle` (one worker), `process` (confined children, also for the
compilers); `launch`, `start`, `confine`, `seccomp`, `worker`, `engine` and `native` run in the child.
"""

from sandbox.command import CommandEnd, CommandLost, CommandNotStarted, run_command
from sandbox.errors import (
    ConfinementUnavailable,
    PoolClosed,
    SandboxError,
    SpawnFailed,
    WorkerBrokeProtocol,
    WorkerCrashed,
)
from sandbox.limits import Limits
from sandbox.outcome import (
    Ceiling,
    Ended,
    GuestError,
    HitCeiling,
    LogLine,
    NeverSettled,
    ProgramOutcome,
    RunStats,
    Threw,
)
from sandbox.pool import SandboxPool
from sandbox.program import Answerer, Background, Call, CallRefusal, GuestGlobals, GuestProgram
from sandbox.report import ConfinementReport, confinement_report
from sandbox.stop import Stop
from sandbox.usage import Usage, read_peak_bytes, read_usage

__all__ = [
    "Answerer",
    "Background",
    "Call",
    "CallRefusal",
    "Ceiling",
    "CommandEnd",
    "CommandLost",
    "CommandNotStarted",
    "ConfinementReport",
    "ConfinementUnavailable",
    "Ended",
    "GuestError",
    "GuestGlobals",
    "GuestProgram",
    "HitCeiling",
    "Limits",
    "LogLine",
    "NeverSettled",
    "PoolClosed",
    "ProgramOutcome",
    "RunStats",
    "SandboxError",
    "SandboxPool",
    "SpawnFailed",
    "Stop",
    "Threw",
    "Usage",
    "WorkerBrokeProtocol",
    "WorkerCrashed",
    "confinement_report",
    "read_peak_bytes",
    "read_usage",
    "run_command",
]
