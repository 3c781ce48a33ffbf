"""The oldest records go, and nothing else does."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.app import Pruned, list_runs, prune, size_of
from host.events import RecordLocked, remove_record
from tests.host.app.runs.records import begun, ended
from tests.host.events.runs import STARTED


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Four records, `0` the oldest."""
    folder = tmp_path / "runs"
    folder.mkdir()
    for day in range(4):
        ended(folder / str(day), day=day)
    return folder


def fates(done: Iterator[Pruned]) -> list[tuple[str, str, str]]:
    return [(pruned.path.name, pruned.fate, pruned.reason) for pruned in done]


def left(runs: Path) -> list[str]:
    return sorted(os.listdir(runs))


KEPT = [(4, 0), (9, 0), (3, 1), (1, 3), (0, 4)]


@pytest.mark.parametrize(("keep", "removed"), KEPT)
def test_the_oldest_go_first(keep: int, removed: int, runs: Path) -> None:
    assert fates(prune(runs, keep=keep)) == [(str(day), "removed", "") for day in range(removed)]
    assert left(runs) == [str(day) for day in range(removed, 4)]


def test_what_is_removed_is_told_with_its_size(runs: Path) -> None:
    size = size_of(runs / "0")

    assert list(prune(runs, keep=3)) == [Pruned(path=runs / "0", fate="removed", bytes=size)]
    assert size > 1000


def test_a_dry_run_removes_nothing(runs: Path) -> None:
    assert fates(prune(runs, keep=2, dry_run=True)) == [("0", "removed", ""), ("1", "removed", "")]
    assert left(runs) == ["0", "1", "2", "3"]


def test_one_that_is_being_written_is_kept(runs: Path) -> None:
    with begun(runs / "live", STARTED, day=-1):
        assert fates(prune(runs, keep=3)) == [("live", "kept", "it is being written"), ("0", "removed", "")]
        assert left(runs) == ["1", "2", "3", "live"]


def test_one_whose_lock_was_taken_meanwhile_is_kept(runs: Path) -> None:
    with begun(runs / "live", STARTED):
        with pytest.raises(RecordLocked):
            remove_record(runs / "live")
        assert (runs / "live/events.ndjson").exists()


def test_a_newer_format_is_kept(runs: Path) -> None:
    (runs / "0/run.json").write_text('{"formatVersion": 2}')
    os.utime(runs / "0", (0, 0))

    assert fates(prune(runs, keep=3)) == [("0", "kept", "format version 2, and this gg reads up to 1")]


def test_a_damaged_record_is_a_record(runs: Path) -> None:
    (runs / "0/events.ndjson").write_text("damage")
    os.utime(runs / "0", (0, 0))

    assert fates(prune(runs, keep=3)) == [("0", "removed", "")]


def test_what_is_no_record_is_left_alone_and_does_not_count(runs: Path, tmp_path: Path) -> None:
    outside = ended(tmp_path / "outside", day=-9)
    (runs / "link").symlink_to(outside)
    (runs / "file").write_text("x")
    (runs / "folder").mkdir()
    (ended(runs / "headless", day=-8) / "run.json").unlink()

    assert fates(prune(runs, keep=4)) == []
    assert fates(prune(runs, keep=0)) == [(str(day), "removed", "") for day in range(4)]
    assert left(runs) == ["file", "folder", "headless", "link"]
    assert (outside / "events.ndjson").exists()


def test_a_link_in_a_record_goes_and_what_it_leads_to_stays(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir(mode=0o500)
    (tmp_path / "outside/file").write_text("x")
    (runs / "0/workspace/root").mkdir(parents=True)
    for place in ("0/link", "0/workspace/link", "0/workspace/root/link"):
        (runs / place).symlink_to(tmp_path / "outside")
    (runs / "0/programs/root/file").symlink_to(tmp_path / "outside/file")

    assert fates(prune(runs, keep=3)) == [("0", "removed", "")]
    assert (tmp_path / "outside/file").read_text() == "x"
    assert (tmp_path / "outside").stat().st_mode & 0o777 == 0o500


def test_a_lock_that_is_a_link_is_not_followed(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious")
    (runs / "0/lock").unlink()
    (runs / "0/lock").symlink_to(tmp_path / "precious")

    with pytest.raises(OSError, match="symbolic link"):
        remove_record(runs / "0")
    assert (tmp_path / "precious").read_text() == "precious"


def test_the_modes_of_a_copy_do_not_keep_a_record_from_going(runs: Path) -> None:
    inner = runs / "0/workspace/root/inner"
    inner.mkdir(parents=True)
    (inner / "file").write_text("x")
    (inner / "file").chmod(0o400)
    inner.chmod(0o500)
    inner.parent.chmod(0)
    (runs / "0").chmod(0o500)

    assert fates(prune(runs, keep=3)) == [("0", "removed", "")]


def test_a_record_that_cannot_be_removed_is_told_and_the_rest_goes_on(runs: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root to mount a file system within a record")
    (runs / "0/workspace").mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "tmpfs", str(runs / "0/workspace")], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        assert fates(prune(runs, keep=2)) == [
            ("0", "failed", "device or resource busy"),
            ("1", "removed", ""),
        ]
        assert [run.kind for run in list_runs(runs)] == ["run", "run", "run"]
    finally:
        subprocess.run(["umount", str(runs / "0/workspace")], check=True)
    assert fates(prune(runs, keep=2)) == [("0", "removed", "")]
