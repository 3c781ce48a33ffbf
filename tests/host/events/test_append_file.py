"""A file that grows by whole lines, on disks that refuse."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.events import RecordUnwritable, StampedEvent, read_events
from host.events.append_file import AppendFile
from tests.host.events import children
from tests.host.events.samples import line, log_at

LINE = b"x" * 999 + b"\n"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    if os.geteuid() != 0:
        pytest.skip("needs root to mount a small file system")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"mounting is not allowed here: {mounted.stderr.strip()}")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def read_only(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)


def test_what_does_not_fit_is_cut_back_to_the_last_whole_line(small_disk: Path) -> None:
    path = small_disk / "lines"
    file = AppendFile(path)
    file.append(LINE * 60)

    with pytest.raises(RecordUnwritable) as exc_info:
        file.append(LINE * 60)
    file.close()

    assert str(exc_info.value) == f"record_unwritable: {path}: No space left on device"
    assert exc_info.value.facts == {"path": str(path), "reason": "No space left on device"}
    assert path.read_bytes() == LINE * 65  # 64 KiB hold no 66th


def test_a_full_disk_ends_the_log_with_whole_events_and_says_so_every_time(small_disk: Path) -> None:
    log = log_at(small_disk / "events.ndjson")
    seen: list[StampedEvent] = []
    log.subscribe(seen.append)
    refusals = []
    for n in range(100):
        try:
            log.emit(line("x" * 2000), agent_id="root")
            log.flush()
        except RecordUnwritable as error:
            refusals.append((n, error.reason))
    log.close()

    fitted = len(list(read_events(log.path)))
    assert 20 < fitted < 40
    assert refusals == [(n, "No space left on device") for n in range(fitted, 100)]
    assert not read_events(log.path).torn
    assert [s.seq for s in seen] == list(range(1, 101))


def test_a_full_disk_that_only_the_last_flush_meets_is_told_by_close(small_disk: Path) -> None:
    log = log_at(small_disk / "events.ndjson")
    log.emit(line("x" * 70_000), agent_id="root")

    with pytest.raises(RecordUnwritable, match="No space left on device"):
        log.close()
    log.close()  # told once

    assert log.path.read_bytes() == b""


def test_a_log_cannot_be_begun_on_a_read_only_disk(small_disk: Path) -> None:
    read_only(small_disk)

    with pytest.raises(RecordUnwritable, match="Read-only file system"):
        log_at(small_disk / "events.ndjson")


def test_a_limit_on_the_size_of_files_is_met_as_a_full_disk_is(tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"

    with children.start("emit_within_file_size", path, 10_000) as child:
        said = child.communicate()[0].splitlines()

    assert said == [f"record_unwritable: {path}: File too large"] * 2 + ["closed"]
    events = list(read_events(path))
    assert [s.seq for s in events] == list(range(1, len(events) + 1))
    assert 9_000 < path.stat().st_size <= 10_000
    assert path.read_bytes().endswith(b"}\n")
