"""Which agent holds which store, how it came by it, and for how long, from the events alone."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from host.core.moments import moment_text
from host.events.stamped import EventPlace, StampedEvent
from host.events.types import AgentEnded, AgentModule, AgentModules, AgentTransition, ModuleOrigin

MEMORIES: Final = "memories"
"""The kind of the stores of memories."""

MODULE_EVENTS: Final = (AgentModules, AgentTransition, AgentEnded)
"""What a fold of modules takes."""


@dataclass(frozen=True, kw_only=True)
class Holding:
    """One agent's hold on one store. `until` is absent while it lasts, and where the run ended first."""

    agent_id: str
    kind: str
    module_id: str
    origin: ModuleOrigin | None
    scope: str | None
    access: Literal["write", "read"]
    since: EventPlace
    until: EventPlace | None = None


class ModuleFold:
    """Takes events one by one. An agent's hold ends with it, when it hands over, or with another store."""

    def __init__(self) -> None:
        # Replaced whole, in one step: another thread may be reading the states.
        self._holdings: dict[str, tuple[Holding, ...]] = {}

    def add(self, stamped: StampedEvent) -> None:
        """Takes the next event. Other types change nothing."""
        match stamped.event:
            case AgentModules(modules=rows):
                self._replace(stamped.agent_id, (*self._bound(stamped, rows),))
            case AgentTransition(by="exec" | "transition") | AgentEnded():
                if held := self._holdings.get(stamped.agent_id):
                    self._replace(stamped.agent_id, tuple(_ended(each, stamped.place) for each in held))

    def holdings(self) -> tuple[Holding, ...]:
        """All of them, those that have ended too, in the order in which their agents came."""
        return tuple(each for held in self._holdings.values() for each in held)

    def held(self, agent_id: str, kind: str = MEMORIES) -> Holding | None:
        """The latest hold of the agent on a store of that kind, if it had one."""
        held = self._holdings.get(agent_id, ())
        return next((each for each in reversed(held) if each.kind == kind), None)

    def states(self, agent_id: str | None = None) -> dict[tuple[str, str], dict[str, Any]]:
        """By agent and kind, the content of the agent's file about its store; of one agent, or of all.

        A kind that is off has none.
        """
        stores: dict[str, list[Holding]] = {}
        for each in self.holdings():
            stores.setdefault(each.module_id, []).append(each)
        return {
            (each.agent_id, each.kind): _state(each, stores[each.module_id])
            for held in self._holdings.values()
            for each in held  # the latest of each kind stands last
            if agent_id in (None, each.agent_id)
        }

    def _bound(self, stamped: StampedEvent, rows: tuple[AgentModule, ...]) -> Iterator[Holding]:
        """The agent's holds after it has told of its stores."""
        now = {row.kind: row for row in rows if row.module_id is not None}
        for each in self._holdings.get(stamped.agent_id, ()):
            row = now.get(each.kind)
            if each.until is None and row is not None and row.module_id == each.module_id:
                yield replace(_holding(stamped, now.pop(each.kind)), since=each.since)
            else:
                yield _ended(each, stamped.place)
        yield from (_holding(stamped, row) for row in now.values())

    def _replace(self, agent_id: str, held: tuple[Holding, ...]) -> None:
        self._holdings = {**self._holdings, agent_id: held}


def _holding(stamped: StampedEvent, row: AgentModule) -> Holding:
    assert row.module_id is not None, "asked for where there is a store"
    return Holding(
        agent_id=stamped.agent_id,
        kind=row.kind,
        module_id=row.module_id,
        origin=row.origin,
        scope=row.scope,
        access="write" if row.writable else "read",
        since=stamped.place,
    )


def _ended(holding: Holding, place: EventPlace) -> Holding:
    return holding if holding.until else replace(holding, until=place)


def _state(holding: Holding, of_store: list[Holding]) -> dict[str, Any]:
    others = [each for each in of_store if each.agent_id != holding.agent_id]
    return {
        "agentId": holding.agent_id,
        "kind": holding.kind,
        "moduleId": holding.module_id,
        "origin": holding.origin,
        "scope": holding.scope,
        "access": holding.access,
        "since": moment_text(holding.since.at),
        "until": moment_text(holding.until.at) if holding.until else None,
        "coHolders": [each.agent_id for each in others if each.until is None],
        "earlierCoHolders": [each.agent_id for each in others if each.until is not None],
    }
