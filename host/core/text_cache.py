"""What was made of texts, kept for the texts that come again."""

import threading
from collections import OrderedDict
from typing import Final


class TextCache:
    """Keeps the latest texts and what was made of each, of at most `max_chars` characters together.
    Thread-safe.
    """

    def __init__(self, max_chars: int) -> None:
        self._max_chars: Final = max_chars
        self._lock: Final = threading.Lock()
        self._made: Final[OrderedDict[str, str]] = OrderedDict()
        self._chars = 0

    def get(self, text: str) -> str | None:
        """What was made of the text, or `None` where that is not kept."""
        with self._lock:
            made = self._made.get(text)
            if made is not None:
                self._made.move_to_end(text)
            return made

    def put(self, text: str, made: str) -> None:
        """Keeps what was made of the text, unless it is too long to be kept beside others."""
        chars = _chars(text, made)
        if chars > self._max_chars // 4:
            return
        with self._lock:
            if text in self._made:
                return
            self._made[text] = made
            self._chars += chars
            while self._made and self._chars > self._max_chars:  # an interrupt can leave them apart
                self._chars -= _chars(*self._made.popitem(last=False))


def _chars(text: str, made: str) -> int:
    return len(text) + (0 if made is text else len(made))
