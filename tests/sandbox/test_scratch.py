"""Temporary folders in a place that everybody writes to."""

import os
import stat
import tempfile
from pathlib import Path
from typing import Final

import pytest

from sandbox import scratch

NOBODYS_PID: Final = 9_999_999  # above what Linux gives


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory in place of `/tmp`, that no process has made a folder in yet."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch._begin.cache_clear()
    return tmp_path


def left_behind(shared: Path, name: str = "x") -> Path:
    folder = shared / f"gg-{NOBODYS_PID}-{name}"
    folder.mkdir()
    return folder


def test_a_folder_is_for_its_user_alone_whatever_the_mask(shared: Path) -> None:
    before = os.umask(0)
    try:
        made = scratch.make_directory()
    finally:
        os.umask(before)

    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    assert made.name.startswith(f"gg-{os.getpid()}-")
    scratch.remove_directory(made)
    assert list(shared.iterdir()) == []


def test_what_a_killed_process_left_is_removed_where_it_is_empty(shared: Path) -> None:
    left_behind(shared)
    kept = left_behind(shared, "kept")
    (kept / "core").touch()
    target = left_behind(shared, "target").rename(shared / "target")
    (shared / f"gg-{NOBODYS_PID}-link").symlink_to(target)
    alive = shared / f"gg-{os.getppid()}-x"
    alive.mkdir()

    made = scratch.make_directory()

    assert sorted(shared.iterdir()) == sorted([made, kept, target, alive, shared / f"gg-{NOBODYS_PID}-link"])
    scratch.remove_directory(made)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to make a folder of another user")
def test_what_another_user_left_is_none_of_its_business(shared: Path) -> None:
    folder = left_behind(shared)
    os.chown(folder, 12_345, 12_345)

    made = scratch.make_directory()

    assert folder.is_dir()
    scratch.remove_directory(made)
