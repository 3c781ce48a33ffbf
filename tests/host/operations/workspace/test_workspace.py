"""What an agent's directory gives and refuses, on a real file system."""

import errno
import itertools
import os
import re
import resource
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.core.errors import Refusal
from host.operations.workspace import Entry, Match, Workspace
from host.operations.workspace.file_lines import MAX_READ_BYTES, FileText

CANARY = "the operator's own"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A directory with a file beside it that nobody may see or change."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text(CANARY)
    inside = tmp_path / "inside"
    inside.mkdir()
    return inside


@pytest.fixture
def workspace(root: Path) -> Workspace:
    return Workspace(root, writable=True)


def refusal_of(act: Callable[[], object]) -> tuple[str, str, str]:
    with pytest.raises(Refusal) as caught:
        act()
    return caught.value.code, caught.value.kind, caught.value.message


BAD_PATHS = [
    pytest.param("", "the path is empty", id="empty"),
    pytest.param(
        "/etc/passwd",
        "the path is absolute; paths are relative to the agent's directory, such as `notes.md`",
        id="absolute",
    ),
    pytest.param(
        "..",
        "`..` leads out of a directory; paths go from the agent's directory downwards, such as `notes.md`",
        id="parent",
    ),
    pytest.param(
        "a/../b",
        "`..` leads out of a directory; paths go from the agent's directory downwards, such as `notes.md`",
        id="inner parent",
    ),
    pytest.param("a//b", "the path has an empty part, at a doubled or trailing `/`", id="doubled slash"),
    pytest.param("a//", "the path has an empty part, at a doubled or trailing `/`", id="trailing slashes"),
    pytest.param("a\0b", "the path holds a control character or a lone surrogate", id="NUL"),
    pytest.param("a\nb", "the path holds a control character or a lone surrogate", id="line feed"),
    pytest.param("a\ud800", "the path holds a control character or a lone surrogate", id="lone surrogate"),
    pytest.param("a" * 256, "a part of the path is 256 of 255 bytes", id="long part"),
    pytest.param("é" * 128, "a part of the path is 256 of 255 bytes", id="long in bytes"),
    pytest.param("a/" * 512 + "b", "the path is 1025 of 1024 bytes", id="long path"),
]


@pytest.mark.parametrize(("path", "problem"), BAD_PATHS)
def test_a_bad_path_is_an_invalid_argument_of_every_call(
    workspace: Workspace, path: str, problem: str
) -> None:
    for act in (
        workspace.read_text,
        workspace.list_dir,
        lambda p: workspace.write_text(p, "x"),
        lambda p: workspace.edit_text(p, "x", "y"),
        lambda p: workspace.search("x", p, limit=1),
    ):
        code, kind, message = refusal_of(lambda act=act: act(path))

        assert (code, kind) == ("invalid-argument", "bad_path")
        assert message.endswith(f": {problem}.")


def test_a_refusal_shows_the_path_on_one_line(workspace: Workspace) -> None:
    assert refusal_of(lambda: workspace.read_text("a\nError\u202e\ud800")) == (
        "invalid-argument",
        "bad_path",
        "Cannot read `a\\u000aError\\u202e\\ud800`: the path holds a control character or a lone surrogate.",
    )
    assert refusal_of(lambda: workspace.read_text("x" * 2000))[2] == (
        f"Cannot read `{'x' * 120}…`: the path is 2000 of 1024 bytes."
    )


