"""`gg show --window` over real runs: what it draws is what the record says, and every token is accounted for.

The figures follow the texts of prompts, so the golden files have none of them.
"""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from click.testing import CliRunner

from host.cli.commands.show import show
from host.events import ContextBreakdown, read_events
from runtime_js import Compiler
from tests.helpers.compacting import EXECUTIONS, Arm, Execution, run_compacting
from tests.host.cli.processes import gg

GOLDEN = Path(__file__).parent / "golden"
FIXTURES = Path(__file__).parents[2] / "fixtures"


def shown(path: Path, *options: str) -> str:
    result = CliRunner().invoke(show, [str(path), "--window", *options], catch_exceptions=False)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def outline(text: str) -> str:
    """The text with its figures, bars and runs of spaces made the same, but for the numbers of turns."""
    return "".join(f"{_outlined(row)}\n" for row in text.splitlines())


def _outlined(row: str) -> str:
    if row.startswith("Turn "):
        return row
    figures = re.sub(r"<?\$?\d+(,\d{3})*(\.\d+)?", "#", row)
    return re.sub(r"(?<=\S) +", " ", re.sub(r" *[█▏▎▍▌▋▊▉░]+", "", figures))


def told_by(record: Path) -> list[dict[str, Any]]:
    """The requests as `--json` has them, held against the record's own breakdowns."""
    requests: list[dict[str, Any]] = json.loads(shown(record, "--json"))["requests"]
    breakdowns = [
        each for each in read_events(record / "events.ndjson") if isinstance(each.event, ContextBreakdown)
    ]
    assert len(requests) == len(breakdowns)
    for each in breakdowns:
        event = each.event
        assert isinstance(event, ContextBreakdown)
        [request] = [
            request
            for request in requests
            if (request["agentId"], request["turn"], request["purpose"])
            == (each.agent_id, event.turn, event.purpose)
        ]
        held = {name: use for name, use in request["bands"].items() if use["messages"]}
        assert {name: (use["messages"], use["tokens"]) for name, use in held.items()} == {
            name: (size.messages, size.tokens) for name, size in event.bands.items()
        }
        whole = sum(size.tokens for size in event.bands.values())
        assert sum(request["trust"].values()) == sum(request["authority"].values()) == whole
        assert request["tokens"] == event.tokens
    return requests


def balanced(requests: list[dict[str, Any]]) -> None:
    """What a window holds is what it held, with what came and without what left."""
    held: dict[str, int] = {}
    for request in requests:
        grown = sum(use["new"]["tokens"] - use["gone"]["tokens"] for use in request["bands"].values())
        whole = sum(use["tokens"] for use in request["bands"].values())
        assert whole == held.get(request["agentId"], 0) + grown
        held[request["agentId"]] = whole


@pytest.mark.slow
@pytest.mark.parametrize(("fixture", "options"), [("quickstart", ()), ("team", ("--agent", "lead"))])
def test_a_fixture_is_drawn(
    fixture: str, options: tuple[str, ...], tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    shutil.copytree(FIXTURES / fixture, tmp_path / "run")
    assert gg("run", "run", "--out", "record", cwd=tmp_path).returncode == 0

    drawn = gg("show", "record", "--window", *options, cwd=tmp_path)

    assert (drawn.returncode, drawn.stderr) == (0, "")
    golden(GOLDEN / f"window_{fixture}.txt", outline(drawn.stdout))
    balanced(told_by(tmp_path / "record"))


@pytest.mark.slow
@pytest.mark.parametrize("implementation", ["summary", "memory-compaction"])
@pytest.mark.parametrize("execution", EXECUTIONS)
def test_a_compaction_is_drawn(
    implementation: Literal["summary", "memory-compaction"],
    execution: Execution,
    tmp_path: Path,
    compiler: Compiler,
    golden: Callable[[Path, str], None],
) -> None:
    arm = Arm(execution)
    asked = " The gist.\n" if implementation == "summary" else arm.records("state")
    replies = [arm.records("kept"), arm.reads("one"), arm.reads("two"), asked, arm.finishes]
    ran = run_compacting(tmp_path / "r", arm, implementation, replies, compiler=compiler)

    golden(GOLDEN / f"window_{implementation}_{execution}.txt", outline(shown(ran.result.record)))
    balanced(told_by(ran.result.record))
