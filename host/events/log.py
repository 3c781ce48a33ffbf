"""The event log: appended live, one JSON object per line, `seq` without a gap over all agents of a run.

Emitting puts a line into memory; one thread of the log's own writes. So an emit waits for no disk, and an
interrupt of the process (Ctrl-C) lands before or after a line, never within one: it can hit the main thread,
but not the one that writes. For the same reason the threads meet in plain locks and a `SimpleQueue` alone:
an interrupt can leave a `Condition` or an `Event` half taken, and these not.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

from host.core.clock import Clock
from host.core.masking import Masker
from host.core.moments import moment_text
from host.events.append_file import AppendFile
from host.events.encoding import encode_body, mask_event, to_json
from host.events.errors import RecordUnwritable
from host.events.stamped import StampedEvent, Subscriber
from host.events.subscribers import Subscribers
from host.events.tickets import Ticket
from host.events.types import Event, EventModel, OperatorLog

FLUSH_EVERY_S: Final = 0.1
MAX_BUFFERED_CHARS: Final = 2**20  # beyond it an emit waits for the disk, so that memory stays bounded

_PENDING: Final = "a line is in the buffer"
_CLOSE: Final = "close"


class EventLog:
    """Writes the events of one run to a file that it creates. Thread-safe.

    When the file cannot be written, the first call that notices and every later `emit` and `flush` raise
    `RecordUnwritable`: nothing may be done that is not recorded. Subscribers still get each event, so that a
    person sees how the run ends.
    """

    def __init__(self, path: Path, *, run_id: str, clock: Clock, masker: Masker) -> None:
        self._file: Final = AppendFile(path)
        self._run_id: Final = run_id
        self._run_json: Final = to_json(run_id)
        self._clock: Final = clock
        self._mask: Final = masker.mask
        self._subscribers: Final = Subscribers(self._report_removal)
        # The lock guards the buffer and how many lines were taken out of it. Together they number a line, so
        # that the one step that emits is the append.
        self._lock: Final = threading.Lock()
        self._middles: Final[dict[tuple[str, str], str]] = {}
        self._buffer: list[str] = []
        self._buffered_chars = 0
        self._taken = 0
        self._closed = False
        self._asks: Final[SimpleQueue[str | Ticket]] = SimpleQueue()  # what the writer is to do next
        self._failure: RecordUnwritable | None = None
        self._failure_told = False
        self._writer: Final = threading.Thread(target=self._write_until_closed, name="gg-events", daemon=True)
        self._writer.start()

    @property
    def path(self) -> Path:
        return self._file.path

    def emit(self, event: Event, *, agent_id: str) -> None:
        """Stamps the event, masked, and passes it on. On disk within 100 ms, or at the next `flush`."""
        overfull = self._put(event, agent_id)
        self._subscribers.deliver()
        if overfull:
            self.flush()
        self._raise_failure()

    def subscribe(self, callback: Subscriber, *, to: type[EventModel] | None = None) -> Callable[[], None]:
        """Calls `callback` with each event from the next on, in order, in a thread that emits.

        `to` restricts it to events of one type, which costs the others nothing.

        Events that threads emit at the same time may reach it after the `emit` returned. One that raises is
        removed, and an `operator_log` says so. Calling the returned function ends the subscription.
        """
        return self._subscribers.add(callback, to)

    def flush(self) -> None:
        """Returns when everything emitted so far is in the file: a kill of the process cannot lose it."""
        ticket = Ticket()
        self._asks.put(ticket)
        while self._writer.is_alive() and not ticket.wait(1.0):
            pass
        if self._buffer and not self._writer.is_alive() and self._failure is None:
            self._failure = RecordUnwritable(self.path, "the thread that writes it is gone, as after a fork")
        self._raise_failure()

    def close(self) -> None:
        """Writes what is left, syncs the file, ends the thread. Raises only a failure not raised yet."""
        self._subscribers.finish()
        with self._lock:
            self._closed = True
        self._asks.put(_CLOSE)
        self._writer.join()
        if not self._failure_told:
            self._raise_failure()

    def _put(self, event: Event, agent_id: str) -> bool:
        """Stamps, buffers and queues the event. True when the buffer is full and the caller has to flush."""
        masked, originals = mask_event(event, self._mask)
        middle = self._middles.get((agent_id, event.type)) or self._middle(agent_id, event.type)
        body = encode_body(masked, originals)
        with self._lock:
            if self._closed:
                raise RuntimeError(f"the event log {self.path} is closed, and {event.type} came after it")
            at = self._clock.now()
            seq = self._taken + len(self._buffer) + 1
            line = f'{{"seq":{seq},"at":"{moment_text(at)}"{middle}{body}\n'
            if not self._buffer:
                self._asks.put(_PENDING)
            self._buffer.append(line)
            self._buffered_chars += len(line)
            if self._subscribers.want(event):
                self._subscribers.queue(
                    StampedEvent(
                        seq=seq, at=at, run=self._run_id, agent_id=agent_id, event=masked, originals=originals
                    )
                )
            return self._buffered_chars > MAX_BUFFERED_CHARS

    def _middle(self, agent_id: str, event_type: str) -> str:
        """The part of a stamp that is the same for all events of one type and agent; kept for the next."""
        agent_json = to_json(agent_id)
        middle = f',"run":{self._run_json},"agentId":{agent_json},"type":"{event_type}",'
        self._middles[agent_id, event_type] = middle
        return middle

    def _write_until_closed(self) -> None:
        ask: str | Ticket = _PENDING
        while ask != _CLOSE:
            ask = self._next_ask()
            self._write(self._take())
            if isinstance(ask, Ticket):
                ask.settle()
        try:
            self._file.close()
        except RecordUnwritable as failure:
            self._failure = self._failure or failure

    def _next_ask(self) -> str | Ticket:
        """Waits until there is something to do; lines that nobody flushes are let gather for a while."""
        ask = self._asks.get()
        if ask != _PENDING:
            return ask
        try:
            return self._asks.get(timeout=FLUSH_EVERY_S)
        except Empty:
            return _PENDING

    def _take(self) -> list[str]:
        with self._lock:
            lines, self._buffer = self._buffer, []
            self._buffered_chars = 0
            self._taken += len(lines)
        return lines

    def _write(self, lines: list[str]) -> None:
        if not lines or self._failure is not None:
            return
        try:
            self._file.append("".join(lines).encode("ascii"))
        except RecordUnwritable as failure:
            self._failure = failure

    def _raise_failure(self) -> None:
        if self._failure is not None:
            self._failure_told = True
            raise RecordUnwritable(self._failure.path, self._failure.reason)

    def _report_removal(self, stamped: StampedEvent, callback: Subscriber, error: Exception) -> None:
        name = getattr(callback, "__qualname__", type(callback).__name__)
        text = f"subscriber {name} raised {error!r} on event {stamped.seq} and gets no more events"
        self._put(OperatorLog(level="error", text=text, source="host"), stamped.agent_id)
