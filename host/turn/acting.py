"""Which agent something is done for, where nothing else tells: a fault that is met far below its loop."""

from contextvars import ContextVar
from typing import Final

ACTING: Final[ContextVar[str | None]] = ContextVar("gg_acting_agent", default=None)
"""Id of the agent, in its loop and in every thread that carries out its replies."""
