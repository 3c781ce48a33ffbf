"""gg as a library: agents and runs as Python objects.

The objects build the same document that a configuration file holds, so both are checked by the same rules and
both leave the same record.
"""

import inspect
import queue
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import anyio
import anyio.to_thread

from host.app.approving import Approve
from host.app.environment import environment
from host.app.session import RunResult, Session
from host.events import StampedEvent
from host.launch import ScriptedModel, validate
from host.providers import ScriptedSource


def scripted(
    replies: "ScriptedSource | str | Path",
    *,
    context_window_tokens: int | None = None,
    counter: str = "characters",
) -> ScriptedModel:
    """A model that answers from what was written beforehand.

    Takes a list of replies, a function `(messages, agent_id) -> str | Reply`, or a folder of reply files.
    `context_window_tokens` is what compaction is measured against, and `counter` how tokens are counted:
    `characters`, `utf-8`, `o200k_base` or `cl100k_base`.
    """
    source = str(replies) if isinstance(replies, Path) else replies
    return ScriptedModel(replies=source, context_window_tokens=context_window_tokens, counter=counter)


@dataclass(frozen=True, kw_only=True)
class Agent:
    """One agent.

    `model` is a scripted one, the name of a vendor's, such as `"openai:gpt-5"`, or the object that a
    configuration holds. `execution` is how it acts: each reply is one program, or calls of tools.
    `memories`, `files`, `compaction`, `records` and `skillbook` are the capability objects of a
    configuration less `id` and `enabled`, with `features` and all; `capabilities` are further ones as a
    configuration writes them, such as `{"id": "program-library"}`. `tools` are typed Python functions, sync
    or async, which programs import as `local` from `gg:tools`, or the params of the capability `tools`, with
    MCP servers and rules of approval. `delegates` lets it start the agents of its `roster`, of which one is
    `{"agent": "a", "as": "subagent"}`, copy itself, hand over and create issues.
    """

    id: str
    model: ScriptedModel | Mapping[str, object] | str
    prompt: str = ""
    execution: Literal["responses_as_code", "tool_calling"] = "responses_as_code"
    memories: Mapping[str, object] | None = None
    files: Mapping[str, object] | None = None
    compaction: Mapping[str, object] | None = None
    records: Mapping[str, object] | None = None
    skillbook: Mapping[str, object] | None = None
    tools: Sequence[Callable[..., Any]] | Mapping[str, object] = ()
    capabilities: Sequence[Mapping[str, object]] = ()
    code_mode: Mapping[str, object] = field(default_factory=dict)
    delegates: bool = False
    roster: Sequence[Mapping[str, object]] = ()

    def document(self) -> dict[str, object]:
        """The agent as a configuration writes it."""
        given = {
            "memories": self.memories,
            "files": self.files,
            "compaction": self.compaction,
            "records": self.records,
            "skillbook": self.skillbook,
        }
        capabilities = [
            {"id": name, "enabled": True, **_written(capability)}
            for name, capability in given.items()
            if capability is not None
        ]
        if self.tools:
            params = self.tools if isinstance(self.tools, Mapping) else {"python": list(self.tools)}
            capabilities.append({"id": "tools", "enabled": True, "params": _written(params)})
        delegation = [{"id": "delegation", "enabled": True}] if self.delegates else []
        return {
            "id": self.id,
            "model": self.model,
            "prompt": self.prompt,
            "execution": self.execution,
            **({"codeMode": dict(self.code_mode)} if self.code_mode else {}),
            **({"roster": self.roster} if self.roster else {}),
            "capabilities": [*capabilities, *delegation, *self.capabilities],
        }


