"""A wheel that is built and installed where there is no Node.js runs the quickstart."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = [
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "host",
    "sandbox",
    "runtime_js",
    "fixtures",
]
TEMPLATES = "host/turn/prompt/templates"
NOT_COPIED = shutil.ignore_patterns("node_modules", "__pycache__")
BUILD_SDIST = "import sys; from hatchling.build import build_sdist; build_sdist(sys.argv[1])"

UNDER_THE_OTHER_NAME = (
    "from g6.context import scrub\n"
    "from g6.memory.ctx_ace import Store\n"
    "store = Store('memory.db')\n"
    "store.put(text='It is kept.', written_by='user')\n"
    "print(scrub(store.search('kept').current[0].record.text))\n"
)


@pytest.mark.slow
def test_a_wheel_made_without_node_runs_the_quickstart_without_node(tmp_path: Path) -> None:
    environment = without_node(tmp_path)
    wheel = build(copy_of_the_sources(tmp_path), tmp_path, environment)
    python = install(wheel, tmp_path, environment)
    gg = python.with_name("gg")

    report = json.loads(run([gg, "doctor", "--json"], tmp_path, environment))
    result = json.loads(run([gg, "run", "fixtures/quickstart", "--json"], tmp_path, environment))
    found = run([python, "-c", UNDER_THE_OTHER_NAME], tmp_path, environment)

    assert found == "It is kept.\n"
    assert templates_in(wheel) == {
        path.relative_to(ROOT).as_posix() for path in (ROOT / TEMPLATES).rglob("*.j2")
    }
    assert report["ok"] is True
    assert (result["status"], result["exitCode"]) == ("completed", 0)


def copy_of_the_sources(tmp_path: Path) -> Path:
    """Without the installed compilers, so that the build has to fetch them."""
    copy = tmp_path / "sources"
    copy.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=NOT_COPIED)
        else:
            shutil.copy(ROOT / name, copy / name)
    return copy


def without_node(tmp_path: Path) -> Mapping[str, str]:
    """This environment with nothing on PATH."""
    empty = tmp_path / "empty"
    empty.mkdir()
    return {**os.environ, "PATH": str(empty), "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_QUIET": "1"}


def build(sources: Path, tmp_path: Path, environment: Mapping[str, str]) -> Path:
    """The wheel, by way of the source distribution: what that leaves out is not in the wheel either."""
    run([sys.executable, "-c", BUILD_SDIST, tmp_path / "sdist"], sources, environment)
    [sdist] = (tmp_path / "sdist").iterdir()
    pip_wheel = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", tmp_path / "dist", sdist]
    run(pip_wheel, tmp_path, environment)
    [wheel] = (tmp_path / "dist").iterdir()
    return wheel


def templates_in(wheel: Path) -> set[str]:
    """The templates of prompts that the wheel holds: no run needs all of them."""
    with ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if name.startswith(f"{TEMPLATES}/")}


def install(wheel: Path, tmp_path: Path, environment: Mapping[str, str]) -> Path:
    """Installs `wheel` into a fresh virtual environment and returns that one's Python."""
    run([sys.executable, "-m", "venv", tmp_path / "venv"], tmp_path, environment)
    python = tmp_path / "venv" / "bin" / "python"
    run([python, "-m", "pip", "install", wheel], tmp_path, environment)
    return python


def run(command: list[str | Path], folder: Path, environment: Mapping[str, str]) -> str:
    """What `command` prints. Fails with all it printed when it ends with another exit status than 0."""
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout
