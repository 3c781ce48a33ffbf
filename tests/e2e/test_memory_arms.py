"""Memories as they are configured: each strategy in both execution modes, append-only, switched off."""

import hashlib
import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import pytest

from host.core.messages import Reply
from host.events import (
    AgentModules,
    AgentSurface,
    MemoryRefusal,
    MemoryRevision,
    MemoryState,
    TurnOutcome,
)
from runtime_js import Compiler
from tests.helpers.runs import FINISH, FINISHES, SCRATCHPAD, Ran, calls, run_agent

Execution = Literal["responses_as_code", "tool_calling"]
Call = tuple[str, Mapping[str, Any]]

EXECUTIONS: tuple[Execution, ...] = ("responses_as_code", "tool_calling")
STRATEGIES = ("scratchpad", "markdown", "keyword-search")
BODY = "Row 1 is a header."
MAKE = {"name": "csv-tools", "description": "Parsing exports.", "body": BODY}
SECOND = {"name": "rates", "description": "Of exchange.", "body": "A euro is a euro."}
REVISED = f"{BODY}\nRow 2 is empty."
FILE_LIFE: list[Call] = [
    ("create_memory", MAKE),
    ("create_memory", SECOND),
    ("read_memory", {"name": "csv-tools"}),
    ("edit_memory", {"name": "csv-tools", "search": BODY, "replace": REVISED}),
    ("delete_memory", {"name": "rates"}),
]
# What one memory goes through under each strategy, by the fields of a program.
LIVES: dict[str, list[Call]] = {
    "scratchpad": [
        ("write_memory", MAKE),
        ("write_memory", SECOND),
        ("update_memory", {**MAKE, "body": REVISED}),
        ("delete_memory", {"name": "rates"}),
    ],
    "markdown": FILE_LIFE,
    "keyword-search": [*FILE_LIFE, ("search_memories", {"keywords": ["ROW", "nowhere"]})],
}
POSITIONAL = {"read_memory", "delete_memory", "search_memories"}
TOOL_FIELDS = {"body": "contents", "search": "old_string", "replace": "new_string"}
ALL_CALLS = sorted({name for life in LIVES.values() for name, _ in life})


def camel(name: str) -> str:
    first, _, second = name.partition("_")
    return first + second.capitalize()


def reply_of(execution: Execution, strategy: str, written: Call) -> str | Reply:
    """One call as the whole reply of a turn: a program, or a call of a tool."""
    name, fields = written
    if execution == "tool_calling":
        named = {} if strategy == "scratchpad" else TOOL_FIELDS
        return calls((name, {named.get(key, key): value for key, value in fields.items()}))
    argument = json.dumps(next(iter(fields.values())) if name in POSITIONAL else fields)
    return f'import {{ memories }} from "gg";\nmemories.{camel(name)}({argument});\n'


def arm(strategy: str, **changes: object) -> dict[str, Any]:
    return {**SCRATCHPAD, "implementation": strategy, **changes}


def live(
    out: Path,
    execution: Execution,
    compiler: Compiler,
    memories: Mapping[str, Any] | None,
    written: list[Call],
    **others: Any,  # noqa: ANN401  (of run_agent)
) -> Ran:
    """One call a turn, then the end."""
    strategy = memories["implementation"] if memories else "markdown"
    replies = [reply_of(execution, strategy, call) for call in written]
    end = FINISHES if execution == "tool_calling" else FINISH
    return run_agent(
        out, [*replies, end], execution=execution, compiler=compiler, memories=memories, **others
    )


def shown(ran: Ran) -> str:
    """Everything that the model was ever sent."""
    return "\n".join(message.text for message in ran.prompts[-1])


