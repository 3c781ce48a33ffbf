"""What lies beneath a directory is opened part by part, and no link is followed that is put in the way."""

import errno
import os
from pathlib import Path

import pytest

from host.context.beneath import directory_beneath, open_beneath, parts_beneath


def root_of(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "root"
    (root / "in" / "ner").mkdir(parents=True)
    (root / "in" / "ner" / "a.py").write_text("a")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.py").write_text("secret")
    (tmp_path / "rooted").mkdir()
    (root / "inward").symlink_to("in/ner")
    (root / "outward").symlink_to("../outside")
    (root / "loop").symlink_to("loop")
    return root


WAYS = [
    pytest.param("in/ner/a.py", ("in", "ner", "a.py"), id="plain"),
    pytest.param("./in//ner/../ner/a.py", ("in", "ner", "a.py"), id="detours"),
    pytest.param("inward/a.py", ("in", "ner", "a.py"), id="a link that stays inside"),
    pytest.param("inward/../a.py", ("in", "a.py"), id="up from where a link leads"),
    pytest.param("absent/a.py", ("absent", "a.py"), id="absent"),
    pytest.param(".", (), id="the root"),
    pytest.param("loop", ("loop",), id="a loop"),
    pytest.param("..", None, id="above"),
    pytest.param("../outside/a.py", None, id="beside"),
    pytest.param("../rooted", None, id="a name that begins with the root's"),
    pytest.param("outward/a.py", None, id="a link that leads out"),
    pytest.param("outward/absent", None, id="absent behind a link that leads out"),
    pytest.param("/etc/passwd", None, id="absolute"),
]


@pytest.mark.parametrize(("path", "parts"), WAYS)
def test_where_a_path_leads(tmp_path: Path, path: str, parts: tuple[str, ...] | None) -> None:
    assert parts_beneath(str(root_of(tmp_path)), path) == parts


def test_an_absolute_path_may_lead_inside(tmp_path: Path) -> None:
    root = root_of(tmp_path)

    assert parts_beneath(str(root), str(root / "in")) == ("in",)


def test_the_file_is_opened(tmp_path: Path) -> None:
    descriptor = open_beneath(str(root_of(tmp_path)), ("in", "ner", "a.py"))
    try:
        assert os.read(descriptor, 10) == b"a"
    finally:
        os.close(descriptor)


def test_a_link_that_takes_the_place_of_a_directory_is_not_followed(tmp_path: Path) -> None:
    root = root_of(tmp_path)
    parts = parts_beneath(str(root), "in/ner/a.py")
    assert parts is not None
    (root / "in" / "ner").rename(root / "moved")
    (root / "in" / "ner").symlink_to(tmp_path / "outside")

    with pytest.raises(NotADirectoryError):
        open_beneath(str(root), parts)


def test_a_link_that_takes_the_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    root = root_of(tmp_path)
    parts = parts_beneath(str(root), "in/ner/a.py")
    assert parts is not None
    (root / "in" / "ner" / "a.py").unlink()
    (root / "in" / "ner" / "a.py").symlink_to(tmp_path / "outside" / "a.py")

    with pytest.raises(OSError, match=os.strerror(errno.ELOOP)):
        open_beneath(str(root), parts)


def test_a_pipe_is_neither_waited_for_nor_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(OSError, match=r"not a regular file"):
        open_beneath(str(tmp_path.resolve()), ("pipe",))


@pytest.mark.parametrize("parts", [(), ("in",)])
def test_a_directory_is_no_file(tmp_path: Path, parts: tuple[str, ...]) -> None:
    with pytest.raises(OSError, match=r"Is a directory|not a regular file"):
        open_beneath(str(root_of(tmp_path)), parts)


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    root = str(root_of(tmp_path))
    before = len(os.listdir("/proc/self/fd"))

    for parts in [("in", "ner"), ("in", "absent", "a.py"), ("outward", "a.py"), ("loop",)]:
        with pytest.raises(OSError, match=r".+"):
            open_beneath(root, parts)

    assert len(os.listdir("/proc/self/fd")) == before


def test_directories_are_made_where_they_are_missing(tmp_path: Path) -> None:
    with directory_beneath(str(tmp_path.resolve()), ("a", "b"), create=True) as descriptor:
        os.mkdir("c", dir_fd=descriptor)

    assert (tmp_path / "a" / "b" / "c").is_dir()
