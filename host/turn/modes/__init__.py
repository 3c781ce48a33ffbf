"""Execution modes: how a reply becomes operation calls."""

from host.turn.modes.base import Carried, Mode
from host.turn.modes.programs_and_calls import ProgramsAndCalls
from host.turn.modes.responses_as_code import ResponsesAsCode
from host.turn.modes.tool_calling import ToolCalling

__all__ = ["Carried", "Mode", "ProgramsAndCalls", "ResponsesAsCode", "ToolCalling"]
