"""Learning on the committed suite: what is learned from half of it helps on the other half, and a wrong skill
is retired.
"""

import json
from collections import Counter

import pytest

from host.app.bench.skillbook import LearningReport, load_suite, measure_learning
from host.app.bench.skillbook.acting import REFLECTOR, policy_of
from host.core.messages import Message, Reply


def test_tasks_have_files_answers_and_programs_for_both_ways() -> None:
    suite = load_suite()

    assert Counter(task.kind for task in suite.tasks) == {"helps": 8, "neutral": 4, "hurts": 4}
    assert len({task.key for task in suite.tasks}) == 16
    assert [task.key for task in suite.tasks if task.is_held_out][:2] == ["log-3", "log-4"]
    log = next(task for task in suite.tasks if task.key == "log-1")
    (content,) = log.files.values()
    assert content.endswith(f",{log.answer}\n")
    assert content.count("\n") == 901


def test_a_solver_follows_a_skill_that_is_in_its_window_and_no_other_text() -> None:
    task = next(task for task in load_suite().tasks if task.key == "log-1")
    cue = f"with {task.cue} and limit"

    assert policy_of(task)((Message("user", f"Task\n----\n{cue}"),), "solver") == task.without_skill[0]
    assert policy_of(task)((Message("user", f"Skillbook\n----\n{cue}"),), "solver") == task.with_skill[0]


def test_a_skill_that_harmed_once_is_tagged_and_not_removed() -> None:
    task = next(task for task in load_suite().tasks if task.key == "json-1")
    policy = policy_of(task)
    ended = "The run ended as exhausted, after 4 turns, of which 4 failed: x."
    account = f'{ended}\n- skill "a-1" that the run began with'
    first = policy((Message("user", account),), REFLECTOR)

    assert isinstance(first, Reply)
    assert [(call.name, json.loads(call.arguments).get("delta")) for call in first.tool_calls] == [
        ("read_skill", None),
        ("tag_skill", -1),
        ("search_skills", None),
    ]
    given = json.dumps({"ok": True, "skill": {"skill_id": "a-1"}, "sources": []})
    second = policy((Message("user", account), Message("tool", given)), REFLECTOR)
    assert isinstance(second, Reply)
    assert [call.name for call in second.tool_calls] == ["finish"]


@pytest.mark.slow
def test_what_is_learned_helps_on_tasks_that_were_held_out() -> None:
    report = measure_learning(load_suite(), lambda _: None)

    assert solved(report, "held out") == {
        "helps": {"empty book": 2, "wrong skill alone": 2, "learned book": 4},
        "neutral": {"empty book": 2, "wrong skill alone": 2, "learned book": 2},
        "hurts": {"empty book": 2, "wrong skill alone": 0, "learned book": 2},
    }
    helps = report.tallies["helps"]["held out"]
    assert helps["learned book"].turns < helps["empty book"].turns
    assert helps["learned book"].tokens < helps["empty book"].tokens
    neutral = report.tallies["neutral"]["held out"]
    assert neutral["learned book"] == neutral["empty book"]
    assert [(skill.state, skill.evidence) for skill in report.skills] == [
        ("removed", None),
        ("active", "host"),
        ("active", "untrusted"),
    ]
    assert (report.learning, report.accepted) == (8, 1)


def solved(report: LearningReport, half: str) -> dict[str, dict[str, int]]:
    return {
        kind: {book: tally.solved for book, tally in halves[half].items()}
        for kind, halves in report.tallies.items()
    }
