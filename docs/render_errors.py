"""The reference of errors: from the tables of the code, and from what gg says when it is made to say it."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from tempfile import TemporaryDirectory
from typing import Final

from host.app.check.sources import SourceFault
from host.app.declarations import DECLARATIONS
from host.app.statuses import STATUSES
from host.cli import commands
from host.cli.exit_codes import EXIT_CODES, FAILED, WRONG_USE
from host.cli.failures import WRONG_USES
from host.core.errors import (
    API_ERRORS,
    DEFECTS,
    HostDefect,
    HostError,
    LaunchRefused,
    ProviderError,
    Refusal,
)
from host.launch import validate
from host.launch.capabilities import LIMIT_KEYS
from host.operations import FAMILIES, Operation
from host.turn import AgentStopped
from host.turn.error_types import TURN_ERRORS
from host.turn.outcome import CEILING_TYPES
from runtime_js import Compiler, CompileRejected, ToolchainError, Unit, UnitKind
from sandbox import Ceiling, Limits, SandboxError
from sandbox.limits import (
    calls_sentence,
    guest_time_sentence,
    memory_sentence,
    stopped_sentence,
    value_sentence,
)

# The model's, a provider's, the end of a run that a status tells, gg's own, or one finding among others.
ENDS_NO_COMMAND: Final = (Refusal, ProviderError, AgentStopped, HostDefect, SourceFault)
LIMITS: Final = Limits()
SENTENCES: Final[dict[Ceiling, str]] = {
    "guest_time": guest_time_sentence(LIMITS.guest_s, LIMITS.guest_s),
    "memory": memory_sentence(LIMITS.memory_bytes),
    "calls": calls_sentence(LIMITS.calls + 1, LIMITS.calls),
    "value": value_sentence(9_646_899, LIMITS.value_bytes),
    "stopped": stopped_sentence(1.2),
}
# Programs that gg rejects in words of its own, whatever `typecheck` says.
REJECTED: Final = {
    "an import of what is not there": 'import { a } from "lodash";\na();',
    "an import of a file": 'import { a } from "./a";\na();',
    "an import of a name that is not there": 'import { view } from "gg";\nview();',
    "an import that is computed": "const name = String(1);\nawait import(name);",
    "`require`": 'const fs = require("fs");',
    "`import.meta`": "const here = import.meta.url;",
    "`return` outside of a function": "return 1;",
    "`@ts-nocheck`": "// @ts-nocheck\nlet a = 1;",
    "`export =`": "export = 1;",
    "an import attribute": 'import a from "a" with { type: "text" };\na();',
    "brackets more than 100 deep": "(" * 101 + "1" + ")" * 101,
    "half a surrogate pair": 'const a = "\ud800";',
    "more than 1 MiB": "//" + "x" * 2**20,
}
MEMORIES: Final = {"id": "memories", "params": {"scope": "inherited", **dict.fromkeys(LIMIT_KEYS, 0)}}
MODEL: Final = {"provider": "scripted", "replies": ["1"]}
AGENTS: Final = [{"id": "a"}]
# Configurations that are refused, each for one reason.
REFUSED: Final[dict[str, dict[str, object]]] = {
    "a key that there is not": {"limits": {"maxturns": 3}},
    "a value of another type": {"task": 3},
    "a number out of range": {"limits": {"maxTurns": 0}},
    "a word that is not known": {"sandbox": {"confine": "maybe"}},
    "an empty text": {"task": ""},
    "something that is required": {"agents": []},
    "a root that is no agent": {"root": "b"},
    "an entry of a roster that is no agent": {
        "agents": [{"id": "a", "roster": [{"agent": "b", "as": "subagent"}]}]
    },
    "a state that there is not": {"states": {"plan": {"agent": "a", "to": {"done": {}}}}},
    "memories to hand over where there are none": {
        "states": {"plan": {"agent": "a", "to": {"plan": {"transfer": ["memories"]}}}}
    },
    "a subagent that inherits memories of another strategy": {
        "agents": [
            {
                "id": "a",
                "roster": [{"agent": "b", "as": "subagent"}],
                "capabilities": [{**MEMORIES, "implementation": "markdown"}],
            },
            {"id": "b", "capabilities": [{**MEMORIES, "implementation": "scratchpad"}]},
        ]
    },
    "a board without a reviewer": {"board": {"implementer": "a", "merge": "a"}},
    "a key that belongs elsewhere": {"maxTurns": 3},
    "an agent without a model": {"model": None},
    "a model without replies": {"model": {"provider": "scripted"}},
    "half of a pair": {"limits": {"maxErrorRate": 0.5}},
    "a capability that there is not": {"agents": [{"id": "a", "capabilities": [{"id": "memory"}]}]},
    "a capability without its parameters": {
        "agents": [{"id": "a", "capabilities": [{"id": "memories", "implementation": "scratchpad"}]}]
    },
    "a directory that is not there": {
        "agents": [{"id": "a", "capabilities": [{"id": "files", "params": {"dir": "none"}}]}]
    },
}


def render_api_errors() -> str:
    """A section for each code: what it says, and which calls fail with it when."""
    operations = [operation for family in FAMILIES for operation in family.operations]
    return "\n\n".join(
        "\n".join([f"### `{code}`", "", says, *_failing(code, operations)])
        for code, says in API_ERRORS.items()
    )


def _failing(code: str, operations: list[Operation]) -> Iterator[str]:
    rows = [
        f"| `{operation.spelling}` | {when} |"
        for operation in operations
        for failure, when in operation.failures
        if failure == code
    ]
    if rows:
        yield from ("", "| call | when |", "| --- | --- |", *rows)


def render_turn_errors() -> str:
    rows = ["| type | what failed | what the model reads |", "| --- | --- | --- |"]
    rows += [f"| `{name}` | {error.failed} | {error.reads} |" for name, error in TURN_ERRORS.items()]
    return "\n".join(rows)


def render_ceilings() -> str:
    rows = ["| ceiling | type of the error turn | sentence |", "| --- | --- | --- |"]
    rows += [
        f"| {ceiling.replace('_', ' ')} | `{kind}` | `{SENTENCES[ceiling]}` |"
        for ceiling, kind in CEILING_TYPES.items()
    ]
    return "\n".join(rows)


def render_rejections() -> str:
    """What each program of `REJECTED` is told, by the compilers themselves."""
    rows = ["| in the program | what is told |", "| --- | --- |"]
    with Compiler(processes=1) as compiler:
        rows += [f"| {what} | {_cell(_rejection(compiler, source))} |" for what, source in REJECTED.items()]
    return "\n".join(rows)


def _rejection(compiler: Compiler, source: str) -> str:
    unit = Unit(kind=UnitKind.PROGRAM, source=source, declarations=DECLARATIONS, typecheck="off")
    try:
        compiler.compile(unit)
    except CompileRejected as rejected:
        found = rejected.diagnostics[0]
        return f"{found.file}:{found.line}:{found.column}: error: {found.message}"
    raise AssertionError(f"compiles, and is no example of a rejection: {source}")


def render_refusals() -> str:
    """What each configuration of `REFUSED` is told: place and message of its first defect."""
    rows = ["| in the configuration | what is told |", "| --- | --- |"]
    with TemporaryDirectory() as folder:
        rows += [
            f"| {what} | {_cell(_refusal(document, Path(folder)))} |" for what, document in REFUSED.items()
        ]
    return "\n".join(rows)


def _refusal(document: dict[str, object], base: Path) -> str:
    try:
        validate({"task": "t", "model": MODEL, "agents": AGENTS, **document}, base=base)
    except LaunchRefused as refused:
        defect = refused.defects[0]
        return f"{defect.place}: {defect.message}".replace(f"{base}/", "")
    raise AssertionError(f"can be run, and is no example of a refusal: {document}")


def render_statuses() -> str:
    rows = ["| status | exit code | when |", "| --- | --- | --- |"]
    rows += [f"| `{status}` | {end.exit_code} | {end.when} |" for status, end in STATUSES.items()]
    return "\n".join(rows)


def render_exit_codes() -> str:
    rows = [
        "| exit code | |",
        "| --- | --- |",
        *(f"| {code} | {says} |" for code, says in EXIT_CODES.items()),
    ]
    return "\n".join(rows)


def render_command_errors() -> str:
    """What a command can end with, by class. See `ENDS_NO_COMMAND`."""
    for module in iter_modules(commands.__path__, f"{commands.__name__}."):
        import_module(module.name)  # commands are imported when they are called for, and so are their errors
    roots: tuple[type[Exception], ...] = (HostError, ToolchainError, SandboxError)
    kinds = sorted({kind for root in roots for kind in _below(root)}, key=lambda kind: kind.__name__)
    rows = ["| error | exit code | what it says |", "| --- | --- | --- |"]
    for kind in kinds:
        if not issubclass(kind, ENDS_NO_COMMAND):
            code = WRONG_USE if issubclass(kind, WRONG_USES) else FAILED
            rows.append(f"| `{kind.__name__}` | {code} | {_first_sentences(kind)} |")
    return "\n".join(rows)


def _below(kind: type[Exception]) -> Iterator[type[Exception]]:
    """The classes below one that have none below them."""
    children = kind.__subclasses__()
    for child in children:
        yield from _below(child)
    if not children:
        yield kind


def _first_sentences(kind: type[Exception]) -> str:
    """The first paragraph of the docstring."""
    return " ".join((kind.__doc__ or "").strip().partition("\n\n")[0].split())


def render_defects() -> str:
    rows = ["| kind | what it is |", "| --- | --- |"]
    rows += [f"| `{kind}` | {says} |" for kind, says in DEFECTS.items()]
    return "\n".join(rows)


def _cell(text: str) -> str:
    mark = "``" if "`" in text else "`"
    return f"{mark}{text.replace('|', chr(92) + '|')}{mark}"
