"""The window: the messages that an agent's next prompt is made of, in order.

It only grows at its end, so that every request is a byte-identical prefix of the next one. What changes what
was sent before is asked for by a program: to close a view, to archive turns, to compact. Views opened during
a turn wait in a list of their own until the turn ends, which is where a view that is opened twice is replaced
in place.

Its messages are those of a `ConversationWindow`: what it opens with are the sections, what is said and shown
are turns, and what a compaction leaves is the note. Here is what each was sent for.
"""

import sys
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import replace
from typing import Final, Literal, Self

from host.context.bands import Band
from host.context.conversation import ConversationWindow
from host.context.entries import BandSize, Entry, Taken, message_of
from host.context.tokens import CharacterCounter, Counter
from host.context.views import (
    OpenedView,
    View,
    ViewIdentity,
    ViewKind,
    file_selector,
    refuse_over_turn_budget,
)
from host.core.messages import Role, ToolCall
from host.core.scrubbing import scrub

Opening = Literal["opened", "replaced", "unchanged"]

_FREE: Final = frozenset[ViewKind]({"docs", "skill"})
_UNBOUNDED: Final = sys.maxsize


class Window:
    """What one agent's model has been told, and what it will be told next.

    Sizes and open views are kept as messages come and go, so that a turn costs the same however long the run
    is.

    Args:
        counter: counts its tokens; characters / 4 if omitted.
        window_tokens: the most that it may take before it is rewritten; unbounded if omitted.
        mask: takes the secrets out of a text. Every message passes it as it is appended.
    """

    def __init__(
        self,
        system: str,
        *,
        counter: Counter | None = None,
        window_tokens: int | None = None,
        mask: Callable[[str], str] = scrub,
    ) -> None:
        self._mask: Final = mask
        self._counter: Final = counter or CharacterCounter()
        self._conversation = ConversationWindow(
            window_tokens or _UNBOUNDED, counter=self._counter, render=message_of
        )
        self._entries: list[Entry] = []
        self._bands: dict[Band, BandSize] = {}
        self._shown: dict[ViewIdentity, Entry] = {}
        self._opening: dict[ViewIdentity, View] = {}
        self._asked_again: set[ViewIdentity] = set()
        self._spent_bytes = 0
        self._removals = 0
        self._turn = 0
        self._put_first(system)

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
    def conversation(self) -> ConversationWindow:
        """The messages as a conversation: sections, note and turns. It is this window's to change."""
        return self._conversation

    @property
    def counter(self) -> Counter:
        return self._counter

    @property
    def window_tokens(self) -> int | None:
        """The most that it may take before it is rewritten; `None` where that is unbounded."""
        most = self._conversation.window_tokens
        return None if most == _UNBOUNDED else most

    @property
    def tokens(self) -> int:
        """What the whole window takes, with 4 tokens a message and the counter's margin."""
        return self._conversation.tokens

    def tokens_with(self, entries: Iterable[Entry]) -> int:
        """What it will take with these messages, and with the views that were opened this turn."""
        waiting = map(Entry.showing, self._opening.values())
        costs = [self._tokens_of(entry) for entry in (*entries, *waiting)]
        return self._conversation.tokens_with(sum(costs), messages=len(costs))

    def entries_from(self, start: int) -> tuple[Entry, ...]:
        """The entries from a position on."""
        return tuple(self._entries[start:])

    def copy(self, turns: int) -> Self:
        """The same window for another agent, which goes on from the end of this turn, the `turns`th.

        Its turns count from 1 again; those until now are counted back, the latest as -1. A notice that is of
        no turn tells this agent alone what to do.
        """
        copied = type(self)("", counter=self._counter, mask=self._mask)
        copied._conversation = self._conversation.copy()
        copied._entries, copied._bands = [], {}
        for entry in self._entries:
            if not entry.turn and entry.band == "notice":
                copied._conversation.remove([entry.number])
                continue
            renumbered = replace(entry, turn=entry.turn and entry.turn - turns - 1)
            copied._entries.append(renumbered)
            copied._count(renumbered, 1)
            if entry.view is not None and self._shown.get(entry.view.identity) is entry:
                copied._shown[entry.view.identity] = renumbered
        return copied

    def reword(self, system: str) -> None:
        """Puts this system prompt in place of the one that there is."""
        first = self._entries[0]
        if first.text == self._mask(system):
            return
        self._count(first, -1)
        self._put_first(system)
        self._removals += 1

    def open_with(self, entries: Iterable[Entry]) -> None:
        """Appends what the window opens with, before anything is said."""
        self._put_sections(entries)

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

    def compact(self, opening: Iterable[Entry], summary: str) -> Taken:
        """Puts these opening messages, and the summary as a quoted note, in place of everything after the
        system prompt; returns what was there.

        No view is shown any more but those that are among the opening messages; what else this turn opened
        goes on waiting for its end.
        """
        gone = self._entries[1:]
        closed = self._closed_with(gone)
        said = self._mask(summary)
        numbers = [entry.number for entry in gone if entry.number]
        self._conversation.compress(lambda _: said, until=max(numbers, default=0))
        self._forget(gone)
        self._put_sections(opening)
        for note in self._conversation.notes:
            text = message_of(note)
            self._put(Entry(role="user", band="summary", text=text, tokens=self._counter.count(text)))
        return Taken(entries=tuple(gone), closed=closed)

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
            self._shown.pop(identity, None)
            self._shown[identity] = self._append(replace(Entry.showing(view), turn=self._turn))

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
        closed = self._closed_with(gone)
        self._remove(gone)
        return Taken(entries=tuple(gone), closed=closed)

    def _closed_with(self, gone: list[Entry]) -> tuple[View, ...]:
        """The views that are open no more once these messages are gone."""
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
        return tuple(closed)

    def _append(self, entry: Entry) -> Entry:
        """Appends a turn of the conversation; it as it stands in the window."""
        masked = self._masked(entry)
        number = self._conversation.add(
            masked.role,
            masked.text,
            group=("calls", masked.turn) if masked.tool_calls or masked.answers else None,
            attached_tokens=self._attached_tokens(masked),
        )
        return self._put(replace(masked, number=number, tokens=self._conversation.turn(number).tokens))

    def _put_sections(self, entries: Iterable[Entry]) -> None:
        sections = []
        for entry in map(self._masked, entries):
            put = self._put(replace(entry, tokens=self._tokens_of(entry)))
            sections.append(put.item)
            if put.view is not None:
                self._opening.pop(put.view.identity, None)
                self._shown[put.view.identity] = put
        self._conversation.put_sections(sections)

    def _put_first(self, system: str) -> None:
        text = self._mask(system)
        self._conversation.reword(text)
        first = Entry(role="system", band="system", text=text, tokens=self._counter.count(text))
        self._entries[:1] = [first]
        self._count(first, 1)

    def _put(self, entry: Entry) -> Entry:
        self._entries.append(entry)
        self._count(entry, 1)
        return entry

    def _masked(self, entry: Entry) -> Entry:
        mask = self._mask
        calls = tuple(
            ToolCall(id=mask(call.id), name=mask(call.name), arguments=mask(call.arguments))
            for call in entry.tool_calls
        )
        answers = None if entry.answers is None else mask(entry.answers)
        return replace(entry, text=mask(entry.text), tool_calls=calls, answers=answers)

    def _tokens_of(self, entry: Entry) -> int:
        return self._counter.count(entry.text) + self._attached_tokens(entry)

    def _attached_tokens(self, entry: Entry) -> int:
        return (self._counter.count(entry.attached) if entry.tool_calls else 0) + entry.image_tokens

    def _remove(self, gone: list[Entry]) -> None:
        self._conversation.remove(entry.number for entry in gone)
        self._forget(gone)

    def _forget(self, gone: list[Entry]) -> None:
        """Takes messages out that the conversation no longer has."""
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
            for identity, entry in list(self._shown.items())  # other calls of the program go on meanwhile
            if entry.view is not None and identity not in self._opening
        )
        return *sent, *self._opening.values()

    def _count(self, entry: Entry, sign: int) -> None:
        band = self._bands.setdefault(entry.band, BandSize())
        band.messages += sign
        band.chars += sign * entry.chars
        band.tokens += sign * entry.tokens
