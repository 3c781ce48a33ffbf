"""Folds the issues of a run's board."""

from typing import Final

from host.events.run_view import IssueStep, IssueView
from host.events.stamped import StampedEvent
from host.events.types import IssueState


class BoardFold:
    """Takes events in order."""

    def __init__(self) -> None:
        self._steps: Final[dict[str, list[IssueStep]]] = {}

    def add(self, stamped: StampedEvent) -> None:
        """Takes the next event. Other types change nothing."""
        if isinstance(stamped.event, IssueState):
            step = IssueStep(place=stamped.place, agent_id=stamped.agent_id, state=stamped.event)
            self._steps.setdefault(stamped.event.issue, []).append(step)

    def views(self) -> tuple[IssueView, ...]:
        """In the order in which they were put on the board."""
        return tuple(
            IssueView(issue=issue, creator=steps[0].agent_id, now=steps[-1].state, history=tuple(steps))
            for issue, steps in self._steps.items()
        )
