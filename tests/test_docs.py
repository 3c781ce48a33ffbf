"""Every block of the README and of the docs is run as a reader would run it.

Blocks that name a file are written to it. Of the others, `python` blocks are executed, `ts` and `json` blocks
are checked; `console` blocks run their `$ gg …` lines and expect the lines below them, where `…` stands for
anything left out. Blocks without a language are drawings, or the two commands of the README, which CI runs as
they stand.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from host.app import check_paths
from tests.helpers.markdown import Block, blocks

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LANGUAGES = {"", "console", "json", "python", "toml", "ts", "yaml"}
GG = Path(sys.executable).with_name("gg")
AT_ONCE = {"README.md", "docs/tutorial.md"}  # what a newcomer reads; the other pages take a minute


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def marks(page: Path) -> tuple[pytest.MarkDecorator, ...]:
    return () if name(page) in AT_ONCE else (pytest.mark.slow,)


@pytest.mark.parametrize("page", [pytest.param(page, marks=marks(page), id=name(page)) for page in PAGES])
def test_the_blocks_of_a_page_do_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")

    for block in blocks(page):
        assert block.language in LANGUAGES, f"{page}:{block.line}: no way to run a {block.language} block"
        if block.file:
            _write(tmp_path / block.file, block.text)
        elif block.language == "python":
            exec(compile(block.text, f"{page}:{block.line}", "exec"), {"__name__": "__docs__"})
        elif block.language == "json":
            json.loads(block.text)
        elif block.language == "ts":
            _check_program(tmp_path / "block.ts", block.text)
        elif block.language == "console":
            _run_console(block, tmp_path)


def test_the_tutorial_builds_the_quickstart(tmp_path: Path) -> None:
    for block in blocks(ROOT / "docs" / "tutorial.md"):
        if block.file:
            _write(tmp_path / block.file, block.text)

    built = {p.relative_to(tmp_path / "csv-notes"): p.read_text() for p in _files(tmp_path / "csv-notes")}
    shipped = ROOT / "fixtures" / "quickstart"
    assert built == {p.relative_to(shipped): p.read_text() for p in _files(shipped)}


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _check_program(path: Path, text: str) -> None:
    if "import" not in text:  # a signature of a reference, not a program
        return
    _write(path, text)
    assert [checked.errors for checked in check_paths([path])] == [()]


def _run_console(block: Block, cwd: Path) -> None:
    """Runs each command of the block and compares what it prints, stdout and stderr together."""
    command: str | None = None
    expected: list[str] = []
    for line in [*block.text.splitlines(), "$ "]:
        if not line.startswith("$ "):
            expected.append(line)
            continue
        if command is not None:
            _expect(expected, _output(command, cwd), command)
        command, expected = line[2:], []


def _output(command: str, cwd: Path) -> list[str]:
    program, *arguments = shlex.split(command)
    assert program == "gg", f"only gg is run: {command}"
    done = subprocess.run(
        [GG, *arguments],
        cwd=cwd,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    return [line.rstrip() for line in done.stdout.splitlines()]


def _expect(expected: list[str], actual: list[str], command: str) -> None:
    """The expected lines stand in the output in order; without a `…` between them, one after the other."""
    position, gap = 0, False
    for line in expected:
        if line.strip() == "…":
            gap = True
            continue
        found = actual.index(line.rstrip(), position) if line.rstrip() in actual[position:] else -1
        assert found >= 0, f"{command!r} did not print {line!r}:\n" + "\n".join(actual)
        assert gap or found == position, f"{command!r} printed more before {line!r}:\n" + "\n".join(actual)
        position, gap = found + 1, False
