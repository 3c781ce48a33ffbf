"""The calls that a program started without waiting for them: at work in threads, in a queue, or complete.

A program has threads of its own for them, made when they are needed and gone before its run returns. All
that a hostile one can pile up is bounded: calls at work by number, calls and results that wait by size.
"""

import threading
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from dataclasses import replace
from types import TracebackType
from typing import Final, NamedTuple, Self

from sandbox.errors import SpawnFailed
from sandbox.limits import Limits, backlog_sentence
from sandbox.program import Answerer, Call, CallRefusal

__all__ = ["Completion", "StartedCalls"]

_LOOK_S: Final = 0.1  # how often the wait for a completion asks whether it is still for something
_DROPPED: Final = CallRefusal("unavailable", "the program ended before this call began")


class Completion(NamedTuple):
    ticket: int
    envelope: bytes


class _Waiting(NamedTuple):
    ticket: int
    call: Call
    context: Context  # of the thread that runs the program, as it was when the call was started
    size_bytes: int


class StartedCalls:
    """Of one program. Its methods are for the thread that runs the program, which enters it for the run.

    `carry_out` answers a call in a thread of its own, `refuse` tells the answerer of one that was dropped.
    Where one of them raises, `on_failure` is called, in any thread, and leaving raises the same.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        carry_out: Callable[[Call], bytes],
        refuse: Answerer,
        on_failure: Callable[[], None],
    ) -> None:
        self._limits: Final = limits
        self._carry_out: Final = carry_out
        self._refuse: Final = refuse
        self._on_failure: Final = on_failure
        lock = threading.Lock()
        self._work: Final = threading.Condition(lock)  # there is a call to take, or nothing more to do
        self._done: Final = threading.Condition(lock)  # there is a result, or none will come
        self._queue: Final[deque[_Waiting]] = deque()
        self._queue_bytes = 0
        self._results: Final[deque[Completion]] = deque()
        self._result_bytes = 0
        self._threads: Final[list[threading.Thread]] = []
        self._idle = 0
        self._at_work = 0
        self._is_over = False
        self._failure: BaseException | None = None
        self._tickets = 0
        self._taken = 0

    @property
    def open(self) -> int:
        """How many tickets are not completed yet."""
        return self._tickets - self._taken

    @property
    def are_at_work(self) -> bool:
        """Whether a thread carries one out."""
        with self._work:
            return self._at_work > 0

    def no_room(self, call: Call, *, in_background: bool) -> str | None:
        """The sentence that refuses to start a call, if there is no room for it, or for its result."""
        limit = self._limits.backlog_bytes
        with self._work:
            found = self._queue_bytes + _size(call) if in_background else self._result_bytes
        if found <= limit:
            return None
        return backlog_sentence("Calls" if in_background else "Results", found, limit)

    def start(self, call: Call) -> int:
        """Lets `call` be carried out when a thread is free; gives its ticket. Raises `SpawnFailed`."""
        self._tickets += 1
        waiting = _Waiting(self._tickets, call, copy_context(), _size(call))
        with self._work:
            self._queue.append(waiting)
            self._queue_bytes += waiting.size_bytes
            needs_thread = len(self._queue) > self._idle
            self._work.notify()
        if needs_thread and len(self._threads) < self._limits.started_at_once:
            self._start_thread()
        return waiting.ticket

    def add(self, envelope: bytes) -> int:
        """Takes the result of a call that was carried out already; gives its ticket."""
        self._tickets += 1
        with self._done:
            self._put(Completion(self._tickets, envelope))
        return self._tickets

    def has_result(self) -> bool:
        with self._done:
            return bool(self._results)

    def wait(self, is_for_something: Callable[[], bool]) -> None:
        """Blocks until there is a result, none will come, or it is for nothing, asked now and then."""
        with self._done:
            while not self._results and self._failure is None:
                if not self._done.wait(_LOOK_S) and not is_for_something():
                    return

    def take(self) -> Completion | None:
        """The next result, the earliest first; None where there is none."""
        with self._done:
            if not self._results:
                return None
            was_full = self._is_full()
            completion = self._results.popleft()
            self._result_bytes -= len(completion.envelope)
            if was_full and not self._is_full():
                self._work.notify_all()
        self._taken += 1
        return completion

    def drop_queue(self) -> None:
        """Takes no more calls to work; the answerer is told of those that had not begun."""
        with self._work:
            self._is_over = True
            dropped = list(self._queue)
            self._queue.clear()
            self._work.notify_all()
        for waiting in dropped:
            if self._failure is not None:
                return  # what made the answerer raise would make it raise again
            try:
                waiting.context.run(self._refuse, replace(waiting.call, arguments="", refusal=_DROPPED))
            except BaseException as error:
                self._fail(error)

    def join(self) -> None:
        """Waits for the calls at work: each has a time limit of its own, in the host."""
        for thread in self._threads:
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.drop_queue()
        self.join()
        if self._failure is not None:
            raise self._failure

    def _start_thread(self) -> None:
        thread = threading.Thread(target=self._serve, name="gg-started-call", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # the system's limit of threads or of memory
            if not self._threads:
                raise SpawnFailed("a thread for a started call", str(error)) from error
        else:
            self._threads.append(thread)

    def _serve(self) -> None:
        while (waiting := self._next()) is not None:
            try:
                envelope = waiting.context.run(self._carry_out, waiting.call)
            except BaseException as error:  # it leaves the run, in the thread of the run
                with self._work:
                    self._at_work -= 1
                self._fail(error)
                return
            with self._done:
                self._at_work -= 1
                self._put(Completion(waiting.ticket, envelope))

    def _next(self) -> _Waiting | None:
        """The next call of the queue; None when there will be none."""
        with self._work:
            self._idle += 1
            while not self._is_over and (not self._queue or self._is_full()):
                self._work.wait()
            self._idle -= 1
            if self._is_over:
                return None
            self._at_work += 1
            waiting = self._queue.popleft()
            self._queue_bytes -= waiting.size_bytes
            return waiting

    def _put(self, completion: Completion) -> None:
        self._results.append(completion)
        self._result_bytes += len(completion.envelope)
        self._done.notify()

    def _is_full(self) -> bool:
        """Whether results wait in such size that no more are to be made."""
        return self._result_bytes > self._limits.backlog_bytes

    def _fail(self, error: BaseException) -> None:
        with self._done:
            if self._failure is None:
                self._failure = error
            self._is_over = True
            self._done.notify_all()
            self._work.notify_all()
        self._on_failure()


def _size(call: Call) -> int:
    """What it takes to keep a call until its turn."""
    return len(call.arguments.encode("utf-8", "surrogatepass")) + len(call.stack)
