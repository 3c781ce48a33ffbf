"""The agents of a run, as a person names them, and what of a run concerns some of them."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from host.app.runs.errors import NotThere
from host.core.text import join_words, nearest, quoted
from host.events import FoldedStore, IssueView, RecordReader, RunView

_MOST_NAMED: Final = 10


def agent_ids(record: Path) -> list[str]:
    """The id of every agent that the run had, in the order in which they began. Raises `RecordError`."""
    return [agent.agent_id for agent in RecordReader(record).agents()]


def check_agents(names: Sequence[str], known: Sequence[str]) -> None:
    """Raises `NotThere` where one of the names is that of no agent."""
    for name in names:
        if name not in known:
            raise NotThere(_unknown(name, known))


def only_of(view: RunView, agents: Collection[str]) -> RunView:
    """The agents and their turns, the stores that they held, the issues that they had to do with."""
    return replace(
        view,
        agents=tuple(agent for agent in view.agents if agent.agent_id in agents),
        turns=tuple(turn for turn in view.turns if turn.agent_id in agents),
        stores={module_id: store for module_id, store in view.stores.items() if is_held_by(store, agents)},
        issues=tuple(issue for issue in view.issues if _concerns(issue, agents)),
    )


def is_held_by(store: FoldedStore, agents: Collection[str]) -> bool:
    """Whether one of the agents holds the store or held it."""
    return any(holding.agent_id in agents for holding in store.holders)


def _concerns(issue: IssueView, agents: Collection[str]) -> bool:
    return any(step.agent_id in agents or step.state.worker in agents for step in issue.history)


def _unknown(name: str, known: Sequence[str]) -> str:
    told = f"there is no agent {quoted(name)}"
    if not known:
        return f"{told}; the run had none"
    if near := nearest(name, known, count=1):
        return f"{told}; did you mean {quoted(near[0])}?"
    more = [f"{len(known) - _MOST_NAMED} more"] if len(known) > _MOST_NAMED else []
    return f"{told}; the run had {join_words([*map(quoted, known[:_MOST_NAMED]), *more])}"
