"""The committed study: a small part of it is run, in both modes, and comes to what its checks demand."""

import re
from pathlib import Path
from typing import Any

import pytest

from host.app import environment
from host.experiments import Comparison, StudyRunner, Verdict, compare, load_study
from host.experiments.checks import Ended, judge

STUDY = Path(__file__).parents[2] / "fixtures" / "study"
PART = frozenset({"six-owners", "clean-contacts", "two-phase-meters"})


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    out = tmp_path_factory.mktemp("study")
    study = load_study(STUDY).narrowed(arms=frozenset(), tasks=PART)
    return compare(study, StudyRunner(study, out).run(), out=out)


def test_each_kind_of_task_is_done_in_both_modes(comparison: Comparison) -> None:
    assert [(run.task, run.arm, run.verdict) for run in comparison.runs] == [
        (task, arm, Verdict("correct"))
        for task in ("six-owners", "clean-contacts", "two-phase-meters")
        for arm in ("code", "tools")
    ]
    assert {part.kind: part.tasks for part in comparison.kinds} == {
        "lookups": 1,
        "large file": 1,
        "two phases": 1,
    }


def test_each_mode_is_better_at_something(comparison: Comparison) -> None:
    best = {row.key: row.best for row in comparison.whole.rows}

    assert best["turns"] == best["modelCalls"] == best["compileMs"] == ("tools",)
    assert best["inputTokens"] == best["outputTokens"] == ("code",)


def test_the_second_phase_has_memories_and_no_files(comparison: Comparison) -> None:
    runs = {run.arm: run for run in comparison.runs if run.task == "two-phase-meters"}

    for run in runs.values():
        assert run.measures is not None
        assert (run.measures.agents, run.measures.memories_held) == (2, 1)
        operations: Any = run.surface.profiles["reporter"]["operations"]
        assert not {name for name in operations if name.startswith("files.")}
    assert "memories.read_memory" in runs["code"].surface.profiles["reporter"]["operations"]


def test_what_differs_is_the_mode_and_what_belongs_to_it(comparison: Comparison) -> None:
    facts = {difference.fact for difference in comparison.differences}

    assert facts == {
        "execution mode",
        "operations",
        "tools",
        "tokens of tools in each request",
        "modules",
        "declarations",
    }


def test_a_wrong_answer_is_wrong_for_every_task(tmp_path: Path) -> None:
    study = load_study(STUDY)
    ended = Ended(task="t", status="completed", summary="17", workspace=tmp_path, record=tmp_path)

    verdicts = {task.id: judge(task.check, ended).outcome for task in study.tasks}

    assert len(verdicts) >= 12
    assert set(verdicts.values()) == {"wrong"}


def test_a_real_model_can_take_the_place_of_the_policies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    assert "OPENAI_API_KEY" in environment()

    study = load_study(STUDY, model="openai:gpt-4o-mini")

    assert {str(cell.document["model"]) for cell in study.cells} == {"openai:gpt-4o-mini"}


def test_no_policy_knows_what_is_in_a_file() -> None:
    """The checks read the data; the policies have nothing of it but what a task says itself."""
    policies = "\n".join(path.read_text() for path in (STUDY / "study_policies").glob("*.py"))
    owners = re.findall(r'owner = "(\w+)"', "".join(p.read_text() for p in STUDY.glob("data/services/*")))

    assert "data" not in re.findall(r"\w+", policies.replace("dataclass", ""))
    assert "open(" not in policies
    assert [owner for owner in set(owners) if f'"{owner}"' in policies] == []
