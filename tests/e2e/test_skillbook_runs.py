"""What an agent of a run begins with of the skillbook, in both modes, and what is counted of that."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from host.events import (
    AgentSpawned,
    InjectedSkill,
    SessionSummary,
    SkillsInjected,
    read_events,
)
from host.skillbook import BookFile, Skillbook, text_hash
from runtime_js import Compiler
from tests.helpers.acts import (
    compacts,
    finishes,
    forks,
    reads_skill,
    seeks_skills,
    spawns,
    tags_skill,
    waits,
)
from tests.helpers.memory_turns import EXECUTIONS, Execution
from tests.helpers.skillbook_runs import (
    COMMA,
    TASK,
    book_in,
    fill_book,
    run_with_book,
    section_of,
    skills_in,
    told_operator,
)
from tests.helpers.teams import Script, code_of, failed_checks, run_team, starts
from tests.host.cli.processes import gg

FIXTURE = Path(__file__).parents[2] / "fixtures" / "skillbook-run"


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_run_begins_with_the_skills_that_match_its_task_and_a_use_of_each_is_counted(
    tmp_path: Path, compiler: Compiler, execution: Execution
) -> None:
    fill_book(tmp_path, COMMA, "A ship sails at noon.")

    ran = run_with_book(tmp_path, execution, compiler, (finishes(),), reflects=None)

    used, other = skills_in(tmp_path).values()
    shown = section_of(ran) or ""
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
    assert (told_operator(ran), failed_checks(ran)) == ([], [])
    assert [event.started_as for event in ran.of(AgentSpawned)] == ["root"]


NEVER_SHOWN = ("removed", "held back", "merged", "of another scope")


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_what_is_not_served_reaches_neither_a_window_nor_a_search(
    tmp_path: Path, compiler: Compiler, execution: Execution
) -> None:
    fill_book(tmp_path, COMMA)
    fill_book(tmp_path, "The prices were removed.")
    fill_book(tmp_path, "The prices are of another scope.", scope="bakery")
    fill_book(tmp_path, "The prices of the Berlin shop.", scope="shop")
    served, removed, elsewhere, ours = skills_in(tmp_path)

    def change(skills: Skillbook) -> None:
        assert skills.remove_skill(removed).ok
        held = skills.add_skill(
            "context", "Prices held back.", keywords=["a"], insight="No.", evidence_is="untrusted"
        )
        gone = skills.add_skill("context", "Prices were merged.", keywords=["a"], insight="No.")
        assert held.ok
        assert gone.skill_id is not None
        skills.put(replace(skills.by_id[gone.skill_id], merged_into=served))

    book_in(tmp_path).apply(change)

    ran = run_with_book(
        tmp_path,
        execution,
        compiler,
        (finishes(),),
        reflects=(
            (seeks_skills("prices", top_k=50), reads_skill(removed), reads_skill(elsewhere)),
            (finishes(),),
        ),
        params={"scope": "shop", "topK": 50},
    )

    [injected] = ran.of(SkillsInjected)
    assert sorted(skill.id for skill in injected.skills) == sorted([served, ours])
    shown = section_of(ran) or ""
    assert [word for word in NEVER_SHOWN if word in shown] == []
    found, *reads = ran.given("keeper", 1)
    assert sorted(each.get("skill_id", each.get("skillId")) for each in found["skills"]) == sorted(
        [served, ours]
    )
    assert found["active"] == 2
    assert reads == [
        {"ok": False, "why": f"there is no active skill `{id_}`"} for id_ in (removed, elsewhere)
    ]


def test_without_a_match_there_is_no_section(tmp_path: Path, compiler: Compiler) -> None:
    fill_book(tmp_path, "A ship sails at noon.")

    ran = run_with_book(tmp_path, "tool_calling", compiler, (finishes(),))

    assert (section_of(ran), ran.of(SkillsInjected)) == (None, [])
    assert "No agent of the run began with a skill" in (section_of(ran, "keeper", title="Run") or "")
    assert [skill.used_count for skill in skills_in(tmp_path).values()] == [0]


def test_skills_are_shown_whole_as_far_as_there_is_room(tmp_path: Path, compiler: Compiler) -> None:
    fill_book(tmp_path, "The prices of the Berlin export.", insight="x" * 900)
    fill_book(tmp_path, "The prices.", insight="short")
    long, short = skills_in(tmp_path)

    ran = run_with_book(
        tmp_path, "tool_calling", compiler, (finishes(),), reflects=None, params={"maxLenSection": 600}
    )

    [injected] = ran.of(SkillsInjected)
    assert [skill.id for skill in injected.skills] == [short]
    assert [skill.id for skill in injected.left_out] == [long]
    assert "xxx" not in (section_of(ran) or "")
    assert [skill.used_count for skill in skills_in(tmp_path).values()] == [0, 1]


@pytest.mark.parametrize("execution", EXECUTIONS)
def test_the_section_outlasts_a_compaction_and_is_a_copys_too(
    tmp_path: Path, compiler: Compiler, execution: Execution
) -> None:
    fill_book(tmp_path)
    script: Script = {
        "root": [(compacts("Go on."),), (forks(),), (waits(),), (finishes(),)],
        "root-2": [(compacts("Mine."),), (finishes(),)],
    }
    agent = {
        "capabilities": [
            {"id": "skillbook", "params": {"book": "book.json"}},
            {"id": "agent-managed-context"},
        ]
    }

    ran = run_team(
        tmp_path / "record", script, {"root": agent}, execution=execution, compiler=compiler, task=TASK
    )

    first = section_of(ran)
    assert first is not None
    assert [section_of(ran, "root", reply) for reply in (1, 2, 3)] == [first] * 3
    assert [section_of(ran, "root-2", reply) for reply in (0, 1)] == [first] * 2
    assert [agent_id for agent_id, _ in ran.by_agent(SkillsInjected)] == ["root"]
    assert [skill.used_count for skill in skills_in(tmp_path).values()] == [1]
    assert failed_checks(ran) == []


def test_each_agent_that_has_the_capability_begins_with_what_its_own_task_matches(
    tmp_path: Path, compiler: Compiler
) -> None:
    fill_book(tmp_path, COMMA, "A ship sails at noon.")
    comma, ship = skills_in(tmp_path)
    own = {"id": "skillbook", "params": {"book": "book.json", "reflector": "keeper"}}
    agents: dict[str, dict[str, Any]] = {
        "root": {"capabilities": [own], "roster": starts("kid")},
        "kid": {"capabilities": [own]},
        "keeper": {},
    }
    script: Script = {
        "root": [(spawns("kid", "When does the ship sail?"), waits()), (finishes(),)],
        "kid": [(finishes(),)],
        "keeper": [(tags_skill(comma, 1), tags_skill(ship, -1)), (finishes(),)],
    }

    ran = run_team(tmp_path / "record", script, agents, compiler=compiler, task=TASK)

    assert {
        agent_id: [skill.id for skill in event.skills] for agent_id, event in ran.by_agent(SkillsInjected)
    } == {
        "root": [comma],
        "kid": [ship],
    }
    assert [skill.counters for skill in skills_in(tmp_path).values()] == [
        {"used_count": 1, "helpful_count": 1, "harmful_count": 0, "neutral_count": 0},
        {"used_count": 1, "helpful_count": 0, "harmful_count": 1, "neutral_count": 0},
    ]
    account = section_of(ran, "keeper", title="Run") or ""
    assert "Turn 1 of `kid`" in account
    assert "`kid` ended: completed" in account
    assert [event.started_as for event in ran.of(AgentSpawned)] == ["root", "subagent", "reflector"]


UNREADABLE = {
    "cut in half": '{"schema_version": "2", "skills": {',
    "no book": '["skills"]',
    "no JSON": "skills",
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
def test_a_book_that_cannot_be_read_keeps_no_agent_from_its_task_and_stays_as_it_is(
    tmp_path: Path, compiler: Compiler, content: str
) -> None:
    (tmp_path / "book.json").write_text(content, encoding="utf-8")

    ran = run_with_book(tmp_path, "tool_calling", compiler, (finishes("Done."),))

    assert (ran.result.status, ran.result.exit_code, section_of(ran)) == ("completed", 0, None)
    first, second = told_operator(ran)
    assert first.startswith("the agent begins without skills: G6_E_SKILLBOOK_FILE: ")
    assert second.startswith("keeper does not reflect on the run: G6_E_SKILLBOOK_FILE: ")
    assert (tmp_path / "book.json").read_text(encoding="utf-8") == content
    assert [event.started_as for event in ran.of(AgentSpawned)] == ["root"]
    assert failed_checks(ran) == []


def test_a_bad_skill_is_told_and_the_others_are_served(tmp_path: Path, compiler: Compiler) -> None:
    fill_book(tmp_path)
    path = tmp_path / "book.json"
    payload = json.loads(path.read_text(encoding="utf-8"))
    payload["skills"]["context-9"] = {"id": "context-9", "section": "context", "issue": 5}
    path.write_text(json.dumps(payload), encoding="utf-8")

    ran = run_with_book(tmp_path, "tool_calling", compiler, (finishes(),), reflects=None)

    assert COMMA in (section_of(ran) or "")
    [line] = told_operator(ran)
    assert line == f"the skillbook {path} has 1 problem, and what could not be read is not served"
    assert json.loads(path.read_text(encoding="utf-8"))["skills"]["context-9"]["issue"] == 5


def test_a_book_that_cannot_be_written_is_read_and_its_uses_are_not_counted(
    tmp_path: Path, compiler: Compiler
) -> None:
    fill_book(tmp_path)
    (tmp_path / "book.json.lock").unlink()
    (tmp_path / "book.json.lock").mkdir()
    [id_] = skills_in(tmp_path)

    ran = run_with_book(
        tmp_path, "tool_calling", compiler, (finishes(),), reflects=((tags_skill(id_, 1),), (finishes(),))
    )

    assert COMMA in (section_of(ran) or "")
    assert [event.used for event in ran.of(SkillsInjected)] == [False]
    [answer] = ran.given("keeper", 1)
    assert code_of(answer) == "io-error"
    uncounted, untagged = told_operator(ran)
    assert uncounted.startswith("the use of 1 skill was not counted: G6_E_SKILLBOOK_FILE: ")
    assert untagged == f'keeper did not say whether these skills helped: "{id_}"'
    assert ran.result.status == "completed"


def errors_of(record: Path) -> int:
    """The error turns of a run."""
    summary = [stamped.event for stamped in read_events(record / "events.ndjson")][-1]
    assert isinstance(summary, SessionSummary)
    return summary.errors


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "later", "errors"),
    [("run.json", "later.json", 1), ("as-calls.json", "later-as-calls.json", 0)],
)
def test_the_shipped_runs_keep_a_skill_and_begin_with_it(
    tmp_path: Path, first: str, later: str, errors: int
) -> None:
    learned = gg("run", FIXTURE / first, "--out", "first", "--json", cwd=tmp_path)
    helped = gg("run", FIXTURE / later, "--out", "later", "--json", cwd=tmp_path)

    assert (learned.returncode, helped.returncode) == (0, 0), learned.stderr + helped.stderr
    assert json.loads(helped.stdout)["ending"]["summary"] == "Coffee, at 7.50."
    assert [errors_of(tmp_path / name) for name in ("first", "later")] == [errors, 0]
    kept, held = BookFile(tmp_path / ".gg" / "skillbook.json").read().skillbook.skills(include_invalid=True)
    assert (kept.active, kept.evidence_is, kept.used_count, kept.helpful_count) == (True, "host", 1, 1)
    assert (held.active, held.review, held.evidence_is, held.used_count) == (False, "pending", "untrusted", 0)
    shown = gg("show", "first", cwd=tmp_path).stdout
    assert re.search(r"keeper starts as a reflector", shown)
    assert re.search(r"skills +added context-00001 \(evidence: host error\)", shown)
    assert re.search(
        r"skills +added context-00002, held back until it is accepted \(evidence: result\)", shown
    )
    shown = gg("show", "later", cwd=tmp_path).stdout
    assert re.search(r"skills +of the task: context-00001", shown)
    assert re.search(r"skills +tagged context-00001 helpful", shown)
    for record in ("first", "later"):
        assert gg("show", record, "--verify", cwd=tmp_path).returncode == 0
