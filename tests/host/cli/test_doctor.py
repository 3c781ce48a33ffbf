"""`gg doctor` on an installation that works, and on one that does not."""

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from host.app import Finding
from host.app.doctor import examine
from host.cli.commands.doctor import finding_line
from host.cli.lines import Line
from tests.host.cli.processes import gg

PARTS = ["gg", "compilers", "engine", "confinement", "limits", "records"]


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


def test_a_part_that_is_missing_stands_out() -> None:
    lines: list[Line] = [finding_line(Finding(part="compilers", ok=False, detail="no esbuild; run: pip"))]

    assert [line.text for line in lines] == ["wrong compilers    no esbuild; run: pip"]
