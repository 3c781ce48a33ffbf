"""One run whose root is given its replies from outside, in a thread with an event loop of its own."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypeVar

from host.app.driven import Driven
from host.app.served.answers import Answer, answer_of
from host.app.session import RunResult, Session
from host.core.messages import Message, ToolSpec
from host.events import StampedEvent
from host.launch import LaunchPlan
from host.memories import MemoryDraft
from host.providers import ModelRequest, TypedCall
from sandbox import Stop

Sent = str | tuple[TypedCall, ...]
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Asked:
    """A reply that was sent, and what became of it."""

    sent: Sent
    answer: Future[Answer] = field(default_factory=Future)


class RunEnded(Exception):
    """The run had ended before the reply could be carried out."""

    def __init__(self, result: RunResult) -> None:
        super().__init__(result.status)
        self.result: Final = result


class ServedAgent:
    """Started by its making, in which the caller waits until a first reply is awaited. One reply at a time.

    Raises what `Session.create` raises, and `RunEnded` where the run ended before its first turn.
    """

    def __init__(
        self,
        plan: LaunchPlan,
        *,
        folder: Path,
        kept: tuple[MemoryDraft, ...],
        watch: Callable[[StampedEvent], None],
    ) -> None:
        self._stop: Final = Stop()
        self._lock: Final = threading.Lock()
        self._inbox: Final[SimpleQueue[Asked | None]] = SimpleQueue()
        self._pending: Asked | None = None
        self._seen: tuple[Message, ...] = ()
        self._ready: Final[Future[tuple[ToolSpec, ...]]] = Future()
        self._ended: Final[Future[RunResult]] = Future()
        self._session: Final = Session.create(
            plan, folder=folder, ask=self._ask, driven=Driven(stop=self._stop, kept=kept)
        )
        self._session.subscribe(watch)
        self._thread: Final = threading.Thread(target=self._run, name="gg-served", daemon=True)
        self._thread.start()
        self.tools: Final = self._ready.result()

    @property
    def has_ended(self) -> bool:
        return self._ended.done()

    def send(self, sent: Sent) -> Asked:
        """Has a reply carried out; its `answer` follows, or `RunEnded` where nothing was done with it."""
        asked = Asked(sent)
        with self._lock:
            assert self._pending is None, "one reply at a time"
            if not self._ended.done():
                self._pending = asked
                self._inbox.put(asked)
                return asked
        asked.answer.set_exception(RunEnded(self._ended.result()))
        return asked

    def stop(self, asked: Asked) -> None:
        """Ends the program of this reply, where it has not ended yet."""
        with self._lock:
            if self._pending is asked:
                self._stop.ask()

    def close(self) -> None:
        """Ends the run, with its program if one is running, and waits for that."""
        with self._lock:
            if self._pending is not None:
                self._stop.ask()
        self._session.cancel()
        self._inbox.put(None)
        self._thread.join()

    # In threads of the run

    def _ask(self, request: ModelRequest) -> Sent | None:
        """What the turn before has shown is the answer; the next reply is waited for."""
        seen = {id(message) for message in self._seen}
        new = [message for message in request.messages if id(message) not in seen]
        self._seen = request.messages
        with self._lock:
            self._stop.reset()
            pending, self._pending = self._pending, None
        if pending is not None:
            pending.answer.set_result(answer_of(new))
        else:
            self._ready.set_result(request.tools)
        asked = self._inbox.get()
        return None if asked is None else asked.sent

    def _run(self) -> None:
        result: RunResult | None = None
        failure: BaseException | None = None
        try:
            result = self._session.run()
        except BaseException as error:  # raised where somebody waits for the run
            failure = error
        with self._lock:
            _settle(self._ended, result, failure)
            pending, self._pending = self._pending, None
        if pending is not None:
            _settle(pending.answer, None if result is None else Answer(end=result), failure)
        if not self._ready.done():
            self._ready.set_exception(failure or RunEnded(self._ended.result()))


def _settle(future: "Future[T]", result: T | None, failure: BaseException | None) -> None:
    if failure is not None:
        future.set_exception(failure)
    elif result is not None:
        future.set_result(result)
