"""The loop of one agent: prompt, reply, carry out, judge, tell; until something ends it.

A turn is atomic: a stop lands on the boundary before the next one. The messages of a turn are appended in one
order: the program, the views it opened, notices, then at most one error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import anyio
import anyio.to_thread

from host.context import Entry, Window, heading
from host.core.errors import HostDefect, PersonLeft, ProviderError
from host.core.messages import Reply, ToolCall
from host.events import (
    BandSize,
    ContextBreakdown,
    Event,
    LimitExceeded,
    ModelReply,
    Notice,
    Prompt,
    PromptImage,
    PromptMessage,
    RecordUnwritable,
    RequestedCall,
    Status,
    TurnOutcome,
    TurnTiming,
)
from host.events import Usage as UsageEvent
from host.providers import ModelProvider, ModelRequest
from host.turn.ceilings import Breach, TurnCount, breach_of_agent
from host.turn.endings import Ending, EndingFlag
from host.turn.modes import Carried, Mode
from host.turn.outcome import Fault
from host.turn.request import RequestBuilder
from host.turn.run_state import RunState

NOTHING_SHOWN: Final = (
    "The program ran and opened no view. A view is the only way to see a value or a file;"
    " console output cannot be read."
)
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


@dataclass(frozen=True, kw_only=True)
class _Clocks:
    """Moments of one turn, monotonic seconds."""

    began: float
    asked: float
    answered: float


class AgentLoop:
    """Runs one agent to its end. Where the run cannot be recorded it ends at once, as gg's own fault."""

    def __init__(self, agent: LoopParts, run: RunState) -> None:
        self._agent: Final = agent
        self._run: Final = run
        self._requests: Final = RequestBuilder(agent.window, run.mask)

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
        turn = self._agent.count.turns + 1
        began = self._run.clock.monotonic()
        request = self._prompt(turn)
        self._run.flush()
        asked = self._run.clock.monotonic()
        try:
            reply = await self._reply(request)
        except PersonLeft:
            return AgentEnd(status="canceled")
        except ProviderError as error:
            return AgentEnd(status="model_error", error=str(error))
        if reply is None:
            return self._out_of_time()
        clocks = _Clocks(began=began, asked=asked, answered=self._run.clock.monotonic())
        self._note_reply(turn, reply, clocks)
        carried = await self._carry_out(turn, reply)
        return self._close(turn, carried, clocks)

    def _prompt(self, turn: int) -> ModelRequest:
        built = self._requests.build()
        self._emit(
            Prompt(
                turn=turn,
                messages=len(built.messages),
                new_messages=tuple(map(_recorded, built.new)),
                dropped=built.dropped,
                prompt_sha256=built.sha256,
            )
        )
        bands: dict[str, BandSize] = {
            name: BandSize(messages=size.messages, chars=size.chars, tokens=size.tokens)
            for name, size in self._agent.window.bands.items()
            if size.messages
        }
        self._emit(ContextBreakdown(turn=turn, bands=bands))
        mode = self._agent.mode
        return ModelRequest(
            agent_id=self._agent.agent_id,
            messages=built.messages,
            tools=mode.tools,
            forced_tool=mode.forced_tool,
        )

    async def _reply(self, request: ModelRequest) -> Reply | None:
        """The reply, or `None` when the run's time was spent while waiting for it."""
        with anyio.move_on_after(self._run.left_s):
            return await self._agent.provider.reply(request)
        return None

    def _note_reply(self, turn: int, reply: Reply, clocks: _Clocks) -> None:
        run = self._run
        run.usage += reply.usage
        self._emit(
            ModelReply(
                turn=turn,
                text=reply.text,
                tool_calls=_recorded_calls(reply.tool_calls),
                finish_reason=reply.finish_reason,
                input_tokens=reply.usage.input_tokens,
                output_tokens=reply.usage.output_tokens,
                duration_ms=(clocks.answered - clocks.asked) * 1000,
            )
        )
        self._emit(
            UsageEvent(
                turn=turn,
                input_tokens=reply.usage.input_tokens,
                output_tokens=reply.usage.output_tokens,
                total_input_tokens=run.usage.input_tokens,
                total_output_tokens=run.usage.output_tokens,
            )
        )

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

    def _close(self, turn: int, carried: Carried, clocks: _Clocks) -> AgentEnd | None:
        defect = self._run.latch.defect
        ending = self._agent.endings.declared if defect is None and carried.fault is None else None
        if defect is not None:
            self._agent.count.add_fatal()
        else:
            self._agent.count.add(carried.fault.error_type if carried.fault else None)
            self._tell(turn, carried, is_last=ending is not None)
        self._emit(self._judged(turn, carried, ending))
        self._emit(self._timed(turn, carried, clocks))
        self._agent.turn_ended()
        self._run.flush()
        return AgentEnd(status="completed", ending=ending) if ending is not None else None

    def _tell(self, turn: int, carried: Carried, *, is_last: bool) -> None:
        """Appends what the model reads next."""
        window = self._agent.window
        if not carried.kept:
            return
        self._agent.before_telling(turn)
        window.start_turn(turn)
        for entry in carried.kept:
            window.keep(entry)
        window.end_turn()
        notices = list(carried.notices)
        if window.ends_on_the_model and not (notices or carried.fault or is_last):
            notices.append(("nothing_shown", NOTHING_SHOWN))
        for kind, text in notices:
            window.add("user", "notice", heading("Notice", text))
            self._emit(Notice(turn=turn, kind=kind, text=text))
        if carried.fault is not None and carried.fault.heading is not None:
            window.add("user", "error", heading(carried.fault.heading, carried.fault.text))

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

    def _timed(self, turn: int, carried: Carried, clocks: _Clocks) -> TurnTiming:
        now = self._run.clock.monotonic()
        return TurnTiming(
            turn=turn,
            prompt_ms=(clocks.asked - clocks.began) * 1000,
            request_ms=(clocks.answered - clocks.asked) * 1000,
            response_ms=(now - clocks.answered) * 1000,
            compile_ms=carried.times.compile_s * 1000,
            check_ms=carried.times.check_s * 1000,
            run_ms=carried.times.run_s * 1000,
        )

    def _emit(self, event: Event) -> None:
        self._run.events.emit(event, agent_id=self._agent.agent_id)


def _recorded(entry: Entry) -> PromptMessage:
    return PromptMessage(
        role=entry.role,
        band=entry.band,
        text=entry.text,
        images=tuple(
            PromptImage(media_type=image.media_type, bytes=len(image.data), sha256=image.sha256)
            for image in entry.images
        ),
        tool_calls=_recorded_calls(entry.tool_calls),
        answers=entry.answers,
    )


def _recorded_calls(calls: tuple[ToolCall, ...]) -> tuple[RequestedCall, ...]:
    return tuple(RequestedCall(id=call.id, name=call.name, arguments=call.arguments) for call in calls)
