"""Builds the requests of one agent: the window, and what is new in it since the request before.

Every message is made once and kept, so that a turn costs the same however long the window is.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, count
from operator import is_not
from typing import Final

from host.context import Entry, Window
from host.core.messages import Message


@dataclass(frozen=True, kw_only=True)
class Built:
    """One request. `new` are the entries that follow those of the request before, of which those at the
    positions `dropped`, from 0, are no longer in it.

    `sha256` is taken over a line `["role","text"]` of JSON in ASCII for each message; pictures, calls,
    and the call that is answered follow in the same list.
    """

    messages: tuple[Message, ...]
    new: tuple[Entry, ...]
    sha256: str
    dropped: tuple[int, ...] = ()


class RequestBuilder:
    """Follows one window, also where messages that were sent are taken out of it."""

    def __init__(self, window: Window) -> None:
        self._window: Final = window
        self._entries: list[Entry] = []
        self._messages: list[Message] = []
        self._hashes = [hashlib.sha256()]  # of the first n messages at place n, to go on from
        self._removals = 0

    def build(self) -> Built:
        dropped = self._forget_removed() if self._window.removals != self._removals else ()
        new = self._window.entries_from(len(self._entries))
        for entry in new:
            self._add(entry, _message(entry))
        sha256 = self._hashes[-1].hexdigest()
        return Built(messages=tuple(self._messages), new=new, sha256=sha256, dropped=dropped)

    def _forget_removed(self) -> tuple[int, ...]:
        """The positions that what was removed had in the request before; what stood before them is kept."""
        now = self._window.entries_from(0)
        start = _places_alike(self._entries, now)
        there = set(map(id, now[start:]))  # two entries may be equal
        after = list(zip(self._entries[start:], self._messages[start:], strict=True))
        del self._entries[start:], self._messages[start:], self._hashes[start + 1 :]
        dropped = tuple(place for place, (entry, _) in enumerate(after, start) if id(entry) not in there)
        for entry, message in after:
            if id(entry) in there:
                self._add(entry, message)
        self._removals = self._window.removals
        return dropped

    def _add(self, entry: Entry, message: Message) -> None:
        self._entries.append(entry)
        self._messages.append(message)
        line = json.dumps([*_hashed(message)], separators=(",", ":"))
        hash_ = self._hashes[-1].copy()
        hash_.update(f"{line}\n".encode("ascii"))
        self._hashes.append(hash_)


def _message(entry: Entry) -> Message:
    return Message(
        entry.role,
        entry.text,
        images=entry.images,
        tool_calls=entry.tool_calls,
        answers=entry.answers,
    )


def _places_alike(one: Sequence[object], other: Sequence[object]) -> int:
    """How many places from the start hold the same object in both, however long they are."""
    return next(compress(count(), map(is_not, one, other)), min(len(one), len(other)))


def _hashed(message: Message) -> Iterator[object]:
    yield message.role
    yield message.text
    for image in message.images:
        yield {"mediaType": image.media_type, "sha256": image.sha256}
    for call in message.tool_calls:
        yield {"id": call.id, "name": call.name, "arguments": call.arguments}
    if message.answers is not None:
        yield {"answers": message.answers}
