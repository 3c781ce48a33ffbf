"""The reference servers that the registries carry, used for what they are for."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from host.core.errors import Refusal
from host.tools.servers import Servers, ServerSpec
from tests.helpers.mcp_servers import call
from tests.helpers.mcp_servers.good import PICTURE
from tests.helpers.mcp_servers.installed import (
    ENVIRON,
    GIT_SERVER,
    SQLITE_SERVER,
    npm_servers,
    pypi_server,
)

pytestmark = pytest.mark.slow


def started(command: Path, *arguments: str, cwd: Path) -> Servers:
    # The machine may be busy with installing the next one.
    spec = ServerSpec(name="real", command=(str(command), *arguments), cwd=cwd, start_timeout_s=120)
    servers = Servers.start([spec], ENVIRON)
    assert servers.unusable == ()
    return servers


def test_filesystem(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (tmp_path / "picture.png").write_bytes(PICTURE)
    numbers = "\n".join(map(str, range(100_000)))
    (tmp_path / "numbers.txt").write_text(numbers)
    command = npm_servers(tmp_path_factory) / "mcp-server-filesystem"

    with started(command, str(tmp_path), cwd=tmp_path) as servers:
        call(servers, "write_file", path=str(tmp_path / "a.txt"), content="ä 😀\n")
        edits = [{"oldText": "ä", "newText": "ö"}]
        call(servers, "edit_file", path=str(tmp_path / "a.txt"), edits=edits)
        assert (tmp_path / "a.txt").read_text() == "ö 😀\n"

        whole = call(servers, "read_text_file", path=str(tmp_path / "numbers.txt"))
        assert whole.value == {"content": numbers}
        last = call(servers, "read_text_file", path=str(tmp_path / "numbers.txt"), tail=2)
        assert last.value == {"content": "99998\n99999"}

        (shown,) = call(servers, "read_media_file", path=str(tmp_path / "picture.png")).attachments
        assert (shown.media_type, shown.data) == ("image/png", PICTURE)

        with pytest.raises(Refusal) as caught:
            call(servers, "read_text_file", path="/etc/passwd")
        assert caught.value.code == "io-error"
        assert caught.value.message.startswith(
            "Access denied - path outside allowed directories: /etc/passwd"
        )
        with pytest.raises(
            Refusal, match=r"^real\.read_text_file does not know `paht`\. Did you mean path\?$"
        ):
            call(servers, "read_text_file", paht="a")


def test_memory(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    command = npm_servers(tmp_path_factory) / "mcp-server-memory"
    entities = [{"name": "gg", "entityType": "program", "observations": ["runs agents"]}]
    spec = ServerSpec(name="real", command=(str(command),), env=("MEMORY_FILE_PATH",), start_timeout_s=120)
    environ = {**ENVIRON, "MEMORY_FILE_PATH": str(tmp_path / "graph.jsonl")}

    with Servers.start([spec], environ) as servers:
        assert call(servers, "create_entities", entities=entities).value == {"entities": entities}
        assert call(servers, "search_nodes", query="agents").value == {"entities": entities, "relations": []}
        with pytest.raises(
            Refusal, match=r"^real\.create_entities needs entities\[0\]\.entityType, and it is missing"
        ):
            call(servers, "create_entities", entities=[{"name": "x", "observations": []}])

    with Servers.start([spec], environ) as servers:
        assert call(servers, "read_graph").value == {"entities": entities, "relations": []}


def test_everything(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    command = npm_servers(tmp_path_factory) / "mcp-server-everything"

    with started(command, cwd=tmp_path) as servers:
        assert call(servers, "echo", message="ä 😀").value == "Echo: ä 😀"
        assert call(servers, "get-sum", a=2, b=3).value == "The sum of 2 and 3 is 5."

        weather = call(servers, "get-structured-content", location="Chicago").value
        assert isinstance(weather, dict)
        assert set(weather) == {"temperature", "conditions", "humidity"}

        image = call(servers, "get-tiny-image")
        (shown,) = image.attachments
        assert (shown.label, shown.media_type) == ("real.get-tiny-image 1", "image/png")
        assert "[picture: real.get-tiny-image 1]" in str(image.value)

        resource = call(servers, "get-resource-reference", resourceType="Text", resourceId=1)
        (attached,) = resource.attachments
        assert attached.media_type == "text/plain"
        assert f"[resource: {attached.label}]" in str(resource.value)

        links = call(servers, "get-resource-links", count=3).attachments
        assert len({link.label for link in links}) == 3

        long = call(servers, "trigger-long-running-operation", duration=1, steps=5).value
        assert long == "Long running operation completed. Duration: 1 seconds, Steps: 5."

        with pytest.raises(Refusal) as caught:
            call(servers, "get-structured-content", location="Paris")
        assert caught.value.code == "invalid-argument"
        assert caught.value.message == (
            "real.get-structured-content: location wants `New York`, `Chicago` or `Los Angeles` and got the"
            " string `Paris`."
        )


def test_git(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    command = pypi_server(tmp_path_factory, GIT_SERVER) / "mcp-server-git"
    repository = tmp_path / "repository"
    repository.mkdir()
    who = ("-c", "user.name=gg", "-c", "user.email=gg@example.com")

    def git(*arguments: str) -> None:
        subprocess.run(["git", *who, *arguments], cwd=repository, check=True, capture_output=True)

    git("init", "--initial-branch=main")
    (repository / "a.txt").write_text("one\n")
    git("add", "a.txt")
    git("commit", "--message=The first")
    (repository / "a.txt").write_text("two\n")

    with started(command, "--repository", str(repository), cwd=tmp_path) as servers:
        here: dict[str, Any] = {"repo_path": str(repository)}
        assert "modified:   a.txt" in str(call(servers, "git_status", **here).value)
        assert "-one\n+two" in str(call(servers, "git_diff_unstaged", **here).value)
        assert "The first" in str(call(servers, "git_log", max_count=1, **here).value)
        call(servers, "git_create_branch", branch_name="other", **here)
        assert "other" in str(call(servers, "git_branch", branch_type="local", **here).value)
        with pytest.raises(Refusal) as caught:
            call(servers, "git_log", max_count="all", **here)
        assert (
            caught.value.message == "real.git_log: max_count wants a whole number and got the string `all`."
        )
        with pytest.raises(Refusal) as caught:
            call(servers, "git_status", repo_path=str(tmp_path))
        assert caught.value.code == "io-error"


def test_sqlite(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    command = pypi_server(tmp_path_factory, SQLITE_SERVER) / "mcp-server-sqlite"

    with started(command, "--db-path", str(tmp_path / "x.db"), cwd=tmp_path) as servers:
        call(servers, "create_table", query="CREATE TABLE runs (id INTEGER PRIMARY KEY, name TEXT)")
        call(servers, "write_query", query="INSERT INTO runs (name) VALUES ('ä'), ('b')")
        assert (
            call(servers, "read_query", query="SELECT * FROM runs").value
            == "[{'id': 1, 'name': 'ä'}, {'id': 2, 'name': 'b'}]"
        )
        assert "runs" in str(call(servers, "list_tables").value)
