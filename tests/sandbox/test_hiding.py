"""Directories that a command cannot see, tried with real commands in both ways of hiding them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from sandbox import CommandEnd, CommandNotStarted, run_command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="directories are hidden on Linux alone")

ENVIRONMENT: Final = {"PATH": "/usr/bin:/bin"}
SECRET: Final = "open-sesame"
NOT_HERE: Final = 77

# What a command could try. None of it may show the secret, or change what is hidden.
ATTEMPTS = [
    pytest.param("cat home/keys/key", id="reads it"),
    pytest.param('cat "../$(basename "$(pwd)")/home/keys/key"', id="reads it by another way"),
    pytest.param("cp -r home seen && cat seen/keys/key", id="copies it"),
    pytest.param("ln home/keys/key seen && cat seen", id="links to it"),
    pytest.param("ln -s home/keys/key seen && cat seen", id="links by name"),
    pytest.param("mv home seen; cat seen/keys/key", id="moves it"),
    pytest.param("mv home/keys/key seen; cat seen", id="moves what is in it"),
    pytest.param("rm -rf home/keys; mkdir -p home/keys; echo mine > home/keys/key", id="puts its own there"),
    pytest.param("echo mine > home/keys/key", id="writes"),
    pytest.param("chmod -R 777 home; cat home/keys/key", id="changes its rights"),
    pytest.param("umount home; cat home/keys/key", id="takes a mount away"),
    pytest.param("unshare -rm sh -c 'umount home; cat home/keys/key'", id="in a namespace of its own"),
    pytest.param("nsenter -t $PPID -m cat home/keys/key", id="in that of the process before it"),
    pytest.param('for p in /proc/[0-9]*; do cat "$p/root$(pwd)/home/keys/key"; done', id="through others"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A directory in which `home` is to be hidden."""
    keys = tmp_path / "home/keys"
    keys.mkdir(parents=True)
    (keys / "key").write_text(SECRET)
    (tmp_path / "beside").mkdir()
    return tmp_path


def sh(text: str, folder: Path, *hidden: Path) -> CommandEnd:
    argv = ["/bin/sh", "-c", text]
    return run_command(argv, cwd=folder, env=ENVIRONMENT, timeout_s=60, keep_bytes=16_384, hidden=hidden)


def hidden_by(way: str, text: str, folder: Path) -> str:
    """What a command shows that has hidden `home` from itself in one of the two ways."""
    script = (
        "import os, sys\n"
        f"from sandbox.hiding import {way}\n"
        "try:\n"
        f"    {way}([sys.argv[1]])\n"
        "except OSError:\n"
        f"    sys.exit({NOT_HERE})\n"
        "os.chdir(os.path.dirname(sys.argv[1]))\n"
        "os.execv('/bin/sh', ['sh', '-c', sys.argv[2]])\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, folder / "home", text],
        cwd=Path(__file__).parents[2],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if ran.returncode == NOT_HERE:
        pytest.skip(f"this system does not allow {way}")
    return ran.stdout + ran.stderr


def test_what_is_not_hidden_is_seen(folder: Path) -> None:
    assert sh("cat home/keys/key", folder).output == SECRET


@pytest.mark.parametrize("text", ATTEMPTS)
def test_a_command_does_not_see_it(folder: Path, text: str) -> None:
    end = sh(text, folder, folder / "home")

    assert SECRET not in end.output
    assert (folder / "home/keys/key").read_text() == SECRET


@pytest.mark.slow
@pytest.mark.parametrize("way", ["hide_by_mounts", "hide_by_rules"])
@pytest.mark.parametrize("text", ATTEMPTS)
def test_neither_way_lets_it_be_seen(folder: Path, way: str, text: str) -> None:
    assert SECRET not in hidden_by(way, text, folder)
    assert (folder / "home/keys/key").read_text() == SECRET


@pytest.mark.parametrize("way", ["hide_by_mounts", "hide_by_rules"])
def test_all_else_can_be_read_and_written(folder: Path, way: str) -> None:
    told = hidden_by(way, "echo a > beside/a && mv beside/a beside/b && cat beside/b && id -u", folder)

    assert told == f"a\n{os.geteuid()}\n"


MADE = ["echo a > new", "mkdir new", "mv beside new", "rm file", "echo a > file && cat file"]


@pytest.mark.parametrize("text", MADE)
def test_by_rules_the_folders_that_lead_to_it_stay_as_they_are(folder: Path, text: str) -> None:
    (folder / "file").write_text("")
    told = hidden_by("hide_by_rules", f"exec 2>&1; {text} && echo done; ls", folder)

    assert ("done" in told) == (text == MADE[-1])
    assert told.split()[-3:] == ["beside", "file", "home"]


def test_several_are_hidden_by_whatever_path(folder: Path) -> None:
    (folder / "more").mkdir()
    (folder / "more/key").write_text(SECRET)
    (folder / "link").symlink_to(folder / "more")
    end = sh("cat home/keys/key more/key link/key; ls", folder, folder / "home", folder / "link")

    assert (SECRET in end.output, end.exit_code) == (False, 0)


def test_without_a_directory_to_hide_nothing_is_run(folder: Path) -> None:
    with pytest.raises(CommandNotStarted) as caught:
        sh("echo ran > beside/a", folder, folder / "none")

    assert (caught.value.step, caught.value.reason) == ("hide", "No such file or directory")
    assert list((folder / "beside").iterdir()) == []
