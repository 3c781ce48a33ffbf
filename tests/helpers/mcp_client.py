"""`gg mcp` as its clients start it: over stdio, over HTTP, and by hand for what no library would send."""

import json
import os
import select
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2
import mcp_types as types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from host.app import SkillSessions
from host.core.masking import Masker

ROOT: Final = Path(__file__).parents[2]
ARGV: Final = (sys.executable, "-c", "from host.cli.main import main; main()", "mcp")
HELLO: Final[dict[str, Any]] = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "hand", "version": "1"},
    },
}
INITIALIZED: Final = {"jsonrpc": "2.0", "method": "notifications/initialized"}
_PATIENCE_S: Final = 60.0


def environ(home: Path, **more: str) -> dict[str, str]:
    """Of a server: nothing of the tests' own but what a program needs."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), "G6_HOME": str(home / "g6"), "NO_COLOR": "1", **more}


@asynccontextmanager
async def over_stdio(
    folder: Path, *arguments: str, mode: str = "auto", variables: Mapping[str, str] | None = None
) -> AsyncIterator[Client]:
    """The official client of a server that it has started in `folder`, whose records are there too."""
    program, *rest = ARGV
    with (folder / "stderr.txt").open("a") as stderr:
        server = StdioServerParameters(
            command=program,
            args=[*rest, "--record", str(folder / "records"), *arguments],
            env=environ(folder, **(variables or {})),
            cwd=folder,
        )
        async with Client(stdio_client(server, errlog=stderr), mode=mode) as client:
            yield client


@dataclass(frozen=True)
class Hand:
    """A server over stdio that is written to and read by hand."""

    process: "subprocess.Popen[bytes]"

    def send(self, *messages: object) -> None:
        assert self.process.stdin is not None
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """The next message."""
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], _PATIENCE_S)
        assert ready, "the server says nothing"
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message

    def call(self, id_: int, tool: str, **arguments: object) -> None:
        params = {"name": tool, "arguments": arguments}
        self.send({"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params})


@contextmanager
def by_hand(folder: Path, *arguments: str, variables: Mapping[str, str] | None = None) -> Iterator[Hand]:
    """Greeted already. It is killed at the end, if it still runs."""
    with (folder / "stderr.txt").open("ab") as stderr:
        process = subprocess.Popen(
            [*ARGV, "--record", str(folder / "records"), *arguments],
            cwd=folder,
            env=environ(folder, **(variables or {})),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
    with process:
        try:
            hand = Hand(process)
            hand.send(HELLO)
            assert hand.read()["result"]["serverInfo"]["name"] == "gg"
            hand.send(INITIALIZED)
            yield hand
        finally:
            process.kill()


@dataclass(frozen=True)
class Web:
    """A server over HTTP: its process, its URL, and what it has printed so far on stderr."""

    process: "subprocess.Popen[str]"
    url: str
    token: str
    printed: tuple[str, ...]

    @property
    def headers(self) -> dict[str, str]:
        """Of a request with JSON."""
        return {
            "Authorization": f"Bearer {self.token}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
        }

    @asynccontextmanager
    async def client(self, *, mode: str = "auto") -> AsyncIterator[Client]:
        """The official client, with the token."""
        headers = {"Authorization": f"Bearer {self.token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=_PATIENCE_S) as http,
            Client(streamable_http_client(self.url, http_client=http), mode=mode) as client,
        ):
            yield client

    def post(self, body: object = HELLO, **headers: str) -> httpx2.Response:
        """One request by hand; underscores in the names of headers stand for dashes."""
        sent = {
            **self.headers,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        with httpx2.Client(timeout=_PATIENCE_S) as http:
            return http.post(self.url, content=content, headers={k: v for k, v in sent.items() if v})


@contextmanager
def over_http(
    folder: Path, *arguments: str, variables: Mapping[str, str] | None = None, token: str = ""
) -> Iterator[Web]:
    """A server on any port that is free. Without a `token` that was given it has made one."""
    process = subprocess.Popen(
        [*ARGV, "--transport", "http", "--port", "0", "--record", str(folder / "records"), *arguments],
        cwd=folder,
        env=environ(folder, **(variables or {})),
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stderr is not None
            printed = [process.stderr.readline().split()]
            if not token:
                printed.append(process.stderr.readline().split())
            url = printed[0][-1]
            assert url.endswith("/mcp"), process.stderr.read()
            yield Web(process, url, token or printed[1][-1], tuple(map(" ".join, printed)))
        finally:
            process.terminate()
            process.communicate(timeout=_PATIENCE_S)


def skills_at(
    folder: Path,
    *,
    listed: str = "",
    scope: str | None = None,
    tell: Callable[[str], None] = lambda told: None,
) -> SkillSessions:
    """The book of a server in a folder, where clients may name files in `books`."""
    return SkillSessions(
        folder / "skillbook.json",
        root=folder / "books",
        scope=scope,
        listed=listed,
        tell=tell,
        mask=Masker({"BILLING_TOKEN": "tulip-quartz-5511"}).mask,
    )


def text_of(result: types.CallToolResult) -> str:
    """The texts of a result, one after another."""
    return "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))
