"""JSON objects in files: what is refused, and what a replacement leaves as it was."""

import json
import os
import stat
from pathlib import Path

import pytest

from host.skillbook import BOOK, Refused
from host.skillbook.json_file import locked, read_json, real_path, write_json

NO_JSON = [
    (b"", "Expecting value: line 1 column 1 (char 0)"),
    (b'{"skills": {"a": {"iss', "Unterminated string starting at: line 1 column 19 (char 18)"),
    (b'{"a": 1, "a": 2}', "an object has the name `a` twice"),
    (b'\xff{"a": 1}', "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
    (b"[" * 100_000, "maximum recursion depth exceeded while decoding a JSON array from a unicode string"),
]


@pytest.mark.parametrize(("content", "why"), NO_JSON)
def test_what_is_no_whole_json_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "book.json"
    path.write_bytes(content)

    with pytest.raises(Refused) as refused:
        read_json(path)

    assert refused.value.code == BOOK
    assert refused.value.message == f"`{path}` is no whole JSON, and stays as it is: {why}; mend it by hand"


def test_a_file_that_is_not_there_is_none(tmp_path: Path) -> None:
    assert read_json(tmp_path / "book.json") is None


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is a directory; name a JSON file"):
        read_json(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(Refused, match="cannot be written: Is a directory"):
        write_json(tmp_path / "folder", {})
    assert os.listdir(tmp_path) == ["folder"]


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "book.json")

    with pytest.raises(Refused, match="cannot be read: not a regular file"):
        read_json(tmp_path / "book.json")


def test_a_folder_where_the_new_content_would_stand_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".book.json.new").mkdir()

    with pytest.raises(Refused, match="cannot be written: Is a directory"):
        write_json(tmp_path / "book.json", {})


def test_half_a_character_is_written_so_that_it_is_read_again(tmp_path: Path) -> None:
    payload = {"\ud83d": "a\udc00b", "🚀": "設備"}
    path = tmp_path / "book.json"

    write_json(path, payload)

    found = read_json(path)
    assert found is not None
    assert found.payload == payload
    assert "🚀" in path.read_text(encoding="utf-8")


def test_the_file_is_readable_text_with_a_line_for_each_value(tmp_path: Path) -> None:
    path = tmp_path / "book.json"

    write_json(path, {"a": ["é"], "b": None})

    assert path.read_text(encoding="utf-8") == '{\n  "a": [\n    "é"\n  ],\n  "b": null\n}\n'


def test_a_new_file_is_its_owners_and_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    write_json(path, {})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o664)

    write_json(path, {"a": 1})

    assert stat.S_IMODE(path.stat().st_mode) == 0o664


def test_a_link_stays_a_link_and_has_the_lock_of_its_file(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("{}")
    link.symlink_to(target)

    with locked(real_path(link)):
        write_json(real_path(link), {"a": 1})

    assert link.is_symlink()
    assert json.loads(target.read_text()) == {"a": 1}
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "link.json",
        "target.json",
        "target.json.lock",
    ]


def test_what_a_killed_process_left_beside_the_file_goes(tmp_path: Path) -> None:
    (tmp_path / ".book.json.new").write_text("half")

    write_json(tmp_path / "book.json", {})

    assert os.listdir(tmp_path) == ["book.json"]


def test_a_lock_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "book.json.lock").symlink_to(tmp_path / "other")

    with pytest.raises(Refused, match="cannot be locked"), locked(tmp_path / "book.json"):
        raise AssertionError("it is not locked")

    assert not (tmp_path / "other").exists()


def test_the_folder_is_made_where_there_is_none(tmp_path: Path) -> None:
    with locked(tmp_path / "a" / "b" / "book.json"):
        assert (tmp_path / "a" / "b").is_dir()
