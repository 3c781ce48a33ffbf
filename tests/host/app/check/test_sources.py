"""Reading what is to be checked: text, or the reason why there is none."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from host.app.check.sources import MAX_READ_BYTES, SourceFault, SourceMissing, SourceReader, SourceTooLong

TEXTS = [
    pytest.param(b"const x = 1;\n", "const x = 1;\n", id="plain"),
    pytest.param(b"\xef\xbb\xbfa\r\nb", "a\r\nb", id="mark"),
    pytest.param(b"", "", id="empty"),
    pytest.param("é😀\u2028".encode(), "é😀\u2028", id="wide"),
]
FAULTS = [
    pytest.param(b"\xff", (1, 1, "byte 1 is no UTF-8; save the file as UTF-8"), id="first byte"),
    pytest.param(
        b"a\r\nb\rc\nd\xc3\xa9\xff", (4, 3, "byte 11 is no UTF-8; save the file as UTF-8"), id="later"
    ),
    pytest.param(
        b"\xef\xbb\xbfa\xff", (1, 2, "byte 5 is no UTF-8; save the file as UTF-8"), id="after a mark"
    ),
]


@pytest.mark.parametrize(("content", "text"), TEXTS)
def test_a_file_is_read_without_its_mark(tmp_path: Path, content: bytes, text: str) -> None:
    (tmp_path / "a.ts").write_bytes(content)

    assert SourceReader().text(tmp_path / "a.ts") == text


@pytest.mark.parametrize(("content", "told"), FAULTS)
def test_what_is_no_utf8_is_located(tmp_path: Path, content: bytes, told: tuple[int, int, str]) -> None:
    (tmp_path / "a.ts").write_bytes(content)

    with pytest.raises(SourceFault) as raised:
        SourceReader().text(tmp_path / "a.ts")

    assert (raised.value.line, raised.value.column, str(raised.value)) == told


def test_a_file_is_read_once(tmp_path: Path) -> None:
    reader = SourceReader()
    (tmp_path / "a.ts").write_text("before")
    texts = [reader.text(tmp_path / "a.ts")]
    (tmp_path / "a.ts").write_text("after")
    for _ in range(2):
        with pytest.raises(SourceMissing, match=r"^nothing of that name is there any more$"):
            reader.text(tmp_path / "b.ts")
        (tmp_path / "b.ts").write_text("late")

    assert [*texts, reader.text(tmp_path / "a.ts")] == ["before", "before"]


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def make_lost_link(path: Path) -> None:
    path.symlink_to("gone.ts")


def make_loop(path: Path) -> None:
    path.symlink_to(path.name)


NO_FILES = [
    pytest.param(make_pipe, "it is a pipe; save what is to be checked as a file", id="pipe"),
    pytest.param(make_socket, "it is a socket; save what is to be checked as a file", id="socket"),
    pytest.param(Path.mkdir, "it is a folder; save what is to be checked as a file", id="folder"),
    pytest.param(make_lost_link, "it is a link to nothing (gone.ts); make it lead to a file", id="lost link"),
    pytest.param(make_loop, "it is a link that leads back to itself; make it lead to a file", id="loop"),
]


@pytest.mark.parametrize(("make", "reason"), NO_FILES)
def test_what_is_no_file_is_told_by_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    make(Path("a.ts"))

    with pytest.raises(SourceFault) as raised:
        SourceReader().text(Path("a.ts"))

    assert str(raised.value) == reason


def test_a_device_is_not_read() -> None:
    with pytest.raises(SourceFault, match=r"^it is a device; save what is to be checked as a file$"):
        SourceReader().text(Path("/dev/zero"))


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text("")
    (tmp_path / "a.ts").chmod(0)

    with pytest.raises(SourceFault, match=r"^permission denied; make it readable$"):
        SourceReader().text(tmp_path / "a.ts")


def test_what_is_below_a_file_is_missing(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text("")

    with pytest.raises(SourceMissing):
        SourceReader().text(tmp_path / "a.ts" / "b.ts")


def test_what_is_huge_is_not_held(tmp_path: Path) -> None:
    with open(tmp_path / "a.ts", "wb") as file:
        file.truncate(MAX_READ_BYTES + 1)  # without a block on the disk

    with pytest.raises(SourceTooLong, match=r"^Program: 8,388,609 bytes, limit 1,048,576\.$"):
        SourceReader().text(tmp_path / "a.ts")
