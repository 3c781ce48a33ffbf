"""The mode in which a reply calls tools: each call is carried out and answered, one after another."""

from collections.abc import Callable, Iterable
from typing import Final, Protocol

from host.context import Entry
from host.core.clock import Clock
from host.core.messages import Reply, ToolCall, ToolSpec
from host.events import RunOrigin
from host.operations import Caller, ToolAnswer
from host.turn.endings import EndingFlag
from host.turn.latch import Latch
from host.turn.modes.base import Carried
from host.turn.modes.call_ids import CallIds
from host.turn.outcome import Fault
from host.turn.runner import Times
from sandbox import Limits

MAX_CALLS: Final = Limits().calls
"""Of one reply, as of one program."""
_CALL_FAILED: Final = "another call of the reply failed"
_NOT_CARRIED_OUT: Final = "io-error: The call was not carried out."
_SHOWN_MISTAKES: Final = 3


def no_call(ends: str) -> Fault:
    """Of a reply without a call; `ends` are the calls that end the session."""
    told = f"The reply called no tool, and nothing was done. Call a tool; {ends} ends the session."
    return Fault("rejected", "missing_completion_no_call", "Notice", told)


def ending_revoked(ends: str) -> str:
    """The notice that a call which ends the session has not ended it."""
    return f"The session goes on: {ends} counts only where every other call of the reply succeeded."


class CallBracket(Protocol):
    """What carries out one call and records it."""

    def answer_tool(self, caller: Caller, call: ToolCall) -> ToolAnswer: ...


class ToolCalling:
    """Carries out replies of one agent as calls of tools, in order, also where one has failed.

    After a fault of gg's own nothing more is carried out. `ends` are the calls that end the session, as the
    model reads them. `report_state` is called once for each reply; `note` tells the operator of something in
    the turn that is under way.
    """

    forced_tool: Final = ""

    def __init__(
        self,
        *,
        tools: tuple[ToolSpec, ...],
        ends: str,
        bracket: CallBracket,
        latch: Latch,
        endings: EndingFlag,
        caller: Callable[[int, RunOrigin], Caller],
        report_state: Callable[[], None],
        note: Callable[[str], None],
        clock: Clock,
        max_calls: int = MAX_CALLS,
        earlier: Iterable[ToolCall] = (),
    ) -> None:
        self._tools: Final = tools
        self._ends: Final = ends
        self._bracket: Final = bracket
        self._latch: Final = latch
        self._endings: Final = endings
        self._caller: Final = caller
        self._report_state: Final = report_state
        self._note: Final = note
        self._clock: Final = clock
        self._max_calls: Final = max_calls
        self._ids: Final = CallIds(call.id for call in earlier)

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        return self._tools

    def carry_out(self, reply: Reply, *, turn: int) -> Carried:
        calls = self._ids.told_apart(reply.tool_calls, turn=turn)
        message = Entry(role="assistant", band="calls", text=reply.text, tool_calls=calls)
        if not calls:
            return Carried(kept=(message,), fault=no_call(self._ends))
        started = self._clock.monotonic()
        answers = self._answers(calls, turn)
        self._report_state()
        is_revoked = not all(answer.ok for answer in answers) and self._endings.revoke(_CALL_FAILED)
        return Carried(
            kept=(message, *map(_result, calls, answers)),
            fault=_fault(answer for answer in answers if answer.is_unparsable),
            notices=(("ending_revoked", ending_revoked(self._ends)),) if is_revoked else (),
            times=Times(run_s=self._clock.monotonic() - started),
        )

    def ended(self) -> None:
        """Nothing is ever due after a reply."""

    def _answers(self, calls: tuple[ToolCall, ...], turn: int) -> list[ToolAnswer]:
        caller, most = self._caller(turn, "tool"), self._max_calls
        answers = [self._answer(caller, call) for call in calls[:most]]
        if len(calls) > most:
            self._note(f"the reply made {len(calls):,} calls, and the first {most:,} alone are carried out")
        beyond = (_beyond(call, place, most) for place, call in enumerate(calls[most:], start=most + 1))
        return [*answers, *beyond]

    def _answer(self, caller: Caller, call: ToolCall) -> ToolAnswer:
        if self._latch.defect is not None:
            return _failed(call, _NOT_CARRIED_OUT)
        return self._bracket.answer_tool(caller, call)


def _beyond(call: ToolCall, place: int, most: int) -> ToolAnswer:
    told = f"Call {place:,} of the reply, limit {most:,}; make it in a later one."
    return _failed(call, f"limit-exceeded: {told}")


def _failed(call: ToolCall, text: str) -> ToolAnswer:
    return ToolAnswer(text=text, ok=False, is_unparsable=False, operation_id=call.name)


def _result(call: ToolCall, answer: ToolAnswer) -> Entry:
    return Entry(role="tool", band="result", text=answer.text, answers=call.id)


def _fault(unparsable: Iterable[ToolAnswer]) -> Fault | None:
    """The error turn of a reply whose arguments could not be read, which the answers have told."""
    told = list(dict.fromkeys(answer.text for answer in unparsable))
    if not told:
        return None
    more = len(told) - _SHOWN_MISTAKES
    shown = [*told[:_SHOWN_MISTAKES], *([f"and {more:,} more"] if more > 0 else [])]
    return Fault("rejected", "model_parse", None, "\n".join(shown))
