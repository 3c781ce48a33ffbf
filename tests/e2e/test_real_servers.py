"""The reference servers of the registries in whole runs: from programs and from replies that call tools."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from runtime_js import Compiler
from tests.helpers.mcp_servers.installed import GIT_SERVER, npm_servers, pypi_server
from tests.helpers.runs import FINISH, FINISHES, calls, run_agent

pytestmark = pytest.mark.slow


def server(command: Path, *arguments: str) -> dict[str, Any]:
    # The machine may be busy with installing another one.
    return {"command": [str(command), *arguments], "startSecs": 120}


def tools(**servers: dict[str, Any]) -> dict[str, Any]:
    return {"tools": {"params": {"mcp": servers}}}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    return folder


def test_a_program_uses_three_servers_at_once(
    tmp_path: Path,
    files: Path,
    compiler: Compiler,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MEMORY_FILE_PATH", str(tmp_path / "graph.jsonl"))
    commands = npm_servers(tmp_path_factory)
    (files / "big.txt").write_text("x" * 500_000)
    program = f"""
import {{ everything, fs, memory }} from "gg:tools";
import {{ views }} from "gg";
const folder = {json.dumps(str(files))};
const [sum, weather, big] = await Promise.all([
  everything.getSum({{ a: 2, b: 3 }}),
  everything.getStructuredContent({{ location: "Chicago" }}),
  fs.readTextFile({{ path: `${{folder}}/big.txt` }}),
]);
const content = `${{typeof weather.temperature}} ${{big.content.length}}`;
await fs.writeFile({{ path: `${{folder}}/a.txt`, content }});
const entities = [{{ name: "gg", entityType: "program", observations: [sum] }}];
const made = await memory.createEntities({{ entities }});
await everything.getTinyImage();
views.openText("made", made.entities.map((one) => one.observations.join()).join());
"""

    ran = run_agent(
        tmp_path / "run",
        [program, FINISH],
        compiler=compiler,
        others=tools(
            fs=server(commands / "mcp-server-filesystem", str(files)),
            memory={**server(commands / "mcp-server-memory"), "env": ["MEMORY_FILE_PATH"]},
            everything=server(commands / "mcp-server-everything"),
        ),
    )

    assert ran.result.status == "completed"
    assert (files / "a.txt").read_text() == "number 500000"
    assert "View: made\n----\nThe sum of 2 and 3 is 5." in ran.told(1)
    assert '"gg"' in (tmp_path / "graph.jsonl").read_text()
    assert any("everything.get-tiny-image 1" in view for view in ran.told(1))


def test_a_reply_calls_the_tools_of_a_server(
    tmp_path: Path, files: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    command = pypi_server(tmp_path_factory, GIT_SERVER) / "mcp-server-git"
    who = ("-c", "user.name=gg", "-c", "user.email=gg@example.com")
    for arguments in (("init",), (*who, "commit", "--allow-empty", "--message=The first")):
        subprocess.run(["git", *arguments], cwd=files, check=True, capture_output=True)

    ran = run_agent(
        tmp_path / "run",
        [
            calls(
                ("git__git_log", {"repo_path": str(files), "max_count": 1}),
                ("git__git_log", {"repo_path": str(files), "max_count": "all"}),
                ("git__git_status", {"repo_path": "/nowhere"}),
            ),
            FINISHES,
        ],
        execution="tool_calling",
        others=tools(git=server(command, "--repository", str(files))),
    )

    log, wrong, outside = ran.answers(1)
    assert "The first" in log
    assert wrong == "invalid-argument: git.git_log: max_count wants a whole number and got the string `all`."
    assert outside.startswith("io-error: ")
    assert ran.result.status == "completed"
