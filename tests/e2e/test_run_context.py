"""What the windows of a run are made of: what subagents begin with, and what each message counts for."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from host.events import ContextBreakdown, Notice, Prompt, PromptMessage
from host.launch import LaunchPlan
from runtime_js import Compiler
from tests.helpers.acts import Act, compacts, enters, finishes, forks, opens_file, spawns, waits
from tests.helpers.memory_turns import EXECUTIONS, Execution
from tests.helpers.teams import Script, TeamRan, ends, run_team, starts

FILES = {"id": "files", "enabled": True, "params": {"dir": "data", "write": False}}
OTHER_FILES = {"id": "files", "enabled": True, "params": {"dir": "other", "write": False}}
TWICE = 'import { views } from "gg"; views.openFile("rows.csv"); views.openFile("rows.csv", { offset: 2 });'
WIDER = "`root`, which set your task, works on this. Your part of it stands under Task."


def run(tmp_path: Path, compiler: Compiler, execution: Execution, *first: Act, **document: Any) -> TeamRan:  # noqa: ANN401
    for name in ("data", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rows.csv").write_text("id,total\n1,2\n", encoding="utf-8")
    script: Script = {
        "root": [first, (waits(),), (finishes("done"),)],
        "kid": [(finishes("read it"),)],
        "lone": [(finishes("read it too"),)],
    }
    agents = {
        "root": {"roster": starts("kid", "lone"), "capabilities": [FILES]},
        "kid": {"capabilities": [FILES]},
        "lone": {"capabilities": [OTHER_FILES]},
    }
    return run_team(tmp_path / "r", script, agents, execution=execution, compiler=compiler, **document)


def opening(ran: TeamRan, agent_id: str) -> list[str]:
    return [message.text for message in ran.prompts[agent_id][0][1:]]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_subagent_is_told_what_its_task_is_a_part_of(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    ran = run(tmp_path, compiler, execution, spawns("kid", "Sum the rows."), task="Report on the rows.")

    assert ends(ran) == {"kid": ("completed", "read it")}
    context = f"Context\n----\n{WIDER}\n\n```\nReport on the rows.\n```"
    assert opening(ran, "kid") == [context, "Task\n----\nSum the rows."]
    assert "- `Context`: what your task is a part of" in ran.prompts["kid"][0][0].text
    assert "- `Context`" not in ran.prompts["root"][0][0].text


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_wider_task_that_has_no_room_is_left_out_and_a_prompt_that_has_none_is_refused(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    ran = run(
        tmp_path,
        compiler,
        execution,
        spawns("kid", "Sum the rows."),
        spawns("lone", "x" * 8_001),
        task="Report. " * 1_000,
    )

    assert opening(ran, "kid") == ["Task\n----\nSum the rows."]
    (started, refused) = ran.given("root", 1)
    assert started == {"id": "kid"}
    assert refused.startswith("limit-exceeded: The prompt `xxx")
    assert "has about 2,001 of 2,000 tokens" in refused
    assert list(ends(ran)) == ["kid"]


MANAGES = {"id": "agent-managed-context", "enabled": True}


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_copy_of_a_subagent_keeps_what_its_task_is_a_part_of(
    execution: Execution, tmp_path: Path, compiler: Compiler
) -> None:
    script: Script = {
        "root": [(spawns("kid", "Sum the rows."),), (waits(),), (finishes("done"),)],
        "kid": [(forks("Sum the last ones."),), (waits(),), (finishes("read it"),)],
        "kid-2": [
            (compacts("Rows are read."),),
            (spawns("lone", "Sum row 9."),),
            (waits(),),
            (finishes("9"),),
        ],
        "lone": [(finishes("9"),)],
    }
    agents = {
        "root": {"roster": starts("kid")},
        "kid": {"roster": starts("lone"), "capabilities": [MANAGES]},
        "lone": {},
    }
    ran = run_team(
        tmp_path / "r", script, agents, execution=execution, compiler=compiler, task="Report on the rows."
    )

    context = f"Context\n----\n{WIDER}\n\n```\nReport on the rows.\n```"
    rewritten = [message.text for message in ran.prompts["kid-2"][1][1:]]
    assert rewritten[:2] == [context, "Task\n----\nSum the rows.\n\nSum the last ones."]
    assert "```\nReport on the rows.\n```\n\n```\nSum the rows." in opening(ran, "lone")[0]


def test_a_task_that_a_copy_was_given_a_part_of_is_no_words_of_the_user_s_alone(
    tmp_path: Path, compiler: Compiler
) -> None:
    script: Script = {
        "root": [(forks("Sum the last ones."),), (waits(),), (finishes("done"),)],
        "root-2": [(compacts("Rows are read."),), (finishes("9"),)],
    }
    agents = {"root": {"capabilities": [MANAGES]}}
    ran = run_team(tmp_path / "r", script, agents, compiler=compiler, task="Report.")

    sent = [m for each in ran.of(Prompt, "root-2") for m in each.new_messages if m.band == "task"]
    assert [(m.text, m.authority) for m in sent] == [
        ("Task\n----\nReport.", "user_intent"),
        ("Task\n----\nReport.\n\nSum the last ones.", "task_contract"),
    ]


def test_a_subagent_in_another_state_keeps_what_its_task_is_a_part_of(
    tmp_path: Path, compiler: Compiler
) -> None:
    script: Script = {
        "root": [(spawns("kid", "Sum the rows."),), (waits(),), (finishes("done"),)],
        "kid": [(enters("check"),)],
        "checker": [(finishes("right"),)],
    }
    agents: dict[str, Any] = {"root": {"roster": starts("kid")}, "kid": {}, "checker": {}}
    states = {"sum": {"agent": "kid", "to": {"check": {"transfer": []}}}, "check": {"agent": "checker"}}
    ran = run_team(
        tmp_path / "r", script, agents, compiler=compiler, states=states, task="Report on the rows."
    )

    assert ends(ran)["checker"] == ("completed", "right")
    assert opening(ran, "checker") == opening(ran, "kid")
    assert opening(ran, "kid")[0].startswith(f"Context\n----\n{WIDER}")


def test_files_that_its_spawner_has_open_are_named_where_it_works_on_the_same(
    tmp_path: Path, compiler: Compiler
) -> None:
    script: Script = {
        "root": [
            TWICE,
            (spawns("kid", "Sum."), spawns("lone", "Sum.")),
            (waits(),),
            (finishes("done"),),
        ],
        "kid": [(finishes("read it"),)],
        "lone": [(finishes("read it too"),)],
    }
    for name in ("data", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rows.csv").write_text("id,total\n1,2\n", encoding="utf-8")
    agents = {
        "root": {"roster": starts("kid", "lone"), "capabilities": [FILES]},
        "kid": {"capabilities": [FILES]},
        "lone": {"capabilities": [OTHER_FILES]},
    }
    ran = run_team(tmp_path / "r", script, agents, execution="responses_as_code", compiler=compiler)

    named = "Files that it has open, which you can read: `rows.csv`."
    assert [named in "\n".join(opening(ran, agent_id)) for agent_id in ("kid", "lone")] == [True, False]


def test_the_record_says_what_each_message_counts_for(tmp_path: Path, compiler: Compiler) -> None:
    ran = run(tmp_path, compiler, "responses_as_code", opens_file("rows.csv"), spawns("kid", "Sum."))

    def labels(agent_id: str) -> list[tuple[str, str | None, str | None, str | None]]:
        sent: list[PromptMessage] = [m for each in ran.of(Prompt, agent_id) for m in each.new_messages]
        return [(m.band, m.source, m.authority, m.trust) for m in sent]

    assert labels("kid") == [
        ("system", "gg", "governance", "trusted"),
        ("parent", "root", "operational", "trusted"),
        ("task", "parent agent", "task_contract", "trusted"),
    ]
    assert labels("root")[:4] == [
        ("system", "gg", "governance", "trusted"),
        ("task", "caller", "user_intent", "trusted"),
        ("program", "model", "evidence", "untrusted"),
        ("file_view", "rows.csv", "evidence", "untrusted"),
    ]
    assert [notice.kind for notice in ran.of(Notice)] == []


def test_a_model_names_the_counter_of_its_windows(tmp_path: Path, compiler: Compiler) -> None:
    script: Script = {"root": [(finishes("done"),)]}
    ran = run_team(
        tmp_path / "r", script, {"root": {}}, compiler=compiler, change_plan=counting_by("utf-8"), task="设备"
    )

    (window,) = ran.of(ContextBreakdown, "root")
    assert (window.counter, window.margin_percent) == ("UTF-8 bytes", 0)
    assert window.bands["task"].tokens == len("Task\n----\n设备".encode())
    assert window.tokens == sum(band.tokens for band in window.bands.values()) + 4


def counting_by(counter: str) -> Callable[[LaunchPlan], LaunchPlan]:
    def change(plan: LaunchPlan) -> LaunchPlan:
        agents = tuple(replace(each, model=replace(each.model, counter=counter)) for each in plan.agents)
        return replace(plan, agents=agents)

    return change


def test_the_record_says_what_the_whole_window_takes(tmp_path: Path, compiler: Compiler) -> None:
    compacts = {
        "id": "compaction",
        "enabled": True,
        "implementation": "summary",
        "params": {"threshold": 0.5},
    }
    script: Script = {"root": [(opens_file("rows.csv"),), (finishes("done"),)]}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "rows.csv").write_text("id,total\n1,2\n", encoding="utf-8")
    agents = {"root": {"capabilities": [FILES, compacts]}}
    ran = run_team(tmp_path / "r", script, agents, compiler=compiler, context_window_tokens=50_000)

    first, second = ran.of(ContextBreakdown, "root")
    messages = sum(band.messages for band in second.bands.values())
    tokens = sum(band.tokens for band in second.bands.values())
    assert second.tokens == -(-(tokens + 4 * (messages - 1)) * 130 // 100)
    assert first.tokens is not None
    assert second.tokens > first.tokens
    assert (second.window_tokens, second.context_window) == (24_999, 50_000)
    assert (second.counter, second.margin_percent) == ("characters / 4", 30)
