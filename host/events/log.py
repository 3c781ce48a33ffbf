"""The event log: appended live, one JSON object per line, `seq` without a gap over all agents of a run.

Emitting puts a line into memory; one thread of the log's own writes. So an emit waits for no disk, and an
interrupt of the process (Ctrl-C) lands before or after a line, never within one: it can hit the main thread,
but not the one that writes.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from host.core.clock import Clock
from host.core.masking import Masker
from host.events.append_file import AppendFile
from host.events.encoding import encode_body, format_at, mask_event, to_json
from host.events.errors import RecordUnwritable
from host.events.stamped import StampedEvent, Subscriber
from host.events.subscribers import Subscribers
from host.events.types import Event, OperatorLog

FLUSH_EVERY_S: Final = 0.1
MAX_BUFFERED_CHARS: Final = 2**20  # beyond it an emit waits for the disk, so that memory stays bounded


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
        self._mask: Final = None if masker.is_idle else masker.mask
        self._subscribers: Final = Subscribers(self._report_removal)
        # One lock guards the state below. Lines taken from the buffer are counted, so that a line's number is
        # a function of one list: appending to it is the single step that emits.
        self._changed: Final = threading.Condition(threading.Lock())
        self._buffer: list[str] = []
        self._buffered_chars = 0
        self._taken = 0
        self._written = 0
        self._flush_asked = False
        self._closing = False
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

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Calls `callback` with each event from the next on, in order, in a thread that emits.

        Events that threads emit at the same time may reach it after the `emit` returned. One that raises is
        removed, and an `operator_log` says so. Calling the returned function ends the subscription.
        """
        return self._subscribers.add(callback)

    def flush(self) -> None:
        """Returns when everything emitted so far is in the file: a kill of the process cannot lose it."""
        with self._changed:
            wanted = self._taken + len(self._buffer)
            if self._written < wanted:
                self._flush_asked = True
                self._changed.notify_all()
            while self._written < wanted and self._writer.is_alive():
                self._changed.wait(1.0)
            if self._written < wanted and self._failure is None:  # a fork has no threads but its own
                self._failure = RecordUnwritable(self.path, "the thread that writes it is gone")
        self._raise_failure()

    def close(self) -> None:
        """Writes what is left, syncs the file, ends the thread. Raises only a failure not raised yet."""
        self._subscribers.finish()
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._writer.join()
        if not self._failure_told:
            self._raise_failure()

    def _put(self, event: Event, agent_id: str) -> bool:
        """Stamps, buffers and queues the event. True when the buffer is full and the caller has to flush."""
        masked, originals = (event, ()) if self._mask is None else mask_event(event, self._mask)
        middle = f',"run":{self._run_json},"agentId":{to_json(agent_id)},"type":"{event.type}",'
        body = encode_body(masked, originals)
        with self._changed:
            if self._closing:
                raise RuntimeError(f"the event log {self.path} is closed, and {event.type} came after it")
            at = self._clock.now()
            seq = self._taken + len(self._buffer) + 1
            line = f'{{"seq":{seq},"at":"{format_at(at)}"{middle}{body}\n'
            self._buffer.append(line)
            self._buffered_chars += len(line)
            if seq == self._taken + 1:
                self._changed.notify_all()
            if self._subscribers.any:
                self._subscribers.queue(
                    StampedEvent(
                        seq=seq, at=at, run=self._run_id, agent_id=agent_id, event=masked, originals=originals
                    )
                )
            return self._buffered_chars > MAX_BUFFERED_CHARS

    def _write_until_closed(self) -> None:
        while self._await_lines():
            self._write(self._take())
        try:
            self._file.close()
        except RecordUnwritable as failure:
            self._failure = self._failure or failure

    def _await_lines(self) -> bool:
        """Waits for a line, then until a flush is due. False when the log closed and nothing is left."""
        with self._changed:
            self._changed.wait_for(lambda: self._buffer or self._closing)
            self._changed.wait_for(lambda: self._flush_asked or self._closing, FLUSH_EVERY_S)
            return bool(self._buffer)

    def _take(self) -> list[str]:
        with self._changed:
            lines, self._buffer = self._buffer, []
            self._buffered_chars = 0
            self._flush_asked = False
            self._taken += len(lines)
        return lines

    def _write(self, lines: list[str]) -> None:
        try:
            if self._failure is None:
                self._file.append("".join(lines).encode("ascii"))
        except RecordUnwritable as failure:
            self._failure = failure
        with self._changed:
            self._written += len(lines)
            self._changed.notify_all()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            self._failure_told = True
            raise RecordUnwritable(self._failure.path, self._failure.reason)

    def _report_removal(self, stamped: StampedEvent, callback: Subscriber, error: Exception) -> None:
        name = getattr(callback, "__qualname__", type(callback).__name__)
        text = f"subscriber {name} raised {error!r} on event {stamped.seq} and gets no more events"
        self._put(OperatorLog(level="error", text=text, source="host"), stamped.agent_id)
