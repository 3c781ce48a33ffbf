"""A store of memories: contents behind one lock, under one strategy and its limits.

It lives in the host's memory alone. Who may write is no matter of the store; that belongs to its holders.
"""

import threading
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Final

from host.memories.changes import Change, Seat, Seats, change_of
from host.memories.contents import Contents
from host.memories.limits import Caps, MemoryLimits, caps_of
from host.memories.model import Memory
from host.memories.search_index import SearchIndex
from host.memories.strategies import Strategy


class MemoryStore:
    """One set of memories. `number` counts the stores of a run; `memories-1` is the first in its record."""

    def __init__(
        self, *, number: int, strategy: Strategy, limits: MemoryLimits, contents: Contents | None = None
    ) -> None:
        self.module_id: Final = f"memories-{number}"
        self.strategy: Final = strategy
        self._limits = limits
        self._caps = caps_of(limits, strategy.applies)
        if contents is None:
            contents = Contents(SearchIndex() if strategy.searches else None)
        self._exclusive: Final = _Exclusive(contents)
        self._seats: Final = Seats()
        self._order: Final = threading.RLock()

    @property
    def caps(self) -> Caps:
        """The limits in force."""
        return self._caps

    def exclusive(self) -> AbstractContextManager[Contents]:
        """The contents, for this block and no other thread: a check and its commit are one step."""
        return self._exclusive

    def in_order(self) -> AbstractContextManager[bool]:
        """Held while something is done and told, so that it is told in the order in which it is done.

        It keeps nobody from reading the store, and may be entered again by the thread that is in it.
        """
        return self._order

    def join(self, agent_id: str, *, limits: MemoryLimits | None = None, copy_of: Seat | None = None) -> Seat:
        """A place for one more holder, who is told of what others do from now on.

        Args:
            limits: those in force from now on, if nobody else holds the store.
            copy_of: the holder whose window this one has a copy of, and so is yet to be told the same.
        """
        with self._exclusive:
            seat = Seat(agent_id, dict(copy_of.known) if copy_of else {})
            self._seats.join(seat)
            if limits is not None and not self._seats.beside(seat):
                self._limits, self._caps = limits, caps_of(limits, self.strategy.applies)
            return seat

    def copy(self, number: int, agent_id: str, *, of: Seat) -> tuple["MemoryStore", Seat]:
        """Another store of what this one has, limits too, with a place in it for the copy of a holder."""
        with self._exclusive as contents:
            store = MemoryStore(
                number=number, strategy=self.strategy, limits=self._limits, contents=contents.copy()
            )
            return store, store.join(agent_id, copy_of=of)

    def leave(self, seat: Seat) -> None:
        with self._exclusive:
            self._seats.leave(seat)

    def beside(self, seat: Seat) -> tuple[str, ...]:
        """Agents of those who hold the store besides, in the order in which they came."""
        with self._exclusive:
            return self._seats.beside(seat)

    def changed(self, by: Seat, before: Memory | None, after: Memory | None) -> None:
        """Takes note of a mutation for the other holders. Within `exclusive`, as part of the mutation."""
        self._seats.changed(by, before, after)

    def news(self, seat: Seat) -> tuple[Change, ...]:
        """What others have changed since the holder was last told, which it is by this."""
        with self._exclusive as contents:
            changes = tuple(change_of(name, known, contents.find(name)) for name, known in seat.known.items())
            seat.known.clear()
            return changes

    def pin(self, seat: Seat, *, opens: bool) -> str | None:
        """The block for the window of a holder, who is told no more of what stands in it; where the window
        `opens`, of nothing that came before.
        """
        with self._exclusive as contents:
            for name, known in tuple(seat.known.items()):
                if opens or change_of(name, known, contents.find(name)).kind in self.strategy.shows:
                    del seat.known[name]
            return self.strategy.block(contents) if contents.figures.count else None


class _Exclusive:
    """Entered by every call; a generator in its place would take longer than what is done inside."""

    def __init__(self, contents: Contents) -> None:
        self._contents: Final = contents
        self._lock: Final = threading.Lock()

    def __enter__(self) -> Contents:
        self._lock.acquire()
        return self._contents

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()
