"""The reference servers of the registries, installed once for a run of the tests."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

ENVIRON: Final = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
NPM_SERVERS: Final = (
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@modelcontextprotocol/server-everything@2026.8.31",
)
GIT_SERVER: Final = ("mcp-server-git==2026.10.19",)
SQLITE_SERVER: Final = ("mcp-server-sqlite==2025.4.25", "mcp<2")  # it was written for that
_INSTALL_S: Final = 240


def npm_servers(factory: pytest.TempPathFactory) -> Path:
    """The folder of their commands. Skips where there is no npm."""
    npm = shutil.which("npm") if shutil.which("node") else None
    if npm is None:
        pytest.skip("npm, which installs these servers, is not on PATH")
    arguments = ("install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")

    def install(folder: Path) -> None:
        _run([npm, *arguments, *NPM_SERVERS], folder)

    return _once(factory, "npm", install) / "node_modules" / ".bin"


def pypi_server(factory: pytest.TempPathFactory, requirements: tuple[str, ...]) -> Path:
    """The folder of its commands, in an environment of its own: each is held to another library."""

    def install(folder: Path) -> None:
        _run([sys.executable, "-m", "venv", "--without-pip", "."], folder)
        pip = [sys.executable, "-m", "pip", "--python", "bin/python", "install"]
        _run([*pip, "--quiet", "--disable-pip-version-check", *requirements], folder)

    return _once(factory, requirements[0].partition("=")[0], install) / "bin"


def _once(factory: pytest.TempPathFactory, name: str, install: Callable[[Path], None]) -> Path:
    """Installs into a folder that all processes of the run share; whoever comes first does."""
    base = factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    folder = shared / f"installed-{name}"
    with (shared / f"installed-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "done"
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            install(folder)
            done.touch()
    return folder


def _run(argv: list[str], folder: Path) -> None:
    subprocess.run(argv, cwd=folder, check=True, timeout=_INSTALL_S, stdin=subprocess.DEVNULL)
