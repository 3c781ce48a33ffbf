"""How many of the oldest turns are folded, and what of them the note holds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from host.context.conversation.folding import (
    HEADER,
    Line,
    Summariser,
    filled,
    lines_of,
    note_text,
    shortest,
    summary_lines,
    transcript,
    turns_of,
)
from host.context.conversation.turns import MARKER_TOKENS, Cut, Turn, cuts

MAX_ASKED: Final = 3
"""How often a summariser is asked: once more for each time that its summary needs more turns folded."""
_MAX_NOTE: Final = (2, 3)
"""The part of the room that a note may take without losing lines."""
_LEAST_NOTE: Final = (1, 4)
"""The part of the room that a note which loses lines is given."""


@dataclass(frozen=True, kw_only=True)
class Folded:
    """How many turns are no longer in the window, the lines of the note that stands for them, and why a
    summariser did not write it.
    """

    older: int
    lines: tuple[Line, ...]
    fault: str | None = None


class _Unusable(Exception):
    """What a summariser did instead of summarising."""


class Folding:
    """The ways to fold a conversation that is too long by some turns, whose newest turn fits.

    `room` is what its messages may take together.
    """

    def __init__(
        self, turns: Sequence[Turn], lines: Sequence[Line], *, room: int, count: Callable[[str], int]
    ) -> None:
        self._turns: Final = tuple(turns)
        self._earlier: Final = tuple(lines)
        self._room: Final = room
        self._count: Final = count
        # A note without turns to fold, too long itself, is shortened where it stands.
        everything = Cut(0, sum(turn.cost for turn in turns))
        self._cuts: Final = cuts(turns) or [everything]

    def folded(self, summariser: Summariser | None) -> Folded:
        whole = [*self._earlier, *lines_of(self._turns[: self._cuts[-1].older])]
        short = [shortest(line) for line in whole]
        cut = self._cut(short)
        fault = None
        if summariser is not None:
            try:
                return self._summarised(summariser, cut)
            except _Unusable as unusable:
                fault = str(unusable)
        number = len(self._earlier) + cut.older
        kept = self._newest_that_fit(short[:number], self._note_room(cut))
        fuller = filled(kept, whole[number - len(kept) : number], self._note_room(cut), self._count)
        return Folded(older=cut.older, lines=tuple(fuller), fault=fault)

    def _note_room(self, cut: Cut) -> int:
        return self._room - cut.newer_cost - MARKER_TOKENS

    def _cut(self, short: Sequence[Line]) -> Cut:
        """The first place where every line has room, or some lines, or the last one."""
        sizes = [self._count(HEADER), *(self._count(f"\n{line.text}") for line in short)]
        needed = list(accumulate(sizes))
        most, least = (self._room * part // whole for part, whole in (_MAX_NOTE, _LEAST_NOTE))
        for cut in self._cuts:
            note = needed[len(self._earlier) + cut.older]
            if note <= min(self._note_room(cut), most):
                return cut
        return next((cut for cut in self._cuts if least <= self._note_room(cut)), self._cuts[-1])

    def _newest_that_fit(self, lines: Sequence[Line], room: int) -> list[Line]:
        """The lines without as many of the oldest ones as are too much."""
        left, kept = room - self._count(HEADER), 0
        for line in reversed(lines):
            left -= self._count(f"\n{line.text}")
            if left < 0:
                break
            kept += 1
        while kept and self._count(note_text(lines[len(lines) - kept :])) > room:
            kept = kept * 3 // 4  # what texts take together need not be what they take one by one
        return list(lines[len(lines) - kept :])

    def _summarised(self, summariser: Summariser, cut: Cut) -> Folded:
        for _ in range(MAX_ASKED):
            older = self._turns[: cut.older]
            told = (*turns_of(self._earlier), *(turn.number for turn in older))
            lines = summary_lines(_asked(summariser, transcript(self._earlier, older)), told)
            needed = self._count(note_text(lines))
            if needed <= self._note_room(cut):
                return Folded(older=cut.older, lines=tuple(lines))
            roomier = (each for each in self._cuts if needed <= self._note_room(each))
            larger = next(roomier, None)
            if larger is None:
                break
            cut = larger
        raise _Unusable("gave a text that has no room beside the newest turns")


def _asked(summariser: Summariser, text: str) -> str:
    try:
        summary = summariser(text)
    except Exception as error:
        raise _Unusable(f"raised {type(error).__name__}") from error
    if not isinstance(summary, str):
        raise _Unusable(f"gave {type(summary).__name__}, not text")
    if not summary.strip():
        raise _Unusable("gave a blank text")
    return summary
