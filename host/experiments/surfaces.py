"""What the arms of a study could do otherwise than each other, as their records tell it.

`agent_surface` says what an agent could call, `agent_modules` and `memory_state` what it held under which
limits. A configuration is not looked at: what it asks for is not always what an agent was given.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from host.events import AgentModules, AgentSpawned, AgentSurface, MemoryState, StampedEvent

NONE: Final = "none"
MODEL: Final = "model"


@dataclass
class Surface:
    """What the agents of some runs could do, by profile; runs are added one after another."""

    profiles: dict[str, dict[str, set[str]]] = field(default_factory=dict)

    def add(self, events: Iterable[StampedEvent]) -> None:
        """Takes the events of a record."""
        profile_of: dict[str, str] = {}
        for stamped in events:
            if isinstance(stamped.event, AgentSpawned):
                profile_of[stamped.agent_id] = stamped.event.profile
            profile = profile_of.get(stamped.agent_id, stamped.agent_id)
            for fact, values in _facts_of(stamped):
                self.profiles.setdefault(profile, {}).setdefault(fact, set()).update(values)

    def merge(self, other: "Surface") -> None:
        """Takes what another one has."""
        for profile, facts in other.profiles.items():
            for fact, values in facts.items():
                self.profiles.setdefault(profile, {}).setdefault(fact, set()).update(values)

    def models(self) -> set[str]:
        """What answered the agents, all of them."""
        return {model for facts in self.profiles.values() for model in facts.get(MODEL, ())}


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Something that is not the same in all arms. `values` has it by arm; `in_all` what all of them have."""

    profile: str
    fact: str
    values: Mapping[str, tuple[str, ...]]
    in_all: tuple[str, ...]


def differences(surfaces: Mapping[str, Surface]) -> tuple[Difference, ...]:
    """What differs between the arms, by profile and fact in the order in which they were met.

    `values` of an arm are those that not all arms have.
    """
    found: list[Difference] = []
    for profile, fact in _told(surfaces):
        of_arm = {
            arm: surface.profiles.get(profile, {}).get(fact, set()) for arm, surface in surfaces.items()
        }
        common = set.intersection(*of_arm.values())
        own = {arm: tuple(sorted(values - common)) for arm, values in of_arm.items()}
        if any(own.values()):
            found.append(Difference(profile=profile, fact=fact, values=own, in_all=tuple(sorted(common))))
    return tuple(found)


def _told(surfaces: Mapping[str, Surface]) -> dict[tuple[str, str], None]:
    return {
        (profile, fact): None
        for surface in surfaces.values()
        for profile, facts in surface.profiles.items()
        for fact in facts
    }


def _facts_of(stamped: StampedEvent) -> Iterable[tuple[str, Iterable[str]]]:
    match stamped.event:
        case AgentSurface() as surface:
            return (
                ("execution mode", [surface.execution_mode]),
                (MODEL, [surface.model or NONE]),
                ("operations", surface.operations),
                ("tools", surface.tools),
                ("tokens of tools in each request", [f"{surface.tools_tokens:,}"]),
                ("modules", surface.modules),
                ("declarations", [(surface.declarations_sha256 or NONE)[:12]]),
            )
        case AgentModules(modules=modules):
            return [(f"{row.kind}: scope", [row.scope or NONE if row.enabled else "off"]) for row in modules]
        case MemoryState() as state:
            caps = {name: value for name, value in state.caps.model_dump(by_alias=True).items() if value}
            told = [f"{name} {value}" for name, value in caps.items()]
            return (("memories: strategy", [state.strategy]), ("memories: limits", told or [NONE]))
    return ()
