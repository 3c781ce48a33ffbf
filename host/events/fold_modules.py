"""Which agent holds which store, from the events alone."""

from typing import Any

from host.events.stamped import StampedEvent
from host.events.types import AgentModule, AgentModules


class ModuleFold:
    """Folds `agent_modules`: an agent's latest row of each kind, and who else holds the same store."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[str, AgentModule]] = {}

    def add(self, stamped: StampedEvent) -> None:
        """Takes the next event. Other types change nothing."""
        if isinstance(stamped.event, AgentModules):
            rows = {row.kind: row for row in stamped.event.modules}
            # Replaced whole, in one step: another thread may be reading the states.
            self._rows = {**self._rows, stamped.agent_id: rows}

    def states(self) -> dict[tuple[str, str], dict[str, Any]]:
        """By agent and kind, the content of the agent's file about its store. A kind that is off has none."""
        return {
            (agent_id, kind): self._state(agent_id, row)
            for agent_id, rows in self._rows.items()
            for kind, row in rows.items()
            if row.module_id is not None
        }

    def _state(self, agent_id: str, row: AgentModule) -> dict[str, Any]:
        return {
            "agentId": agent_id,
            "kind": row.kind,
            "moduleId": row.module_id,
            "origin": row.origin,
            "scope": row.scope,
            "access": "write" if row.writable else "read",
            "coHolders": self._co_holders(agent_id, row),
        }

    def _co_holders(self, agent_id: str, row: AgentModule) -> list[str]:
        return [
            other
            for other, rows in self._rows.items()
            if other != agent_id
            and (held := rows.get(row.kind)) is not None
            and held.module_id == row.module_id
        ]
