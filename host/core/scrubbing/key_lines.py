"""A private key that comes line by line, as a process writes it: each line alone tells nothing."""

import re
from typing import Final

from host.core.scrubbing.scrub import PLACEHOLDER

_BEGIN: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}?PRIVATE KEY(?: BLOCK)?-----(?!.*-----END )")
_LINE: Final = re.compile(
    r"[ \t>|*#-]{0,16}(?:[A-Za-z0-9+/=]{1,80}|-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:Proc-Type|DEK-Info|Version|Comment): ?.{0,80})?[ \t\r]{0,16}"
)
_MOST_LINES: Final = 400


class KeyLines:
    """Follows the lines of one source."""

    def __init__(self) -> None:
        self._left = 0  # lines that may still be of a key

    def masked(self, line: str) -> str:
        """The line, or the placeholder where it is of a key that began before. What begins one is left to
        `scrub`, and so is one that is whole.
        """
        if self._left > 0 and _LINE.fullmatch(line):
            self._left = 0 if "-----END " in line else self._left - 1
            return PLACEHOLDER if line.strip() else line
        self._left = _MOST_LINES if _BEGIN.search(line) else 0
        return line
