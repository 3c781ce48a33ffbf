"""The files family through the bracket, over a real directory."""

import json
from pathlib import Path

import pytest

from host.context import MAX_IMAGE_BYTES
from host.events import View
from host.operations import Workspace
from tests.host.operations.callers import Desk, error


@pytest.fixture
def at(tmp_path: Path) -> Desk:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "deep.txt").write_bytes(b"deep")
    (tmp_path / "a.txt").write_bytes("one\ntwo é\n".encode())
    (tmp_path / "link").symlink_to("a.txt")
    (tmp_path / "pic").write_bytes(b"\xff\xd8\xff" + b"x" * 1021)
    return Desk(workspace=Workspace(tmp_path, writable=True))


def text(contents: str, first_line: int, last_line: int, total_lines: int) -> dict[str, object]:
    return {
        "kind": "text",
        "contents": contents,
        "firstLine": first_line,
        "lastLine": last_line,
        "totalLines": total_lines,
        "byteTruncated": False,
    }


CALLS = [
    pytest.param(
        "files.read_file",
        ["a.txt", {"offset": 2}],
        text("two é\n", 2, 2, 2),
        id="lines with their numbers",
    ),
    pytest.param("files.read_text_file", ["a.txt"], "one\ntwo é\n", id="a text"),
    pytest.param("files.read_text_file", ["b/deep.txt", {"limit": 1}], "deep", id="lines of a text"),
    pytest.param(
        "files.list_dir",
        [],
        [
            {"name": "a.txt", "kind": "file"},
            {"name": "b", "kind": "directory"},
            {"name": "link", "kind": "other"},
            {"name": "pic", "kind": "file"},
        ],
        id="the directory",
    ),
    pytest.param("files.list_dir", ["b"], [{"name": "deep.txt", "kind": "file"}], id="a folder"),
    pytest.param("files.write_file", ["new/n.txt", "é\0\r\n"], 5, id="a file in a folder that lacks"),
    pytest.param("files.edit_file", ["a.txt", "two é", "$&"], None, id="an edit"),
    pytest.param(
        "files.read_file",
        ["./pic", {"limit": 5}],
        {
            "kind": "image",
            "mediaType": "image/jpeg",
            "label": "picture image/jpeg, 1 KiB",
            "bytes": 1024,
            "shown": False,
            "notShownReason": "files.readFile shows nothing; views.openFile shows it in the next prompt.",
        },
        id="a picture",
    ),
    pytest.param(
        "files.search",
        ["e"],
        [
            {"path": "a.txt", "line": 1, "text": "one"},
            {"path": "b/deep.txt", "line": 1, "text": "deep"},
        ],
        id="lines that match",
    ),
    pytest.param(
        "files.search",
        ["E|é", {"path": "./a.txt", "limit": 500}],
        [{"path": "a.txt", "line": 2, "text": "two é"}],
        id="lines of a file that match",
    ),
    pytest.param("files.search", ["none"], [], id="no line"),
]


@pytest.mark.parametrize(("operation_id", "arguments", "expected"), CALLS)
def test_a_call_gives(at: Desk, operation_id: str, arguments: list[object], expected: object) -> None:
    assert at.call(operation_id, *arguments) == {"ok": expected}
    assert at.captured.types == ("api_call",)


def test_what_is_written_is_read_back_to_the_letter(at: Desk, tmp_path: Path) -> None:
    at.call("files.write_file", "new/n.txt", "é\0\r\n")

    assert (tmp_path / "new" / "n.txt").read_bytes() == b"\xc3\xa9\0\r\n"
    assert at.call("files.read_text_file", "new/n.txt") == {"ok": "é\0\r\n"}


