"""gg on a real model, small and on this machine: the page `local-model.md`, done as it says.

What such a model writes is not known beforehand, so nothing here asks whether it is any good. What is asked:
each run ends as the table of statuses has it, every turn is judged, every mistake is answered in the next
request, and the record has all of it and contradicts itself nowhere.

It takes the extra `local-model`, whose server is compiled for minutes, and minutes to run. So neither a run
of all tests nor `--run-slow` has it:

    pytest -n0 --run-local-model tests/e2e/test_local_model.py
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
import yaml

from host.events import (
    Compaction,
    Defect,
    EventModel,
    ModelReply,
    OperatorLog,
    Prompt,
    SessionSummary,
    StampedEvent,
    TurnOutcome,
    Usage,
    read_events,
)
from tests.helpers.markdown import blocks

pytestmark = pytest.mark.local_model

E = TypeVar("E", bound=EventModel)
PAGE: Final = Path(__file__).parents[2] / "docs" / "local-model.md"
FIXTURES: Final = Path(__file__).parents[2] / "fixtures"
PORT: Final = "8080"  # as the page has it; the tests' server chooses one that is free
READY: Final = re.compile(r"Uvicorn running on http://127\.0\.0\.1:(\d+)")
PATIENCE_S: Final = 3600  # of a busy machine
EXIT_CODES: Final = {
    "completed": 0,
    "exhausted": 3,
    "limit_exceeded": 3,
    "timed_out": 3,
    "compaction_failed": 1,
    "model_error": 1,
}
DROPPED: Final = ("model_length_capped", "model_timeout")  # whole, and the same is asked again

SHORT: Final[dict[str, Any]] = {"maxOutputTokens": 64}
COMPACTS: Final = {"id": "compaction", "implementation": "summary", "params": {"threshold": 0.8}}
RUNS: Final[dict[str, tuple[dict[str, Any], dict[str, Any], int]]] = {
    "one program": ({}, SHORT, 1),
    "programs": ({}, SHORT, 5),
    "odd programs": ({}, {**SHORT, "temperature": 1.5}, 5),
    "programs in a call": ({"codeMode": {"delivery": "tool"}}, SHORT, 3),
    "one call": ({"execution": "tool_calling"}, SHORT, 1),
    "calls": ({"execution": "tool_calling"}, SHORT, 5),
}
"""What an agent and its model are set to, and `maxTurns`."""


@pytest.fixture(scope="module")
def port() -> Iterator[str]:
    """Starts the server with the page's command, on a port that is free, and stops it."""
    command = _command("python -m llama_cpp.server").replace(f"--port {PORT}", "--port 0")
    assert "--port 0" in command
    server = subprocess.Popen(
        ["sh", "-c", command],
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    said: list[str] = []
    listens = threading.Event()
    reader = threading.Thread(target=_read, args=(server, said, listens))
    reader.start()
    try:
        assert listens.wait(PATIENCE_S)
        found = READY.search("".join(said))
        assert found is not None, "".join(said)
        yield found[1]
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        reader.join()


def _read(server: "subprocess.Popen[str]", said: list[str], listens: threading.Event) -> None:
    """Takes all that the server prints, so that it never waits; tells when it listens, or has ended."""
    assert server.stdout is not None
    with server.stdout:
        for line in server.stdout:
            said.append(line)
            if READY.search(line):
                listens.set()
    listens.set()


@pytest.mark.parametrize("case", RUNS)
def test_every_mistake_is_answered_and_recorded(case: str, port: str, tmp_path: Path) -> None:
    agent, model, max_turns = RUNS[case]
    config = _config(tmp_path, port, agent, model, maxTurns=max_turns)

    ran = _gg("run", config, "--out", "record", "--json", cwd=tmp_path)

    summary = _checked(tmp_path / "record", ran)
    events = read_events(tmp_path / "record" / "events.ndjson")
    turns = [each.turn for each in _of(TurnOutcome, events)]
    assert summary.status in ("completed", "exhausted", "limit_exceeded")
    assert turns == list(range(1, len(turns) + 1))
    assert len(turns) <= max_turns
    assert summary.status == "completed" or len(turns) in (max_turns, 6)  # by the page's maxConsecutiveErrors
    _check_usage(events)


def test_a_window_that_fills_is_summarized(port: str, tmp_path: Path) -> None:
    agent = {"capabilities": [COMPACTS]}
    model = {"contextWindow": 1100, "temperature": 1.2}
    config = _config(tmp_path, port, agent, model, maxTurns=12, maxConsecutiveErrors=12)

    ran = _gg("run", config, "--out", "record", "--json", cwd=tmp_path)

    summary = _checked(tmp_path / "record", ran)
    events = read_events(tmp_path / "record" / "events.ndjson")
    asked = [each for each in _of(Prompt, events) if each.purpose == "summary"]
    assert asked, "the window is too large for the test"
    assert bool(_of(Compaction, events)) or summary.status == "compaction_failed"


def test_a_prompt_that_the_server_has_no_room_for_ends_the_run(port: str, tmp_path: Path) -> None:
    config = _config(tmp_path, port, {}, {**SHORT, "maxRetries": 1}, maxTurns=3, task="word " * 10_000)

    ran = _gg("run", config, "--out", "record", "--json", cwd=tmp_path)

    summary = _checked(tmp_path / "record", ran)
    assert (summary.status, summary.exit_code) == ("model_error", 1)
    assert summary.error_type in ("model_retry_exhausted", "model_rejected")
    assert "model_error: openai:smollm2-135m: " in ran.stderr


def test_the_page_does_what_it_says(port: str, tmp_path: Path) -> None:
    _write_files(tmp_path, port)
    (tmp_path / "fixtures").symlink_to(FIXTURES)

    for command in _commands("gg "):
        ran = _gg(*shlex.split(command)[1:], cwd=tmp_path)
        assert ran.returncode in ((0, 3) if " run " in command else (0,)), ran.stderr
        assert "Traceback" not in ran.stderr

    records = [path.parent for path in tmp_path.rglob("events.ndjson")]
    assert len(records) == 1 + 2 + 4
    for record in records:
        _check_record(record)


def _checked(record: Path, ran: "subprocess.CompletedProcess[str]") -> SessionSummary:
    """What holds of every run, however it ended. Gives how it did."""
    assert "Traceback" not in ran.stderr
    summary = _check_record(record)
    assert (ran.returncode, json.loads(ran.stdout)["status"]) == (summary.exit_code, summary.status)
    assert EXIT_CODES[summary.status] == ran.returncode
    return summary


def _check_record(record: Path) -> SessionSummary:
    verified = _gg("show", record, "--verify", cwd=record.parent)
    assert verified.returncode == 0, verified.stdout
    events = read_events(record / "events.ndjson")
    (summary,) = _of(SessionSummary, events)
    assert (_of(Defect, events), summary.status == "internal_error") == ([], False)
    for agent in {stamped.agent_id for stamped in events if isinstance(stamped.event, TurnOutcome)}:
        _check_answers([stamped for stamped in events if stamped.agent_id == agent])
    return summary


def _check_answers(events: Sequence[StampedEvent]) -> None:
    """The error of each turn stands in the next request; of a reply that was dropped nothing does."""
    for place, stamped in enumerate(events):
        outcome = stamped.event
        if not isinstance(outcome, TurnOutcome) or outcome.outcome != "error":
            continue
        assert outcome.error_type
        assert outcome.error
        after = [each for each in _of(Prompt, events[place:]) if each.purpose == "turn"]
        if not after:
            assert len(_of(TurnOutcome, events[place:])) == 1, "only a last turn is answered by nobody"
            continue
        assert after[0].turn == outcome.turn + 1
        if outcome.error_type in DROPPED:
            assert [each.text for each in after[0].new_messages if each.role == "assistant"] == []
        else:
            assert any(outcome.error in each.text for each in after[0].new_messages), outcome


def _check_usage(events: Sequence[StampedEvent]) -> None:
    """Each request has its tokens, or it is said that the server tells none."""
    replies, usages = _of(ModelReply, events), _of(Usage, events)
    assert [(each.turn, each.purpose) for each in usages] == [(each.turn, each.purpose) for each in replies]
    logs = [each.text for each in _of(OperatorLog, events) if "does not tell tokens" in each.text]
    assert len(logs) == 1 or all(each.input_tokens and each.output_tokens for each in usages)


def _of(kind: type[E], events: Sequence[StampedEvent]) -> list[E]:
    return [stamped.event for stamped in events if isinstance(stamped.event, kind)]


def _config(
    folder: Path,
    port: str,
    agent: Mapping[str, Any],
    model: Mapping[str, Any],
    *,
    task: str = "",
    **limits: int,
) -> Path:
    """The page's configuration with these changes."""
    _write_files(folder, port)
    document = yaml.safe_load((folder / "local" / "run.yaml").read_text(encoding="utf-8"))
    document["task"] = task or document["task"]
    document["model"] |= model
    document["limits"] |= limits
    document["agents"] = [{**document["agents"][0], **agent}]
    path = folder / "local" / "changed.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def _write_files(folder: Path, port: str) -> None:
    for block in blocks(PAGE):
        if block.file:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text.replace(f":{PORT}/", f":{port}/"), encoding="utf-8")


def _commands(begin: str) -> list[str]:
    """The commands of the page that begin so, a line that ends with a backslash joined with the next."""
    plain = [
        block.text.replace("\\\n", " ") for block in blocks(PAGE) if not block.language and not block.file
    ]
    return [line for text in plain for line in text.splitlines() if line.startswith(begin)]


def _command(begin: str) -> str:
    (command,) = _commands(begin)
    return command


def _gg(*arguments: str | Path, cwd: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [str(Path(sys.executable).with_name("gg")), *map(str, arguments)],
        cwd=cwd,
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def _environment() -> dict[str, str]:
    """`python` is the one that runs the tests, and output is no terminal's."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}
