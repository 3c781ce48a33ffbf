"""kill -9 of the host at any moment: the record loads with every turn that had ended, and no process is
left.
"""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from host.events import SessionSummary, TurnOutcome, read_events

GG = Path(sys.executable).with_name("gg")
PROGRAM = 'import { views } from "gg";\nviews.openText("n", String({n}));\n'
TURNS = 60


@pytest.fixture(scope="module")
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("killed")
    document = {
        "task": "Count.",
        "root": "root",
        "limits": {"maxTurns": TURNS},
        "model": {"provider": "scripted", "replies": [PROGRAM.replace("{n}", str(n)) for n in range(TURNS)]},
        "agents": [{"id": "root"}],
    }
    (folder / "run.json").write_text(json.dumps(document))
    return folder


def moments(count: int, seed: int) -> list[float]:
    draw = random.Random(seed)
    return [round(draw.uniform(0.1, 2.0), 3) for _ in range(count)]


@pytest.mark.parametrize(
    "moment_s",
    [*moments(4, seed=1), *(pytest.param(m, marks=pytest.mark.slow) for m in moments(36, seed=2))],
)
def test_a_host_killed_at_a_random_moment(moment_s: float, configuration: Path, tmp_path: Path) -> None:
    record = tmp_path / "record"
    shown = tmp_path / "shown"
    with shown.open("wb") as output:
        host = subprocess.Popen(
            [GG, "run", configuration, "--out", record],
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        host.wait(moment_s)
    except subprocess.TimeoutExpired:
        host.send_signal(signal.SIGKILL)
        host.wait()

    _, alive = psutil.wait_procs(_processes_of_session(host.pid), timeout=5)
    assert alive == []
    if not (record / "events.ndjson").exists():
        return  # killed before the run began
    events = [stamped.event for stamped in read_events(record / "events.ndjson")]
    ended = [event.turn for event in events if isinstance(event, TurnOutcome)]
    assert ended == list(range(1, len(ended) + 1))
    # A turn is shown before the next one begins, and was flushed before that.
    assert len(ended) >= shown.read_text().count("\nTurn ") - 1
    if len(ended) == TURNS:
        assert any(isinstance(event, SessionSummary) for event in events) or host.returncode < 0


def _processes_of_session(leader: int) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) == leader:
                found.append(process)
        except ProcessLookupError:
            continue
    return found
