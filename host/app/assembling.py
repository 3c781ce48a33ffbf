"""The team of one run, out of what its agents are built on."""

from host.agents import Team
from host.app.agents import build_agent
from host.app.reflection.reflecting import reflect
from host.app.run_parts import RunParts
from host.app.team_rules import rules_of


def team_of(parts: RunParts) -> Team:
    """Whoever the plan names reflects on the run when its root has ended."""
    return Team(
        rules_of(parts.plan),
        build=lambda order: build_agent(order, parts),
        run=parts.run,
        at_end=lambda team, end: reflect(team, end, parts),
    )
