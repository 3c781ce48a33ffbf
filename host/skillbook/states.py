"""How it stands with a skill, in a word that a person reads."""

from typing import Final, Literal, get_args

from host.skillbook.model import Skill

State = Literal["active", "held back", "rejected", "removed", "merged"]
STATES: Final[tuple[State, ...]] = get_args(State)


def state_of(skill: Skill) -> State:
    """`active` is served to runs, no other one is."""
    if skill.merged_into is not None:
        return "merged"
    if skill.review is not None:
        return "held back" if skill.review == "pending" else "rejected"
    return "active" if skill.active else "removed"
