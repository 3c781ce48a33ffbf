"""The programs that one agent has sent, kept outside its window, and the one that is to run next.

The latest 5,000 programs are kept while their sources fit into 64 MiB; beyond that the oldest are forgotten.
"""

from dataclasses import dataclass, replace
from typing import Final

from host.core.errors import Refusal
from host.core.refusals import refuse_lone_surrogate
from host.core.text import shortened, utf8_length
from host.operations import PastProgram

MAX_KEPT_BYTES: Final = 64 * 2**20
# With their errors cut to so many characters, all of them fit into one result of a call.
MAX_KEPT_PROGRAMS: Final = 5_000
MAX_ERROR_CHARS: Final = 200
_MAX_TOLD_SPANS: Final = 10


@dataclass(frozen=True)
class _Kept:
    summary: PastProgram
    source: str
    size_bytes: int


class ProgramLibrary:
    """Programs by turn. One program at a time may be registered to run when the current one has ended."""

    def __init__(
        self, *, max_kept_bytes: int = MAX_KEPT_BYTES, max_kept_programs: int = MAX_KEPT_PROGRAMS
    ) -> None:
        self._max_kept_bytes: Final = max_kept_bytes
        self._max_kept_programs: Final = max_kept_programs
        self._programs: Final[dict[int, _Kept]] = {}
        self._size_bytes = 0
        self._next: str | None = None

    def copy(self, turns: int) -> "ProgramLibrary":
        """The same programs for another agent, which goes on from the end of this turn, the `turns`th.

        Its turns count from 1 again; those until now are counted back, the latest as -1.
        """
        copied = ProgramLibrary(
            max_kept_bytes=self._max_kept_bytes, max_kept_programs=self._max_kept_programs
        )
        for turn, kept in self._programs.items():
            before = turn - turns - 1
            summary = replace(kept.summary, turn=before)
            copied._programs[before] = replace(kept, summary=summary)
        copied._size_bytes = self._size_bytes
        return copied

    def add(self, turn: int, source: str, error: str | None) -> None:
        """Keeps the program of a turn that has run, or was rejected; `error` is what the model was told."""
        lines = source.count("\n") + (not source.endswith("\n") and source != "")
        told = None if error is None else shortened(error.split("\n", 1)[0], MAX_ERROR_CHARS)
        summary = PastProgram(turn=turn, lines=lines, chars=len(source), error=told)
        kept = _Kept(summary, source, utf8_length(source))
        self._programs[turn] = kept
        self._size_bytes += kept.size_bytes
        while self._is_too_much() and len(self._programs) > 1:
            oldest = self._programs.pop(next(iter(self._programs)))
            self._size_bytes -= oldest.size_bytes

    def take_next(self) -> str | None:
        """The program that was registered, which is registered no more."""
        source, self._next = self._next, None
        return source

    def _is_too_much(self) -> bool:
        return self._size_bytes > self._max_kept_bytes or len(self._programs) > self._max_kept_programs

    # What the operations ask for (`Programs`)

    def history(self) -> tuple[PastProgram, ...]:
        return tuple(kept.summary for kept in self._programs.values())

    def get(self, turn: int | None) -> str:
        held = next(reversed(self._programs), 0) if turn is None else turn
        if held not in self._programs:
            named = "There is no program yet" if turn is None else f"There is no program of turn {turn}"
            known = f"; there are those of {_spans([*self._programs])}" if self._programs else ""
            raise Refusal("not-found", f"{named}{known}.", kind="no_program")
        return self._programs[held].source

    def rerun(self, source: str) -> None:
        refuse_lone_surrogate(source, "The source")
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
    """`turn 3`, `turns 1 to 7`: what is kept has no gap but for turns without a program. Of many gaps the
    middle is left out.
    """
    if len(turns) == 1:
        return f"turn {turns[0]}"
    spans: list[list[int]] = []
    for turn in turns:
        if spans and turn == spans[-1][1] + 1:
            spans[-1][1] = turn
        else:
            spans.append([turn, turn])
    told = [str(first) if first == last else f"{first} to {last}" for first, last in spans]
    if len(told) > _MAX_TOLD_SPANS:
        half = _MAX_TOLD_SPANS // 2
        told[half:-half] = ["…"]
    return f"turns {', '.join(told)}"