REFUSED = [
    pytest.param("files.read_file", ["c"], "not-found", "files.readFile", id="no file"),
    pytest.param("files.read_file", ["../a.txt"], "invalid-argument", "files.readFile", id="upwards"),
    pytest.param("files.read_file", ["/etc/passwd"], "invalid-argument", "files.readFile", id="absolute"),
    pytest.param("files.read_file", ["link"], "refused", "files.readFile", id="a link"),
    pytest.param("files.read_file", ["b"], "invalid-argument", "files.readFile", id="a folder"),
    pytest.param(
        "files.read_text_file",
        ["a.txt", {"offset": 4}],
        "invalid-argument",
        "files.readTextFile",
        id="past the end",
    ),
    pytest.param(
        "files.read_text_file", ["pic"], "invalid-argument", "files.readTextFile", id="a picture as a text"
    ),
    pytest.param("files.edit_file", ["c", "a", "b"], "not-found", "files.editFile", id="edit no file"),
    pytest.param("files.edit_file", ["a.txt", "six", "b"], "not-found", "files.editFile", id="edit no text"),
    pytest.param("files.edit_file", ["a.txt", "o", "0"], "conflict", "files.editFile", id="edit of several"),
    pytest.param(
        "files.edit_file", ["a.txt", "", "b"], "invalid-argument", "files.editFile", id="of nothing"
    ),
    pytest.param("files.edit_file", ["link", "a", "b"], "refused", "files.editFile", id="edit of a link"),
    pytest.param("files.search", [" "], "invalid-argument", "files.search", id="a blank query"),
    pytest.param("files.search", ["a("], "invalid-argument", "files.search", id="no regular expression"),
    pytest.param("files.search", ["a", {"limit": 0}], "invalid-argument", "files.search", id="limit of none"),
    pytest.param("files.search", ["a", {"path": "c"}], "not-found", "files.search", id="search of no file"),
    pytest.param("files.search", ["a", {"path": "link"}], "refused", "files.search", id="search of a link"),
    pytest.param("files.list_dir", [""], "invalid-argument", "files.listDir", id="an empty path"),
    pytest.param("files.list_dir", ["c"], "not-found", "files.listDir", id="no folder"),
    pytest.param("files.list_dir", ["a.txt"], "invalid-argument", "files.listDir", id="a file"),
    pytest.param(
        "files.write_file", ["a.txt", "\ud800"], "invalid-argument", "files.writeFile", id="lone surrogate"
    ),
    pytest.param("files.write_file", ["link", "x"], "refused", "files.writeFile", id="over a link"),
]


@pytest.mark.parametrize(("operation_id", "arguments", "code", "spelling"), REFUSED)
def test_a_call_is_refused(
    at: Desk, operation_id: str, arguments: list[object], code: str, spelling: str
) -> None:
    answer = at.call(operation_id, *arguments)

    assert (answer["error"]["code"], answer["error"]["operation"]) == (code, spelling)
    assert at.defects.recorded == []


def test_every_failure_met_here_is_documented(at: Desk) -> None:
    met = {(parameters[0], parameters[2]) for parameters in (row.values for row in REFUSED)}
    documented = {
        (operation.id, code)
        for operation in at.operations.values()
        if operation.family == "files"
        for code, _ in operation.failures
    }

    assert {failure for failure in met if failure not in documented} == set()


NO_DIRECTORY = [
    ("files.read_file", ["a"], "files.readFile"),
    ("files.read_text_file", ["a"], "files.readTextFile"),
    ("files.write_file", ["a", ""], "files.writeFile"),
    ("files.edit_file", ["a", "b", "c"], "files.editFile"),
    ("files.list_dir", [], "files.listDir"),
    ("files.search", ["a"], "files.search"),
]


@pytest.mark.parametrize(("operation_id", "arguments", "spelling"), NO_DIRECTORY)
def test_an_agent_without_a_directory(operation_id: str, arguments: list[str], spelling: str) -> None:
    assert Desk().call(operation_id, *arguments) == error(
        "unavailable", spelling, "This agent has no directory."
    )


def test_a_directory_that_may_not_be_written_to(tmp_path: Path) -> None:
    at = Desk(workspace=Workspace(tmp_path, writable=False))

    assert at.call("files.write_file", "a", "x") == error(
        "refused", "files.writeFile", "Cannot write `a`: the agent's directory is read-only."
    )
    assert at.call("files.edit_file", "a", "x", "y") == error(
        "refused", "files.editFile", "Cannot edit `a`: the agent's directory is read-only."
    )
    assert list(tmp_path.iterdir()) == []


