"""Passes events on to whoever listens, in order, without making the log wait for it.

Events are queued while the log holds its lock, which fixes their order. They are delivered after it was
released, by one thread at a time: whichever emits while nobody delivers. A callback may emit.
"""

import threading
from collections import deque
from collections.abc import Callable

from host.events.stamped import StampedEvent, Subscriber
from host.events.tickets import Ticket
from host.events.types import EventModel

ReportRemoval = Callable[[StampedEvent, Subscriber, Exception], None]


class Subscribers:
    """Who listens to a log. A callback that raises is removed and reported once; the turn goes on."""

    def __init__(self, report: ReportRemoval) -> None:
        self._report = report
        self._callbacks: tuple[tuple[Subscriber, type[EventModel]], ...] = ()
        self._wanted: dict[type[EventModel], bool] = {}  # by type of event, for these callbacks
        self._queue: deque[StampedEvent | Ticket] = deque()
        self._lock = threading.Lock()
        self._deliverer: int | None = None  # the thread that passes events on, if one does

    def want(self, event: EventModel) -> bool:
        """Whether anybody listens to events of this type."""
        known, kind = self._wanted, type(event)
        if kind not in known:
            known[kind] = any(issubclass(kind, wanted) for _, wanted in self._callbacks)
        return known[kind]

    def add(self, callback: Subscriber, to: type[EventModel] | None = None) -> Callable[[], None]:
        """Delivers from the next event on, all or those of one type, until what is returned is called."""
        with self._lock:
            self._replace((*self._callbacks, (callback, to or EventModel)))
        return lambda: self._remove(callback)

    def queue(self, stamped: StampedEvent) -> None:
        """Called with the log's lock held."""
        self._queue.append(stamped)

    def deliver(self) -> None:
        """Passes on what is queued, unless another thread or a caller further up is at it and will do it."""
        # Looked at again after each round: what another thread queued meanwhile was left to this one.
        while self._queue and self._deliver_round():
            pass

    def finish(self) -> None:
        """Returns when everything queued so far was passed on; from within a callback, at once."""
        if self._deliverer == threading.get_ident():
            return
        ticket = Ticket()
        self._queue.append(ticket)
        self.deliver()
        while not ticket.wait(0.1):  # another thread is at it, unless it was interrupted
            self.deliver()

    def _deliver_round(self) -> bool:
        me = threading.get_ident()
        mine = False
        try:
            with self._lock:
                if self._deliverer is not None:
                    return False
                self._deliverer = me
                mine = True
            while self._queue:
                self._serve(self._queue.popleft())
        finally:
            if mine:
                self._deliverer = None
        return True

    def _serve(self, queued: StampedEvent | Ticket) -> None:
        if isinstance(queued, Ticket):
            queued.settle()
        else:
            self._pass_on(queued)

    def _pass_on(self, stamped: StampedEvent) -> None:
        for callback, wanted in self._callbacks:
            if not isinstance(stamped.event, wanted):
                continue
            try:
                callback(stamped)
            except Exception as error:
                self._remove(callback)
                self._report(stamped, callback, error)

    def _remove(self, callback: Subscriber) -> None:
        with self._lock:
            self._replace(tuple(entry for entry in self._callbacks if entry[0] is not callback))

    def _replace(self, callbacks: tuple[tuple[Subscriber, type[EventModel]], ...]) -> None:
        # In this order: what was found out for the old ones must not end among what holds for the new.
        self._callbacks = callbacks
        self._wanted = {}
