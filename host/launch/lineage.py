"""Whose memories an agent may come to hold: what each keeps, and which others may start it as a subagent."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from host.launch.capabilities import STRATEGIES
from host.launch.places import Path, entries_at, mapping_at, value_at
from host.launch.written import agents_by_id, capabilities_at, is_on, name_at

_INHERITING: Final = ("inherited", "read-only")


@dataclass(frozen=True, kw_only=True)
class Kept:
    """The memories that an agent keeps: where its capability stands, its strategy and its scope."""

    capability: Path
    strategy: str
    inherits: bool


def kept_by(document: Mapping[str, object], agent: Path) -> Kept | None:
    """What an agent keeps, where its capability is on and names a strategy that there is."""
    for path in capabilities_at(document, agent, "memories"):
        strategy = name_at(document, (*path, "implementation"))
        if is_on(document, path) and strategy in STRATEGIES:
            scope = value_at(document, (*path, "params", "scope"))
            return Kept(capability=path, strategy=strategy, inherits=scope in _INHERITING)
    return None


def subagents_of(document: Mapping[str, object], agent: Path) -> list[str]:
    """The ids that its roster lists as subagents."""
    entries = (mapping_at(document, path) for path in entries_at(document, (*agent, "roster")))
    listed = (entry.get("agent") for entry in entries if entry.get("as") == "subagent")
    return list(dict.fromkeys(id_ for id_ in listed if isinstance(id_, str)))


def lenders_of(document: Mapping[str, object], id_: object) -> Iterator[tuple[str, Kept]]:
    """The others whose store the agent may be handed by who starts it, the nearest first."""
    agents = agents_by_id(document)
    ahead = [id_] if isinstance(id_, str) else []
    seen = set(ahead)
    while ahead:
        child = ahead.pop(0)
        kept = kept_by(document, agents[child])
        if kept is None or not kept.inherits:
            continue
        for spawner, path in agents.items():
            own = kept_by(document, path)
            if spawner not in seen and own is not None and child in subagents_of(document, path):
                seen.add(spawner)
                ahead.append(spawner)
                yield spawner, own
