"""What the page says of `--json` is what is printed."""

import json
import re
from pathlib import Path

import pytest

from docs.render_json import render_json
from tests.host.app.runs.records import ended
from tests.host.cli.processes import gg

PAGE = Path(__file__).parents[2] / "docs/cli.md"
ROWS = dict(
    re.findall(r"^\| `(gg (?:show|runs)[^`]*)` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
)


def words(command: str) -> set[str]:
    """The keys that the page names for a command."""
    return set(re.findall(r"`(\w+)`", ROWS[command]))


def keys_of(section: str) -> set[str]:
    """The keys of a table that is generated."""
    [table] = re.findall(rf"### {section}\n(.*?)(?:\n\n###|\Z)", render_json(), re.DOTALL)
    return set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ended(tmp_path / ".gg/runs/20261130-aa")
    ended(tmp_path / ".gg/runs/20261129-bb")
    return tmp_path


def printed(folder: Path, *arguments: str) -> dict[str, object]:
    value: dict[str, object] = json.loads(gg(*arguments, "--json", cwd=folder).stdout)
    return value


@pytest.mark.slow
def test_the_keys_of_the_page_are_those_that_are_printed(folder: Path) -> None:
    run = printed(folder, "show", "last")
    assert set(run) == {"record"} | keys_of("run")
    assert isinstance(run["turns"], list)
    assert set(run["turns"][0]) == keys_of("turn")

    at = printed(folder, "show", "last", "--at", "1")
    assert set(at) == words("gg show RECORD --at TURN") - {"prompt"}

    memory = printed(folder, "show", "last", "--memory", "a")
    assert set(memory) == words("gg show RECORD --memory SLUG")
    assert isinstance(memory["stores"], list)
    assert set(memory["stores"][0]) == keys_of("memory of store")

    windows = printed(folder, "show", "last", "--window")
    assert set(windows) == words("gg show RECORD --window")
    assert set(windows) == {"record"} | keys_of("window report")
    assert isinstance(windows["requests"], list)
    assert set(windows["requests"][0]) == keys_of("request window")

    checks = printed(folder, "show", "last", "--verify")
    assert set(checks) == words("gg show RECORD --verify")
    assert isinstance(checks["checks"], list)
    assert set(checks["checks"][0]) == {"ok"} | keys_of("check")

    runs = printed(folder, "runs")
    assert isinstance(runs["runs"], list)
    assert set(runs) | set(runs["runs"][0]) == words("gg runs")

    pruned = printed(folder, "runs", "prune", "--keep", "1")
    assert set(pruned) == words("gg runs prune --keep N") - {"path", "reason"}
