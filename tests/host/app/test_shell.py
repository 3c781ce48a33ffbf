"""The shell that an agent's plan comes to: its directory, its environment, its limits."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from host.app.shell import AgentShell, shell_of
from host.app.workspaces import Workspaces
from host.launch import AgentPlan, FilesPlan, HumanModel, ShellPlan
from tests.host.operations.families.test_shell import run_state

PLAN = ShellPlan(directory=Path("/"), timeout_s=120.0, env=(), approval="allow")
AGENT = AgentPlan(id="root", model=HumanModel(), shell=PLAN)
NAMED = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/home/gg",
    "LANG": "C.UTF-8",
    "LC_ALL": "C",
    "LC_TIME": "C",
    "TZ": "UTC",
    "TMPDIR": "/tmp",
}
HIDDEN = {"API_KEY": "sesame-sesame", "USER": "gg", "SHELL": "/bin/bash", "TERM": "xterm", "GG_X": "y"}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but what stands above."""
    monkeypatch.setattr("os.environ", {**NAMED, **HIDDEN})


def built(plan: AgentPlan, record: Path = Path("/nowhere"), notes: list[str] | None = None) -> AgentShell:
    told: list[str] = [] if notes is None else notes
    shell = shell_of(plan, run_state(), Workspaces(record), agent_id="root", note=told.append)
    assert shell is not None
    return shell


def environment_of(shell: AgentShell) -> dict[str, str]:
    lines = shell.run(["/usr/bin/env"], timeout_s=None).output.splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_an_agent_without_the_capability_has_none() -> None:
    plan = replace(AGENT, shell=None)

    assert shell_of(plan, run_state(), Workspaces(Path("/")), agent_id="root", note=print) is None


def test_commands_have_what_any_program_needs_and_no_more() -> None:
    notes: list[str] = []

    assert environment_of(built(AGENT, notes=notes)) == {**NAMED, "TERM": "dumb"}
    assert notes == []


def test_they_have_what_is_named_as_well() -> None:
    notes: list[str] = []
    plan = replace(AGENT, shell=replace(PLAN, env=("API_KEY", "TERM", "LACKS", "A=B")))

    assert environment_of(built(plan, notes=notes)) == {**NAMED, "API_KEY": "sesame-sesame", "TERM": "xterm"}
    assert notes == [
        "commands of the shell go without `LACKS` and `A=B`, which gg's environment does not have"
    ]


def test_without_a_path_programs_are_found_in_the_usual_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", {})
    end = built(AGENT).run(["env"], timeout_s=None)

    assert (end.outcome, sorted(end.output.splitlines())) == ("exited", ["PATH=/bin:/usr/bin", "TERM=dumb"])


def files(tmp_path: Path, **more: Any) -> AgentPlan:  # noqa: ANN401  (of `FilesPlan`)
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.txt").write_text("a")
    return replace(AGENT, files=FilesPlan(directory=source, **more), shell=replace(PLAN, directory=None))


def test_they_run_where_the_files_are(tmp_path: Path) -> None:
    shell = built(files(tmp_path))

    assert shell.directory == tmp_path / "source"
    assert shell.run(["cat", "a.txt"], timeout_s=None).output == "a"


def test_they_share_the_copy_that_the_files_are_worked_on_in(tmp_path: Path) -> None:
    plan, workspaces = files(tmp_path, copy=True, write=True), Workspaces(tmp_path / "record")
    (tmp_path / "record").mkdir()
    assert plan.files is not None
    workspace = workspaces.open(plan.files, agent_id="root")
    shell = shell_of(plan, run_state(), workspaces, agent_id="root", note=print)
    assert shell is not None
    workspace.write_text("b.txt", "b")

    assert shell.directory == tmp_path / "record" / "workspace" / "root"
    assert shell.run(["/bin/sh", "-c", "cat b.txt; echo c > c.txt"], timeout_s=None).output == "b"
    assert workspace.read_text("c.txt").contents == "c\n"
    assert [path.name for path in (tmp_path / "source").iterdir()] == ["a.txt"]


def test_a_directory_of_its_own_goes_before(tmp_path: Path) -> None:
    plan = replace(files(tmp_path, copy=True), shell=replace(PLAN, directory=tmp_path))

    assert built(plan).directory == tmp_path


LIMITS = [
    pytest.param(120.0, None, None, (120.0, None), id="the plan's"),
    pytest.param(120.0, 5.0, None, (5.0, None), id="the call's"),
    pytest.param(120.0, 500.0, None, (120.0, None), id="a call's over the plan's"),
    pytest.param(120.0, None, 60.0, (60.0, 60.0), id="the run's"),
    pytest.param(120.0, 5.0, 60.0, (5.0, None), id="the call's under the run's"),
]


@pytest.mark.parametrize(("plan_s", "call_s", "run_s", "expected"), LIMITS)
def test_the_first_of_the_limits_counts(
    plan_s: float, call_s: float | None, run_s: float | None, expected: tuple[float, float | None]
) -> None:
    run = run_state(max_runtime_s=run_s)
    shell = AgentShell(Path("/"), timeout_s=plan_s, environment={"PATH": "/usr/bin:/bin"}, run=run)
    end = shell.run(["true"], timeout_s=call_s)

    assert (end.limit_s, end.run_limit_s) == expected
