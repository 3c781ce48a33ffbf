"""The ids of tool calls, by which a provider matches each answer to its call.

An id is kept as the model's provider wrote it, unless that leaves it open which call is meant: one that is
empty, that no UTF-8 can carry, or that an earlier call of the agent has, is replaced by a number.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from typing import Final

from host.core.messages import ToolCall
from host.core.text import has_lone_surrogate


class CallIds:
    """Knows the ids of every call of one agent so far, and those that its window began with."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken: Final = set(taken)

    def told_apart(self, calls: tuple[ToolCall, ...], *, turn: int) -> tuple[ToolCall, ...]:
        """The calls of one reply, each under an id of its own; a replaced one is `call_<turn>_<place>`."""
        ids: list[str | None] = [self._kept(call.id) for call in calls]  # what is written goes first
        return tuple(
            call if id_ is not None else replace(call, id=self._numbered(turn, place))
            for place, (call, id_) in enumerate(zip(calls, ids, strict=True), start=1)
        )

    def _kept(self, id_: str) -> str | None:
        if not id_.strip() or has_lone_surrogate(id_) or id_ in self._taken:
            return None
        self._taken.add(id_)
        return id_

    def _numbered(self, turn: int, place: int) -> str:
        id_ = next(each for each in _numbers(turn, place) if each not in self._taken)
        self._taken.add(id_)
        return id_


def _numbers(turn: int, place: int) -> Iterator[str]:
    """`call_3_1`, then `call_3_1_2`, `call_3_1_3`, … where a model has written that itself."""
    plain = f"call_{turn}_{place}"
    yield plain
    yield from (f"{plain}_{further}" for further in count(2))