TEXTS = [
    pytest.param("", id="empty"),
    pytest.param("one line", id="no line feed at the end"),
    pytest.param("one\ntwo\n", id="two lines"),
    pytest.param("one\r\ntwo\r\n", id="carriage returns"),
    pytest.param("\ufeffbyte order mark\u2028line separator\x85\x0b\x1c", id="what is no line end"),
    pytest.param("\0\U0001f469\u200d\U0001f4bb e\u0301\n", id="NUL, emoji, combining"),
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_written_is_read_back_to_the_byte(workspace: Workspace, root: Path, text: str) -> None:
    size = workspace.write_text("a/b/notes.md", text)
    read = workspace.read_text("a/b/notes.md")

    assert (read.contents, size) == (text, len(text.encode()))
    assert (root / "a/b/notes.md").read_bytes() == text.encode()


def test_a_folder_may_end_with_a_slash_and_a_file_may_not(workspace: Workspace) -> None:
    workspace.write_text("a/b", "x")

    assert workspace.list_dir("a/") == (Entry("b", "file"),)
    assert workspace.search("x", "a/", limit=5) == (Match("a/b", 1, "x"),)
    for act in (workspace.read_text, lambda p: workspace.write_text(p, "x")):
        assert refusal_of(lambda act=act: act("a/"))[1] == "bad_path"


def test_a_dot_in_a_path_says_nothing(workspace: Workspace) -> None:
    workspace.write_text("./a/./notes.md", "x")

    assert workspace.read_text("a/notes.md").contents == "x"
    assert workspace.list_dir(".") == workspace.list_dir() == (Entry("a", "directory"),)
    assert refusal_of(lambda: workspace.read_text(".")) == (
        "invalid-argument",
        "not_a_file",
        "Cannot read `.`: it is the agent's directory itself, not a file.",
    )


FIVE = "one\ntwo\r\nthree\nfour\nfive"
RANGES = [
    pytest.param(None, None, FileText(FIVE, 1, 5, 5), id="whole"),
    pytest.param(1, None, FileText(FIVE, 1, 5, 5), id="from the first"),
    pytest.param(2, 2, FileText("two\r\nthree\n", 2, 3, 5), id="two in the middle"),
    pytest.param(None, 1, FileText("one\n", 1, 1, 5), id="the first"),
    pytest.param(5, 1, FileText("five", 5, 5, 5), id="the last"),
    pytest.param(4, 9, FileText("four\nfive", 4, 5, 5), id="past the end"),
]


@pytest.mark.parametrize(("offset", "limit", "expected"), RANGES)
def test_lines_are_counted_from_one(
    workspace: Workspace, offset: int | None, limit: int | None, expected: FileText
) -> None:
    workspace.write_text("five", FIVE)

    assert workspace.read_text("five", offset=offset, limit=limit) == expected


def test_an_empty_file_has_no_lines(workspace: Workspace) -> None:
    workspace.write_text("empty", "")

    assert workspace.read_text("empty", offset=1, limit=5) == FileText("", 0, 0, 0)


@pytest.mark.parametrize(
    ("text", "offset", "lines"), [("", 2, "0 lines"), ("a\n", 2, "1 line"), (FIVE, 6, "5 lines")]
)
def test_a_line_past_the_end_is_refused(workspace: Workspace, text: str, offset: int, lines: str) -> None:
    workspace.write_text("short", text)

    assert refusal_of(lambda: workspace.read_text("short", offset=offset)) == (
        "invalid-argument",
        "past_end",
        f"Cannot read `short` from line {offset}: it has {lines}.",
    )


@given(
    st.lists(st.sampled_from(["a", "\n", "\r", "é", "\n" * 3, "x" * 90_000]), max_size=12).map("".join),
    st.integers(1, 6),
    st.integers(1, 6),
)
def test_ranges_agree_with_splitting_the_text(
    tmp_path_factory: pytest.TempPathFactory, text: str, offset: int, limit: int
) -> None:
    workspace = Workspace(tmp_path_factory.getbasetemp(), writable=True)
    workspace.write_text("ranges.txt", text)
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)

    if offset > max(len(lines), 1):
        code, kind, _ = refusal_of(lambda: workspace.read_text("ranges.txt", offset=offset, limit=limit))
        assert (code, kind) == ("invalid-argument", "past_end")
        return
    wanted = lines[offset - 1 : offset - 1 + limit]
    first, last = (offset, offset - 1 + len(wanted)) if lines else (0, 0)
    assert workspace.read_text("ranges.txt", offset=offset, limit=limit) == FileText(
        "".join(wanted), first, last, len(lines)
    )


