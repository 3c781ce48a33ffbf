"""The loop of one agent: prompt, reply, carry out, judge, tell; until something ends it.

A turn is atomic: a stop lands on the boundary before the next one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import anyio.to_thread

from host.context import Window
from host.core.errors import HostDefect, HostError, PersonLeft, ProviderError, ProviderFailure
from host.core.messages import FinishReason, Reply
from host.events import Event, LimitExceeded, RecordUnwritable, Status, TurnOutcome, TurnTiming
from host.providers import ModelProvider
from host.turn.acting import ACTING
from host.turn.asking import Answer, Asking, OutOfTime
from host.turn.ceilings import Breach, TurnCount, breach_of_agent
from host.turn.compaction import Compaction, CompactionFailed
from host.turn.company import Alone, Company
from host.turn.endings import AgentStopped, Ending, EndingFlag
from host.turn.modes import Carried, Mode
from host.turn.outcome import Fault
from host.turn.run_state import RunState
from host.turn.telling import News, Told, add_notices

# A reply that is not whole is dropped whole and asked for again: nothing is added to the window.
NOT_WHOLE: Final[Mapping[FinishReason, Fault]] = {
    "length": Fault("rejected", "model_length_capped", None, "The reply was cut off at the length limit."),
    "timeout": Fault("rejected", "model_timeout", None, "The reply took longer than it may."),
}


@dataclass(frozen=True, kw_only=True)
class AgentEnd:
    """How an agent's session ended. `error` is for the operator; `error_type` is the kind of a provider's
    failure.
    """

    status: Status
    ending: Ending | None = None
    error: str | None = None
    error_type: ProviderFailure | None = None


@dataclass(frozen=True, kw_only=True)
class LoopParts:
    """What the loop of one live agent drives.

    `context_window` is that of the model, in tokens, where it is known. `turn_ended` is called at every
    boundary, last of all. `news` gives, once each, the notices that the next prompt is to have. `is_copy`
    says that the window goes on from that of another agent.
    """

    agent_id: str
    window: Window
    provider: ModelProvider
    mode: Mode
    endings: EndingFlag
    count: TurnCount
    compaction: Compaction
    turn_ended: Callable[[], None]
    news: Callable[[], tuple[News, ...]] = tuple
    context_window: int | None = None
    is_copy: bool = False
    company: Company = field(default_factory=Alone)


class AgentLoop:
    """Runs one agent to its end. Where the run cannot be recorded it ends at once, as gg's own fault."""

    def __init__(self, agent: LoopParts, run: RunState) -> None:
        self._agent: Final = agent
        self._run: Final = run
        self._asking: Final = Asking(
            agent_id=agent.agent_id,
            window=agent.window,
            provider=agent.provider,
            mode=agent.mode,
            company=agent.company,
            run=run,
            context_window=agent.context_window,
        )

    async def run(self) -> AgentEnd:
        ACTING.set(self._agent.agent_id)
        try:
            end = self._opened()
            while end is None:
                end = self._stop() or await self._next()
            self._agent.mode.ended()
            return end
        except RecordUnwritable as error:
            return AgentEnd(status="internal_error", error=str(error))
        except Exception as error:  # the run ends in its record, whatever broke between its turns
            defect = HostDefect.of("loop", f"agent {self._agent.agent_id}", error)
            self._run.latch.record(defect)
            return AgentEnd(status="internal_error", error=str(defect))

    def _opened(self) -> AgentEnd | None:
        try:
            compaction = self._agent.compaction
            (compaction.resumed if self._agent.is_copy else compaction.opened)()
        except CompactionFailed as error:
            return self._ended_by(error)
        return None

    def _stop(self) -> AgentEnd | None:
        """What ends the agent at this boundary."""
        if (halted := self._halted()) is not None:
            return halted
        breach = self._breach()
        return None if breach is None else self._breached(breach)

    def _halted(self) -> AgentEnd | None:
        run = self._run
        if run.latch.defect is not None:
            return AgentEnd(status="internal_error", error=str(run.latch.defect))
        if run.is_canceled or self._agent.company.is_canceled:
            return AgentEnd(status="canceled")
        return None

    def _breach(self) -> Breach | None:
        return self._run.breach() or breach_of_agent(self._run.ceilings, self._agent.count)

    def _ended_by(self, error: HostError) -> AgentEnd:
        """What ends the agent between two boundaries."""
        match error:
            case PersonLeft():
                return AgentEnd(status="canceled")
            case OutOfTime():
                return self._out_of_time()
            case CompactionFailed():
                return AgentEnd(status="compaction_failed", error=str(error))
            case ProviderError(failure=failure):
                status: Status = "auth_error" if failure == "model_auth" else "model_error"
                # Where the run was to end, the provider was not waited for any more.
                return self._halted() or AgentEnd(status=status, error=str(error), error_type=failure)
            case _:
                return AgentEnd(status="model_error", error=str(error))

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

    async def _next(self) -> AgentEnd | None:
        """The next turn, as soon as there is a place for it; something may have ended the agent by then."""
        async with self._agent.company.at_work():
            return self._stop() or await self._turn()

    async def _turn(self) -> AgentEnd | None:
        turn = self._agent.count.turns + 1
        self._tell_news(turn)
        try:
            answer = await self._asking.ask(turn)
        except (ProviderError, AgentStopped) as error:
            return self._ended_by(error)
        self._agent.compaction.answered(answer.reply)
        carried = await self._carry_out(turn, answer.reply)
        return await self._close(turn, carried, answer)

    def _tell_news(self, turn: int) -> None:
        """At the end of the window, so that the request before stays the beginning of the next one."""
        self._agent.window.start_turn(turn)
        add_notices(self._agent.news(), turn, self._agent.window, self._emit)

    async def _carry_out(self, turn: int, reply: Reply) -> Carried:
        if (fault := NOT_WHOLE.get(reply.finish_reason)) is not None:
            return Carried(fault=fault)
        try:
            return await anyio.to_thread.run_sync(
                lambda: self._agent.mode.carry_out(reply, turn=turn), limiter=self._run.exchanges
            )
        except Exception as error:  # whatever broke on this side is no fault of the model's
            self._run.latch.record(HostDefect.of("turn", f"turn {turn}", error))
            return Carried()

    async def _close(self, turn: int, carried: Carried, answer: Answer) -> AgentEnd | None:
        ending, error, compact_s = None, None, 0.0
        if self._run.latch.defect is not None:
            self._agent.count.add_fatal()
        else:
            carried = self._agent.compaction.judged(carried)
            if carried.fault is not None:
                self._agent.company.reply_failed()
            ending = self._agent.endings.declared if carried.fault is None else None
            self._agent.count.add(carried.fault.error_type if carried.fault else None)
            is_last = ending is not None or self._agent.company.hands_over
            told = Told(turn=turn, carried=carried, is_last=is_last)
            error, compact_s = await self._tell(told)
        self._emit(self._judged(turn, carried, ending))
        self._emit(self._timed(turn, carried, answer, compact_s))
        self._agent.turn_ended()
        self._run.flush()
        is_over = error is not None or ending is not None or self._asking.is_over
        was_replaced = await self._agent.company.turn_ended(turn, goes_on=not is_over)
        if error is not None:
            return self._ended_by(error)
        return AgentEnd(status="completed", ending=ending) if ending or was_replaced else None

    async def _tell(self, told: Told) -> tuple[HostError | None, float]:
        """Appends what the model reads next, to a window that is rewritten first if that is due; what ends
        the agent, where that fails, and how many seconds it took.
        """
        compaction, failed = self._agent.compaction, None
        goes_on = not (told.is_last or self._asking.is_over or self._breach())
        began_s = self._run.clock.monotonic()
        try:
            await compaction.before_telling(told, self._asking if goes_on else None)
        except (ProviderError, AgentStopped) as error:
            failed = error
        took_s = self._run.clock.monotonic() - began_s
        told.append(self._agent.window, self._emit)
        if failed is None and goes_on:
            try:
                compaction.after_telling(told.turn)
            except CompactionFailed as error:
                failed = error
        return failed, took_s

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

    def _timed(self, turn: int, carried: Carried, answer: Answer, compact_s: float) -> TurnTiming:
        now = self._run.clock.monotonic()
        return TurnTiming(
            turn=turn,
            prompt_ms=(answer.asked_s - answer.began_s) * 1000,
            request_ms=(answer.answered_s - answer.asked_s) * 1000,
            response_ms=(now - answer.answered_s) * 1000,
            compile_ms=carried.times.compile_s * 1000,
            check_ms=carried.times.check_s * 1000,
            run_ms=carried.times.run_s * 1000,
            compact_ms=compact_s * 1000,
        )

    def _emit(self, event: Event) -> None:
        self._run.events.emit(event, agent_id=self._agent.agent_id)
