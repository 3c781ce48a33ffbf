"""What this machine gives a worker in confinement, found out by starting one."""

import sys
from dataclasses import dataclass

from sandbox.handle import WorkerHandle
from sandbox.limits import Limits
from sandbox.program import GuestGlobals

__all__ = ["ConfinementReport", "confinement_report"]


@dataclass(frozen=True)
class ConfinementReport:
    """`reason` says why there is no system-call filter; empty where there is one."""

    platform: str
    seccomp: bool
    no_new_privs: bool
    rlimits: bool
    reason: str


def confinement_report() -> ConfinementReport:
    """Starts a worker, asks it, and ends it. Raises `SandboxError` where no worker can be started."""
    worker = WorkerHandle.start(GuestGlobals(prelude="() => {}", lazy={}), Limits())
    try:
        found = worker.ensure_ready("best-effort")
    finally:
        worker.close()
    return ConfinementReport(
        platform=sys.platform,
        seccomp=found.seccomp,
        no_new_privs=found.no_new_privs,
        rlimits=found.rlimits,
        reason=found.reason,
    )
