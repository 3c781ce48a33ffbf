"""What the agents of one run share: its clock, ceilings, latch, cancellation, usage."""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import anyio

from host.core.clock import Clock
from host.core.errors import Refusal
from host.core.messages import Usage
from host.events import EventSink
from host.turn.ceilings import Breach, Ceilings, breach_of_run, breach_of_time
from host.turn.latch import Latch, nobody


class RunState:
    """Shared by the loops of a run.

    Args:
        flush: writes what was emitted; called before every wait.
        mask: applied to every message on its way to a provider.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        ceilings: Ceilings,
        latch: Latch,
        events: EventSink,
        flush: Callable[[], None],
        mask: Callable[[str], str],
    ) -> None:
        self.clock: Final = clock
        self.ceilings: Final = ceilings
        self.latch: Final = latch
        self.events: Final = events
        self.flush: Final = flush
        self.mask: Final = mask
        self.usage = Usage()
        self.started_s: Final = clock.monotonic()
        # Exchanges block in a thread each; a limit here could deadlock agents that wait for one another.
        self.exchanges: Final = anyio.CapacityLimiter(math.inf)
        self._canceled: Final = threading.Event()
        self._tell_stop: Callable[[], None] = nobody

    @property
    def elapsed_s(self) -> float:
        return self.clock.monotonic() - self.started_s

    @property
    def left_s(self) -> float | None:
        """Seconds until the run's time is spent; `None` when that ceiling is not armed."""
        most = self.ceilings.max_runtime_s
        return None if most is None else max(0.0, most - self.elapsed_s)

    @property
    def is_canceled(self) -> bool:
        return self._canceled.is_set()

    def cancel(self) -> None:
        """Ends the run at the next turn boundary. Thread-safe."""
        self._canceled.set()
        self._tell_stop()

    @contextmanager
    def stops_told_to(self, tell: Callable[[], None]) -> Iterator[None]:
        """While the block runs, `tell` is called when the run is canceled and when a defect was met, in
        whichever thread that is.
        """
        self._tell_stop = self.latch.on_defect = tell
        try:
            yield
        finally:
            self._tell_stop = self.latch.on_defect = nobody

    def breach(self) -> Breach | None:
        return breach_of_run(self.ceilings, self.elapsed_s, self.usage.cost)

    def refuse_over_run_time(self) -> None:
        """Refuses a call that does work when the run's time is spent; reporting and ending stay possible."""
        breach = breach_of_time(self.ceilings, self.elapsed_s)
        if breach is not None:
            raise Refusal(
                "limit-exceeded",
                f"Run time: {breach.observed:.1f} s used, limit {breach.threshold:g} s; end the session.",
                kind="run_time",
            )
