"""What a turn asks to be started when it has ended: copies of the agent, and one successor."""

from dataclasses import dataclass
from typing import Final, Literal

from host.core.errors import Refusal


@dataclass(frozen=True, kw_only=True)
class Following:
    """A successor that was asked for.

    Args:
        task: `None` for the task that there is.
        state: the state that it acts in, where it does in one.
        takes_memories: whether it is offered the memories of the agent that it follows.
    """

    by: Literal["exec", "transition"]
    profile: str
    task: str | None
    state: str | None
    takes_memories: bool


class Handover:
    """Of one turn. It is emptied when the turn ends, and when its reply fails."""

    def __init__(self) -> None:
        self._copies: Final[list[str | None]] = []
        self._following: Following | None = None

    @property
    def following(self) -> Following | None:
        """The successor that was asked for."""
        return self._following

    def copy(self, prompt: str | None) -> None:
        """Asks for one more copy, which is told `prompt`."""
        self._copies.append(prompt)

    def follow(self, following: Following) -> None:
        """Asks for a successor. Raises `Refusal` where there is one."""
        if self._following is not None:
            raise Refusal(
                "refused",
                f"This agent hands over to `{self._following.profile}` already when the turn ends; the first"
                " call of a turn stands.",
                kind="second_successor",
            )
        self._following = following

    def take(self) -> tuple[tuple[str | None, ...], Following | None]:
        """The prompts of the copies and the successor, which are asked for no more."""
        copies, following = tuple(self._copies), self._following
        self._copies.clear()
        self._following = None
        return copies, following
