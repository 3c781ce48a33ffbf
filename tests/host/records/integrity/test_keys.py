"""The folder of the key."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from host.records import KEY_FILE, Store, make_keys
from host.records.integrity.keys import open_keys
from tests.helpers.records import refused

STORE = "G6_E_MEMORY_STORE"


def test_a_key_is_made_once_for_this_user_alone(tmp_path: Path) -> None:
    first = make_keys(tmp_path / "new" / "keys")
    again = make_keys(tmp_path / "new" / "keys")

    assert first == again
    path = first.folder / KEY_FILE
    assert (path.stat().st_mode & 0o777, first.folder.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [each.name for each in first.folder.iterdir()] == [KEY_FILE]
    assert len(first.secret) == 32
    assert first.secret.hex() not in repr(first)


def test_eight_that_make_a_key_at_once_have_one(tmp_path: Path) -> None:
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(make_keys(tmp_path / "keys").secret)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 8
    assert len(set(found)) == 1


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda path: path.write_text("ab" * 31), "is not 64 hexadecimal digits; restore it from a copy"),
        (lambda path: path.write_text("xy" * 32), "is not 64 hexadecimal digits"),
        (lambda path: path.write_bytes(b"\xff" * 64), "is not 64 hexadecimal digits"),
        (lambda path: path.write_text(""), "is not 64 hexadecimal digits"),
        (lambda path: (path.unlink(), path.mkdir()), "is a directory"),
        (lambda path: path.unlink(), "is gone, and stores were kept with it; restore it from a copy"),
    ],
    ids=["short", "no digits", "no text", "empty", "folder", "gone"],
)
def test_a_key_that_cannot_be_used_is_refused_and_none_is_made_in_its_place(
    spoil: Callable[[Path], object], told: str, tmp_path: Path
) -> None:
    folder = make_keys(tmp_path / "keys").folder
    with Store(tmp_path / "memory.db", keys=folder):
        pass
    spoil(folder / KEY_FILE)

    with refused(STORE) as caught:
        open_keys(folder)

    assert told in caught.value.message.lower() or told in caught.value.message


def test_a_folder_that_is_not_there_is_refused_with_what_makes_it(tmp_path: Path) -> None:
    with refused(STORE) as caught:
        open_keys(tmp_path / "keys")

    assert (
        caught.value.message == f"there is no folder of keys {tmp_path}/keys; make it with: gg records init"
    )
