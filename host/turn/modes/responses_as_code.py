"""The mode in which a reply is a program: find it, compile, run, then the onUse scripts that are due."""

from collections.abc import Callable
from typing import Final, Protocol

from host.core.messages import Reply, ToolSpec
from host.core.text import join_words
from host.events import RunOrigin
from host.operations import Caller
from host.turn.chain import ProgramChain
from host.turn.code import AgentCode, Use
from host.turn.delivery import Delivery
from host.turn.endings import EndingFlag
from host.turn.modes.base import Carried
from host.turn.runner import Execution, ProgramRunner, Times

_FAILED_AFTER_IT: Final = "the program failed after it had declared it"


class ScriptKeeper(Protocol):
    """Keeps the texts of scripts in the record; returns where, relative to it."""

    def script(self, turn: int, ordinal: int, *, source: str) -> str: ...


class ResponsesAsCode:
    """Carries out replies of one agent as programs.

    All onUse scripts of one turn share `uses_budget_s` of guest time. `note` tells the operator of something
    in the turn that is under way, `note_at_end` of something after the last one.
    """

    def __init__(
        self,
        *,
        delivery: Delivery,
        chain: ProgramChain,
        runner: ProgramRunner,
        code: AgentCode,
        endings: EndingFlag,
        caller: Callable[[int, RunOrigin], Caller],
        keeper: ScriptKeeper,
        seed_of: Callable[[int, int], int],
        note: Callable[[str], None],
        note_at_end: Callable[[str], None],
        uses_budget_s: float = 30.0,
    ) -> None:
        self._delivery: Final = delivery
        self._chain: Final = chain
        self._runner: Final = runner
        self._code: Final = code
        self._endings: Final = endings
        self._caller: Final = caller
        self._keeper: Final = keeper
        self._seed_of: Final = seed_of
        self._note: Final = note
        self._note_at_end: Final = note_at_end
        self._uses_budget_s: Final = uses_budget_s

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        return self._delivery.tools

    @property
    def forced_tool(self) -> str:
        return self._delivery.forced_tool

    def carry_out(self, reply: Reply, *, turn: int) -> Carried:
        delivered = self._delivery.read(reply)
        for note in delivered.notes:
            self._note(note)
        ran = self._chain.run(delivered, turn)
        execution = ran.execution
        if execution.fault is not None:
            self._endings.revoke(_FAILED_AFTER_IT)
        notices, times = self.settle(turn) if execution.defect is None else ((), Times())
        return Carried(
            kept=delivered.kept,
            fault=execution.fault,
            notices=(*ran.notices, *notices),
            times=execution.times + times,
        )

    def settle(self, turn: int) -> tuple[tuple[tuple[str, str], ...], Times]:
        """Tells of code that did not compile, and runs the scripts that are due; the notices, the time."""
        problems = self._code.take_problems()
        notices, times = self._run_uses(turn)
        return (*problems, *notices), times

    def ended(self) -> None:
        due = dict.fromkeys(use.carrier.told for use in self._code.take_due())
        if due:
            self._note_at_end(f"the session has ended, and the onUse of {join_words(due)} will not run")

    def _run_uses(self, turn: int) -> tuple[tuple[tuple[str, str], ...], Times]:
        """Runs the scripts that are due, in the order of use, on one common budget of guest time."""
        notices: list[tuple[str, str]] = []
        times, left_s = Times(), self._uses_budget_s
        for ordinal, use in enumerate(self._code.take_due(), start=1):
            execution = self._run_use(use, turn, ordinal, left_s)
            times += execution.times
            if execution.fault is not None:
                told = execution.fault.text if left_s else self._budget_spent()
                notices.append(("on_use_failed", f"The onUse of {use.carrier.told} failed: {told}"))
            left_s = max(0.0, left_s - execution.guest_s)
            if execution.defect is not None:
                break
        return tuple(notices), times

    def _budget_spent(self) -> str:
        share = f"{self._uses_budget_s:g} s of guest time"
        return f"the scripts of one turn share {share}, and those before it used them up."

    def _run_use(self, use: Use, turn: int, ordinal: int, budget_s: float) -> Execution:
        path = self._keeper.script(turn, ordinal, source=use.source)
        return self._runner.run_use(
            use,
            self._caller(turn, "onUse"),
            seed=self._seed_of(turn, ordinal),
            source_path=path,
            budget_s=budget_s,
        )
