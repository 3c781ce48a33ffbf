"""What an agent does to its own window: turns go to an archive, or everything is replaced by a summary.

Turns are archived at once. A compaction waits until the turn ends, since it rewrites the window that the
program runs in: then the opening messages are made anew, the summary follows them, and the turn that asked
for it is appended as ever. What leaves the window can be searched.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from host.context import Archive, ArchiveFound, Entry, Taken, Window
from host.core.errors import Refusal
from host.events import Compaction, CompactionStrategy, Event
from host.operations import view_event


@dataclass(frozen=True, kw_only=True)
class Due:
    """Why a window is rewritten that did not ask for it: so many tokens had reached the threshold."""

    observed_tokens: int
    threshold_tokens: int


class AgentThread:
    """The window of one agent, and the one way in which it is rewritten.

    `opening` makes the messages that a window opens with, less the system prompt. `memories` counts those
    that are held. `turn` tells the turn that is under way. `archive` has what has left the window before.
    """

    def __init__(
        self,
        window: Window,
        *,
        opening: Callable[[], tuple[Entry, ...]],
        memories: Callable[[], int],
        turn: Callable[[], int],
        emit: Callable[[Event], None],
        archive: Archive | None = None,
    ) -> None:
        self._window: Final = window
        self._opening: Final = opening
        self._memories: Final = memories
        self._turn: Final = turn
        self._emit: Final = emit
        self.archived: Final = archive or Archive()
        self._summary: str | None = None
        self._is_held = False

    def hold(self) -> None:
        """From here on the agent cannot have its window rewritten, until that is done for another reason."""
        self._is_held = True

    def compact_if_due(self, turn: int) -> bool:
        """Carries out the compaction that the agent asked for, before the messages of this turn are appended;
        whether there was one.
        """
        summary, self._summary = self._summary, None
        if summary is None:
            return False
        self.rewrite(turn, summary, strategy="summary")
        return True

    def rewrite(
        self, turn: int, summary: str, *, strategy: CompactionStrategy, due: Due | None = None
    ) -> None:
        """Puts the opening messages, made anew, and a summary in place of everything that was said.

        Without `due` it is the agent that asked for it.
        """
        before, tokens_before = self._window.size, self._window.tokens
        taken = self._window.compact(self._opening(), summary)
        # The task, the memories and the skills are there again, and the summary before this one is not.
        self.archived.add(
            entry
            for entry in taken.entries
            if (entry.turn and not entry.is_pinned) or entry.band == "summary"
        )
        self._is_held = False
        after = self._window.size
        self._emit(
            Compaction(
                turn=turn,
                cause="agent" if due is None else "threshold",
                strategy=strategy,
                summary=summary,
                observed_tokens=None if due is None else due.observed_tokens,
                threshold_tokens=None if due is None else due.threshold_tokens,
                memories_kept=self._memories(),
                messages_before=before.messages,
                messages_after=after.messages,
                tokens_before=tokens_before,
                tokens_after=self._window.tokens,
            )
        )

    def trim(self, turn: int, *, most_tokens: int) -> None:
        """Drops the oldest turns of a window that has grown over so many tokens, until half of them are left;
        they are not archived. The views among them are closed.
        """
        left_tokens = self._window.size.tokens
        if left_tokens <= most_tokens:
            return
        dropped = set[int]()
        for entry in self._window.entries_from(1):
            if left_tokens <= most_tokens // 2 and entry.turn not in dropped:
                break
            if entry.turn and not entry.is_pinned:
                dropped.add(entry.turn)
                left_tokens -= entry.tokens
        for view in self._window.take(dropped).closed:
            self._emit(view_event(view, "closed", turn=turn, origin="host"))

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
        self.archived.add(taken.entries)
        return taken

    def search(self, query: str) -> ArchiveFound:
        return self.archived.search(query)

    def refuse_second_compaction(self) -> None:
        if self._is_held:
            raise Refusal(
                "refused",
                "A compaction is pending already, and takes every earlier turn with it.",
                kind="pending_compaction",
            )

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
