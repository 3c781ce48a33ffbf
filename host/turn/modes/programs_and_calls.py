"""The mode in which whoever replies may do either: send a program, or call tools."""

from dataclasses import replace
from typing import Final

from host.core.messages import Reply, ToolSpec
from host.turn.latch import Latch
from host.turn.modes.base import Carried
from host.turn.modes.responses_as_code import ResponsesAsCode
from host.turn.modes.tool_calling import ToolCalling


class ProgramsAndCalls:
    """A reply with calls is carried out as calls, any other one as a program. Both act for one agent."""

    forced_tool: Final = ""

    def __init__(self, *, programs: ResponsesAsCode, calls: ToolCalling, latch: Latch) -> None:
        self._programs: Final = programs
        self._calls: Final = calls
        self._latch: Final = latch

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        return self._calls.tools

    def carry_out(self, reply: Reply, *, turn: int) -> Carried:
        if not reply.tool_calls:
            return self._programs.carry_out(reply, turn=turn)
        carried = self._calls.carry_out(reply, turn=turn)
        if self._latch.defect is not None:
            return carried
        notices, times = self._programs.settle(turn)
        return replace(carried, notices=(*carried.notices, *notices), times=carried.times + times)

    def ended(self) -> None:
        self._programs.ended()
