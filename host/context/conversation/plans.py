"""How many of the oldest turns are folded, and what of them the note holds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from host.context.conversation.folding import (
    HEADER,
    Line,
    Summariser,
    filled,
    line_of,
    note_text,
    shortest,
    summary_lines,
    transcript,
    turns_of,
)
from host.context.conversation.turns import MARKER_TOKENS, Cut, Turn, cuts
from host.core.scrubbing import scrub

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
        self,
        turns: Sequence[Turn],
        lines: Sequence[Line],
        *,
        room: int,
        count: Callable[[str], int],
        literals: tuple[str, ...] = (),
    ) -> None:
        self._turns: Final = tuple(turns)
        self._earlier: Final = tuple(lines)
        self._room: Final = room
        self._count: Final = count
        self._literals: Final = literals
        self._whole: Final = [*lines]  # the earlier note's, and of the oldest turns as far as was asked
        # A note without turns to fold, too long itself, is shortened where it stands.
        everything = Cut(0, sum(turn.cost for turn in turns))
        self._cuts: Final = cuts(turns) or [everything]

    def folded(self, summariser: Summariser | None) -> Folded:
        cut = self._cut()
        fault = None
        if summariser is not None:
            try:
                return self._summarised(summariser, cut)
            except _Unusable as unusable:
                fault = str(unusable)
        whole, room = self._lines_until(cut), self._note_room(cut)
        kept = self._newest_that_fit([shortest(line) for line in whole], room)
        fuller = filled(kept, whole[len(whole) - len(kept) :], room, self._count)
        return Folded(older=cut.older, lines=tuple(fuller), fault=fault)

    def folded_until(self, number: int, summariser: Summariser | None) -> Folded:
        """All turns up to a number, whatever the note takes that stands for them. A summary stands for none,
        too, where there are none.
        """
        older = [turn for turn in self._turns if turn.number <= number]
        fault = None
        if summariser is not None:
            told = (*turns_of(self._earlier), *(turn.number for turn in older))
            text = transcript(self._earlier, older, self._literals)
            try:
                summary = scrub(_asked(summariser, text), self._literals)
                return Folded(older=len(older), lines=tuple(summary_lines(summary, told)))
            except _Unusable as unusable:
                fault = str(unusable)
        lines = map(shortest, self._lines_until(Cut(len(older), 0)))
        return Folded(older=len(older), lines=tuple(lines), fault=fault)

    def _note_room(self, cut: Cut) -> int:
        return self._room - cut.newer_cost - MARKER_TOKENS

    def _lines_until(self, cut: Cut) -> list[Line]:
        """The lines of the earlier note and of all turns before a place."""
        number = len(self._earlier) + cut.older
        for turn in self._turns[len(self._whole) - len(self._earlier) : cut.older]:
            self._whole.append(line_of(turn, self._literals))
        return self._whole[:number]

    def _cut(self) -> Cut:
        """The first place where every line has room, or some lines, or the last one."""
        most, least = (self._room * part // whole for part, whole in (_MAX_NOTE, _LEAST_NOTE))
        note, measured = self._count(HEADER), 0
        for cut in self._cuts:
            lines = self._lines_until(cut)
            note += sum(self._count(f"\n{shortest(line).text}") for line in lines[measured:])
            measured = len(lines)
            if note > most:
                break
            if note <= self._note_room(cut):
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
            summary = _asked(summariser, transcript(self._earlier, older, self._literals))
            lines = summary_lines(scrub(summary, self._literals), told)
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
