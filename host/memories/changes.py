"""What became of memories since a holder was last told of them, and who is to be told of a mutation.

For each holder is kept how every memory was when the holder knew it last, those alone that others have
changed since. A mutation is compared by its revision, which no two of one name share.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

from host.memories.model import Memory


@dataclass(frozen=True, kw_only=True)
class Change:
    """Where one memory ended up. `memory` is as it is now, `None` where it was deleted.

    `is_code_changed` says that its module is another one than the holder was told of.
    """

    kind: Literal["added", "updated", "deleted"]
    name: str
    memory: Memory | None
    is_code_changed: bool


@dataclass(eq=False)
class Seat:
    """One holder's place in a store.

    `known` has by name, in the order in which they came to differ, the memories that others have changed: as
    the holder was last told of them or wrote them itself, `None` where there was none.
    """

    agent_id: str
    known: dict[str, Memory | None] = field(default_factory=dict)


class Seats:
    """Those who hold a store, in the order in which they came; used under the store's lock alone."""

    def __init__(self) -> None:
        self._seats: Final[list[Seat]] = []

    def join(self, seat: Seat) -> None:
        self._seats.append(seat)

    def leave(self, seat: Seat) -> None:
        """Once it left, it is told nothing more; leaving again changes nothing."""
        if seat in self._seats:
            self._seats.remove(seat)
        seat.known.clear()

    def beside(self, seat: Seat) -> tuple[str, ...]:
        """Agents of the other holders."""
        return tuple(other.agent_id for other in self._seats if other is not seat)

    def changed(self, by: Seat, before: Memory | None, after: Memory | None) -> None:
        """Takes note of a mutation for all but its author, who knows the memory as it is now."""
        memory = before or after
        assert memory is not None, "a mutation leaves or takes a memory"
        by.known.pop(memory.name, None)
        for seat in self._seats:
            if seat is by:
                continue
            known = seat.known.setdefault(memory.name, before)
            if known is None and after is None:
                del seat.known[memory.name]


def change_of(name: str, known: Memory | None, now: Memory | None) -> Change:
    """What a holder is told of a memory that it knew as `known`."""
    if now is None:
        return Change(kind="deleted", name=name, memory=None, is_code_changed=False)
    if known is None:
        return Change(kind="added", name=name, memory=now, is_code_changed=False)
    return Change(kind="updated", name=name, memory=now, is_code_changed=known.code != now.code)