def tree(folder: Path) -> dict[str, str]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_memories_live_alike_in_both_modes_and_leave_the_directory_as_it_was(
    strategy: str, tmp_path: Path, compiler: Compiler
) -> None:
    workspace = tmp_path / "data"
    workspace.mkdir()
    (workspace / "csv-tools.md").write_text("A file of the name of a memory.")
    before = tree(workspace)

    files = {"params": {"dir": "data", "write": True}}
    ran = [
        live(tmp_path / execution, execution, compiler, arm(strategy), LIVES[strategy], files=files)
        for execution in EXECUTIONS
    ]

    outcomes = [[outcome.outcome for outcome in each.of(TurnOutcome)] for each in ran]
    assert outcomes == [["progressed"] * len(LIVES[strategy]) + ["finished"]] * 2
    assert [[(m.name, m.body) for m in each.result.memories] for each in ran] == [
        [("csv-tools", REVISED)]
    ] * 2
    assert ran[0].of(MemoryRevision) == ran[1].of(MemoryRevision)
    assert ran[0].of(MemoryState) == ran[1].of(MemoryState)
    assert [(entry.name, entry.op, entry.revision) for entry in ran[0].of(MemoryRevision)] == [
        ("csv-tools", "write", 1),
        ("rates", "write", 1),
        ("csv-tools", "update" if strategy == "scratchpad" else "edit", 2),
        ("rates", "delete", 2),
    ]
    assert tree(workspace) == before
    for each in ran:
        assert all(later[: len(prompt)] == prompt for prompt, later in pairwise(each.prompts))


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_only_what_the_strategy_has_is_offered_and_answered(
    strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    own = {name for name, _ in LIVES[strategy]}
    others = [name for name in ALL_CALLS if name not in own]
    arguments = {name: fields for life in LIVES.values() for name, fields in life}

    ran = live(
        tmp_path / "r", execution, compiler, arm(strategy), [(name, arguments[name]) for name in others]
    )

    (surface,) = ran.of(AgentSurface)
    offered = {id_.partition(".")[2] for id_ in surface.operations if id_.startswith("memories.")}
    assert (surface.execution_mode, offered) == (execution, own)
    refused = [(refusal.call, refusal.code) for refusal in ran.of(MemoryRefusal)]
    assert refused == [(f"memories.{name}", "unavailable") for name in others]
    assert ran.of(MemoryRevision) == []


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_append_only_memories_are_made_and_never_changed(
    strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    revising = [
        name for name in ("update_memory", "edit_memory", "delete_memory") if name in dict(LIVES[strategy])
    ]
    memories = arm(strategy, features={"reviseMemories": False})
    life = [call for call in LIVES[strategy] if call != ("delete_memory", {"name": "csv-tools"})]

    ran = live(tmp_path / "r", execution, compiler, memories, life, code_mode={"typecheck": "off"})

    (surface,) = ran.of(AgentSurface)
    assert not {f"memories.{name}" for name in revising} & set(surface.operations)
    assert {f"memories.{name}" for name in revising} <= set(surface.withheld)
    system = ran.prompts[0][0].text
    assert [name for name in revising if name in system or camel(name) in system] == []
    assert {refusal.call for refusal in ran.of(MemoryRefusal)} == {f"memories.{name}" for name in revising}
    assert {refusal.code for refusal in ran.of(MemoryRefusal)} == {"unavailable"}
    assert [(m.name, m.body) for m in ran.result.memories] == [
        ("csv-tools", BODY),
        ("rates", "A euro is a euro."),
    ]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_program_that_would_revise_append_only_memories_is_rejected(
    strategy: str, tmp_path: Path, compiler: Compiler
) -> None:
    deletes = ("delete_memory", {"name": "csv-tools"})

    ran = live(
        tmp_path / "r",
        "responses_as_code",
        compiler,
        arm(strategy, features={"reviseMemories": False}),
        [LIVES[strategy][0], deletes],
    )

    rejected = ran.of(TurnOutcome)[1]
    assert (rejected.error_type, rejected.error) == (
        "transpile_compile",
        "program.ts:2:10: error TS2339: Property 'deleteMemory' does not exist on type 'typeof"
        ' import("gg:memories")\'. It exports createMemory, readMemory, searchMemories, writeMemory.\n'
        '  2 | memories.deleteMemory("csv-tools");\n'
        "    |          ^",
    )
    assert [m.name for m in ran.result.memories] == ["csv-tools"]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_memories_that_are_off_leave_no_trace(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    off = live(tmp_path / "off", execution, compiler, {**arm("markdown"), "enabled": False}, [])
    none = live(tmp_path / "none", execution, compiler, None, [])

    assert off.prompts == none.prompts
    assert "memor" not in shown(off).lower()
    (surface,) = off.of(AgentSurface)
    assert [id_ for id_ in surface.operations if id_.startswith("memories.")] == []
    assert off.of(MemoryState) == []
    (modules,) = off.of(AgentModules)
    assert [(row.kind, row.enabled, row.module_id) for row in modules.modules] == [("memories", False, None)]


@pytest.mark.parametrize("scope", ["isolated", "shared", "inherited", "read-only"])
def test_the_root_may_write_its_store_under_every_scope(
    scope: str, tmp_path: Path, compiler: Compiler
) -> None:
    memories = arm("markdown", params={**SCRATCHPAD["params"], "scope": scope})
    origin = "profile" if scope == "shared" else "created"

    ran = live(tmp_path / "r", "tool_calling", compiler, memories, LIVES["markdown"][:1])

    assert [(state.scope, state.writable, state.count) for state in ran.of(MemoryState)] == [
        (scope, True, 0),
        (scope, True, 1),
    ]
    (modules,) = ran.of(AgentModules)
    assert [(row.origin, row.writable, row.scope) for row in modules.modules] == [(origin, True, scope)]
    file = tmp_path / "r" / "agents" / "root" / "modules" / "memories.json"
    held = json.loads(file.read_text())
    assert held == {
        "agentId": "root",
        "kind": "memories",
        "moduleId": "memories-1",
        "origin": origin,
        "scope": scope,
        "access": "write",
        "since": held["since"],
        "until": None,
        "coHolders": [],
        "earlierCoHolders": [],
    }


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", ["markdown", "keyword-search"])
def test_a_body_is_out_of_the_window_until_it_is_read(
    strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    writes = ("create_memory", {**MAKE, "body": "x" * 3_000 + "end of the body"})
    compacts = {"agent-managed-context": {}}
    read = ("read_memory", {"name": "csv-tools"})
    reply = (
        calls(("compact", {"summary": "A memory was made."}))
        if execution == "tool_calling"
        else 'import { context } from "gg";\ncontext.compact("A memory was made.");\n'
    )
    views = 'import { memories, views } from "gg";\nviews.openText("b", memories.readMemory("csv-tools"));\n'
    reads = reply_of(execution, strategy, read) if execution == "tool_calling" else views
    end = FINISHES if execution == "tool_calling" else FINISH

    ran = run_agent(
        tmp_path / "r",
        [reply_of(execution, strategy, writes), reply, reads, end],
        execution=execution,
        compiler=compiler,
        memories=arm(strategy),
        others=compacts,
    )

    texts = ["\n".join(message.text for message in prompt) for prompt in ran.prompts]
    pinned = "- `csv-tools` — Parsing exports."
    assert [pinned in text for text in texts] == [
        False,
        False,
        strategy == "markdown",
        strategy == "markdown",
    ]
    assert ["end of the body" in text for text in texts[2:]] == [False, True]


ROWS = "```\nRow 1\n```\n  is a header."
# What stands in the window after a compaction, in the order of names.
PINNED = {
    "scratchpad": [
        f"Memories\n----\n- `csv-tools` — Parsing exports.\n````\n{ROWS}\n````\n\n"
        "- `rates` — Of exchange.\n```\nA euro is a euro.\n```"
    ],
    "markdown": ["Memories\n----\n- `csv-tools` — Parsing exports.\n- `rates` — Of exchange."],
    "keyword-search": [],
}


@pytest.mark.parametrize("execution", EXECUTIONS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_a_strategy_pins_is_built_at_a_compaction_and_only_there(
    strategy: str, execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    creates = LIVES[strategy][0][0]
    program = 'import { context } from "gg";\ncontext.compact("Two were made.");\n'
    is_tools = execution == "tool_calling"
    compact = calls(("compact", {"summary": "Two were made."})) if is_tools else program
    third = {"name": "third", "description": "Later.", "body": "Not yet pinned."}

    ran = run_agent(
        tmp_path / "r",
        [
            reply_of(execution, strategy, (creates, SECOND)),
            reply_of(execution, strategy, (creates, {**MAKE, "body": ROWS})),
            compact,
            reply_of(execution, strategy, (creates, third)),
            FINISHES if is_tools else FINISH,
        ],
        execution=execution,
        compiler=compiler,
        memories=arm(strategy),
        others={"agent-managed-context": {}},
    )

    pinned = [
        [message.text for message in prompt if message.text.startswith("Memories\n")]
        for prompt in ran.prompts
    ]
    assert pinned == [[], [], [], PINNED[strategy], PINNED[strategy]]
    assert [memory.name for memory in ran.result.memories] == ["csv-tools", "rates", "third"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_code_loads_when_its_memory_comes_into_the_window(
    strategy: str, tmp_path: Path, compiler: Compiler
) -> None:
    creates = LIVES[strategy][0][0]
    carries = {**MAKE, "code": "export const first = 1;", "onUse": 'views.openText("used", "once");'}
    imports = 'import { views } from "gg";\nimport { first } from "csvTools";\n'
    uses = f'{imports}views.openText("sum", String(first));\n'
    replies = [reply_of("responses_as_code", strategy, (creates, carries))]
    if strategy != "scratchpad":
        replies += [
            uses,
            *[reply_of("responses_as_code", strategy, ("read_memory", {"name": "csv-tools"}))] * 2,
        ]
    used = [len(replies)] if strategy == "scratchpad" else [len(replies) - 1, len(replies)]

    ran = run_agent(tmp_path / "r", [*replies, uses, FINISH], compiler=compiler, memories=arm(strategy))

    rejected = [outcome.turn for outcome in ran.of(TurnOutcome) if outcome.outcome == "error"]
    assert rejected == ([] if strategy == "scratchpad" else [2])
    assert [turn for turn in range(len(ran.prompts)) if "View: used\n----\nonce" in ran.told(turn)] == used
    assert "View: sum\n----\n1" in ran.told(len(replies) + 1)
