"""The loop of one agent: prompt, reply, carry out, judge, tell; until something ends it.

A turn is atomic: a stop lands on the boundary before the next one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import anyio.to_thread

from host.context import Window
from host.core.errors import HostDefect, PersonLeft, ProviderError
from host.core.messages import Reply
from host.events import Event, LimitExceeded, RecordUnwritable, Status, TurnOutcome, TurnTiming
from host.providers import ModelProvider
from host.turn.asking import Answer, Asking
from host.turn.ceilings import Breach, TurnCount, breach_of_agent
from host.turn.endings import Ending, EndingFlag
from host.turn.modes import Carried, Mode
from host.turn.outcome import Fault
from host.turn.run_state import RunState
from host.turn.telling import Told

# A reply that was cut off is dropped whole and asked for again: nothing is added to the window.
LENGTH_CAPPED: Final = Fault(
    "rejected", "model_length_capped", None, "The reply was cut off at the length limit."
)


@dataclass(frozen=True, kw_only=True)
class AgentEnd:
    """How an agent's session ended. `error` is for the operator."""

    status: Status
    ending: Ending | None = None
    error: str | None = None


@dataclass(frozen=True, kw_only=True)
class LoopParts:
    """What the loop of one live agent drives.

    `before_telling` is called with the turn when a turn was carried out and its messages are about to be
    appended, `turn_ended` at every boundary, last of all.
    """

    agent_id: str
    window: Window
    provider: ModelProvider
    mode: Mode
    endings: EndingFlag
    count: TurnCount
    before_telling: Callable[[int], None]
    turn_ended: Callable[[], None]


class AgentLoop:
    """Runs one agent to its end. Where the run cannot be recorded it ends at once, as gg's own fault."""

    def __init__(self, agent: LoopParts, run: RunState) -> None:
        self._agent: Final = agent
        self._run: Final = run
        self._asking: Final = Asking(
            agent_id=agent.agent_id, window=agent.window, provider=agent.provider, run=run
        )

    async def run(self) -> AgentEnd:
        try:
            end = None
            while end is None:
                end = self._stop() or await self._turn()
            self._agent.mode.ended()
            return end
        except RecordUnwritable as error:
            return AgentEnd(status="internal_error", error=str(error))
        except Exception as error:  # the run ends in its record, whatever broke between its turns
            defect = HostDefect.of("loop", f"agent {self._agent.agent_id}", error)
            self._run.latch.record(defect)
            return AgentEnd(status="internal_error", error=str(defect))

    def _stop(self) -> AgentEnd | None:
        """What ends the agent at this boundary."""
        run = self._run
        if run.latch.defect is not None:
            return AgentEnd(status="internal_error", error=str(run.latch.defect))
        if run.is_canceled:
            return AgentEnd(status="canceled")
        breach = run.breach() or breach_of_agent(run.ceilings, self._agent.count)
        return None if breach is None else self._breached(breach)

    def _out_of_time(self) -> AgentEnd:
        """A wait was cut off, which is the end even where the clock lags a moment behind the timer."""
        most = self._run.ceilings.max_runtime_s or 0.0
        return self._stop() or self._breached(Breach("timed_out", "maxRuntimeSecs", most, most))

    def _breached(self, breach: Breach) -> AgentEnd:
        self._emit(
            LimitExceeded(
                limit=breach.limit,
                threshold=breach.threshold,
                observed=breach.observed,
                turns=self._agent.count.turns,
            )
        )
        reached = f"{breach.limit}: {breach.observed:g}, limit {breach.threshold:g}"
        return AgentEnd(status=breach.status, error=reached)

    async def _turn(self) -> AgentEnd | None:
        turn, mode = self._agent.count.turns + 1, self._agent.mode
        try:
            answer = await self._asking.ask(turn, tools=mode.tools, forced_tool=mode.forced_tool)
        except PersonLeft:
            return AgentEnd(status="canceled")
        except ProviderError as error:
            return AgentEnd(status="model_error", error=str(error))
        if answer is None:
            return self._out_of_time()
        carried = await self._carry_out(turn, answer.reply)
        return self._close(turn, carried, answer)

    async def _carry_out(self, turn: int, reply: Reply) -> Carried:
        if reply.finish_reason == "length":
            return Carried(fault=LENGTH_CAPPED)
        try:
            return await anyio.to_thread.run_sync(
                lambda: self._agent.mode.carry_out(reply, turn=turn), limiter=self._run.exchanges
            )
        except Exception as error:  # whatever broke on this side is no fault of the model's
            self._run.latch.record(HostDefect.of("turn", f"turn {turn}", error))
            return Carried()

    def _close(self, turn: int, carried: Carried, answer: Answer) -> AgentEnd | None:
        defect = self._run.latch.defect
        ending = self._agent.endings.declared if defect is None and carried.fault is None else None
        if defect is not None:
            self._agent.count.add_fatal()
        else:
            self._agent.count.add(carried.fault.error_type if carried.fault else None)
            self._agent.before_telling(turn)
            told = Told(turn=turn, carried=carried, is_last=ending is not None)
            told.append(self._agent.window, self._emit)
        self._emit(self._judged(turn, carried, ending))
        self._emit(self._timed(turn, carried, answer))
        self._agent.turn_ended()
        self._run.flush()
        return AgentEnd(status="completed", ending=ending) if ending is not None else None

    def _judged(self, turn: int, carried: Carried, ending: Ending | None) -> TurnOutcome:
        fault, count = carried.fault, self._agent.count
        if self._run.latch.defect is not None:
            return TurnOutcome(turn=turn, outcome="fatal", consecutive_errors=0, turns=count.turns)
        return TurnOutcome(
            turn=turn,
            outcome="error" if fault else "finished" if ending else "progressed",
            error_type=fault.error_type if fault else None,
            error=fault.text if fault else None,
            consecutive_errors=count.consecutive_errors,
            turns=count.turns,
        )

    def _timed(self, turn: int, carried: Carried, answer: Answer) -> TurnTiming:
        now = self._run.clock.monotonic()
        return TurnTiming(
            turn=turn,
            prompt_ms=(answer.asked_s - answer.began_s) * 1000,
            request_ms=(answer.answered_s - answer.asked_s) * 1000,
            response_ms=(now - answer.answered_s) * 1000,
            compile_ms=carried.times.compile_s * 1000,
            check_ms=carried.times.check_s * 1000,
            run_ms=carried.times.run_s * 1000,
        )

    def _emit(self, event: Event) -> None:
        self._run.events.emit(event, agent_id=self._agent.agent_id)