TEXT = '"first_line":{},"last_line":{},"total_lines":2,"byte_truncated":false}}'
BY_TOOL = [
    pytest.param(
        "read_file",
        {"path": "a.txt", "offset": 2, "limit": None},
        '{"kind":"text","contents":"two é\\n",' + TEXT.format(2, 2),
        id="lines with their numbers",
    ),
    pytest.param("write_file", {"path": "new/n.txt", "contents": "é"}, "2", id="a file"),
    pytest.param(
        "edit_file", {"path": "a.txt", "old_string": "two é", "new_string": "$&"}, "null", id="an edit"
    ),
    pytest.param("list_dir", {"path": "b"}, '[{"name":"deep.txt","kind":"file"}]', id="a folder"),
    pytest.param(
        "search_files",
        {"query": "^tw", "path": "a.txt", "limit": 1},
        '[{"path":"a.txt","line":2,"text":"two é"}]',
        id="a search",
    ),
]


@pytest.mark.parametrize(("name", "arguments", "text"), BY_TOOL)
def test_a_tool_gives(at: Desk, name: str, arguments: dict[str, object], text: str) -> None:
    assert at.tool(name, **arguments) == text


def test_the_tool_that_reads_a_picture_has_the_next_prompt_show_it(at: Desk) -> None:
    assert json.loads(at.tool("read_file", path="./pic", limit=5)) == {
        "kind": "image",
        "media_type": "image/jpeg",
        "label": "picture image/jpeg, 1 KiB",
        "bytes": 1024,
        "shown": True,
        "not_shown_reason": None,
    }
    assert [(view.kind, view.selector, view.action, view.origin) for view in at.captured.of(View)] == [
        ("file", "pic", "opened", "tool")
    ]
    at.window.end_turn()
    (entry,) = at.window.entries_from(1)
    assert [image.media_type for image in entry.images] == ["image/jpeg"]


def test_a_picture_too_large_for_a_prompt_is_described(at: Desk, tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.write(b"\xff\xd8\xff")
        file.truncate(MAX_IMAGE_BYTES + 1)

    read = json.loads(at.tool("read_file", path="large"))

    assert (read["shown"], read["not_shown_reason"]) == (
        False,
        "It has 8,388,609 bytes, limit 8,388,608 bytes.",
    )
    assert at.window.current() == ()


def test_pictures_of_one_turn_have_a_budget(at: Desk, tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.write(b"\xff\xd8\xff")
        file.truncate(MAX_IMAGE_BYTES)
    assert json.loads(at.tool("read_file", path="large"))["shown"] is True

    assert at.tool("read_file", path="pic") == (
        "limit-exceeded: View `pic` has 1,024 bytes, and 0 of 8,388,608 bytes of views per turn are left;"
        " open it in a later turn."
    )


def test_a_text_over_the_cap_of_an_answer_is_read_in_parts(at: Desk, tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("x" * 100 + "\n" + "y" * 65_500)

    assert at.tool("read_file", path="long.txt") == (
        "limit-exceeded: The answer of read_file has 65,699 of 65,536 bytes; read it in parts, with `offset`"
        " and `limit`."
    )
    assert json.loads(at.tool("read_file", path="long.txt", limit=1))["contents"] == "x" * 100 + "\n"


def test_a_line_over_the_cap_is_found_and_not_read(at: Desk, tmp_path: Path) -> None:
    (tmp_path / "line.txt").write_text("x" * 65_000 + "needle" + "y" * 1_000)

    assert at.tool("read_file", path="line.txt", limit=1).startswith("limit-exceeded: ")
    (match,) = json.loads(at.tool("search_files", query="needle", path="line.txt"))
    assert (match["line"], "needle" in match["text"], len(match["text"]) < 300) == (1, True, True)


def test_half_a_character_is_written_to_no_file(at: Desk, tmp_path: Path) -> None:
    assert at.tool("write_file", path="n.txt", contents="\ud800") == (
        "invalid-argument: Cannot write `n.txt`: contents holds a lone surrogate."
    )
    assert not (tmp_path / "n.txt").exists()
