"""What can go wrong with a sandbox that is not the program's doing.

    SandboxError
    ├── ConfinementUnavailable   this machine cannot confine a worker; nothing was started
    ├── SpawnFailed              a child process could not be started; nothing is left running
    ├── WorkerCrashed            a worker died by itself; reaped, the pool replaces it
    ├── WorkerBrokeProtocol      a worker sent what the protocol does not allow; killed and reaped
    └── PoolClosed               the pool was closed before or during the run; its workers are gone

Whatever a *program* does ends as a `sandbox.outcome` value, never as one of these.
"""

from typing import Final

__all__ = [
    "ConfinementUnavailable",
    "PoolClosed",
    "SandboxError",
    "SpawnFailed",
    "WorkerBrokeProtocol",
    "WorkerCrashed",
    "describe_exit",
]


class SandboxError(Exception):
    """Root of the sandbox's own failures."""


class ConfinementUnavailable(SandboxError):
    """A worker could not confine itself, and the pool was told to require it."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"a worker cannot be confined on this machine: {reason}; "
            'set sandbox.confine to "best-effort" to run programs with less isolation'
        )
        self.reason: Final = reason


class SpawnFailed(SandboxError):
    """A child process could not be started, or did not get as far as its first message."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"cannot start {what}: {reason}")
        self.what: Final = what
        self.reason: Final = reason


class WorkerCrashed(SandboxError):
    """A worker died in mid-run by no limit of the sandbox: a defect of gg or the engine, or a kill."""

    def __init__(self, *, exit_status: int, stderr_tail: str, doing: str) -> None:
        super().__init__(
            f"the worker died while {doing}: {describe_exit(exit_status)}; the pool has replaced it"
        )
        self.exit_status: Final = exit_status
        self.stderr_tail: Final = stderr_tail
        self.doing: Final = doing


class WorkerBrokeProtocol(SandboxError):
    """A worker sent a frame that the protocol does not allow. Nothing from it was used."""

    def __init__(self, detail: str) -> None:
        super().__init__(f"the worker broke the protocol: {detail}; it was killed")
        self.detail: Final = detail


class PoolClosed(SandboxError):
    """The pool is closed, so the program was not run, or not to its end."""

    def __init__(self) -> None:
        super().__init__("the sandbox pool is closed; no program runs in it any more")


def describe_exit(exit_status: int) -> str:
    """`exit status 3`, or `signal 9` for the negative numbers that `Child.wait` gives."""
    return f"signal {-exit_status}" if exit_status < 0 else f"exit status {exit_status}"
