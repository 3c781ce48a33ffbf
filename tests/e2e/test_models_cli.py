"""`gg run` and its neighbours on a real client: keys from the environment, cost, what is shown meanwhile."""

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from tests.helpers.model_server import Said, fault, model_server
from tests.helpers.runs import FINISH
from tests.host.cli.processes import gg, on_terminal
from tests.host.providers.models.vendors import ANTHROPIC, COMPATIBLE, Vendor

KEY: Final = "plain-looking-value-77"
ENDS: Final = Said(calls=(("c1", "finish", '{"summary": "All done."}'),))


def config(folder: Path, vendor: Vendor, url: str, **changes: Any) -> Path:  # noqa: ANN401  (JSON)
    model = {"provider": vendor.name, "baseUrl": f"{url}{vendor.path}", "apiKeyEnv": "PLAIN"}
    document = {"name": "real", "task": "Do it.", "model": model, "agents": [{"id": "root", **changes}]}
    path = folder / "run.json"
    path.write_text(json.dumps(document))
    return path


@pytest.mark.slow
def test_a_run_is_told_with_its_cost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAIN", KEY)
    with model_server(ANTHROPIC.speaks(replace(ENDS, cached_tokens=40))) as server:
        path = config(tmp_path, ANTHROPIC, server.url(), execution="tool_calling")
        ran = gg("run", path, "--out", "record", "--json", cwd=tmp_path)

    usage = {"inputTokens": 100, "outputTokens": 20, "cachedInputTokens": 40, "cost": 0.000492}
    assert (ran.returncode, json.loads(ran.stdout)["usage"]) == (0, usage)
    assert "completed after 1 turn, " in ran.stderr
    assert ran.stderr.splitlines()[-3].endswith(", $0.0005")
    shown = gg("show", "record", cwd=tmp_path)
    assert ", $0.0005" in shown.stdout


@pytest.mark.slow
def test_a_key_that_a_vendor_repeats_reaches_no_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAIN", KEY)
    answers = [fault(500, f"{KEY} broke us."), fault(401, f"{KEY} is no key.")]
    with model_server(*answers) as server:
        path = config(tmp_path, COMPATIBLE, server.url(), execution="tool_calling")
        ran = gg("run", path, "--out", "record", cwd=tmp_path)

    assert (ran.returncode, ran.stdout) == (1, "")
    assert KEY not in ran.stderr
    assert "auth_error: openai:gpt-4o: HTTP 401: [masked:PLAIN] is no key." in ran.stderr
    assert "HTTP 500: [masked:PLAIN] broke us.; waiting" in ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "validate"])
def test_a_key_that_is_not_there_refuses_the_launch(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLAIN", raising=False)
    path = config(tmp_path, COMPATIBLE, "http://127.0.0.1:1")

    ran = gg(command, path, cwd=tmp_path)

    assert (ran.returncode, ran.stdout) == (1, "")
    assert "model.apiKeyEnv: set the environment variable PLAIN, which is not there or empty" in ran.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["run.json"]


@pytest.mark.slow
def test_a_terminal_shows_that_a_reply_is_arriving(tmp_path: Path) -> None:
    released = threading.Event()
    answer = replace(COMPATIBLE.speaks(Said(text=FINISH)), gate=released)
    with model_server(answer) as server:
        path = config(tmp_path, COMPATIBLE, server.url())
        steps = [("turn 1: a reply is arriving, 54 characters", released.set)]
        code, shown = on_terminal("run", path, "--out", "record", cwd=tmp_path, steps=steps, PLAIN=KEY)

    assert (code, " after 1 turn, " in shown) == (0, True)
