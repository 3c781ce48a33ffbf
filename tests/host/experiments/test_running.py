"""Runs of a study: records, verdicts, what is kept apart, stopping."""

import json
from pathlib import Path
from typing import Any

from host.events import RecordKept, RecordRead, RecordReader
from host.experiments import (
    RunOutcome,
    StudyRunner,
    Verdict,
    compare,
    comparison_json,
    load_study,
    measure,
)
from host.experiments.running import RESULTS_FILE
from tests.host.experiments.studies import base, finishing, study

FILES = {"id": "files", "params": {"dir": "data", "write": True}}
AGENT = {"id": "root", "execution": "tool_calling", "capabilities": [FILES]}


def writing(path: str, text: str) -> dict[str, Any]:
    return {"toolCalls": [{"name": "write_file", "arguments": {"path": path, "contents": text}}]}


def of_files(folder: Path, **changes: Any) -> Path:  # noqa: ANN401 - JSON
    """A study whose agent writes into its directory and finishes."""
    (folder / "data").mkdir()
    base(folder, writing("made.txt", "made"), finishing("42"), agents=[AGENT])
    task = {"id": "one", "task": "Write.", "files": {"given.txt": "given"}}
    return study(folder, tasks=[{**task, **changes}])


def run(path: Path, out: Path, **options: Any) -> list[RunOutcome]:  # noqa: ANN401 - options
    out.mkdir()
    return StudyRunner(load_study(path), out, **options).run()


def test_each_run_has_a_record_of_its_own_and_works_on_a_copy(tmp_path: Path) -> None:
    out = tmp_path / "out"
    check = "sh -c 'test -e given.txt -a $(cat made.txt) = made'"

    outcomes = run(of_files(tmp_path, check=check), out)

    assert [(run.arm, run.verdict) for run in outcomes] == [
        ("plain", Verdict("correct")),
        ("terse", Verdict("correct")),
    ]
    for outcome in outcomes:
        assert outcome.record is not None
        assert outcome.measures == measure(RecordReader(outcome.record).events())
        assert (outcome.record / "workspace" / "root" / "made.txt").read_text() == "made"
    assert [path.name for path in (out / "inputs" / "one").iterdir()] == ["given.txt"]
    assert list((tmp_path / "data").iterdir()) == []


def test_each_run_has_a_record_store_of_its_own(tmp_path: Path) -> None:
    agent = {"id": "root", "execution": "tool_calling", "capabilities": [{"id": "records"}]}
    put = {"toolCalls": [{"name": "put_record", "arguments": {"text": "The answer is 42."}}]}
    base(tmp_path, put, finishing("42"), agents=[agent])

    outcomes = run(study(tmp_path, tasks=[{"id": "one", "task": "Answer."}]), tmp_path / "out")

    for outcome in outcomes:
        assert outcome.record is not None
        events = [stamped.event for stamped in RecordReader(outcome.record).events()]
        assert [event.existed for event in events if isinstance(event, RecordKept)] == [False]
        assert [event for event in events if isinstance(event, RecordRead)] == []
    stores = sorted(path.name for path in (tmp_path / "out" / "stores").iterdir())
    assert stores == ["one.plain.1", "one.terse.1"]


def test_every_run_that_ended_stands_in_the_results(tmp_path: Path) -> None:
    run(of_files(tmp_path, check="sh -c 'echo no; exit 1'"), tmp_path / "out")

    lines = [json.loads(line) for line in (tmp_path / "out" / RESULTS_FILE).read_text().splitlines()]
    assert [(line["task"], line["arm"], line["record"], line["check"], line["detail"]) for line in lines] == [
        ("one", "plain", "records/one.plain.1", "wrong", "no"),
        ("one", "terse", "records/one.terse.1", "wrong", "no"),
    ]


def test_a_check_that_fails_is_counted_apart(tmp_path: Path) -> None:
    path = of_files(tmp_path, check="sh -c 'exit 3'")
    out = tmp_path / "out"
    outcomes = run(path, out)

    counts = compare(load_study(path), outcomes, out=out).whole.counts["plain"]

    assert (counts.runs, counts.correct, counts.wrong, counts.check_failed, counts.checked) == (1, 0, 0, 1, 0)


