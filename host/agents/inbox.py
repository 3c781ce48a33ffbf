"""What is to be told to an agent with its next prompt."""

from typing import Final

from host.turn import News


class Inbox:
    """Notices in the order in which they came; each is given once."""

    def __init__(self) -> None:
        self._notices: Final[list[News]] = []

    def add(self, kind: str, text: str) -> None:
        self._notices.append((kind, text))

    def count(self, kind: str) -> int:
        """Notices of one kind that were not given yet."""
        return sum(1 for kept, _ in self._notices if kept == kind)

    def take(self) -> tuple[News, ...]:
        taken = tuple(self._notices)
        self._notices.clear()
        return taken
