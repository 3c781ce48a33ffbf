"""What the states of a run have to agree on: their agents, where they lead, and what goes along."""

from collections.abc import Iterator, Mapping

from host.launch.fields import did_you_mean
from host.launch.places import Path, Problem, entries_at, mapping_at, value_at
from host.launch.written import agents_by_id, are_usable, capabilities_at, unknown_name


def state_problems(document: Mapping[str, object]) -> Iterator[Problem]:
    """States of agents that there are not, edges that lead nowhere, modules that nobody could hand over."""
    known = agents_by_id(document)
    states = tuple(name for name in mapping_at(document, ("states",)) if isinstance(name, str))
    for state in states:
        path: Path = ("states", state)
        yield from unknown_name(document, (*path, "agent"), tuple(known), "agent")
        for other in mapping_at(document, (*path, "to")):
            edge = (*path, "to", other)
            yield from _nowhere(document, edge, states)
            yield from _transfer(document, (*edge, "transfer"), value_at(document, (*path, "agent")), known)


def _nowhere(document: Mapping[str, object], edge: Path, states: tuple[str, ...]) -> Iterator[Problem]:
    other = edge[-1]
    if other not in states and isinstance(other, str) and are_usable(states):
        yield Problem(
            path=edge,
            message=f"names no state{did_you_mean(other, states)}",
            found=value_at(document, edge),
            known=states,
            is_of_key=True,
        )


def _transfer(
    document: Mapping[str, object], place: Path, agent: object, known: Mapping[str, Path]
) -> Iterator[Problem]:
    seen: set[str] = set()
    for path in entries_at(document, place):
        kind = value_at(document, path)
        if not isinstance(kind, str):
            continue
        if kind in seen:
            yield Problem(path=path, message=f"{kind} is listed already", found=kind)
        elif kind == "memories" and isinstance(agent, str) and _keeps_none(document, known.get(agent)):
            message = f"{agent}, the agent of this state, has no memories to hand over"
            yield Problem(path=path, message=message, found=kind)
        seen.add(kind)


def _keeps_none(document: Mapping[str, object], agent: Path | None) -> bool:
    """Memories that are off count as kept: the arm that has them on is the same document."""
    return agent is not None and not any(capabilities_at(document, agent, "memories"))
