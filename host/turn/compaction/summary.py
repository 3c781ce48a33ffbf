"""The compaction for which the model writes a summary."""

from typing import Final

from host.context import Entry, Window, heading
from host.core.messages import Reply
from host.events import ApiCall
from host.operations import Operation
from host.turn.asking import Asking
from host.turn.compaction.base import CompactionFailed
from host.turn.compaction.bounds import refuse_full_opening, refuse_full_window, refuse_overfull_window
from host.turn.compaction.texts import ASKS_FOR_SUMMARY, no_summary
from host.turn.compaction.trigger import Gauge, Threshold
from host.turn.modes import Carried
from host.turn.telling import Told
from host.turn.thread import AgentThread, Due

MAX_ASKED: Final = 2


class SummaryCompaction:
    """Asks for a summary of the window as it was sent last, so that the request only adds to that one.

    The messages of the turn follow the summary: the model has not read them yet.
    """

    def __init__(self, *, window: Window, thread: AgentThread, threshold: Threshold) -> None:
        self._window: Final = window
        self._thread: Final = thread
        self._threshold: Final = threshold
        self._gauge: Final = Gauge()

    def opened(self) -> None:
        refuse_full_opening(self._window, self._threshold)

    def resumed(self) -> None:
        """A window that is full is rewritten when the next turn ends."""

    def answered(self, reply: Reply) -> None:
        self._gauge.answered(self._window.tokens, reply.usage.input_tokens)

    def gate(self, operation: Operation) -> None:
        """Nothing waits: a summary is written between two turns."""

    def called(self, call: ApiCall) -> None:
        """Nothing is counted."""

    def judged(self, carried: Carried) -> Carried:
        return carried

    async def before_telling(self, told: Told, asking: Asking | None) -> None:
        if self._thread.compact_if_due(told.turn):
            self._gauge.rewritten()
            refuse_overfull_window(told.tokens_in(self._window), self._threshold)
        elif asking is not None:
            await self._compact_if_full(told, asking)

    def after_telling(self, turn: int) -> None:
        """What was told is measured with the next turn."""

    async def _compact_if_full(self, told: Told, asking: Asking) -> None:
        observed = self._gauge.tokens(told.tokens_in(self._window))
        if observed < self._threshold.tokens:
            return
        summary = await self._summary(told.turn, asking)
        if summary is None:
            return
        due = Due(observed_tokens=observed, threshold_tokens=self._threshold.tokens)
        self._thread.rewrite(told.turn, summary, strategy="summary", due=due)
        self._gauge.rewritten()
        refuse_full_window(self._window, self._threshold)
        refuse_overfull_window(told.tokens_in(self._window), self._threshold)

    async def _summary(self, turn: int, asking: Asking) -> str | None:
        """The model's summary; `None` where the run is to end and it is not asked once more."""
        self._window.start_turn(0)  # the instruction is no message of a turn: the archive never has it
        self._window.keep(Entry(role="user", band="notice", text=heading("Notice", ASKS_FOR_SUMMARY)))
        faults: list[str] = []
        while len(faults) < MAX_ASKED:
            if faults and asking.is_over:
                return None
            answer = await asking.ask(turn, purpose="summary")
            fault = _fault_of(answer.reply)
            if fault is None:
                return answer.reply.text.strip()
            faults.append(fault)
        raise CompactionFailed(no_summary(faults))


def _fault_of(reply: Reply) -> str | None:
    """Why a reply is no summary."""
    if reply.finish_reason == "length":
        return "cut off at the length limit"
    if reply.finish_reason == "timeout":
        return "not there in time"
    if reply.text.strip():
        return None
    return "calls without a text" if reply.tool_calls else "empty"
