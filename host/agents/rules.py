"""Who may start whom, hand over to whom, and who works on issues: what the configuration says of a run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from host.core.errors import Refusal
from host.core.text import join_words, quoted

RosterRole = Literal["subagent", "implementer", "reviewer", "merge"]
BoardRole = Literal["implementer", "reviewer", "merge"]


@dataclass(frozen=True, kw_only=True)
class State:
    """A state: the profile that acts in it, and the kinds of modules that go along to each next state."""

    agent: str
    to: Mapping[str, frozenset[str]]


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Profiles by id, each with the roles of its roster by profile. Every name in it is a profile's or a
    state's.
    """

    root: str
    rosters: Mapping[str, Mapping[str, frozenset[RosterRole]]]
    states: Mapping[str, State] = field(default_factory=dict)
    board: Mapping[BoardRole, str] | None = None
    max_parallel: int = 16

    def refuse_subagent(self, profile: str, agent: str) -> None:
        """Refuses an agent that one of this profile may not start as a subagent."""
        roster = self.rosters[profile]
        allowed = [other for other, roles in roster.items() if "subagent" in roles]
        if agent not in allowed:
            raise self._refused(agent, allowed, "started as a subagent", "started")

    def refuse_successor(self, profile: str, agent: str) -> None:
        """Refuses an agent that one of this profile may not hand over to."""
        of_states = (state.agent for state in self.states.values())
        allowed = list(dict.fromkeys((*self.rosters[profile], *of_states)))
        if agent not in allowed:
            raise self._refused(agent, allowed, "handed over to", "handed over to")

    def state_of(self, profile: str) -> str | None:
        """The first state that the profile is the agent of."""
        return next((name for name, state in self.states.items() if state.agent == profile), None)

    def next_state(self, current: str | None, wanted: str) -> tuple[str, frozenset[str]]:
        """The agent of the state that one in `current` enters, and the kinds of modules that go along. Raises
        `Refusal`.
        """
        if wanted not in self.states:
            told = f"There is no state {quoted(wanted)}. States: {_names(self.states)}."
            raise Refusal("not-found", told, kind="no_state")
        if current is None:
            raise Refusal("refused", "This agent is in no state.", kind="no_edge")
        to = self.states[current].to
        if wanted not in to:
            reachable = f"It leads to {_names(to)}." if to else "It leads nowhere."
            told = f"The state {quoted(current)} does not lead to {quoted(wanted)}. {reachable}"
            raise Refusal("refused", told, kind="no_edge")
        return self.states[wanted].agent, to[wanted]

    def _refused(self, agent: str, allowed: list[str], what: str, short: str) -> Refusal:
        who = f" Agents that may be {short}: {_names(allowed)}." if allowed else f" None may be {short}."
        if agent not in self.rosters:
            return Refusal("not-found", f"There is no agent {quoted(agent)}.{who}", kind="no_agent")
        return Refusal(
            "refused", f"{quoted(agent)} may not be {what} by this agent.{who}", kind="not_in_roster"
        )


def _names(names: Iterable[str]) -> str:
    return join_words(map(quoted, names))
