"""The programs that one agent has sent, kept outside its window, and the one that is to run next.

Sources are kept while they fit into 64 MiB; beyond that the oldest programs are forgotten.
"""

from dataclasses import dataclass
from typing import Final

from host.core.errors import Refusal
from host.core.text import has_lone_surrogate, utf8_length
from host.operations import PastProgram

MAX_KEPT_BYTES: Final = 64 * 2**20


@dataclass(frozen=True)
class _Kept:
    summary: PastProgram
    source: str
    size_bytes: int


class ProgramLibrary:
    """Programs by turn. One program at a time may be registered to run when the current one has ended."""

    def __init__(self, *, max_kept_bytes: int = MAX_KEPT_BYTES) -> None:
        self._max_kept_bytes: Final = max_kept_bytes
        self._programs: Final[dict[int, _Kept]] = {}
        self._size_bytes = 0
        self._next: str | None = None

    def add(self, turn: int, source: str, error: str | None) -> None:
        """Keeps the program of a turn that has run, or was rejected; `error` is what the model was told."""
        lines = source.count("\n") + (not source.endswith("\n") and source != "")
        first_line = None if error is None else error.split("\n", 1)[0]
        summary = PastProgram(turn=turn, lines=lines, chars=len(source), error=first_line)
        kept = _Kept(summary, source, utf8_length(source))
        self._programs[turn] = kept
        self._size_bytes += kept.size_bytes
        while self._size_bytes > self._max_kept_bytes and len(self._programs) > 1:
            oldest = self._programs.pop(next(iter(self._programs)))
            self._size_bytes -= oldest.size_bytes

    def take_next(self) -> str | None:
        """The program that was registered, which is registered no more."""
        source, self._next = self._next, None
        return source

    # What the operations ask for (`Programs`)

    def history(self) -> tuple[PastProgram, ...]:
        return tuple(kept.summary for kept in self._programs.values())

    def get(self, turn: int | None) -> str:
        held = max(self._programs, default=0) if turn is None else turn
        if held not in self._programs:
            named = "There is no program yet" if turn is None else f"There is no program of turn {turn}"
            known = f"; there are those of {_spans([*self._programs])}" if self._programs else ""
            raise Refusal("not-found", f"{named}{known}.", kind="no_program")
        return self._programs[held].source

    def rerun(self, source: str) -> None:
        if has_lone_surrogate(source):
            raise Refusal(
                "invalid-argument",
                "The source holds a lone surrogate, which is half a character;"
                " remove it (text.toWellFormed()).",
                kind="lone_surrogate",
            )
        if not source.strip():
            raise Refusal(
                "invalid-argument", "The source is empty; give a whole program.", kind="empty_source"
            )
        if self._next is not None:
            raise Refusal(
                "refused",
                "A program is registered already; register the next one from that one.",
                kind="second_rerun",
            )
        self._next = source


def _spans(turns: list[int]) -> str:
    """`turn 3`, `turns 1 to 7`: what is kept has no gap but for turns without a program."""
    if len(turns) == 1:
        return f"turn {turns[0]}"
    spans: list[list[int]] = []
    for turn in turns:
        if spans and turn == spans[-1][1] + 1:
            spans[-1][1] = turn
        else:
            spans.append([turn, turn])
    told = [str(first) if first == last else f"{first} to {last}" for first, last in spans]
    return f"turns {', '.join(told)}"
