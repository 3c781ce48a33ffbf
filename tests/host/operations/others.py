"""Other agents and a board for a test: kept in memory, in the order in which they were asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from host.core.errors import Refusal
from host.operations import ChildEnd, IssueEnd


@dataclass
class Children:
    """Starts whom it is asked to; `ended` are the children of which a wait can say something."""

    agents: tuple[str, ...] = ("reader", "writer")
    ended: Mapping[str, ChildEnd] = field(default_factory=dict)
    asked: list[tuple[object, ...]] = field(default_factory=list)

    def spawn(self, agent: str, prompt: str) -> str:
        if agent not in self.agents:
            raise Refusal("not-found", f"There is no agent `{agent}`.", kind="no_agent")
        self.asked.append(("spawn", agent, prompt))
        return agent

    def wait(self, ids: tuple[str, ...] | None) -> tuple[ChildEnd, ...]:
        self.asked.append(("wait", ids))
        return tuple(end for id_, end in self.ended.items() if ids is None or id_ in ids)

    def send(self, id_: str, text: str) -> None:
        if id_ in self.ended:
            raise Refusal("conflict", f"{id_} has ended.", kind="ended")
        self.asked.append(("send", id_, text))

    def fork(self, prompt: str | None) -> None:
        self.asked.append(("fork", prompt))

    def succeed(self, agent: str, prompt: str) -> None:
        self.asked.append(("succeed", agent, prompt))

    def transition(self, state: str) -> None:
        self.asked.append(("transition", state))


@dataclass
class Issues:
    """Numbers the issues that are put on it; `ended` are those of which a wait can say something."""

    ended: Mapping[str, IssueEnd] = field(default_factory=dict)
    created: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)
    waited: list[tuple[str, ...] | None] = field(default_factory=list)

    def create(self, title: str, body: str, blocked_by: tuple[str, ...]) -> str:
        self.created.append((title, body, blocked_by))
        return f"issue-{len(self.created)}"

    def wait(self, ids: tuple[str, ...] | None) -> tuple[IssueEnd, ...]:
        self.waited.append(ids)
        return tuple(end for id_, end in self.ended.items() if ids is None or id_ in ids)
