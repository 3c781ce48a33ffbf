"""Runs several agents on scripted replies, each instance on its own, and gives what a test asks about."""

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from host.app import RunResult, Session
from host.core.messages import Message, Reply
from host.events import (
    AgentEnded,
    AgentModule,
    AgentModules,
    Check,
    EventModel,
    RecordReader,
    StampedEvent,
    read_events,
    verify_record,
)
from host.launch import LaunchPlan, ScriptedModel, validate
from host.operations import ApprovalAnswer, ApprovalRequest
from runtime_js import Compiler
from tests.helpers.acts import Act, given, said
from tests.helpers.memory_turns import arm

E = TypeVar("E", bound=EventModel)

Said = str | Reply | tuple[Act, ...]
Script = Mapping[str, Sequence[Said | Callable[[], Said]]] | Callable[[str, int], Said]
"""What each agent answers: by its id, in order, a function being called first; or by its id and a number
from 1.
"""


@dataclass(frozen=True, kw_only=True)
class TeamRan:
    """A run of several agents that has ended. `prompts` has by agent what its provider was sent."""

    result: RunResult
    prompts: Mapping[str, list[tuple[Message, ...]]]
    events: tuple[StampedEvent, ...]

    def of(self, kind: type[E], agent_id: str | None = None) -> list[E]:
        """The events of one type, of one agent or of all, in order."""
        return [
            stamped.event
            for stamped in self.events
            if isinstance(stamped.event, kind) and agent_id in (None, stamped.agent_id)
        ]

    def by_agent(self, kind: type[E]) -> list[tuple[str, E]]:
        """The events of one type with their agents, in order."""
        return [(each.agent_id, each.event) for each in self.events if isinstance(each.event, kind)]

    def told(self, agent_id: str, reply: int) -> list[str]:
        """The messages, but its own, that an agent was sent with reply `reply`, from 0, and not before."""
        return [m.text for m in self._new(agent_id, reply) if m.role in ("user", "tool")]

    def notices(self, agent_id: str, reply: int) -> list[str]:
        """The notices among them, without their headings."""
        told = self.told(agent_id, reply)
        return [text.partition("\n----\n")[2] for text in told if text.startswith("Notice\n")]

    def given(self, agent_id: str, turn: int) -> list[Any]:
        """What the acts of an agent's turn gave, a turn after which it was sent something."""
        return given(self._new(agent_id, turn))

    def _new(self, agent_id: str, reply: int) -> list[Message]:
        prompts = self.prompts[agent_id]
        before = {id(message) for prompt in prompts[:reply] for message in prompt}
        return [message for message in prompts[reply] if id(message) not in before]


def run_team(
    out: Path,
    script: Script,
    agents: Mapping[str, Mapping[str, Any]],
    *,
    compiler: Compiler | None = None,
    execution: str = "tool_calling",
    change: Callable[[Session], None] = lambda session: None,
    change_plan: Callable[[LaunchPlan], LaunchPlan] = lambda plan: plan,
    context_window_tokens: int | None = None,
    approve: Callable[[ApprovalRequest], ApprovalAnswer | bool | None] | None = None,
    **document: Any,  # noqa: ANN401 - further keys of the configuration
) -> TeamRan:
    """Runs agents that all may start others; the first is the root. Its record is made in `out`.

    `change` is given the session before it runs, `change_plan` what becomes of the configuration.
    """
    prompts: dict[str, list[tuple[Message, ...]]] = defaultdict(list)
    lock = threading.Lock()

    def reply(messages: tuple[Message, ...], agent_id: str) -> str | Reply:
        with lock:
            prompts[agent_id].append(messages)
            number = len(prompts[agent_id])
        answer = _answer(script, agent_id, number)
        if not isinstance(answer, tuple):
            return answer
        return said(str(agents[profile_of(agent_id)].get("execution", execution)), *answer)

    model = ScriptedModel(replies=reply, context_window_tokens=context_window_tokens)
    plan = team_plan(out.parent, agents, model, execution, document)
    session = Session.create(change_plan(plan), out=out, compiler=compiler, approve=approve)
    change(session)
    result = session.run()
    return TeamRan(result=result, prompts=prompts, events=tuple(read_events(out / "events.ndjson")))


def team_plan(
    base: Path,
    agents: Mapping[str, Mapping[str, Any]],
    model: ScriptedModel,
    execution: str,
    document: Mapping[str, Any],
) -> LaunchPlan:
    """The plan of agents that all may start others."""
    written = []
    for id_, agent in agents.items():
        others = agent.get("capabilities", [])
        own = {key: value for key, value in agent.items() if key != "capabilities"}
        capabilities = [{"id": "delegation", "enabled": True}, *others]
        written.append({"id": id_, "execution": execution, "capabilities": capabilities, **own})
    root = next(iter(agents))
    whole = {
        "task": "Do it.",
        "root": root,
        "model": model,
        "seed": 7,
        "limits": {"maxTurns": 20},
        **document,
        "agents": written,
    }
    return validate(whole, base=base)


def profile_of(agent_id: str) -> str:
    """The entry of the configuration that an agent is an instance of."""
    return re.sub(r"-\d+$", "", agent_id)


def _answer(script: Script, agent_id: str, number: int) -> Said:
    if callable(script):
        return script(agent_id, number)
    answer = script[agent_id][number - 1]
    return answer() if callable(answer) else answer


def memories(scope: str, strategy: str = "markdown", **limits: int) -> dict[str, Any]:
    """The capability with the limits given; the others are lifted."""
    written = arm(strategy, **limits)
    return {"id": "memories", "enabled": True, **written, "params": {**written["params"], "scope": scope}}


def after(do: Callable[[], object], *acts: Act) -> Callable[[], Said]:
    """What an agent does in a turn, once this was done: waited for another one, or let it go on."""

    return then(do, acts)


def then(do: Callable[[], object], reply: Said) -> Callable[[], Said]:
    """The same of a whole reply."""

    def answer() -> Said:
        assert do() is not False, "what the agent waits for does not come"
        return reply

    return answer


def says(
    event: threading.Event, kind: type[EventModel], agent_id: str | None = None
) -> Callable[[Session], None]:
    """A change of a session: `event` is set once one of that type is recorded, of that agent or of any."""

    def look(stamped: StampedEvent) -> None:
        if isinstance(stamped.event, kind) and agent_id in (None, stamped.agent_id):
            event.set()

    def change(session: Session) -> None:
        session.subscribe(look)

    return change


def stores(ran: TeamRan) -> dict[str, AgentModule]:
    """What each agent holds, in the order in which they began."""
    return {agent_id: event.modules[0] for agent_id, event in ran.by_agent(AgentModules)}


def ends(ran: TeamRan) -> dict[str, tuple[str, str | None]]:
    """How each agent but the last root has ended: its status, and its summary where it has one."""
    return {
        agent_id: (event.status, event.ending.summary if event.ending else None)
        for agent_id, event in ran.by_agent(AgentEnded)
    }


def code_of(answer: object) -> object:
    """The code of a call that failed; else what it gave."""
    return answer.partition(":")[0] if isinstance(answer, str) else answer


def failed_checks(ran: TeamRan) -> list[Check]:
    """The checks of `gg show --verify` that the record does not pass."""
    return [check for check in verify_record(RecordReader(ran.result.record)) if not check.ok]


def starts(*agents: str) -> list[dict[str, str]]:
    """The roster of an agent that may start these as subagents."""
    return [{"agent": agent, "as": "subagent"} for agent in agents]


def finishes(summary: str) -> tuple[str, dict[str, Any]]:
    """The call that ends a session."""
    return ("finish", {"summary": summary})