def test_a_large_file_is_read_in_parts(workspace: Workspace, root: Path) -> None:
    line = "x" * 1023 + "\n"
    (root / "large").write_text(line * 9 * 1024)
    too_large = "Cannot read `large` at once: 9 MiB, limit 8 MiB. Read it in parts, with offset and limit."

    assert refusal_of(lambda: workspace.read_text("large")) == ("limit-exceeded", "too_large", too_large)
    assert workspace.read_text("large", offset=9 * 1024) == FileText(line, 9216, 9216, 9216)
    assert refusal_of(lambda: workspace.read_text("large", limit=9000))[:2] == ("limit-exceeded", "too_large")


def test_a_file_of_the_limit_is_read_whole(workspace: Workspace, root: Path) -> None:
    (root / "at").write_bytes(b"x" * MAX_READ_BYTES)

    assert len(workspace.read_text("at").contents) == MAX_READ_BYTES


def test_a_file_over_a_gibibyte_is_not_searched_for_lines(workspace: Workspace, root: Path) -> None:
    (root / "huge").touch()
    os.truncate(root / "huge", 2**31)

    assert refusal_of(lambda: workspace.read_text("huge", limit=1)) == (
        "limit-exceeded",
        "too_large",
        "Cannot read `huge`: the file has 2 GiB, limit 1 GiB.",
    )


def test_what_is_no_utf8_is_refused_with_its_place(workspace: Workspace, root: Path) -> None:
    (root / "image").write_bytes(b"abc\n\x89PNG\n")

    assert refusal_of(lambda: workspace.read_text("image")) == (
        "invalid-argument",
        "not_text",
        "Cannot read `image`: it is no UTF-8 text, byte 4 is 0x89.",
    )
    assert refusal_of(lambda: workspace.read_text("image", offset=2))[2].endswith("byte 4 is 0x89.")
    assert workspace.read_text("image", limit=1).contents == "abc\n"


def test_a_lone_surrogate_is_not_written(workspace: Workspace, root: Path) -> None:
    assert refusal_of(lambda: workspace.write_text("new/x", "a\ud800")) == (
        "invalid-argument",
        "lone_surrogate",
        "Cannot write `new/x`: contents holds a lone surrogate.",
    )
    assert list(root.iterdir()) == []


def test_a_workspace_that_is_not_writable(root: Path) -> None:
    (root / "a").write_text("old")
    workspace = Workspace(root, writable=False)

    assert refusal_of(lambda: workspace.write_text("a", "new")) == (
        "refused",
        "read_only",
        "Cannot write `a`: the agent's directory is read-only.",
    )
    assert workspace.read_text("a").contents == "old"


def test_what_is_not_there(workspace: Workspace) -> None:
    workspace.write_text("file", "x")
    missing = "there is no such file or directory"

    assert refusal_of(lambda: workspace.read_text("b")) == (
        "not-found",
        "not_found",
        f"Cannot read `b`: {missing}.",
    )
    assert refusal_of(lambda: workspace.read_text("a/b")) == (
        "not-found",
        "not_found",
        f"Cannot read `a/b`: {missing}.",
    )
    assert refusal_of(lambda: workspace.list_dir("b")) == (
        "not-found",
        "not_found",
        f"Cannot list `b`: {missing}.",
    )


