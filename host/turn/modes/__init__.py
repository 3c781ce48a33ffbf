"""Execution modes: how a reply becomes operation calls."""

from host.turn.modes.base import Carried, Mode
from host.turn.modes.responses_as_code import ResponsesAsCode

__all__ = ["Carried", "Mode", "ResponsesAsCode"]
