"""Runs whose window fills: an agent that reads large files and records notes, in either execution mode."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from host.core.messages import Message, Reply
from runtime_js import Compiler
from tests.helpers.runs import FINISH, FINISHES, SCRATCHPAD, Ran, calls, run_agent

Execution = Literal["responses_as_code", "tool_calling"]
Strategy = Literal["scratchpad", "markdown", "keyword-search"]

EXECUTIONS: tuple[Execution, ...] = ("responses_as_code", "tool_calling")
STRATEGIES: tuple[Strategy, ...] = ("scratchpad", "markdown", "keyword-search")
IMPORT = 'import { context, docs, files, memories, programs, session, views } from "gg";\n'
FILE_CHARS = 12_000
WINDOW_TOKENS = 12_000
THRESHOLD_TOKENS = 6_000
"""An opening and one file stay under it, two files do not."""


@dataclass(frozen=True)
class Arm:
    """How one agent acts and keeps its memories; what it does are whole replies."""

    execution: Execution = "responses_as_code"
    strategy: Strategy = "scratchpad"

    @property
    def memories(self) -> dict[str, Any]:
        return {**SCRATCHPAD, "implementation": self.strategy}

    @property
    def creates(self) -> str:
        """The call that makes a memory, as this agent writes it."""
        name = "write_memory" if self.strategy == "scratchpad" else "create_memory"
        return name if self.execution == "tool_calling" else f"memories.{_camel(name)}"

    def reads(self, name: str) -> str | Reply:
        """Brings a large file into the window."""
        if self.execution == "tool_calling":
            return calls(("read_file", {"path": name}))
        return f'{IMPORT}views.openFile("{name}");\n'

    def records(self, name: str, body: str = "Go on at 501.") -> str | Reply:
        """Makes a memory."""
        fields = {"name": name, "description": f"About {name}.", "body": body}
        if self.execution == "responses_as_code":
            return f"{IMPORT}{self.creates}({json.dumps(fields)});\n"
        if self.strategy != "scratchpad":
            fields["contents"] = fields.pop("body")
        return calls((self.creates, fields))

    @property
    def finishes(self) -> str | Reply:
        return FINISHES if self.execution == "tool_calling" else FINISH


def run_compacting(
    out: Path,
    arm: Arm,
    implementation: Literal["summary", "memory-compaction"],
    replies: Sequence[str | Reply],
    *,
    compiler: Compiler,
    params: Mapping[str, Any] | None = None,
    window_tokens: int = WINDOW_TOKENS,
    **others: Any,  # noqa: ANN401  (of run_agent)
) -> Ran:
    """The agent's directory has the files `one`, `two` and `three`, each of about 3,000 tokens."""
    data = out.parent / f"{out.name}-data"
    data.mkdir()
    for name in ("one", "two", "three"):
        (data / name).write_text(f"{name} " * (FILE_CHARS // (len(name) + 1)))
    compaction = {"implementation": implementation, "params": {"threshold": 0.5, **(params or {})}}
    return run_agent(
        out,
        replies,
        compiler=compiler,
        execution=arm.execution,
        context_window_tokens=window_tokens,
        **{
            "memories": arm.memories,
            "files": {"params": {"dir": str(data)}},
            "limits": {"maxTurns": 20},
            **others,
            "others": {"compaction": compaction, **others.get("others", {})},
        },
    )


def heads(prompt: Sequence[Message]) -> list[str]:
    """Each message by its role and its first line; a model's own by its role alone."""
    return [
        m.role if m.role in ("assistant", "tool") else m.text.partition("\n")[0]
        for m in prompt
        if m.role != "system"
    ]


def _camel(name: str) -> str:
    first, _, second = name.partition("_")
    return first + second.capitalize()