def test_a_file_is_no_directory_and_a_directory_no_file(workspace: Workspace) -> None:
    workspace.write_text("dir/file", "x")
    file, directory = "`dir/file` is not a directory", "it is a directory, not a file"
    expected = [
        (lambda: workspace.read_text("dir/file/x"), "not_a_directory", f"Cannot read `dir/file/x`: {file}."),
        (
            lambda: workspace.write_text("dir/file/x/y", ""),
            "not_a_directory",
            f"Cannot write `dir/file/x/y`: {file}.",
        ),
        (lambda: workspace.list_dir("dir/file"), "not_a_directory", f"Cannot list `dir/file`: {file}."),
        (lambda: workspace.read_text("dir"), "not_a_file", f"Cannot read `dir`: {directory}."),
        (lambda: workspace.write_text("dir", ""), "not_a_file", f"Cannot write `dir`: {directory}."),
    ]

    for act, kind, message in expected:
        assert refusal_of(act) == ("invalid-argument", kind, message)


def test_links_are_never_followed(workspace: Workspace, root: Path) -> None:
    (root / "real").write_text("inside")
    (root / "out").symlink_to("../outside")
    (root / "in").symlink_to("real")
    (root / "dangling").symlink_to("nowhere")
    (root / "loop").symlink_to("loop")
    (root / "absolute").symlink_to(root.parent / "outside" / "secret.txt")
    itself = "it is a link, and links are not followed"

    for name in ("in", "dangling", "loop", "absolute"):
        assert refusal_of(lambda name=name: workspace.read_text(name)) == (
            "refused",
            "link",
            f"Cannot read `{name}`: {itself}.",
        )
        assert refusal_of(lambda name=name: workspace.write_text(name, "x")) == (
            "refused",
            "link",
            f"Cannot write `{name}`: {itself}.",
        )
    through = "`out` is a link, and links are not followed"
    assert (
        refusal_of(lambda: workspace.read_text("out/secret.txt"))[2]
        == f"Cannot read `out/secret.txt`: {through}."
    )
    assert (
        refusal_of(lambda: workspace.write_text("out/new", "x"))[2] == f"Cannot write `out/new`: {through}."
    )
    assert refusal_of(lambda: workspace.list_dir("out"))[2] == f"Cannot list `out`: {through}."
    assert workspace.list_dir() == (
        Entry("absolute", "other"),
        Entry("dangling", "other"),
        Entry("in", "other"),
        Entry("loop", "other"),
        Entry("out", "other"),
        Entry("real", "file"),
    )


def test_a_root_that_is_a_link_is_what_it_points_to(root: Path) -> None:
    (root.parent / "link").symlink_to(root)

    Workspace(root.parent / "link", writable=True).write_text("a", "x")

    assert (root / "a").read_text() == "x"


