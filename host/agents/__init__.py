"""Several agents in one run: who starts whom, who waits for whom, who follows whom."""

from host.agents.briefing import Briefing, briefing_of
from host.agents.orders import Build, Copied, LiveAgent, Patience, StartOrder
from host.agents.rules import BoardRole, RosterRole, Rules, State
from host.agents.team import AtEnd, Team
from host.agents.threads import in_loop, run_stopped

__all__ = [
    "AtEnd",
    "BoardRole",
    "Briefing",
    "Build",
    "Copied",
    "LiveAgent",
    "Patience",
    "RosterRole",
    "Rules",
    "StartOrder",
    "State",
    "Team",
    "briefing_of",
    "in_loop",
    "run_stopped",
]
