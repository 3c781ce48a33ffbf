"""The end of what a command prints, in memory that does not grow with it."""

from typing import Final

__all__ = ["CUT_MARK", "OutputTail"]

CUT_MARK: Final = "…"

_CONTINUED: Final = range(0x80, 0xC0)  # bytes within a character of UTF-8
_MOST_CONTINUED: Final = 3


class OutputTail:
    """Keeps the last `keep_bytes` of what is added. Read once, when nothing is added any more."""

    def __init__(self, keep_bytes: int) -> None:
        self._keep: Final = keep_bytes
        self._kept = bytearray()
        self._total = 0

    def add(self, data: bytes) -> None:
        self._total += len(data)
        self._kept += data[-self._keep :]
        if len(self._kept) > 2 * self._keep:
            del self._kept[: -self._keep]

    def read(self) -> tuple[str, int]:
        """The text, with U+FFFD for what is no UTF-8, and how many bytes before it are left out.

        A text that is cut begins with a mark, and with a whole character.
        """
        kept = self._kept[-self._keep :]
        if len(kept) == self._total:
            return kept.decode("utf-8", "replace"), 0
        within = 0
        while within < _MOST_CONTINUED and kept[within : within + 1] and kept[within] in _CONTINUED:
            within += 1
        del kept[:within]
        return CUT_MARK + kept.decode("utf-8", "replace"), self._total - len(kept)
