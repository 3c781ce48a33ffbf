"""The shell that an agent's plan comes to: its directory, its environment, its limits."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from host.app.record_home import FolderMoved, HiddenFolders
from host.app.shell import AgentShell, shell_of
from host.app.workspaces import Workspaces
from host.launch import AgentPlan, FilesPlan, HumanModel, ShellPlan
from tests.host.operations.families.test_shell import real_shell, run_state

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
    shell = real_shell(Path("/"), timeout_s=plan_s, max_runtime_s=run_s)
    end = shell.run(["true"], timeout_s=call_s)

    assert (end.limit_s, end.run_limit_s) == expected


SECRET = "open-sesame"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a record store, with a store and a key."""
    home = tmp_path / "data/g6"
    for name in ("memory/ctx_ace.db", "keys/records.key"):
        (home / name).parent.mkdir(parents=True)
        (home / name).write_text(SECRET)
    (tmp_path / "work").mkdir()
    variables = {"G6_HOME": str(home), "GG_SENSITIVE": "1", "G6_MCP_SENSITIVE": "ctx_ace"}
    monkeypatch.setattr("os.environ", {**NAMED, **variables})
    return home


def test_no_command_is_given_a_variable_of_the_record_store(home: Path, tmp_path: Path) -> None:
    notes: list[str] = []
    names = ("G6_HOME", "GG_SENSITIVE", "G6_MCP_SENSITIVE", "LACKS")
    shell = built(replace(AGENT, shell=replace(PLAN, env=names)), notes=notes)

    assert environment_of(shell) == {**NAMED, "TERM": "dumb"}
    assert notes == [
        "commands of the shell go without `LACKS`, which gg's environment does not have",
        "commands of the shell go without `G6_HOME`, `GG_SENSITIVE` and `G6_MCP_SENSITIVE`,"
        " which no agent is given",
    ]


def shown(shell: AgentShell, text: str) -> str:
    return shell.run(["/bin/sh", "-c", text], timeout_s=None).output


def test_commands_see_neither_the_store_nor_its_key(home: Path, tmp_path: Path) -> None:
    shell = built(replace(AGENT, shell=replace(PLAN, directory=tmp_path / "work")))

    assert SECRET not in shown(shell, f"cat {home}/keys/* {home}/memory/*; grep -r {SECRET[:4]} ..")
    assert (home / "keys/records.key").read_text() == SECRET


def test_those_under_the_default_home_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", {**NAMED, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "x")})
    (tmp_path / "x/g6/keys").mkdir(parents=True)
    (tmp_path / "x/g6/keys/records.key").write_text(SECRET)

    assert shown(built(AGENT), "cat $HOME/x/g6/keys/records.key && echo seen").find("seen") == -1


def test_keys_that_are_kept_elsewhere_are_hidden_as_well(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys/records.key").write_text(SECRET)
    monkeypatch.setenv("G6_KEYS", str(tmp_path / "keys"))

    assert SECRET not in shown(built(AGENT), f"cat {tmp_path}/keys/records.key {home}/keys/records.key")


def test_a_home_that_commands_work_in_hides_what_gg_keeps_there(home: Path) -> None:
    (home / "work").mkdir()
    shell = built(replace(AGENT, shell=replace(PLAN, directory=home / "work")))

    assert shown(shell, "echo a > a; cat a ../keys/* ../memory/* 2>/dev/null") == "a\n"


def test_a_home_that_comes_to_be_later_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.environ", {**NAMED, "G6_HOME": str(tmp_path / "g6")})
    shell = built(AGENT)
    before = shown(shell, f"ls {tmp_path}")
    (tmp_path / "g6/keys").mkdir(parents=True)
    (tmp_path / "g6/keys/records.key").write_text(SECRET)

    assert (before, SECRET in shown(shell, f"cat {tmp_path}/g6/keys/*")) == ("", False)


def test_where_the_home_was_moved_no_command_is_run(home: Path, tmp_path: Path) -> None:
    shell = built(AGENT)
    home.rename(tmp_path / "moved")
    end = shell.run(["/bin/true"], timeout_s=None)

    assert (end.outcome, end.problem) == (
        "not_started",
        "the record store cannot be hidden from it, so that it is not run:"
        f" {home} was moved or removed while gg ran; put it back",
    )


def test_another_folder_in_its_place_is_no_excuse(home: Path, tmp_path: Path) -> None:
    folders = HiddenFolders({"G6_HOME": str(home)}, commands_in=Path("/"))
    home.rename(tmp_path / "moved")
    home.mkdir()

    with pytest.raises(FolderMoved, match=r"g6 was moved or removed while gg ran; put it back$"):
        folders.now()
