"""What the rosters of agents have to agree on: names, and how memories are organized that are handed down."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from host.launch.capabilities import STRATEGIES
from host.launch.places import Path, Problem, entries_at, mapping_at, value_at
from host.launch.written import agents_by_id, capabilities_at, is_on, name_at, unknown_name

_INHERITING: Final = ("inherited", "read-only")


@dataclass(frozen=True, kw_only=True)
class _Kept:
    """The memories that an agent keeps: where its strategy stands, and which it is."""

    place: Path
    strategy: str
    scope: object


def roster_problems(document: Mapping[str, object]) -> Iterator[Problem]:
    """Entries that name no agent or repeat another one, and pairs whose strategies disagree."""
    known = agents_by_id(document)
    for agent in entries_at(document, ("agents",)):
        entries = entries_at(document, (*agent, "roster"))
        for entry in entries:
            yield from unknown_name(document, (*entry, "agent"), tuple(known), "agent")
        yield from _repeated(document, entries)
    yield from _disagreements(document, known)


def _repeated(document: Mapping[str, object], entries: list[Path]) -> Iterator[Problem]:
    seen: set[tuple[str, str]] = set()
    for entry in entries:
        agent, role = (value_at(document, (*entry, key)) for key in ("agent", "as"))
        if not isinstance(agent, str) or not isinstance(role, str):
            continue
        if (agent, role) in seen:
            found = value_at(document, entry)
            yield Problem(path=entry, message=f"{agent} is listed as {role} already", found=found)
        seen.add((agent, role))


def _disagreements(document: Mapping[str, object], known: Mapping[str, Path]) -> Iterator[Problem]:
    """A subagent that inherits reads its spawner's store by the calls of its own strategy.

    Pairs are enough, however long the chain: each that holds a store on the way organizes it as it says.
    """
    for spawner, path in known.items():
        own = _kept(document, path)
        for child in dict.fromkeys(_subagents(document, path)):
            theirs = _kept(document, known[child]) if child in known else None
            if own is None or theirs is None or theirs.scope not in _INHERITING:
                continue
            if own.strategy != theirs.strategy:
                message = (
                    f"{child} organizes its memories as {theirs.strategy}, and {spawner}, whose memories it"
                    f" inherits as a subagent, as {own.strategy}; name one strategy in both"
                )
                yield Problem(path=theirs.place, message=message, found=value_at(document, theirs.place))


def _subagents(document: Mapping[str, object], agent: Path) -> Iterator[str]:
    for path in entries_at(document, (*agent, "roster")):
        entry = mapping_at(document, path)
        listed = entry.get("agent")
        if entry.get("as") == "subagent" and isinstance(listed, str):
            yield listed


def _kept(document: Mapping[str, object], agent: Path) -> _Kept | None:
    """What an agent keeps, where its capability is on and names a strategy that there is."""
    for path in capabilities_at(document, agent, "memories"):
        place = (*path, "implementation")
        strategy = name_at(document, place)
        if is_on(document, path) and strategy in STRATEGIES:
            scope = value_at(document, (*path, "params", "scope"))
            return _Kept(place=place, strategy=strategy, scope=scope)
    return None
