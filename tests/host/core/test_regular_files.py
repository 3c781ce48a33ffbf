"""Files that others put there are read, and nothing else is waited for or read."""

import os
import socket
from pathlib import Path

import pytest

from host.core.regular_files import open_regular


def test_a_file_and_a_link_to_one_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text\n")
    (tmp_path / "link").symlink_to("file")

    for name in ("file", "link"):
        with open_regular(tmp_path / name) as file:
            assert file.read() == b"text\n"


def test_nothing_else_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to("/dev/zero")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        reasons = {path.name: reason(path) for path in (*tmp_path.iterdir(), tmp_path / "absent")}

    assert reasons == {
        "pipe": "not a regular file",
        "device": "not a regular file",
        "folder": "Is a directory",
        "loop": "Too many levels of symbolic links",
        "socket": "No such device or address",
        "absent": "No such file or directory",
    }


def reason(path: Path) -> str | None:
    with pytest.raises(OSError) as exc_info:  # noqa: PT011  (its reason is compared)
        open_regular(path)
    return exc_info.value.strerror


def test_no_descriptor_is_left(tmp_path: Path) -> None:
    before = os.listdir("/proc/self/fd")
    for _ in range(3):
        reason(tmp_path)

    assert os.listdir("/proc/self/fd") == before
