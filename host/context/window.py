"""The window: the messages that an agent's next prompt is made of, in order.

It only grows at its end, so that every request is a byte-identical prefix of the next one. What changes what
was sent before is asked for by a program: to close a view, to archive turns, to compact. Views opened during
a turn wait in a list of their own until the turn ends, which is where a view that is opened twice is replaced
in place.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from host.context.views import (
    IMAGE_TOKENS,
    OpenedView,
    View,
    ViewIdentity,
    ViewKind,
    file_selector,
    refuse_over_turn_budget,
)
from host.core.messages import Image, Role, ToolCall
from host.core.text import estimate_tokens

Band = Literal[
    "system",
    "task",
    "memories",
    "records",
    "summary",
    "program",
    "answer",
    "calls",
    "result",
    "text_view",
    "file_view",
    "docs_view",
    "skill",
    "notice",
    "error",
]
Opening = Literal["opened", "replaced", "unchanged"]

_BAND_OF_VIEW: dict[ViewKind, Band] = {
    "text": "text_view",
    "file": "file_view",
    "docs": "docs_view",
    "skill": "skill",
}
_FREE: Final = frozenset[ViewKind]({"docs", "skill"})


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One message of the window, and the view it was sent for.

    The model's own may carry `tool_calls`; one of the role `tool` answers the call whose id is `answers`.
    `turn` is the one that it was appended in; 0 for what the window opens with.
    """

    role: Role
    band: Band
    text: str
    view: View | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    answers: str | None = None
    turn: int = 0

    @property
    def images(self) -> tuple[Image, ...]:
        """The pictures that go with it."""
        return () if self.view is None or self.view.image is None else (self.view.image,)

    @property
    def is_pinned(self) -> bool:
        """Whether nothing but a compaction, which puts it in again, takes it out."""
        return self.band == "skill"

    @property
    def chars(self) -> int:
        """Code points of its text and of what it calls."""
        return len(self.text) + sum(len(call.name) + len(call.arguments) for call in self.tool_calls)

    @property
    def tokens(self) -> int:
        """An estimate."""
        called = sum(estimate_tokens(call.name + call.arguments) for call in self.tool_calls)
        return estimate_tokens(self.text) + called + IMAGE_TOKENS * len(self.images)


@dataclass(frozen=True, kw_only=True)
class Taken:
    """What was taken out of a window, and the views that are open no more for it."""

    entries: tuple[Entry, ...]
    closed: tuple[View, ...]


@dataclass
class BandSize:
    """One band's share of the window; tokens are estimated."""

    messages: int = 0
    chars: int = 0
    tokens: int = 0


