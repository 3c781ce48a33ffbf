"""The skillbook in runs, in both modes: what an agent begins with, and what a reflector keeps of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from host.events import (
    AgentSpawned,
    AgentSurface,
    InjectedSkill,
    OperatorLog,
    SkillbookChanged,
    SkillbookRead,
    SkillsInjected,
)
from host.skillbook import BookFile, Skill, text_hash
from runtime_js import Compiler
from tests.helpers.acts import (
    adds_skill,
    finishes,
    reads_skill,
    seeks_skills,
    tags_skill,
)
from tests.helpers.memory_turns import EXECUTIONS, Execution
from tests.helpers.teams import Said, TeamRan, ends, failed_checks, run_team

TASK = "Sum the prices of the Berlin export."
COMMA = "The prices of an export have a decimal comma."


def book(tmp_path: Path) -> BookFile:
    return BookFile(tmp_path / "book.json")


def filled(tmp_path: Path, *issues: str, scope: str | None = None, insight: str = "Put a dot there.") -> None:
    for issue in issues or (COMMA,):
        done = book(
            tmp_path
        ).apply(
            lambda skills, issue=issue: skills.add_skill(  # type: ignore[misc]
                "context", issue, keywords=issue.split()[1:3], insight=insight, scope=scope
            )
        )
        assert done.ok, done.why


def skills(tmp_path: Path) -> dict[str, Skill]:
    """All of the book, also those that are held back or removed."""
    return {skill.id: skill for skill in book(tmp_path).read().skillbook.skills(include_invalid=True)}


def run(
    tmp_path: Path,
    execution: Execution,
    compiler: Compiler,
    *turns: Said,
    reflects: tuple[Said, ...] | None = (),
    reflector: Mapping[str, Any] | None = None,
    others: tuple[dict[str, Any], ...] = (),
    params: Mapping[str, Any] | None = None,
    name: str = "record",
    **document: Any,  # noqa: ANN401  (keys of a configuration)
) -> TeamRan:
    """A root that has the book, and a reflector unless that is `None`."""
    own: dict[str, Any] = {"book": "book.json", **(params or {})}
    agents: dict[str, Mapping[str, Any]] = {}
    script: dict[str, tuple[Said, ...]] = {"root": turns}
    if reflects is not None:
        own["reflector"] = "keeper"
        script["keeper"] = reflects or ((finishes("kept"),),)
        agents["keeper"] = reflector or {}
    root = {"capabilities": [{"id": "skillbook", "params": own}, *others]}
    return run_team(
        tmp_path / name,
        script,
        {"root": root, **agents},
        execution=execution,
        compiler=compiler,
        **{"task": TASK, **document},
    )


def section(ran: TeamRan, agent_id: str = "root", reply: int = 0, title: str = "Skillbook") -> str | None:
    found = [m.text for m in ran.prompts[agent_id][reply] if m.text.startswith(f"{title}\n----\n")]
    assert len(found) <= 1
    return found[0] if found else None


def told(ran: TeamRan) -> list[str]:
    """What the operator was told."""
    return [log.text for log in ran.of(OperatorLog)]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_run_begins_with_the_skills_that_match_its_task_and_a_use_of_each_is_counted(
    tmp_path: Path, compiler: Compiler, execution: Execution
) -> None:
    filled(tmp_path, COMMA, "A ship sails at noon.")

    ran = run(tmp_path, execution, compiler, (finishes(),), reflects=None)

    used, other = skills(tmp_path).values()
    shown = section(ran) or ""
    assert (COMMA in shown, "Put a dot there." in shown, "ship" in shown) == (True, True, False)
    assert f'- skill "{used.id}"; section context; used 0 times; helpful 0, harmful 0, neutral 0\n' in shown
    assert [m.text.partition("\n")[0] for m in ran.prompts["root"][0][1:]] == ["Skillbook", "Task"]
    assert "`Skillbook`" in ran.prompts["root"][0][0].text
    assert (used.used_count, other.used_count) == (1, 0)
    [injected] = ran.of(SkillsInjected)
    assert injected.skills == (
        InjectedSkill(id=used.id, text_sha256=text_hash(used), score=injected.skills[0].score),
    )
    assert (injected.left_out, injected.used, injected.turn) == ((), True, 0)
    assert injected.book == str(tmp_path / "book.json")
    assert (told(ran), failed_checks(ran)) == ([], [])
    assert [event.started_as for event in ran.of(AgentSpawned)] == ["root"]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_the_reflector_reads_how_the_run_went_and_keeps_the_book(
    tmp_path: Path, compiler: Compiler, execution: Execution
) -> None:
    filled(tmp_path)
    [skill] = skills(tmp_path).values()

    ran = run(
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
    kept, new = skills(tmp_path).values()
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
    account = section(ran, "keeper", title="Run") or ""
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
    assert (told(ran), failed_checks(ran)) == ([], [])
    assert not any("skillbook." in each for each in ran.of(AgentSurface, "root")[0].operations)
