"""The system prompt of an agent whose reply is a program.

It says what the contract is and which modules there are; what a call takes is on its page of documentation.
It speaks of no guardrail, since a model that is told of one behaves differently.
"""

from collections.abc import Mapping
from typing import Final, Literal

from host.memories import Strategy
from host.operations import Family, Grants

DeliveryName = Literal["reply", "tool"]

_CONTRACTS: Final[Mapping[DeliveryName, str]] = {
    "reply": """\
You work by writing TypeScript programs. Your whole reply, from its first character to its last, is
one program: an ES module in TypeScript, processed exactly as you wrote it. Write no prose around it
and no code fence.""",
    "tool": """\
You work by writing TypeScript programs. Every reply calls the tool `submit_program` once; its
argument `program` is one whole program: an ES module in TypeScript, processed exactly as you wrote
it. Nothing beside the call is run.""",
}

_RUNNING = """\
How a program runs:
- Top-level statements run in order. `import` and top-level `await` are allowed, a top-level
  `return` is not.
- Everything a program uses it imports: `import { views } from "gg"`. There is no file, package or
  network to import."""

_CHECKED = """\
- The program is checked by the TypeScript compiler in strict mode first. One that is rejected does
  not run."""

_UNCHECKED = """\
- The program is compiled first. One that cannot be compiled does not run."""

_CALLING = """\
- Calls of the SDK are synchronous. A call that fails throws an `ApiError` with `operation`, `code`
  and `message`.
- A view is the only thing of a program that you can read: `views.openText(label, text)`. What you
  open, you read in the next message. Return values and `console` output do not reach you.
- What a program did stands, even if it fails later."""

_HEADINGS = """\
What you are sent is headed by what it is:
- `Task`: what to do.
- `View: <label>` and `File: <path>`: views that you opened.
- `Documentation: <key>`: a page of documentation.
- `Notice`: something that your program could not see.
- `Compiler error`: your program was rejected and none of it ran; send it again, whole and
  corrected.
- `Runtime error`: your program stopped there; what it did before stands, so do not repeat that."""

_SUMMARY_HEADING = "\n- `Summary`: what you kept of the turns before you compacted the window."
_MEMORIES_HEADING = "\n- `Memories`: what your memories held when you compacted the window."

_ENDING = """\
The session ends only when a program calls `session.finish(summary)` and runs to its end; if it
fails after the call, the session goes on."""

_DOCUMENTATION = """\
What is in them stands on pages of documentation, whose keys are `<module>` and `<module>.<name>`.
`docs.search("<words>")` finds pages, `views.openDocsView("<key>")` opens one. You read it in the
next message, so open the pages of what you need first and call it after that."""


def system_prompt(
    *,
    families: tuple[Family, ...],
    grants: Grants,
    agent_prompt: str,
    memories: str | None,
    delivery: DeliveryName = "reply",
    rejects_types: bool = True,
) -> str:
    """The first message of an agent. `memories` says how its notes are kept, and is absent without them;
    `rejects_types` whether a program is rejected for its types.
    """
    running = "\n".join([_RUNNING, _CHECKED if rejects_types else _UNCHECKED, _CALLING])
    contract = (_CONTRACTS[delivery], running)
    headings = _headings(can_compact=grants.permits("context.compact"), has_memories=memories is not None)
    parts = [agent_prompt.strip(), *contract, _modules(families, grants), memories, headings, _ENDING]
    return "\n\n".join(part for part in parts if part)


def _headings(*, can_compact: bool, has_memories: bool) -> str:
    after_compaction = _SUMMARY_HEADING + (_MEMORIES_HEADING if has_memories else "")
    return _HEADINGS + (after_compaction if can_compact else "")


def _modules(families: tuple[Family, ...], grants: Grants) -> str:
    offered = [f for f in families if any(grants.permits(operation.id) for operation in f.operations)]
    lines = [f'- `import {{ {family.name} }} from "gg"`: {family.brief}' for family in offered]
    return "\n".join(["The modules you have:", *lines, _DOCUMENTATION])


_MEMORY_CODE = """\
A memory can carry code: `code` is a TypeScript module that your later programs import by its slug
in camel case (`csv-tools` as `csvTools`), and `onUse` is a script that runs after a program that
used the memory. {loads}"""


def memories_prompt(strategy: Strategy, max_len_description: int) -> str:
    """What an agent is told of its memories: where they are, how they load, and the one limit it has to
    know.
    """
    limit = f" A description has {max_len_description} characters at most." if max_len_description else ""
    return f"{strategy.told}{limit}\n{_MEMORY_CODE.format(loads=strategy.told_of_code)}"
