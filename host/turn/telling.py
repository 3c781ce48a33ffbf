"""What the model reads of a turn, in one order: its own message, the views, notices, at most one error."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from host.context import Entry, Window, heading
from host.core.context_item import ContextItem
from host.events import Event, Notice
from host.turn.modes import Carried

News = tuple[str, str | ContextItem]
"""Its kind, and its text as the model reads it, or results of other agents."""
NOTHING_SHOWN: Final = (
    "The program ran and opened no view. A view is the only way to see a value or a file;"
    " console output cannot be read."
)


@dataclass(frozen=True, kw_only=True)
class Told:
    """The messages of a turn that was carried out; its views wait in the window.

    `is_last` is that of a turn which ends the session or hands over: nobody reads what it shows.
    """

    turn: int
    carried: Carried
    is_last: bool = False

    def tokens_in(self, window: Window) -> int:
        """What the window will take with these messages and the views that wait in it."""
        carried = self.carried
        below = [*(_notice(text) for _, text in carried.notices), *self._error()]
        return window.tokens_with((*carried.kept, *below))

    def append(self, window: Window, emit: Callable[[Event], None]) -> None:
        """Appends them, and records the notices among them."""
        window.start_turn(self.turn)
        for entry in self.carried.kept:
            window.keep(entry)
        window.end_turn()
        notices: list[News] = list(self.carried.notices)
        if window.ends_on_the_model and not (notices or self.carried.fault or self.is_last):
            notices.append(("nothing_shown", NOTHING_SHOWN))
        add_notices(notices, self.turn, window, emit)
        for entry in self._error():
            window.keep(entry)

    def _error(self) -> tuple[Entry, ...]:
        fault = self.carried.fault
        if fault is None or fault.heading is None:
            return ()
        return (Entry(role="user", band="error", text=heading(fault.heading, fault.text)),)


def add_notices(notices: Iterable[News], turn: int, window: Window, emit: Callable[[Event], None]) -> None:
    """Appends notices to what the turn has appended, and records them."""
    for kind, told in notices:
        if isinstance(told, ContextItem):
            window.keep(Entry.of(told, "results", "Results"))
            emit(Notice(turn=turn, kind=kind, text=told.value))
        else:
            window.keep(_notice(told))
            emit(Notice(turn=turn, kind=kind, text=told))


def _notice(text: str) -> Entry:
    return Entry(role="user", band="notice", text=heading("Notice", text))
