"""Reflection after a run, in both modes: who reflects, on what, and what of it is kept in the skillbook."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from shutil import rmtree

import pytest

from host.app import Session
from host.core.errors import ProviderError
from host.core.messages import Usage
from host.events import (
    AgentSpawned,
    AgentSurface,
    SessionSummary,
    SkillbookChanged,
    SkillbookRead,
)
from runtime_js import Compiler
from tests.helpers.acts import (
    adds_skill,
    compacts,
    finishes,
    forks,
    opens_file,
    reads_skill,
    removes_skill,
    seeks_skills,
    tags_skill,
)
from tests.helpers.memory_turns import EXECUTIONS, Execution
from tests.helpers.runs import calls
from tests.helpers.skillbook_runs import (
    COMMA,
    TASK,
    fill_book,
    run_with_book,
    section_of,
    skills_in,
    told_operator,
)
from tests.helpers.teams import Said, after, code_of, ends, failed_checks


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_the_reflector_reads_how_the_run_went_and_keeps_the_book(
    tmp_path: Path, compiler: Compiler, execution: Execution
) -> None:
    fill_book(tmp_path)
    [skill] = skills_in(tmp_path).values()

    ran = run_with_book(
        tmp_path,
        execution,
        compiler,
        (finishes("The sum is 12."),),
        reflects=(
            (
                seeks_skills("decimal comma"),
                reads_skill(skill.id),
                tags_skill(skill.id, 1),
                tags_skill(skill.id, 1),
                adds_skill("harness", "A session ends.", ["end"], evidence="The run ended as completed"),
            ),
            (finishes("Tagged and added."),),
        ),
    )

    assert (ran.result.status, ran.result.exit_code) == ("completed", 0)
    found, read, tagged, again, added = ran.given("keeper", 1)
    assert [each.get("skill_id", each.get("skillId")) for each in found["skills"]] == [skill.id]
    assert read["ok"] is True
    assert (tagged["ok"], tagged["did"]) == (True, f"tagged {skill.id} helpful")
    assert again == {"ok": False, "why": f"{skill.id} was tagged for this run already"}
    assert added["ok"] is True
    kept, new = skills_in(tmp_path).values()
    assert (kept.helpful_count, kept.harmful_count, kept.neutral_count, kept.used_count) == (1, 0, 0, 1)
    assert (new.active, new.review, new.evidence_is) == (True, None, "host")
    run_id = ran.events[0].run
    [source] = new.occurrences
    assert (source.trace_uid, source.source_system, source.trace_id) == (
        f"gg:{run_id}#1",
        "gg",
        f"{run_id}#1",
    )
    assert (source.sample_question, source.learning_text) == (TASK, "The run ended as completed")
    account = section_of(ran, "keeper", title="Run") or ""
    for part in ("The run ended as completed", TASK, "The sum is 12.", COMMA, "Turn 1 of `root`"):
        assert part in account
    spawned = ran.of(AgentSpawned, "keeper")[0]
    assert (spawned.started_as, spawned.spawner) == ("reflector", None)
    assert [each.event.type for each in ran.events[-2:]] == ["agent_ended", "session_summary"]
    assert ends(ran) == {"keeper": ("completed", "Tagged and added.")}
    assert [change.operation for change in ran.of(SkillbookChanged)] == [
        "skillbook.tag_skill",
        "skillbook.tag_skill",
        "skillbook.add_skill",
    ]
    assert ran.of(SkillbookChanged)[-1].evidence_kind == "outcome"
    assert [each.skill_ids for each in ran.of(SkillbookRead)] == [(skill.id,), (skill.id,)]
    assert (told_operator(ran), failed_checks(ran)) == ([], [])
    assert not any("skillbook." in each for each in ran.of(AgentSurface, "root")[0].operations)


def test_a_book_that_is_not_there_is_empty_and_made_when_something_is_kept(
    tmp_path: Path, compiler: Compiler
) -> None:
    adds = adds_skill("harness", "A session ends.", ["end"], evidence="The run ended as completed")

    ran = run_with_book(tmp_path, "tool_calling", compiler, (finishes(),), reflects=((adds,), (finishes(),)))

    assert (told_operator(ran), section_of(ran)) == ([], None)
    assert [skill.issue for skill in skills_in(tmp_path).values()] == ["A session ends."]


def test_a_reflector_is_started_when_a_limit_has_ended_the_root(tmp_path: Path, compiler: Compiler) -> None:
    fill_book(tmp_path)
    wrong = (opens_file("a.txt"),)

    for name, limits, status in (
        ("turns", {"maxTurns": 2}, "exhausted"),
        ("errors", {"maxTurns": 20, "maxConsecutiveErrors": 2}, "limit_exceeded"),
    ):
        reply: Said = wrong if status == "exhausted" else "no call"
        ran = run_with_book(tmp_path, "tool_calling", compiler, reply, reply, limits=limits, name=name)

        assert (ran.result.status, ran.result.exit_code) == (status, 3)
        assert ends(ran) == {"keeper": ("completed", "kept")}
        account = section_of(ran, "keeper", title="Run") or ""
        assert f"The run ended as {status}; max" in account
        assert ran.events[-1].event.type == "session_summary"
        assert failed_checks(ran) == []


def test_nothing_is_reflected_on_a_run_that_was_canceled_or_failed(
    tmp_path: Path, compiler: Compiler
) -> None:
    fill_book(tmp_path)

    def fails() -> Said:
        raise ProviderError("no such model")

    sessions: list[Session] = []

    def cancels() -> Said:
        sessions[0].cancel()
        return (opens_file("a.txt"),)

    for name, reply, status in (("failed", fails, "model_error"), ("canceled", cancels, "canceled")):
        sessions.clear()
        ran = run_with_book(tmp_path, "tool_calling", compiler, reply, name=name, change=sessions.append)

        assert ran.result.status == status
        assert [event.started_as for event in ran.of(AgentSpawned)] == ["root"]


def test_nothing_is_reflected_on_a_run_whose_time_is_spent(tmp_path: Path, compiler: Compiler) -> None:
    fill_book(tmp_path)

    ran = run_with_book(tmp_path, "tool_calling", compiler, limits={"maxRuntimeSecs": 0.000001})

    assert (ran.result.status, ran.result.exit_code) == ("timed_out", 3)
    assert [event.started_as for event in ran.of(AgentSpawned)] == ["root"]


def test_what_becomes_of_the_reflector_changes_nothing_of_the_run(tmp_path: Path, compiler: Compiler) -> None:
    fill_book(tmp_path)
    [id_] = skills_in(tmp_path)

    def fails() -> Said:
        raise ProviderError("no such model")

    untagged = f'keeper did not say whether these skills helped: "{id_}"'
    stands = "what it did to the skillbook stands"
    turns = ((seeks_skills("a"),), (seeks_skills("b"),), (seeks_skills("c"),))
    for name, reflects, line in (
        ("failed", (fails,), f"keeper ended as model_error: no such model; {stands}"),
        ("exhausted", turns, f"keeper ended as exhausted: maxTurns: 3, limit 3; {stands}"),
    ):
        ran = run_with_book(
            tmp_path,
            "tool_calling",
            compiler,
            (finishes("12."),),
            reflects=reflects,
            name=name,
            limits={"maxTurns": 3},
        )

        assert (ran.result.status, ran.result.exit_code) == ("completed", 0)
        assert ran.result.ending is not None
        assert ran.result.ending.summary == "12."
        assert told_operator(ran) == [line, untagged]
        [summary] = ran.of(SessionSummary)
        assert (summary.status, summary.exit_code, summary.agents) == ("completed", 0, 2)
        assert failed_checks(ran) == []


def test_the_money_of_the_run_holds_for_the_reflector(tmp_path: Path, compiler: Compiler) -> None:
    fill_book(tmp_path)
    costly = replace(calls(("finish", {"summary": "12."})), usage=Usage(cost=Decimal("2")))

    ran = run_with_book(tmp_path, "tool_calling", compiler, costly, limits={"maxCost": 1})

    assert (ran.result.status, ran.result.exit_code) == ("completed", 0)
    assert told_operator(ran) == ["keeper does not reflect on the run: maxCost: 2, limit 1"]
    assert [event.started_as for event in ran.of(AgentSpawned)] == ["root"]


def test_a_defect_in_a_reflection_is_one_of_the_run(tmp_path: Path, compiler: Compiler) -> None:
    fill_book(tmp_path)
    folder = tmp_path / "folder"
    folder.mkdir()
    files = {"capabilities": [{"id": "files", "params": {"dir": "folder", "copy": True}}]}

    ran = run_with_book(
        tmp_path, "tool_calling", compiler, after(lambda: rmtree(folder), finishes()), reflector=files
    )

    assert (ran.result.status, ran.result.exit_code) == ("internal_error", 1)
    assert "cannot be copied into the record" in (ran.result.error or "")


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_the_calls_of_the_skillbook_are_the_reflectors_alone(
    tmp_path: Path, compiler: Compiler, execution: Execution
) -> None:
    fill_book(tmp_path)
    [id_] = skills_in(tmp_path)
    turn = (tags_skill(id_, -1), removes_skill(id_, "It is wrong."))

    ran = run_with_book(tmp_path, execution, compiler, turn, (finishes(),), reflects=None)

    assert [code_of(answer) for answer in ran.given("root", 1)] == ["unavailable", "unavailable"]
    assert skills_in(tmp_path)[id_].active


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_reflector_starts_nobody(tmp_path: Path, compiler: Compiler, execution: Execution) -> None:
    ran = run_with_book(tmp_path, execution, compiler, (finishes(),), reflects=((forks(),), (finishes(),)))

    assert [code_of(answer) for answer in ran.given("keeper", 1)] == ["unavailable"]
    assert len(ran.of(AgentSpawned)) == 2


@pytest.mark.parametrize(("mode", "other"), [EXECUTIONS, EXECUTIONS[::-1]])
def test_a_reflector_works_in_its_own_mode(
    tmp_path: Path, compiler: Compiler, mode: Execution, other: Execution
) -> None:
    fill_book(tmp_path)
    [id_] = skills_in(tmp_path)

    ran = run_with_book(
        tmp_path,
        mode,
        compiler,
        (finishes(),),
        reflects=((tags_skill(id_, 0),), (finishes(),)),
        reflector={"execution": other},
    )

    assert [surface.execution_mode for surface in ran.of(AgentSurface)] == [mode, other]
    assert skills_in(tmp_path)[id_].neutral_count == 1


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_the_account_outlasts_a_compaction_of_the_reflectors_window(
    tmp_path: Path, compiler: Compiler, execution: Execution
) -> None:
    fill_book(tmp_path)

    ran = run_with_book(
        tmp_path,
        execution,
        compiler,
        (finishes(),),
        reflects=((compacts("Go on."),), (finishes(),)),
        reflector={"capabilities": [{"id": "agent-managed-context"}]},
    )

    first = section_of(ran, "keeper", title="Run")
    assert first is not None
    assert section_of(ran, "keeper", 1, title="Run") == first
    assert failed_checks(ran) == []