class Window:
    """What one agent's model has been told, and what it will be told next.

    Sizes and open views are kept as messages come and go, so that a turn costs the same however long the run
    is.
    """

    def __init__(self, system: str) -> None:
        self._entries: list[Entry] = []
        self._bands: dict[Band, BandSize] = {}
        self._shown: dict[ViewIdentity, Entry] = {}
        self._opening: dict[ViewIdentity, View] = {}
        self._asked_again: set[ViewIdentity] = set()
        self._spent_bytes = 0
        self._removals = 0
        self._turn = 0
        self.add("system", "system", system)

    @property
    def removals(self) -> int:
        """How many messages were taken out; as long as it stands, the window has only grown."""
        return self._removals

    @property
    def bands(self) -> Mapping[Band, BandSize]:
        return self._bands

    @property
    def size(self) -> BandSize:
        """The whole window."""
        total = BandSize()
        for band in self._bands.values():
            total.messages += band.messages
            total.chars += band.chars
            total.tokens += band.tokens
        return total

    def holds(self, band: Band) -> bool:
        """Whether there is a message of the band."""
        return band in self._bands and self._bands[band].messages > 0

    @property
    def waiting_tokens(self) -> int:
        """An estimate of the views that were opened this turn."""
        return sum(view.tokens for view in self._opening.values())

    def entries_from(self, start: int) -> tuple[Entry, ...]:
        """The entries from a position on."""
        return tuple(self._entries[start:])

    def copy(self, turns: int) -> "Window":
        """The same window for another agent, which goes on from the end of this turn, the `turns`th.

        Its turns count from 1 again; those until now are counted back, the latest as -1. A notice that is of
        no turn tells this agent alone what to do.
        """
        system, *others = self._entries
        copied = Window(system.text)
        for entry in others:
            if entry.turn or entry.band != "notice":
                renumbered = replace(entry, turn=entry.turn and entry.turn - turns - 1)
                copied._append(renumbered)
                if entry.view is not None and self._shown.get(entry.view.identity) is entry:
                    copied._shown[entry.view.identity] = renumbered
        return copied

    def reword(self, system: str) -> None:
        """Puts this system prompt in place of the one that there is."""
        first = self._entries[0]
        if first.text == system:
            return
        self._count(first, -1)
        self._entries[0] = replace(first, text=system)
        self._count(self._entries[0], 1)
        self._removals += 1

    def start_turn(self, turn: int) -> None:
        """What is appended from here on belongs to this turn."""
        self._turn = turn

    def add(self, role: Role, band: Band, text: str) -> None:
        """Appends a message that is no view."""
        self.keep(Entry(role=role, band=band, text=text))

    def keep(self, entry: Entry) -> None:
        """Appends an entry that is no view."""
        self._append(replace(entry, turn=self._turn))

    def open(self, view: View) -> Opening:
        """Opens a view for the next prompt; the same view opened earlier this turn is replaced in place.

        A page of documentation or a skill that is open with the same text stays where it is. Neither spends
        anything of the turn's budget, so that loading a module cannot fail for want of room.
        """
        shown = self._shown.get(view.identity)
        before = self._opening.get(view.identity, shown and shown.view)
        if view.kind in _FREE and before == view:
            self._asked_again.add(view.identity)
            return "unchanged"
        if view.kind not in _FREE:
            refuse_over_turn_budget(view, self._spent_bytes)
            self._spent_bytes += view.size_bytes
        self._opening[view.identity] = view
        return "opened" if before is None else "replaced"

    def open_all(self, views: Iterable[View]) -> list[tuple[View, Opening]]:
        """Opens all of them, or none where one of them is refused."""
        checked, spent_bytes = [], self._spent_bytes
        for view in views:
            refuse_over_turn_budget(view, spent_bytes)
            spent_bytes += view.size_bytes
            checked.append(view)
        return [(view, self.open(view)) for view in checked]

    def close(self, selector: str) -> tuple[View, ...]:
        """Takes the text views of this label and the file views of this path out of the next prompt, and
        returns them.
        """
        meant = {"text": selector, "file": file_selector(selector)}
        return self._close(lambda view: meant.get(view.kind) == view.selector)

    def close_docs(self, key: str | None = None) -> tuple[View, ...]:
        """Takes the page of documentation under this key, or every page, out of the next prompt; returns what
        it took.
        """
        return self._close(lambda view: view.kind == "docs" and key in (None, view.selector))

    def close_files(self, path: str | None) -> tuple[View, ...]:
        """Takes the views of a file, or of every file, out of the next prompt; returns them."""
        meant = None if path is None else file_selector(path)
        return self._close(lambda view: view.kind == "file" and meant in (None, view.selector))

    def take(self, turns: Container[int]) -> Taken:
        """Takes the messages of these turns out, less pinned ones; a view that this turn opened again stays
        open.
        """
        return self._take([entry for entry in self._entries if entry.turn in turns and not entry.is_pinned])

    def restart(self, entries: tuple[Entry, ...]) -> Taken:
        """Puts these in place of everything after the system prompt; returns what was there.

        No view is shown any more but those that are among the new entries; what else this turn opened goes on
        waiting for its end.
        """
        taken = self._take(self._entries[1:])
        for entry in entries:
            self._append(entry)
            if entry.view is not None:
                self._opening.pop(entry.view.identity, None)
                self._shown[entry.view.identity] = entry
        return taken

    def current(self) -> tuple[OpenedView, ...]:
        """The views that the next prompt will hold, oldest first."""
        return tuple(
            OpenedView(kind=view.kind, selector=view.selector, tokens=view.tokens, region=view.region)
            for view in self._open_views()
        )

    def shows_docs(self, key: str) -> bool:
        """Whether the next prompt will hold the page of documentation under this key."""
        identity: ViewIdentity = ("docs", key, None)
        return identity in self._shown or identity in self._opening

    def end_turn(self) -> None:
        """Appends the views that were opened this turn.

        A view that was sent before and is opened again stays behind as history, and the new one goes to the
        end.
        """
        opened, self._opening, self._spent_bytes = self._opening, {}, 0
        self._asked_again.clear()
        for identity, view in opened.items():
            entry = Entry(
                role="user", band=_BAND_OF_VIEW[view.kind], text=view.text, view=view, turn=self._turn
            )
            self._shown.pop(identity, None)
            self._shown[identity] = entry
            self._append(entry)

    def drop_docs(self, keys: frozenset[str]) -> None:
        """Forgets that these pages are open: what was sent stays as history, what waits to be sent is
        dropped.
        """
        for key in keys:
            self._shown.pop(("docs", key, None), None)
            self._opening.pop(("docs", key, None), None)
            self._asked_again.discard(("docs", key, None))

    @property
    def ends_on_the_model(self) -> bool:
        """Whether a prompt sent now would ask the model to continue its own message."""
        return self._entries[-1].band in ("program", "answer") and not self._opening

    def _close(self, is_meant: Callable[[View], bool]) -> tuple[View, ...]:
        closed = [view for view in self._open_views() if is_meant(view)]
        gone = [self._shown.pop(view.identity) for view in closed if view.identity in self._shown]
        for view in closed:
            self._opening.pop(view.identity, None)
            self._asked_again.discard(view.identity)
        self._remove(gone)
        return tuple(closed)

    def _take(self, gone: list[Entry]) -> Taken:
        closed = []
        for entry in gone:
            if entry.view is None or self._shown.get(entry.view.identity) is not entry:
                continue
            del self._shown[entry.view.identity]
            if entry.view.identity in self._opening:
                continue
            if entry.view.identity in self._asked_again:
                self._opening[entry.view.identity] = entry.view
            else:
                closed.append(entry.view)
        self._remove(gone)
        return Taken(entries=tuple(gone), closed=tuple(closed))

    def _append(self, entry: Entry) -> None:
        self._entries.append(entry)
        self._count(entry, 1)

    def _remove(self, gone: list[Entry]) -> None:
        ids = {id(entry) for entry in gone}  # two entries may be equal
        behind = []
        while ids and self._entries:  # from the end, where most of them stand, however long the window is
            entry = self._entries.pop()
            if id(entry) in ids:
                ids.remove(id(entry))
            else:
                behind.append(entry)
        self._entries += reversed(behind)
        self._removals += len(gone)
        for entry in gone:
            self._count(entry, -1)

    def _open_views(self) -> tuple[View, ...]:
        """Those that were sent and are not opened again, then those of this turn, each oldest first."""
        sent = (
            entry.view
            for identity, entry in self._shown.items()
            if entry.view is not None and identity not in self._opening
        )
        return *sent, *self._opening.values()

    def _count(self, entry: Entry, sign: int) -> None:
        band = self._bands.setdefault(entry.band, BandSize())
        band.messages += sign
        band.chars += sign * entry.chars
        band.tokens += sign * entry.tokens
