"""Runs one agent on scripted replies and gives what a test asks about: result, prompts, events."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from host.app import RunResult, Session
from host.core.messages import Message, Reply, ToolCall
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


def calls(*written: tuple[str, Mapping[str, Any] | str], text: str = "") -> Reply:
    """A reply that calls tools: name and arguments of each, a text standing for what is no JSON object."""
    return Reply(
        text=text,
        tool_calls=tuple(
            ToolCall(
                id=f"c{place}",
                name=name,
                arguments=arguments if isinstance(arguments, str) else json.dumps(arguments),
            )
            for place, (name, arguments) in enumerate(written, start=1)
        ),
    )


FINISHES = calls(("finish", {"summary": "done"}))


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
        return [message.text for message in self._new(reply) if message.role == "user"]

    def answers(self, reply: int) -> list[str]:
        """The answers to calls among them."""
        return [message.text for message in self._new(reply) if message.role == "tool"]

    def _new(self, reply: int) -> list[Message]:
        before = {id(message) for prompt in self.prompts[:reply] for message in prompt}
        return [message for message in self.prompts[reply] if id(message) not in before]


def run_agent(
    out: Path,
    replies: Sequence[str | Reply],
    *,
    compiler: Compiler | None = None,
    execution: Literal["responses_as_code", "tool_calling"] = "responses_as_code",
    memories: Mapping[str, Any] | None = None,
    files: Mapping[str, Any] | None = None,
    limits: Mapping[str, Any] | None = None,
    sandbox: Mapping[str, Any] | None = None,
    code_mode: Mapping[str, Any] | None = None,
    others: Mapping[str, Mapping[str, Any]] | None = None,
    context_window_tokens: int | None = None,
    seed: int = 7,
) -> Ran:
    """Runs one agent called `root` to its end; its record is made in `out`.

    `others` are further capabilities by their ids. Programs want a `compiler`, calls of tools do without.
    """
    prompts: list[tuple[Message, ...]] = []
    left = list(replies)

    def reply(messages: tuple[Message, ...], agent_id: str) -> str | Reply:
        prompts.append(messages)
        return left.pop(0)

    written = {"memories": memories, "files": files, **(others or {})}
    capabilities = [{"id": name, "enabled": True, **c} for name, c in written.items() if c is not None]
    agent: dict[str, Any] = {
        "id": "root",
        "execution": execution,
        "model": ScriptedModel(replies=reply, context_window_tokens=context_window_tokens),
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
