"""What an agent does to its own window: turns go to an archive, or everything is replaced by a summary.

Turns are archived at once. A compaction waits until the turn ends, since it rewrites the window that the
program runs in: then the opening messages are made anew, the summary follows them, and the turn that asked
for it is appended as ever. What leaves the window can be searched.
"""

from collections.abc import Callable
from typing import Final

from host.context import Archive, ArchiveFound, Entry, Taken, Window, heading
from host.core.errors import Refusal
from host.events import Compaction, Event


class AgentThread:
    """The window of one agent as its programs change it.

    `opening` makes the messages that a window opens with, less the system prompt. `turn` tells the turn that
    is under way.
    """

    def __init__(
        self,
        window: Window,
        *,
        opening: Callable[[], tuple[Entry, ...]],
        turn: Callable[[], int],
        emit: Callable[[Event], None],
    ) -> None:
        self._window: Final = window
        self._opening: Final = opening
        self._turn: Final = turn
        self._emit: Final = emit
        self._archive: Final = Archive()
        self._summary: str | None = None

    def compact_if_due(self, turn: int) -> None:
        """Carries out the compaction that is due, before the messages of this turn are appended."""
        summary, self._summary = self._summary, None
        if summary is None:
            return
        before = self._window.size
        taken = self._window.restart(
            (*self._opening(), Entry(role="user", band="summary", text=heading("Summary", summary)))
        )
        # The task and the memories are there again, and the summary before this one is not.
        self._archive.add(entry for entry in taken.entries if entry.turn or entry.band == "summary")
        after = self._window.size
        self._emit(
            Compaction(
                turn=turn,
                cause="agent",
                summary=summary,
                messages_before=before.messages,
                messages_after=after.messages,
                tokens_before=before.tokens,
                tokens_after=after.tokens,
            )
        )

    # What the operations ask for (`Thread`)

    def archive(self, spans: tuple[tuple[int, int], ...]) -> Taken:
        if self._summary is not None:
            raise Refusal(
                "refused",
                "A compaction is due when this turn ends, and takes every earlier turn with it.",
                kind="pending_compaction",
            )
        for first, last in spans:
            _check_span(first, last, self._turn())
        turns = {turn for first, last in spans for turn in range(first, last + 1)}
        taken = self._window.take(turns)
        self._archive.add(taken.entries)
        return taken

    def search(self, query: str) -> ArchiveFound:
        return self._archive.search(query)

    def compact(self, summary: str) -> None:
        self._summary = summary


def _check_span(first: int, last: int, turn: int) -> None:
    if first > last:
        raise Refusal(
            "invalid-argument", f"The range {first} to {last} ends before it begins.", kind="bad_range"
        )
    if last >= turn:
        raise Refusal(
            "invalid-argument",
            f"Turn {last} is not over: this is turn {turn}, and what came before it can be archived.",
            kind="bad_range",
        )
