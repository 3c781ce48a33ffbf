"""Runs one agent on scripted replies and gives what a test asks about: result, prompts, events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from host.app import RunResult, Session
from host.core.messages import Message
from host.events import EventModel, StampedEvent, read_events
from host.launch import ScriptedModel, validate
from runtime_js import Compiler

E = TypeVar("E", bound=EventModel)

SCRATCHPAD: dict[str, Any] = {
    "implementation": "scratchpad",
    "params": {
        "scope": "isolated",
        "maxCount": 64,
        "maxLenPerMemory": 0,
        "maxTotalLen": 0,
        "maxLenIndex": 4096,
        "maxLenDescription": 256,
        "maxResults": 25,
    },
}
MARKDOWN: dict[str, Any] = {**SCRATCHPAD, "implementation": "markdown"}
FINISH = 'import { session } from "gg";\nsession.finish("done");\n'


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A run that has ended. `prompts[n]` is what the provider got for reply n, from 0."""

    result: RunResult
    prompts: tuple[tuple[Message, ...], ...]
    events: tuple[StampedEvent, ...]

    def of(self, kind: type[E]) -> list[E]:
        """The events of one type, in order."""
        return [stamped.event for stamped in self.events if isinstance(stamped.event, kind)]

    def told(self, reply: int) -> list[str]:
        """The user messages that reply `reply` (from 0) was asked with, beyond those of the reply before."""
        before = {id(message) for prompt in self.prompts[:reply] for message in prompt}
        return [m.text for m in self.prompts[reply] if m.role == "user" and id(m) not in before]


def run_agent(
    out: Path,
    replies: Sequence[str],
    *,
    compiler: Compiler,
    memories: Mapping[str, Any] | None = None,
    files: Mapping[str, Any] | None = None,
    limits: Mapping[str, Any] | None = None,
    sandbox: Mapping[str, Any] | None = None,
    code_mode: Mapping[str, Any] | None = None,
    others: Mapping[str, Mapping[str, Any]] | None = None,
    seed: int = 7,
) -> Ran:
    """Runs one agent called `root` to its end; its record is made in `out`.

    `others` are further capabilities by their ids.
    """
    prompts: list[tuple[Message, ...]] = []
    left = list(replies)

    def reply(messages: tuple[Message, ...], agent_id: str) -> str:
        prompts.append(messages)
        return left.pop(0)

    written = {"memories": memories, "files": files, **(others or {})}
    capabilities = [{"id": name, "enabled": True, **c} for name, c in written.items() if c is not None]
    agent: dict[str, Any] = {
        "id": "root",
        "model": ScriptedModel(replies=reply),
        "capabilities": capabilities,
    }
    if code_mode is not None:
        agent["codeMode"] = dict(code_mode)
    document: dict[str, Any] = {
        "task": "Do it.",
        "root": "root",
        "seed": seed,
        "limits": dict(limits or {"maxTurns": len(replies)}),
        "sandbox": dict(sandbox or {}),
        "agents": [agent],
    }
    result = Session.create(validate(document, base=out.parent), out=out, compiler=compiler).run()
    return Ran(result=result, prompts=tuple(prompts), events=tuple(read_events(out / "events.ndjson")))