class Run:
    """A task given to agents. A run is executed once, by `execute`, `execute_async` or `stream`.

    Args:
        task: what the root is to do.
        agents: the agents; the first is the root unless `root` names another.
        limits, sandbox, states, board: the objects of a configuration, such as `{"maxTurns": 20}`.
        max_parallel: how many agents are at work at once; 16 when omitted.
        seed: seed of the programs' randomness; drawn when omitted.
        out: directory of the session record, absent or empty; `.gg/runs/<id>` when omitted.
        approve: is asked about calls for which a rule of approval is `ask`, with an `ApprovalRequest`, one at
            a time and in a thread of its own. It gives `True` or `False` for the one call, or an
            `ApprovalAnswer`. Without it such calls are refused.

    Raises `LaunchRefused` with every defect of what was given, `TypeError` where that is no list of agents.
    """

    def __init__(
        self,
        task: str,
        agents: Sequence[Agent],
        *,
        root: str | None = None,
        limits: Mapping[str, object] | None = None,
        sandbox: Mapping[str, object] | None = None,
        states: Mapping[str, object] | None = None,
        board: Mapping[str, object] | None = None,
        max_parallel: int | None = None,
        seed: int | None = None,
        name: str | None = None,
        out: Path | str | None = None,
        approve: Approve | None = None,
    ) -> None:
        agents = _agents(agents)
        before = {
            "limits": limits,
            "sandbox": sandbox,
            "maxParallel": max_parallel,
            "seed": seed,
            "name": name,
        }
        document = {
            "task": task,
            "root": root or (agents[0].id if agents else ""),
            **_given(before),
            "agents": [agent.document() for agent in agents],
            **_given({"states": states, "board": board}),
        }
        self._plan: Final = validate(document, base=Path.cwd(), environ=environment())
        self._out: Final = None if out is None else Path(out)
        self._approve: Final = _plain(approve)
        self._lock: Final = threading.Lock()
        self._session: Session | None = None
        self._result: RunResult | None = None

    @property
    def result(self) -> RunResult:
        """How the run ended. Raises `RuntimeError` before that."""
        if self._result is None:
            raise RuntimeError("the run has not ended; call execute() first, or exhaust stream()")
        return self._result

    def execute(self) -> RunResult:
        """Runs to the end, blocking."""
        try:
            anyio.get_current_task()
        except RuntimeError:  # no event loop is running
            self._result = self._begin().run()
            return self._result
        raise RuntimeError("execute() was called inside a running event loop; await execute_async() there")

    async def execute_async(self) -> RunResult:
        """Runs to the end in the caller's event loop."""
        self._result = await (await self._begin_elsewhere()).run_async()
        return self._result

    async def stream(self) -> AsyncIterator[StampedEvent]:
        """Runs in a thread of its own and yields each event as it is recorded; `result` is there afterwards.

        Leaving the iteration early cancels the run at its next turn boundary.
        """
        session = await self._begin_elsewhere()
        events: queue.SimpleQueue[StampedEvent | None] = queue.SimpleQueue()
        failure: list[BaseException] = []
        session.subscribe(events.put)

        def run() -> None:
            try:
                self._result = session.run()
            except BaseException as error:  # handed to the iterating task below
                failure.append(error)
            finally:
                events.put(None)

        thread = threading.Thread(target=run, name="gg-run")
        thread.start()
        try:
            while (event := await _next(events)) is not None:
                yield event
        finally:
            session.cancel()
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(thread.join)
        if failure:
            raise failure[0]

    def cancel(self) -> None:
        """Ends the run at its next turn boundary. Thread-safe; before the run has begun it does nothing."""
        if self._session is not None:
            self._session.cancel()

    async def _begin_elsewhere(self) -> Session:
        """In a thread: it waits for a worker, and other runs of the same loop go on meanwhile."""
        begun: Future[Session] = Future()

        def begin() -> None:
            try:
                begun.set_result(self._begin())
            except BaseException as error:  # raised below
                begun.set_exception(error)

        try:
            await anyio.to_thread.run_sync(begin)
        except BaseException:  # canceled; the thread may still be at it
            begun.add_done_callback(_discard)
            raise
        return begun.result()

    def _begin(self) -> Session:
        with self._lock:
            if self._session is not None:
                raise RuntimeError("a Run is executed once; build another to run again")
            self._session = Session.create(self._plan, out=self._out, approve=self._approve)
            return self._session


def _discard(begun: "Future[Session]") -> None:
    if begun.exception() is None:
        begun.result().discard()


def _plain(approve: Approve | None) -> Approve | None:
    """What was given, if it can be called as it is."""
    if approve is None or (callable(approve) and not inspect.iscoroutinefunction(approve)):
        return approve
    raise TypeError(f"approve is a plain function of an ApprovalRequest, and this is {approve!r:.200}")


def _given(optional: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in optional.items() if value is not None}


def _agents(given: Sequence[Agent]) -> Sequence[Agent]:
    """What was given, if it is a list of agents; a single one is easily given in the place of a list."""
    agents: object = given
    if isinstance(agents, Sequence) and all(isinstance(agent, Agent) for agent in agents):
        return agents
    raise TypeError(f"agents is a list of Agent objects, and this is {agents!r:.200}")


async def _next(events: "queue.SimpleQueue[StampedEvent | None]") -> StampedEvent | None:
    try:
        return events.get_nowait()
    except queue.Empty:
        return await anyio.to_thread.run_sync(events.get, abandon_on_cancel=False)


def _written(value: Any) -> Any:  # noqa: ANN401  (a part of a document)
    """A part of a document as a configuration writes it: paths are texts there."""
    if isinstance(value, Mapping):
        return {key: _written(item) for key, item in value.items()}
    return str(value) if isinstance(value, Path) else value
