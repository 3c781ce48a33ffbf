"""Builds the requests of one agent: the window, masked, and what is new in it since the request before.

Every message is masked once and kept, so that a turn costs the same however long the window is.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from host.context import Entry, Window
from host.core.messages import Message


@dataclass(frozen=True, kw_only=True)
class Built:
    """One request. `new` are the entries that follow those of the request before."""

    messages: tuple[Message, ...]
    new: tuple[Entry, ...]
    sha256: str


class RequestBuilder:
    """Follows one window. When sent messages were taken out, it starts over."""

    def __init__(self, window: Window, mask: Callable[[str], str]) -> None:
        self._window: Final = window
        self._mask: Final = mask
        self._messages: list[Message] = []
        self._hash = hashlib.sha256()
        self._removals = 0

    def build(self) -> Built:
        first_new = len(self._messages) - (self._window.removals - self._removals)
        if self._window.removals != self._removals:
            self._removals = self._window.removals
            self._messages, self._hash = [], hashlib.sha256()
        for entry in self._window.entries_from(len(self._messages)):
            message = Message(entry.role, self._mask(entry.text))
            self._messages.append(message)
            self._hash.update(f"{message.role}\0{message.text}\0".encode("utf-8", "surrogatepass"))
        return Built(
            messages=tuple(self._messages),
            new=self._window.entries_from(first_new),
            sha256=self._hash.hexdigest(),
        )
