"""What the rosters of agents have to agree on: names, and how memories are organized that are handed down."""

from collections.abc import Iterator, Mapping

from host.launch.lineage import kept_by, subagents_of
from host.launch.places import Path, Problem, entries_at, value_at
from host.launch.written import agents_by_id, unknown_name


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
        own = kept_by(document, path)
        for child in subagents_of(document, path):
            theirs = kept_by(document, known[child]) if child in known else None
            if own is None or theirs is None or not theirs.inherits:
                continue
            if own.strategy != theirs.strategy:
                place = (*theirs.capability, "implementation")
                message = (
                    f"{child} organizes its memories as {theirs.strategy}, and {spawner}, whose memories it"
                    f" inherits as a subagent, as {own.strategy}; name one strategy in both"
                )
                yield Problem(path=place, message=message, found=value_at(document, place))