def test_special_files_are_told_apart_without_waiting_for_them(
    workspace: Workspace, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(root / "pipe")
    monkeypatch.chdir(root)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
        for name in ("pipe", "socket"):
            message = f"`{name}`: it is a pipe, a socket or a device, not a file."
            assert refusal_of(lambda name=name: workspace.read_text(name))[1:] == (
                "special_file",
                f"Cannot read {message}",
            )
            assert refusal_of(lambda name=name: workspace.write_text(name, ""))[1:] == (
                "special_file",
                f"Cannot write {message}",
            )
    assert workspace.list_dir() == (Entry("pipe", "other"), Entry("socket", "other"))


def test_a_folder_that_takes_the_place_of_a_file_as_it_is_opened_is_no_file(
    workspace: Workspace, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "a").write_text("x")
    look = os.stat

    def look_and_replace(name: str, *, dir_fd: int, follow_symlinks: bool) -> os.stat_result:
        status = look(name, dir_fd=dir_fd, follow_symlinks=follow_symlinks)
        (root / "a").unlink()
        (root / "a").mkdir()
        return status

    before = os.listdir("/proc/self/fd")
    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", look_and_replace)
        refused = refusal_of(lambda: workspace.read_text("a"))

    assert refused[1:] == ("not_a_file", "Cannot read `a`: it is a directory, not a file.")
    assert os.listdir("/proc/self/fd") == before


@pytest.mark.parametrize("path", [".gg", ".gg/runs/1/events.ndjson", "folder/.gg/x", ".GG/runs", "./.gg"])
def test_the_records_of_runs_are_no_part_of_it(workspace: Workspace, root: Path, path: str) -> None:
    (root / ".gg" / "runs" / "1").mkdir(parents=True)
    (root / ".gg" / "runs" / "1" / "events.ndjson").write_text(CANARY)

    refused = "`.gg` holds the records of runs."
    for act, word in (
        (lambda: workspace.read_text(path), "read"),
        (lambda: workspace.write_text(path, ""), "write"),
        (lambda: workspace.list_dir(path), "list"),
        (lambda: workspace.edit_text(path, "x", "y"), "edit"),
        (lambda: workspace.search("x", path, limit=1), "search"),
    ):
        assert refusal_of(act) == ("refused", "own_folder", f"Cannot {word} `{path}`: {refused}")
    assert workspace.list_dir() == (Entry(".gg", "other"),)
    assert (root / ".gg" / "runs" / "1" / "events.ndjson").read_text() == CANARY


def test_the_record_of_the_run_is_no_part_of_it_under_any_name(root: Path) -> None:
    record = root / "a" / "record"
    (record / "programs").mkdir(parents=True)
    workspace = Workspace(root, writable=True, record=record)

    for path in ("a/record/events.ndjson", "a/./record/programs/1.ts", "a/record/new/x"):
        message = f"Cannot write `{path}`: it is the record of the run."
        assert refusal_of(lambda path=path: workspace.write_text(path, "")) == (
            "refused",
            "own_folder",
            message,
        )
    assert workspace.write_text("a/notes.md", "") == 0
    itself = Workspace(record, writable=True, record=record)
    assert refusal_of(itself.list_dir)[1] == "own_folder"


def test_a_listing_is_sorted_and_shows_what_no_path_can_spell(workspace: Workspace, root: Path) -> None:
    for name in ("b", "B", "é", "a\nb"):
        (root / name).touch()
    (root / "dir").mkdir()
    os.close(os.open(os.fsencode(root) + b"/\xff", os.O_CREAT))

    assert workspace.list_dir() == (
        Entry("B", "file"),
        Entry("a\nb", "other"),
        Entry("b", "file"),
        Entry("dir", "directory"),
        Entry("é", "file"),
        Entry("\ufffd", "other"),
    )


def test_a_write_leaves_other_names_of_the_file_alone(workspace: Workspace, root: Path) -> None:
    secret = root.parent / "outside" / "secret.txt"
    os.link(secret, root / "hard")
    secret.chmod(0o640)

    workspace.write_text("hard", "mine")

    assert (secret.read_text(), (root / "hard").read_text()) == (CANARY, "mine")
    assert (root / "hard").stat().st_mode & 0o777 == 0o640


def test_a_write_protected_file_stays(workspace: Workspace, root: Path) -> None:
    (root / "kept").write_text("old")
    (root / "kept").chmod(0o444)

    assert refusal_of(lambda: workspace.write_text("kept", "new")) == (
        "refused",
        "read_only",
        "Cannot write `kept`: the file is write-protected.",
    )
    assert (root / "kept").read_text() == "old"


@contextmanager
def small_disk(most_bytes: int) -> Iterator[None]:
    """No file of this process can grow beyond `most_bytes` inside. Where pytest prints may be such a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_write_that_the_system_refuses_leaves_the_old_text(workspace: Workspace, root: Path) -> None:
    workspace.write_text("notes", "old")

    with small_disk(1000):
        refusal = refusal_of(lambda: workspace.write_text("notes", "x" * 1001))

    assert refusal == ("io-error", "os_error", f"Cannot write `notes`: {os.strerror(errno.EFBIG)}.")
    assert {path.name: path.read_text() for path in root.iterdir()} == {"notes": "old"}


def test_a_root_that_is_gone_does_not_tell_its_place(root: Path) -> None:
    workspace = Workspace(root, writable=True)
    root.rmdir()

    for act in (
        workspace.list_dir,
        lambda: workspace.read_text("a"),
        lambda: workspace.write_text("a", ""),
        lambda: workspace.edit_text("a", "b", "c"),
        lambda: workspace.search("a", limit=1),
    ):
        assert refusal_of(act) == (
            "io-error",
            "no_workspace",
            f"The agent's directory cannot be opened: {os.strerror(errno.ENOENT)}.",
        )


def test_a_reader_sees_a_whole_text_while_it_is_replaced(workspace: Workspace) -> None:
    texts = ("a" * 200_000, "b" * 100_000)
    workspace.write_text("shared", texts[0])
    done = threading.Event()

    def write() -> None:
        for turn in range(100):
            workspace.write_text("shared", texts[turn % 2])
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    while not done.is_set():
        assert workspace.read_text("shared").contents in texts
    writer.join()
    assert workspace.list_dir() == (Entry("shared", "file"),)


def test_a_directory_that_turns_into_a_link_leads_nowhere(workspace: Workspace, root: Path) -> None:
    (root / "dir").mkdir()
    (root / "dir" / "secret.txt").write_text("inside")
    done = threading.Event()

    def swap() -> None:
        for turn in itertools.count():
            if done.is_set():
                return
            os.rename(root / "dir", root / f"was-{turn}")
            with suppress(OSError):  # a write made the directory anew in between
                os.symlink("../outside", root / "dir")
                os.unlink(root / "dir")
                os.rename(root / f"was-{turn}", root / "dir")

    swapper = threading.Thread(target=swap)
    swapper.start()
    seen: set[str] = set()
    for _ in range(1500):
        for act in (
            lambda: workspace.read_text("dir/secret.txt").contents,
            lambda: workspace.list_dir("dir"),
            lambda: workspace.write_text("dir/new.txt", "x"),
            lambda: workspace.search("own", "dir", limit=5),
        ):
            try:
                seen.add(str(act()))
            except Refusal as refused:
                seen.add(refused.code)
    done.set()
    swapper.join()

    assert [one for one in seen if CANARY in one] == []
    assert os.listdir(root.parent / "outside") == ["secret.txt"]


PARTS = st.sampled_from(
    [
        "..",
        ".",
        "",
        "a",
        "b.txt",
        "out",
        "file-link",
        "secret.txt",
        "outside",
        "inside",
        "~",
        "*",
        "\0",
        "\ud800",
        "…",
    ]
)
PATHS = st.lists(PARTS, min_size=1, max_size=5).map("/".join) | st.text(max_size=12)


CALLS = st.sampled_from(["read", "write", "edit", "list", "search"])


@given(st.lists(st.tuples(CALLS, PATHS), min_size=1, max_size=8))
def test_no_path_touches_anything_outside(
    tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[str, str]]
) -> None:
    top = tmp_path_factory.mktemp("property")
    (top / "outside").mkdir()
    (top / "outside" / "secret.txt").write_text(CANARY)
    (top / "inside" / "a").mkdir(parents=True)
    (top / "inside" / "out").symlink_to("../outside")
    (top / "inside" / "a" / "file-link").symlink_to(top / "outside" / "secret.txt")
    workspace = Workspace(top / "inside", writable=True)
    answers: list[str] = []

    for call, path in calls:
        try:
            if call == "read":
                answers.append(workspace.read_text(path).contents)
            elif call == "write":
                workspace.write_text(path, "written")
            elif call == "edit":
                workspace.edit_text(path, "w", "e")
            elif call == "search":
                answers += [match.text for match in workspace.search("own", path, limit=50)]
            else:
                answers += [entry.name for entry in workspace.list_dir(path)]
        except Refusal as refused:
            answers.append(refused.message)

    assert [answer for answer in answers if CANARY in answer or str(top) in answer] == []
    assert sorted(os.listdir(top)) == ["inside", "outside"]
    assert {path.name: path.read_text() for path in (top / "outside").iterdir()} == {"secret.txt": CANARY}
    shutil.rmtree(top)