def test_runs_may_be_made_side_by_side(tmp_path: Path) -> None:
    base(tmp_path)
    path = study(tmp_path, repeats=3)

    outcomes = run(path, tmp_path / "out", parallel=3)

    made = {(run.arm, run.repeat) for run in outcomes}
    assert made == {(arm, repeat) for arm in ("plain", "terse") for repeat in (1, 2, 3)}
    assert all(run.measures and run.measures.status == "completed" for run in outcomes)


def test_a_study_that_is_stopped_keeps_what_has_ended_and_begins_no_more(tmp_path: Path) -> None:
    base(tmp_path)
    path, out = study(tmp_path, repeats=3), tmp_path / "out"
    out.mkdir()
    found = load_study(path)
    runner = StudyRunner(found, out)

    outcomes = runner.run(done=lambda spec, outcome: runner.cancel())

    comparison = compare(found, outcomes, out=out)
    assert [(run.arm, run.repeat) for run in outcomes] == [("plain", 1)]
    assert (comparison.planned, comparison.is_partial) == (6, True)
    assert comparison.whole.counts["plain"].runs == 1


def test_a_run_that_was_cut_off_with_the_study_is_in_no_figure(tmp_path: Path) -> None:
    base(tmp_path, {"text": "Hm."}, {"text": "Hm."})
    path, out = study(tmp_path), tmp_path / "out"
    out.mkdir()
    found = load_study(path)
    runner = StudyRunner(found, out)

    outcomes = runner.run(begun=lambda spec: runner.cancel())

    counts = compare(found, outcomes, out=out).whole.counts["plain"]
    assert [(run.is_cut_off, run.counts) for run in outcomes] == [(True, False)]
    assert (counts.runs, counts.cut_off) == (0, 1)


def test_a_run_that_cannot_be_recorded_is_lost_and_said_to_be(tmp_path: Path) -> None:
    base(tmp_path)
    path, out = study(tmp_path), tmp_path / "out"
    (out / "records" / "task.plain.1" / "in the way").mkdir(parents=True)
    found = load_study(path)

    outcomes = StudyRunner(found, out).run()

    comparison = compare(found, outcomes, out=out)
    record = out / "records" / "task.plain.1"
    assert outcomes[0].problem.startswith(f"{record}: it is not empty") or "not empty" in outcomes[0].problem
    assert [counts.lost for counts in comparison.whole.counts.values()] == [1, 0]
    assert comparison.is_partial


def test_the_arms_are_told_better_in_both_directions(tmp_path: Path) -> None:
    for arm, replies in {"quick": [finishing("42")], "slow": [{"text": "Hm."}, finishing("42")]}.items():
        folder = tmp_path / arm
        folder.mkdir()
        for number, reply in enumerate(replies):
            (folder / f"{number}.json").write_text(json.dumps(reply))
    base(tmp_path)
    arms = [{"id": arm, "set": {"model.replies": arm}} for arm in ("quick", "slow")]
    path, out = study(tmp_path, arms=arms, repeats=2, check="true"), tmp_path / "out"

    comparison = compare(load_study(path), run(path, out), out=out)

    turns, held = comparison.whole.row("turns"), comparison.whole.row("memoriesHeld")
    assert (turns.best, turns.contest.wins, turns.contest.ties) == (("quick",), {"quick": 2, "slow": 0}, 0)
    assert {arm: figure and (figure.n, figure.median) for arm, figure in turns.figures.items()} == {
        "quick": (2, 1),
        "slow": (2, 2),
    }
    assert held.best == ("quick", "slow")
    assert comparison.whole.errors == {"missing_completion_no_call": {"quick": 0, "slow": 2}}
    assert comparison.pairs_alike
    assert not comparison.is_partial
    assert comparison.differences == ()
    assert comparison_json(comparison)["whole"]["counts"]["slow"]["correct"] == 2
