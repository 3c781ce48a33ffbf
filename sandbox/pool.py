"""Workers of one run: started when first needed, kept warm, replaced when lost."""

import os
import threading
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from sandbox.checkout import Exchange
from sandbox.errors import PoolClosed, SandboxError, SpawnFailed
from sandbox.handle import Confine, WorkerHandle
from sandbox.idle import IdleWorkers, most_idle
from sandbox.limits import Limits
from sandbox.outcome import ProgramOutcome
from sandbox.program import Answerer, Background, GuestGlobals, GuestProgram
from sandbox.stop import Stop

__all__ = ["SandboxPool"]

_DEFAULT_SIZE: Final = 4
_IDLE: Final[IdleWorkers[WorkerHandle]] = IdleWorkers(most_idle())  # of all pools
os.register_at_fork(after_in_child=_IDLE.forget)


class SandboxPool:
    """Runs programs, each in a worker of its own. Any number of threads may call `run`.

    `size` bounds the idle workers kept, not how many programs run: one that waits in a call for another
    program must never keep that from starting. After the first program, `keep_warm` workers are started
    ahead. A worker runs programs of this pool only. Those that wait are kept in `idle`, which bounds them;
    the pools of a process that are given none share one.
    """

    def __init__(
        self,
        *,
        globals: GuestGlobals,
        limits: Limits | None = None,
        size: int | None = None,
        confine: Confine = "required",
        keep_warm: int = 1,
        idle: IdleWorkers[WorkerHandle] | None = None,
    ) -> None:
        self._globals: Final = globals
        self._limits: Final = limits or Limits()
        self._size: Final = max(keep_warm, _DEFAULT_SIZE if size is None else size)
        self._confine: Final = confine
        self._keep_warm: Final = keep_warm
        self._lock: Final = threading.Lock()
        self._idle: Final = idle or _IDLE
        self._busy: set[WorkerHandle] = set()
        self._closed = False

    def run(
        self,
        program: GuestProgram,
        answer: Answerer,
        *,
        budget_s: float | None = None,
        background: Background | None = None,
        stop: Stop | None = None,
    ) -> ProgramOutcome:
        """Runs `program`, passing each call to `answer`, until it ends or a ceiling ends it. Blocks.

        `budget_s` lowers the guest time for this program. `background` says for which operations `answer` may
        be called in other threads; without it, for none. `stop` lets another thread end the program. When
        this returns, whatever became of the program, each call that it started has been answered, and none of
        those threads is left. Raises what `answer` raises, or a `SandboxError`; either way the worker is gone
        and the pool goes on.
        """
        worker = self._take()
        keep = False
        try:
            worker.ensure_ready(self._confine)
            exchange = Exchange(
                worker, self._limits, answer, budget_s=budget_s, background=background, stop=stop
            )
            worker.count_program()
            outcome = exchange.run(program)
            keep = exchange.at_rest and worker.worth_keeping()
            if self._closed and not exchange.at_rest:
                raise PoolClosed  # its worker was killed for that, not for what the outcome says
            return outcome
        except SandboxError:
            if self._closed:
                raise PoolClosed from None
            raise
        finally:
            self._give_back(worker, keep=keep)

    def warm(self) -> None:
        """Starts the workers kept ahead, without waiting for them."""
        with self._lock:
            if not self._closed:
                self._start_ahead()

    def ready(self) -> None:
        """Waits until a worker could run a program; raises the `SandboxError` that keeps it from that."""
        worker = self._take()
        keep = False
        try:
            worker.ensure_ready(self._confine)
            keep = True
        finally:
            self._give_back(worker, keep=keep)

    @property
    def worker_pids(self) -> tuple[int, ...]:
        """The processes of its workers, idle and busy, for whoever measures them."""
        with self._lock:
            return tuple(worker.pid for worker in (*self._idle.of(self), *self._busy))

    def close(self) -> None:
        """Kills every worker; programs that still run end in `PoolClosed`. No process is left."""
        with self._lock:
            self._closed = True
            busy = list(self._busy)
        while (idle := self._idle.take(self)) is not None:
            idle.close()
        for worker in busy:
            worker.end_process()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take(self) -> WorkerHandle:
        with self._lock:
            if self._closed:
                raise PoolClosed
            worker = self._living_idle() or WorkerHandle.start(self._globals, self._limits)
            self._busy.add(worker)
            return worker

    def _living_idle(self) -> WorkerHandle | None:
        while (worker := self._idle.take(self)) is not None and not worker.alive:
            worker.close()
        return worker

    def _give_back(self, worker: WorkerHandle, *, keep: bool) -> None:
        if not keep:
            worker.close()
        with self._lock:
            self._busy.discard(worker)
            if self._closed:
                worker.close()
                return
            if keep and len(self._idle.of(self)) < self._size:
                self._keep(worker)
            elif keep:
                worker.close()
            # No failure of the program that just ended: whoever needs the worker then is told.
            with suppress(SpawnFailed):
                self._start_ahead()

    def _start_ahead(self) -> None:
        while len(self._idle.of(self)) < self._keep_warm:
            # To be used last: those that have run programs are warmer.
            if not self._keep(WorkerHandle.start(self._globals, self._limits), last=True):
                return

    def _keep(self, worker: WorkerHandle, *, last: bool = False) -> bool:
        """Keeps an idle worker; whether there was room for it, so that none had to be given up."""
        given_up = self._idle.put(self, worker, last=last)
        if given_up is not None:
            given_up.close()
        return given_up is None
