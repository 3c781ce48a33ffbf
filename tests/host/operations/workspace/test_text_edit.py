"""Edits of a file: one place, to the byte; and what is told where there is none, or several."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.errors import Refusal
from host.operations.workspace import MAX_READ_BYTES, Workspace

EDITS = [
    pytest.param(b"one two three", "two", "2", b"one 2 three", id="within a line"),
    pytest.param(b"a\nb\nc\n", "b\n", "", b"a\nc\n", id="a line goes"),
    pytest.param(b"a\nb\nc\n", "a\nb", "x\ny\nz", b"x\ny\nz\nc\n", id="lines"),
    pytest.param(
        b"price: 5", "5", r"$& \1 $1 \n", rb"price: $& \1 $1 \n", id="nothing is special in the new"
    ),
    pytest.param(b"a.c abc", "a.c", "x", b"x abc", id="nothing is special in the old"),
    pytest.param(b"\xef\xbb\xbfone\r\ntwo\r\n", "one", "1", b"\xef\xbb\xbf1\r\ntwo\r\n", id="mark, CRLF"),
    pytest.param(b"one\r\ntwo\rthree\n", "one\r\ntwo", "x", b"x\rthree\n", id="a line end that is given"),
    pytest.param("é😀\0".encode(), "😀", "ü", "éü\0".encode(), id="characters and NUL"),
    pytest.param(b"x", "x", "", b"", id="the whole text"),
]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path, writable=True)


def refusal_of(workspace: Workspace, path: str, old: str, new: str) -> tuple[str, str, str]:
    with pytest.raises(Refusal) as caught:
        workspace.edit_text(path, old, new)
    return caught.value.code, caught.value.kind, caught.value.message


@pytest.mark.parametrize(("before", "old", "new", "after"), EDITS)
def test_one_place_is_replaced_and_the_rest_stays_to_the_byte(
    workspace: Workspace, tmp_path: Path, before: bytes, old: str, new: str, after: bytes
) -> None:
    (tmp_path / "f").write_bytes(before)

    workspace.edit_text("f", old, new)

    assert (tmp_path / "f").read_bytes() == after


@given(st.text("ab\r\n", max_size=12), st.text("ab\r\n", min_size=1, max_size=4), st.text("abc", max_size=3))
def test_edits_agree_with_counting_the_places(
    tmp_path_factory: pytest.TempPathFactory, text: str, old: str, new: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "edited.txt"
    workspace = Workspace(path.parent, writable=True)
    path.write_bytes(text.encode())
    places = [at for at in range(len(text)) if text.startswith(old, at)]

    if old != new and len(places) == 1:
        workspace.edit_text("edited.txt", old, new)
        assert path.read_bytes() == text.replace(old, new).encode()
        return
    code, _, _ = refusal_of(workspace, "edited.txt", old, new)
    assert code == ("invalid-argument" if old == new else "conflict" if places else "not-found")
    assert path.read_bytes() == text.encode()


NONE = "the text to replace does not occur in it"
SEVERAL = "give more of the text around the one to replace"
REFUSED = [
    pytest.param("a\n", "b", "c", "not-found", NONE, id="none"),
    pytest.param(
        "a\r\nb\r\n",
        "a\nb",
        "c",
        "not-found",
        NONE + r"; it does with line ends as the text has them, \r\n, in line 1",
        id="the file has CRLF",
    ),
    pytest.param(
        "x\na\nb\n",
        "a\r\nb",
        "c",
        "not-found",
        NONE + r"; it does with line ends as the text has them, \n, in line 2",
        id="the file has LF",
    ),
    pytest.param(
        "def f():\n\n\tif a:\n\t\tpass\n",
        "    if a:\n        pass",
        "c",
        "not-found",
        NONE + "; it does with other white space, in line 3",
        id="indented otherwise",
    ),
    pytest.param("a b\n", " \n ", "c", "not-found", NONE, id="white space alone"),
    pytest.param(
        "aaa",
        "aa",
        "b",
        "conflict",
        f"the text to replace occurs 2 times, in line 1; {SEVERAL}",
        id="overlap",
    ),
    pytest.param(
        "a\nb\na\nb\n",
        "a",
        "c",
        "conflict",
        f"the text to replace occurs 2 times, in lines 1 and 3; {SEVERAL}",
        id="two",
    ),
    pytest.param(
        "a\n" * 1200,
        "a",
        "c",
        "conflict",
        f"the text to replace occurs 1,200 times, first in lines 1, 2, 3, 4 and 5; {SEVERAL}",
        id="many",
    ),
    pytest.param("a", "", "b", "invalid-argument", "the text to replace is empty", id="empty"),
    pytest.param(
        "a",
        "a",
        "a",
        "invalid-argument",
        "the new text is the text to replace, so nothing would change",
        id="the same",
    ),
    pytest.param(
        "a", "\ud800", "b", "invalid-argument", "the text to replace holds a lone surrogate", id="half in old"
    ),
    pytest.param(
        "a", "a", "\ud800", "invalid-argument", "the new text holds a lone surrogate", id="half in new"
    ),
]


@pytest.mark.parametrize(("text", "old", "new", "code", "reason"), REFUSED)
def test_an_edit_is_refused_and_changes_nothing(
    workspace: Workspace, tmp_path: Path, text: str, old: str, new: str, code: str, reason: str
) -> None:
    (tmp_path / "f").write_bytes(text.encode())

    told = refusal_of(workspace, "f", old, new)

    assert (told[0], told[2]) == (code, f"Cannot edit `f`: {reason}.")
    assert (tmp_path / "f").read_bytes() == text.encode()


def test_what_is_no_text_is_not_edited(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\xff")

    assert refusal_of(workspace, "f", "a", "b") == (
        "invalid-argument",
        "not_text",
        "Cannot edit `f`: it is no UTF-8 text, byte 1 is 0xff.",
    )


def test_a_file_over_the_bound_and_one_that_would_be(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "over").write_bytes(b"a" * (MAX_READ_BYTES + 1))
    (tmp_path / "at").write_bytes(b"b" + b"a" * (MAX_READ_BYTES - 1))
    figures = "the file has 8,388,609 bytes, limit 8,388,608 bytes"

    assert refusal_of(workspace, "over", "b", "c") == (
        "limit-exceeded",
        "too_large",
        f"Cannot edit `over`: {figures}.",
    )
    assert refusal_of(workspace, "at", "b", "bb")[2] == f"Cannot edit `at`: {figures}."
    workspace.edit_text("at", "b", "c")
    assert (tmp_path / "at").read_bytes()[:2] == b"ca"


def test_places_that_overlap_by_megabytes_are_told_apart_at_once(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "f").write_bytes(b"a" * MAX_READ_BYTES)

    code, _, message = refusal_of(workspace, "f", "a" * (MAX_READ_BYTES // 2), "b")

    assert (code, message.partition(";")[0]) == (
        "conflict",
        "Cannot edit `f`: the text to replace occurs at least 6 times, first in line 1",
    )


def test_an_edit_keeps_the_permissions_and_leaves_other_names_alone(
    workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "f").write_text("old")
    (tmp_path / "f").chmod(0o751)
    os.link(tmp_path / "f", tmp_path / "other")

    workspace.edit_text("./f", "old", "new")

    assert ((tmp_path / "f").read_text(), (tmp_path / "other").read_text()) == ("new", "old")
    assert (tmp_path / "f").stat().st_mode & 0o777 == 0o751
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f", "other"]


def test_what_may_not_be_edited(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("old")
    (tmp_path / "link").symlink_to("f")
    (tmp_path / "kept").write_text("old")
    (tmp_path / "kept").chmod(0o444)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    read_only = Workspace(tmp_path, writable=False)

    told = {
        path: refusal_of(workspace, path, "old", "new")[:2] for path in ("link", "kept", "folder", "pipe")
    }

    assert told == {
        "link": ("refused", "link"),
        "kept": ("refused", "read_only"),
        "folder": ("invalid-argument", "not_a_file"),
        "pipe": ("refused", "special_file"),
    }
    assert refusal_of(workspace, "none", "old", "new")[2] == (
        "Cannot edit `none`: there is no such file or directory."
    )
    assert refusal_of(workspace, ".gg/x", "old", "new")[:2] == ("refused", "own_folder")
    assert refusal_of(read_only, "f", "old", "new") == (
        "refused",
        "read_only",
        "Cannot edit `f`: the agent's directory is read-only.",
    )
