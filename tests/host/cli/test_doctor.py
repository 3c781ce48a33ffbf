"""`gg doctor` on an installation that works, and on one that does not."""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from host.app import Finding
from host.app.doctor import examine
from host.app.record_home import init_keys, open_store
from host.cli.commands.doctor import finding_line
from host.cli.lines import Line
from sandbox import CommandEnd, run_command
from tests.host.cli.processes import gg

PARTS = ["gg", "compilers", "engine", "confinement", "limits", "records", "store", "extras"]


def test_an_installation_that_works_is_told_part_by_part(tmp_path: Path) -> None:
    ran = gg("doctor", cwd=tmp_path)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert [row.split()[:2] for row in ran.stdout.splitlines()] == [["ok", part] for part in PARTS]
    assert f"quickjs-ng {version('quickjs-ng')}" in ran.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_json_is_one_object(tmp_path: Path) -> None:
    ran = gg("doctor", "--json", cwd=tmp_path)

    value = json.loads(ran.stdout)
    assert (value["ok"], [part["part"] for part in value["parts"]]) == (True, PARTS)


def test_a_place_where_no_record_can_be_kept_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".gg").touch()
    monkeypatch.chdir(tmp_path)

    finding = {found.part: found for found in examine()}["records"]

    assert not finding.ok
    assert finding.detail == (
        f"{tmp_path}/.gg cannot be written: not a directory;"
        " run gg elsewhere, or give gg run a directory with --out"
    )


HIDDEN = "; hidden from the commands of the shell"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("G6_HOME", str(tmp_path / "g6"))
    return tmp_path / "g6"


def store_finding() -> Finding:
    return {found.part: found for found in examine()}["store"]


@pytest.mark.skipif(sys.platform != "linux", reason="directories are hidden on Linux alone")
def test_where_records_are_kept_and_by_what_is_told(home: Path) -> None:
    path = home / "memory" / "ctx_ace.db"

    before = store_finding()
    assert before == Finding(part="store", ok=True, detail=f"no record yet; they will be in {path}{HIDDEN}")
    assert not home.exists()

    with open_store({"G6_HOME": str(home)}) as store:
        store.put(text="a", written_by="b")
    assert store_finding().detail == f"{path}, by hash, which gg records init changes{HIDDEN}"

    folder, _ = init_keys({"G6_HOME": str(home)})
    assert store_finding().detail == f"{path}, under the key in {folder}{HIDDEN}"


def test_a_store_that_a_run_could_not_use_is_told(home: Path) -> None:
    path = home / "memory" / "ctx_ace.db"
    path.parent.mkdir(parents=True)
    path.write_text("no store" * 1_000, encoding="ascii")

    finding = store_finding()

    assert not finding.ok
    assert finding.detail.startswith(f"{path} cannot be used: ")
    assert path.read_text(encoding="ascii") == "no store" * 1_000


def test_a_store_whose_head_speaks_against_it_is_told(home: Path) -> None:
    environ = {"G6_HOME": str(home)}
    init_keys(environ)
    with open_store(environ) as store:
        store.put(text="a", written_by="b")
    yesterday = store.path.read_bytes()
    with open_store(environ) as store:
        store.put(text="c", written_by="b")
    store.path.write_bytes(yesterday)

    finding = store_finding()

    assert not finding.ok
    assert finding.detail.endswith("; gg records verify says more")


def test_where_it_cannot_be_hidden_the_shell_is_told_of(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails_to_hide(argv: list[str], **more: Any) -> CommandEnd:  # noqa: ANN401
        return run_command(argv, **{**more, "hidden": [home / "absent"]})

    monkeypatch.setattr("host.app.doctor.run_command", fails_to_hide)

    finding = store_finding()

    assert finding.ok
    assert "; it cannot be hidden from the shell, whose commands are not run beside it: " in finding.detail


def test_a_part_that_is_missing_stands_out() -> None:
    lines: list[Line] = [finding_line(Finding(part="compilers", ok=False, detail="no esbuild; run: pip"))]

    assert [line.text for line in lines] == ["wrong compilers    no esbuild; run: pip"]
