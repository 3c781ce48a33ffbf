"""The compaction before which the agent records its state in its memories."""

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from host.context import Entry, Window, heading
from host.core.errors import HostDefect, Refusal
from host.core.messages import Reply
from host.core.text import join_words
from host.events import ApiCall, Event, Notice
from host.memories import Strategy
from host.operations import Operation
from host.turn.asking import Asking
from host.turn.compaction.base import CompactionFailed
from host.turn.compaction.bounds import refuse_full_opening, refuse_full_window, refuse_overfull_window
from host.turn.compaction.texts import (
    asks_for_memories,
    not_recorded,
    pending,
    recorded,
    too_full_to_ask,
    unsatisfied,
)
from host.turn.compaction.trigger import Gauge, Threshold
from host.turn.modes import Carried
from host.turn.outcome import Fault
from host.turn.telling import Told
from host.turn.thread import AgentThread, Due


class MemoryCompaction:
    """Asks for memories, and lets no other call pass until one whole reply has recorded something.

    A script that a memory's use has queued runs when the reply was carried out: its calls pass, and count
    neither way. Raises `HostDefect` for an agent without a call that could record anything.

    Args:
        strategy: that of the agent's memories.
        spellings: operation id to spelling, of the calls that this agent has.
        memories: counts those that are held.
        emit: takes the event of the instruction.
    """

    def __init__(
        self,
        *,
        window: Window,
        thread: AgentThread,
        threshold: Threshold,
        strategy: Strategy,
        spellings: Mapping[str, str],
        memories: Callable[[], int],
        emit: Callable[[Event], None],
    ) -> None:
        self._window: Final = window
        self._thread: Final = thread
        self._threshold: Final = threshold
        self._strategy: Final = strategy
        self._spellings: Final = spellings
        self._memories: Final = memories
        self._emit: Final = emit
        self._gauge: Final = Gauge()
        admitted = (strategy.creates, strategy.revises, strategy.edits, strategy.deletes)
        self._admitted: Final = tuple(call for call in admitted if call is not None and call in spellings)
        if not self._admitted:
            raise HostDefect(
                "agents", "memory-compaction of an agent that has no call to record anything with"
            )
        self._calls: Final = join_words([spellings[call] for call in self._admitted], "or")
        self._due: Due | None = None
        self._since_turn = 0
        self._counting: Final = threading.Lock()  # calls of one program end in several threads
        self._made: Counter[bool] = Counter()
        self._recorded = 0
        self._is_satisfied = False

    def opened(self) -> None:
        refuse_full_opening(self._window, self._threshold)

    def resumed(self) -> None:
        self.after_telling(0)

    def answered(self, reply: Reply) -> None:
        self._gauge.answered(self._window.tokens, reply.usage.input_tokens)
        self._made, self._recorded = Counter(), 0

    def gate(self, operation: Operation) -> None:
        if self._due is not None and operation.id not in self._admitted:
            refused = self._spellings.get(operation.id, operation.spelling)
            raise Refusal("refused", pending(refused, self._calls), kind="pending_compaction")

    def called(self, call: ApiCall) -> None:
        if call.origin != "onUse":
            with self._counting:
                self._made[call.ok] += 1
                self._recorded += call.ok and call.operation in self._admitted

    def judged(self, carried: Carried) -> Carried:
        if self._due is None or carried.fault is not None:
            return carried
        if self._recorded and not self._made[False]:
            self._is_satisfied = True
            return replace(carried, kept=())  # it is in the memories
        text = unsatisfied(self._made.total(), self._made[False], self._calls)
        fault = Fault("rejected", "missing_completion_compaction", "Notice", text)
        return replace(carried, fault=fault)

    async def before_telling(self, told: Told, asking: Asking | None) -> None:
        if self._thread.compact_if_due(told.turn):
            self._gauge.rewritten()
        elif self._due is not None and self._is_satisfied:
            self._rewrite(told, self._due)

    def after_telling(self, turn: int) -> None:
        tokens = self._gauge.tokens(self._window.tokens)
        if self._due is None:
            if tokens >= self._threshold.tokens:
                self._ask(turn, tokens)
        elif tokens > self._threshold.context_window_tokens:
            raise CompactionFailed(not_recorded(self._since_turn, tokens, self._threshold))

    def _ask(self, turn: int, tokens: int) -> None:
        text = asks_for_memories(self._calls)
        instruction = Entry(role="user", band="notice", text=heading("Notice", text))
        asked = self._gauge.tokens(self._window.tokens_with([instruction]))
        if asked > self._threshold.context_window_tokens:
            raise CompactionFailed(too_full_to_ask(asked, self._threshold))
        self._due = Due(observed_tokens=tokens, threshold_tokens=self._threshold.tokens)
        self._since_turn = turn
        self._thread.hold()
        self._window.start_turn(0)  # the instruction is no message of a turn: the archive never has it
        self._window.keep(instruction)
        self._emit(Notice(turn=turn, kind="compaction_pending", text=text))

    def _rewrite(self, told: Told, due: Due) -> None:
        note = recorded(self._strategy, self._spellings, self._memories())
        self._thread.rewrite(told.turn, note, strategy="memory-compaction", due=due)
        self._due, self._is_satisfied = None, False
        self._gauge.rewritten()
        refuse_full_window(self._window, self._threshold)
        refuse_overfull_window(told.tokens_in(self._window), self._threshold)
