"""The programs of one turn: the reply's, and those that it registered to run after it.

Calls, views and times of all of them accumulate. What is judged is the last one that ran.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from host.events import RunOrigin
from host.operations import Caller
from host.turn.delivery import Delivered
from host.turn.endings import EndingFlag
from host.turn.program_library import ProgramLibrary
from host.turn.runner import Execution, ProgramRunner, ProgramText

MAX_PROGRAMS_PER_TURN: Final = 4
_SEED_OF_FIRST_RERUN: Final = 1_000  # what is below are the scripts of the turn

_DECLINED_FAILED: Final = (
    "The program registered with programs.rerun did not run: the one that registered it failed."
)
_DECLINED_BOUND: Final = (
    "The program registered with programs.rerun did not run:"
    f" {MAX_PROGRAMS_PER_TURN} programs ran in this turn, and no more do."
)
_DECLINED_ENDED: Final = "a program registered with programs.rerun did not run, since the session was ended"
_FAILED: Final = "The error is one of the program registered with programs.rerun, not of the reply."


class ProgramKeeper(Protocol):
    """Keeps the texts of programs in the record; returns where, relative to it."""

    def program(self, turn: int, *, as_sent: str, as_run: str) -> str: ...

    def rerun(self, turn: int, ordinal: int, *, source: str) -> str: ...


@dataclass(frozen=True, kw_only=True)
class Ran:
    """How the programs of a turn went: the last one's outcome, the times of all, and what is to be told."""

    execution: Execution
    notices: tuple[tuple[str, str], ...] = ()


class ProgramChain:
    """Runs what a reply delivered. `library` is absent where the agent keeps no programs."""

    def __init__(
        self,
        *,
        runner: ProgramRunner,
        library: ProgramLibrary | None,
        endings: EndingFlag,
        caller: Callable[[int, RunOrigin], Caller],
        keeper: ProgramKeeper,
        seed_of: Callable[[int, int], int],
        note: Callable[[str], None],
    ) -> None:
        self._runner: Final = runner
        self._library: Final = library
        self._endings: Final = endings
        self._caller: Final = caller
        self._keeper: Final = keeper
        self._seed_of: Final = seed_of
        self._note: Final = note

    def run(self, delivered: Delivered, turn: int) -> Ran:
        if delivered.program is None:
            return Ran(execution=Execution(fault=delivered.fault))
        execution = self._run_reply(delivered, delivered.program, turn)
        if self._library is None:
            return Ran(execution=execution)
        self._library.add(turn, delivered.program, execution.fault.text if execution.fault else None)
        return self._run_registered(execution, self._library, turn)

    def _run_registered(self, execution: Execution, library: ProgramLibrary, turn: int) -> Ran:
        ran, notices = 1, []
        while execution.defect is None and (source := library.take_next()) is not None:
            if self._endings.declared is not None and execution.fault is None:
                self._note(_DECLINED_ENDED)
                break
            if execution.fault is not None or ran == MAX_PROGRAMS_PER_TURN:
                notices.append(("rerun_declined", _DECLINED_FAILED if execution.fault else _DECLINED_BOUND))
                break
            last = self._run_again(source, turn, ran)
            execution = replace(last, times=execution.times + last.times)
            ran += 1
        if execution.fault is not None and ran > 1:
            notices.insert(0, ("rerun_failed", _FAILED))
        return Ran(execution=execution, notices=tuple(notices))

    def _run_reply(self, delivered: Delivered, program: str, turn: int) -> Execution:
        path = self._keeper.program(turn, as_sent=delivered.as_sent, as_run=program)
        text = ProgramText(
            source=program,
            source_path=path,
            seed=self._seed_of(turn, 0),
            healing=delivered.healing,
            healing_did_not_converge=delivered.healing_did_not_converge,
        )
        return self._runner.run_program(text, self._caller(turn, "program"))

    def _run_again(self, source: str, turn: int, ordinal: int) -> Execution:
        path = self._keeper.rerun(turn, ordinal, source=source)
        seed = self._seed_of(turn, _SEED_OF_FIRST_RERUN + ordinal)
        text = ProgramText(source=source, source_path=path, seed=seed, rerun=ordinal)
        return self._runner.run_program(text, self._caller(turn, "program"))
