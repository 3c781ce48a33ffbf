"""Agents that hold one store: each is told what the others did, once, at the end of its window."""

import threading
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from host.core.messages import Message, Reply
from host.events import MemoryRevision, MemoryState, Notice, Prompt
from runtime_js import Compiler
from tests.helpers.runs import MARKDOWN, SCRATCHPAD, calls
from tests.helpers.summaries import summary_message
from tests.helpers.teams import TeamRan, finishes, run_team, starts

HEAD = "Another agent sharing your memories has made changes since your last turn:"
KEYWORD_SEARCH: dict[str, Any] = {**MARKDOWN, "implementation": "keyword-search"}
CREATES = (
    "create_memory",
    {"name": "deploy-runbook", "description": "how the staging cluster is rolled", "contents": "B"},
)
DELETES = ("delete_memory", {"name": "scratch-notes"})
EDITS = ("edit_memory", {"name": "api-conventions", "old_string": "env", "new_string": "envelope"})
HELD = [
    (
        "create_memory",
        {"name": "api-conventions", "description": "error envelope + pagination rules", "contents": "env"},
    ),
    ("create_memory", {"name": "scratch-notes", "description": "s", "contents": "S"}),
]
DONE = calls(finishes("done"))


def inheriting(base: Mapping[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401 - keys of an agent
    memories = {"id": "memories", "enabled": True, **base, "params": {**base["params"], "scope": "inherited"}}
    return {"capabilities": [memories, *more.pop("others", [])], **more}


def spawns(agent: str = "sub") -> Reply:
    return calls(("spawn_subagent", {"agent": agent, "prompt": "x"}), ("wait_for_subagents", {}))


def linked(out: Path, root: Sequence[Any], sub: Sequence[Any], base: Mapping[str, Any] = MARKDOWN) -> TeamRan:
    """The root and a subagent that inherits its memories."""
    agents = {"root": inheriting(base, roster=starts("sub")), "sub": inheriting(base)}
    return run_team(out, {"root": root, "sub": sub}, agents)


def notices(ran: TeamRan, agent_id: str) -> list[tuple[int | None, str]]:
    """Turn and text of what an agent was told of its memories."""
    return [(n.turn, n.text) for n in ran.of(Notice, agent_id) if n.kind == "memories_changed"]


def test_a_holder_is_told_what_became_of_each_memory(tmp_path: Path) -> None:
    ran = linked(
        tmp_path / "record",
        [calls(*HELD), spawns(), calls(finishes("done"))],
        [calls(CREATES, EDITS, DELETES), DONE],
    )

    assert notices(ran, "root") == [
        (
            3,
            f"{HEAD}\n\n"
            "- added `deploy-runbook` — how the staging cluster is rolled\n"
            "- updated `api-conventions` — error envelope + pagination rules\n"
            "- deleted `scratch-notes`\n\n"
            "Read one with `read_memory` if it bears on what you are doing.",
        )
    ]
    assert notices(ran, "sub") == []
    assert ran.told("root", 2)[-1] == f"Notice\n----\n{notices(ran, 'root')[0][1]}"


def test_under_scratchpad_the_notice_has_the_bodies(tmp_path: Path) -> None:
    write = ("write_memory", {"name": "a", "description": "d", "body": "Two\nlines."})
    ran = linked(tmp_path / "record", [spawns(), DONE], [calls(write), DONE], SCRATCHPAD)

    assert notices(ran, "root") == [(2, f"{HEAD}\n\n- added `a` — d\n```\nTwo\nlines.\n```")]


def test_each_change_is_told_once_and_a_late_holder_begins_at_what_is_there(tmp_path: Path) -> None:
    second = ("create_memory", {"name": "later", "description": "l", "contents": "L"})
    agents = {"root": inheriting(MARKDOWN, roster=starts("sub")), "sub": inheriting(MARKDOWN)}
    script = {
        "root": [calls(*HELD), spawns(), spawns(), calls(("read_memory", {"name": "later"})), DONE],
        "sub": [calls(CREATES), DONE],
        "sub-2": [calls(second), DONE],
    }
    ran = run_team(tmp_path / "record", script, agents)

    told = [text.splitlines()[2] for _, text in notices(ran, "root")]
    assert told == ["- added `deploy-runbook` — how the staging cluster is rolled", "- added `later` — l"]
    assert [turn for turn, _ in notices(ran, "root")] == [3, 4]
    assert notices(ran, "sub-2") == []
    assert "- `deploy-runbook` — how the staging cluster is rolled" in ran.prompts["sub-2"][0][1].text


def test_a_revision_is_reported_once_and_the_state_by_every_holder(tmp_path: Path) -> None:
    ran = linked(tmp_path / "record", [calls(*HELD), spawns(), DONE], [calls(CREATES), DONE])

    assert [(agent, event.name) for agent, event in ran.by_agent(MemoryRevision)] == [
        ("root", "api-conventions"),
        ("root", "scratch-notes"),
        ("sub", "deploy-runbook"),
    ]
    assert [(agent, event.count) for agent, event in ran.by_agent(MemoryState)] == [
        ("root", 0),
        ("root", 2),
        ("sub", 2),
        ("sub", 3),
        ("root", 3),
    ]


@pytest.mark.parametrize("base", [SCRATCHPAD, MARKDOWN, KEYWORD_SEARCH])
def test_every_request_is_the_beginning_of_the_next_one(base: Mapping[str, Any], tmp_path: Path) -> None:
    verb, body = ("write_memory", "body") if base is SCRATCHPAD else ("create_memory", "contents")

    def writes(name: str) -> Reply:
        return calls((verb, {"name": name, "description": "d", body: "b"}))

    script = {
        "root": [writes("a"), spawns(), writes("z"), spawns(), DONE],
        "sub": [writes("b"), writes("c"), DONE],
        "sub-2": [writes("d"), DONE],
    }
    agents = {"root": inheriting(base, roster=starts("sub")), "sub": inheriting(base)}
    ran = run_team(tmp_path / "record", script, agents)

    assert len(notices(ran, "root")) == 2
    for before, after in pairwise(ran.prompts["root"]):
        assert as_sent(after)[: len(before)] == as_sent(before)
    assert [prompt.dropped for prompt in ran.of(Prompt)] == [()] * len(ran.of(Prompt))


def as_sent(messages: Sequence[Message]) -> list[tuple[str, str, object]]:
    return [(message.role, message.text, message.tool_calls) for message in messages]


def test_a_compaction_sweeps_notices_and_rebuilds_the_block(tmp_path: Path) -> None:
    others = [{"id": "agent-managed-context", "enabled": True}]
    agents = {
        "root": inheriting(MARKDOWN, roster=starts("sub"), others=others),
        "sub": inheriting(MARKDOWN),
    }
    script = {
        "root": [calls(*HELD), spawns(), calls(("compact", {"summary": "On we go."})), DONE],
        "sub": [calls(CREATES, DELETES), DONE],
    }
    ran = run_team(tmp_path / "record", script, agents)

    block, task, summary, *turn = (m.text for m in ran.prompts["root"][3][1:])
    assert block == (
        "Memories\n----\n- `api-conventions` — error envelope + pagination rules\n"
        "- `deploy-runbook` — how the staging cluster is rolled"
    )
    assert (task, summary) == ("Task\n----\nDo it.", summary_message("On we go."))
    assert turn == ["", "null"]
    assert [turn for turn, _ in notices(ran, "root")] == [3]


def test_what_changes_while_a_window_is_rewritten_is_told_with_the_next_prompt(tmp_path: Path) -> None:
    compacted, written = threading.Event(), threading.Event()
    others = [{"id": "agent-managed-context", "enabled": True}]
    agents = {
        "root": inheriting(KEYWORD_SEARCH, roster=starts("sub"), others=others),
        "sub": inheriting(KEYWORD_SEARCH),
    }

    def writes() -> Reply:
        compacted.wait()
        return calls(CREATES)

    def goes_on() -> Reply:
        compacted.set()
        written.wait()
        return calls(("compact", {"summary": "On."}))

    def ends() -> Reply:
        written.set()
        return DONE

    script = {
        "root": [
            calls(("spawn_subagent", {"agent": "sub", "prompt": "x"})),
            goes_on,
            calls(("wait_for_subagents", {})),
            DONE,
        ],
        "sub": [writes, ends],
    }
    ran = run_team(tmp_path / "record", script, agents)

    assert [turn for turn, _ in notices(ran, "root")] == [3]
    assert ran.told("root", 2)[-1].startswith(f"Notice\n----\n{HEAD}")


def test_a_fork_and_its_original_tell_each_other_unless_the_scope_is_isolated(tmp_path: Path) -> None:
    def writes(name: str) -> Reply:
        return calls(("create_memory", {"name": name, "description": name, "contents": "c"}))

    for scope, expected in (("inherited", ["- added `of-copy` — of-copy"]), ("isolated", [])):
        memories = {
            "id": "memories",
            "enabled": True,
            **MARKDOWN,
            "params": {**MARKDOWN["params"], "scope": scope},
        }
        script = {
            "root": [writes("first"), calls(("fork", {})), calls(("wait_for_subagents", {})), DONE],
            "root-2": [writes("of-copy"), DONE],
        }
        ran = run_team(tmp_path / scope, script, {"root": {"capabilities": [memories]}})

        assert [text.splitlines()[2] for _, text in notices(ran, "root")] == expected
        assert notices(ran, "root-2") == []
        held = [memory.name for memory in ran.result.memories]
        assert held == (["first", "of-copy"] if scope == "inherited" else ["first"])


def test_a_program_is_told_when_the_code_of_a_memory_changed(compiler: Compiler, tmp_path: Path) -> None:
    def made(code: str) -> str:
        return f'memories.createMemory({{ name: "m", description: "d", body: "b", code: "{code}" }});'

    head = 'import { delegation, memories, session } from "gg";\n'
    script = {
        "root": [
            f'{head}{made("export const a = 1;")} memories.readMemory("m");\n'
            'delegation.waitForSubagents([delegation.spawnSubagent({ agent: "sub", prompt: "x" }).id]);',
            f'import {{ a }} from "m";\n{head}memories.readMemory("m"); session.finish(String(a));',
        ],
        "sub": [f'{head}memories.deleteMemory("m"); {made("export const a = 2;")} session.finish("done");'],
    }
    agents = {"root": inheriting(MARKDOWN, roster=starts("sub")), "sub": inheriting(MARKDOWN)}
    ran = run_team(tmp_path / "record", script, agents, execution="responses_as_code", compiler=compiler)

    assert notices(ran, "root") == [
        (
            2,
            f"{HEAD}\n\n- updated `m` — d\n\n"
            "Read one with `memories.readMemory` if it bears on what you are doing.\n"
            "The code of `m` changed; read it again to load it.",
        )
    ]
    assert ran.result.ending is not None
    assert ran.result.ending.summary == "1"
