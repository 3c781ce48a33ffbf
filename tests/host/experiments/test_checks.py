"""Checks of what a run left: commands and functions, and those that cannot say."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.experiments.checks import CommandCheck, Ended, FunctionCheck, Verdict, judge, problem_of

FUNCTIONS = """
import threading
from host.experiments import CheckResult

def right(workspace, summary):
    return summary == "42" and (workspace / "a.txt").read_text() == "A"

def wrong(workspace, summary):
    return CheckResult(False, f"{summary} is not 43")

def told(workspace, summary, record):
    return CheckResult(record.name == "record")

def breaks(workspace, summary):
    raise ValueError("no such row")

def hangs(workspace, summary):
    threading.Event().wait()

def odd(workspace, summary):
    return 1
"""


@pytest.fixture
def ended(tmp_path: Path) -> Iterator[Ended]:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "a.txt").write_text("A")
    (tmp_path / "checks_of_test.py").write_text(FUNCTIONS)
    yield Ended(task="one", status="completed", summary="42", workspace=workspace, record=tmp_path / "record")
    sys.modules.pop("checks_of_test", None)
    if str(tmp_path) in sys.path:
        sys.path.remove(str(tmp_path))


def command(ended: Ended, *words: str, timeout_s: float = 30) -> Verdict:
    check = CommandCheck(words=words, study=ended.workspace.parent, timeout_s=timeout_s)
    return judge(check, ended)


def function(ended: Ended, name: str, timeout_s: float = 30) -> Verdict:
    check = FunctionCheck(
        reference=f"checks_of_test:{name}", study=ended.workspace.parent, timeout_s=timeout_s
    )
    return judge(check, ended)


COMMANDS = [
    (["grep", "-q", "A", "a.txt"], Verdict("correct")),
    (["sh", "-c", "cat; echo; echo $GG_TASK $GG_STATUS; exit 1"], Verdict("wrong", "42\none completed")),
    (["sh", "-c", "test $PWD = $GG_WORKSPACE -a $PWD = {workspace}"], Verdict("correct")),
    (["{python}", "-c", "import sys; sys.exit(sys.argv[1] != 'record')", "record"], Verdict("correct")),
    (
        ["sh", "-c", "echo half; exit 2"],
        Verdict("check failed", "exit status 2, which says neither\nhalf"),
    ),
    (["sh", "-c", "kill -9 $$"], Verdict("check failed", "killed by signal 9")),
    (
        ["./nothing"],
        Verdict("check failed", "`./nothing` cannot be started: no such file or directory"),
    ),
]


@pytest.mark.parametrize(("words", "verdict"), COMMANDS, ids=[" ".join(words)[:30] for words, _ in COMMANDS])
def test_what_a_command_says(ended: Ended, words: list[str], verdict: Verdict) -> None:
    assert command(ended, *words) == verdict


def test_a_command_that_is_not_done_in_time_has_failed_with_what_it_started(ended: Ended) -> None:
    verdict = command(ended, "sh", "-c", "echo begun; exec cat /dev/zero > /dev/null", timeout_s=0.2)

    assert verdict == Verdict("check failed", "not done after 0.2 s\nbegun")


def test_a_command_is_not_given_secrets(ended: Ended, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-0123456789")

    assert command(ended, "sh", "-c", "echo [$SOME_API_KEY]; exit 1") == Verdict("wrong", "[]")


def test_the_end_of_long_output_is_kept(ended: Ended) -> None:
    verdict = command(ended, "sh", "-c", "yes | head -n 9000; echo last; exit 1")

    assert verdict.detail.startswith("…y\n") or verdict.detail.startswith("…\ny")
    assert verdict.detail.endswith("\nlast")
    assert len(verdict.detail) == 4001


FUNCTION_VERDICTS = [
    ("right", Verdict("correct")),
    ("wrong", Verdict("wrong", "42 is not 43")),
    ("told", Verdict("correct")),
    (
        "odd",
        Verdict("check failed", "checks_of_test:odd gives True, False or a CheckResult, and this is 1"),
    ),
]


@pytest.mark.parametrize(("name", "verdict"), FUNCTION_VERDICTS, ids=[name for name, _ in FUNCTION_VERDICTS])
def test_what_a_function_says(ended: Ended, name: str, verdict: Verdict) -> None:
    assert function(ended, name) == verdict


def test_a_function_that_breaks_says_nothing_of_the_run(ended: Ended) -> None:
    verdict = function(ended, "breaks")

    assert verdict.outcome == "check failed"
    assert verdict.detail.endswith("ValueError: no such row")


def test_a_function_that_hangs_is_left_to_itself(ended: Ended) -> None:
    told = "checks_of_test:hangs is not done after 0.05 s"

    assert function(ended, "hangs", timeout_s=0.05) == Verdict("check failed", told)


def test_without_a_check_nothing_is_said(ended: Ended) -> None:
    assert judge(None, ended) == Verdict("not checked")


def test_a_check_that_could_never_be_made_is_known_before(ended: Ended) -> None:
    study = ended.workspace.parent
    gone = FunctionCheck(reference="checks_of_test:gone", study=study, timeout_s=1)

    assert problem_of(gone) == "checks_of_test has no gone"
    assert problem_of(CommandCheck(words=("{python}", "x.py"), study=study, timeout_s=1)) is None
    assert problem_of(CommandCheck(words=("./run.sh",), study=study, timeout_s=1)) is None
