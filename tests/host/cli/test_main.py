"""The `gg` command as a whole."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import click
import pytest

from host.cli.groups import DefaultGroup
from host.cli.main import cli
from tests.host.cli.processes import GG, environment, gg, on_terminal, start_gg


def leaves(group: click.Group, *path: str) -> Iterator[tuple[str, click.Command]]:
    """Every command by its words; a group that is a command itself is the command that it is."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from leaves(command, *path, name)
            if not isinstance(command, DefaultGroup):
                continue
        command = command.default if isinstance(command, DefaultGroup) else command
        yield " ".join((*path, name)), command


COMMANDS = dict(leaves(cli))
# A script for a shell, a person's own typing, and what a server is sent are no data.
WITHOUT_DATA = {"completion", "mcp", "repl"}


def test_the_version_is_that_of_the_installation(tmp_path: Path) -> None:
    ran = gg("--version", cwd=tmp_path)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"gg, version {version('gg')}\n", "")


@pytest.mark.parametrize("module", ["host", "host.cli.main"])
def test_as_a_module_it_is_the_same_command(tmp_path: Path, module: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", module, "--version"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"gg, version {version('gg')}\n", "")


def test_a_server_at_a_terminal_says_what_it_waits_for(tmp_path: Path) -> None:
    code, shown = on_terminal("mcp", cwd=tmp_path, steps=[("waits for a client of MCP on stdin", "\x03")])

    assert code in {0, 130}  # by whether it had begun to serve
    assert "Traceback" not in shown


def test_gg_alone_shows_what_there_is(tmp_path: Path) -> None:
    alone, asked = gg(cwd=tmp_path), gg("--help", cwd=tmp_path)

    assert (alone.returncode, alone.stdout, alone.stderr) == (2, "", asked.stdout)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_and_can_be_quiet(name: str) -> None:
    command = COMMANDS[name]
    options = {option for parameter in command.params for option in parameter.opts}

    assert command.help
    assert command.short_help
    assert command.get_short_help_str() == command.short_help
    assert {"--quiet", *([] if name in WITHOUT_DATA else ["--json"])} <= options
    assert command.epilog is not None
    assert command.epilog.startswith("\b\n")
    assert f"  gg {name}" in command.epilog or f"(gg {name} " in command.epilog
    assert all(p.help for p in command.params if isinstance(p, click.Option))


@pytest.mark.slow
def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    with start_gg(["doctor"], cwd=tmp_path) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, stderr = process.communicate(timeout=120)

    assert (process.returncode, stderr) == (141, "")


@pytest.mark.slow
def test_a_stream_of_another_encoding_is_no_reason_to_fail(tmp_path: Path) -> None:
    (tmp_path / "│.ts").write_text("const = 5;\n")
    variables = {**environment(), "PYTHONIOENCODING": "latin-1"}

    ran = subprocess.run(
        [str(GG), "check", "│.ts"], cwd=tmp_path, env=variables, capture_output=True, timeout=60, check=False
    )

    assert (ran.returncode, ran.stdout.split(b":")[0]) == (1, b"\\u2502.ts")


def test_no_escape_reaches_a_pipe_or_a_terminal_without_colour(tmp_path: Path) -> None:
    variables = {**environment(), "FORCE_COLOR": "1", "NO_COLOR": "1"}

    ran = subprocess.run(
        [str(GG), "run", "nowhere"], cwd=tmp_path, env=variables, capture_output=True, timeout=60, check=False
    )

    assert b"\x1b" not in ran.stdout + ran.stderr
    assert os.linesep.encode() in ran.stderr


@pytest.mark.slow
def test_progress_that_cannot_be_written_fails_no_run(tmp_path: Path) -> None:
    finish = 'import { session } from "gg";\nsession.finish("Done.");\n'
    document = {
        "task": "t",
        "model": {"provider": "scripted", "replies": [finish]},
        "agents": [{"id": "root"}],
    }
    (tmp_path / "run.json").write_text(json.dumps(document))

    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [str(GG), "run", "."],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=full,
            timeout=60,
            check=False,
        )

    assert (ran.returncode, ran.stdout) == (0, b"Done.\n")


@pytest.mark.slow
def test_data_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [str(GG), "doctor", "--json"],
            cwd=tmp_path,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )

    assert (ran.returncode, ran.stderr) == (1, "gg: stdout cannot be written: no space left on device\n")


def test_a_command_is_imported_when_it_is_called_for() -> None:
    heavy = ("host.app", "host.events", "host.launch", "runtime_js", "prompt_toolkit")
    program = (
        "import sys; import host.cli.main\nprint([name for name in sys.argv[1:] if name in sys.modules])\n"
    )
    command = [sys.executable, "-c", program, *heavy]

    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"
