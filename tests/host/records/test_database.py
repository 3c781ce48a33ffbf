"""Files that cannot be used are refused with what to do, and not one byte of them is changed."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from typing import Final

import pytest

from host.records import Store
from host.records.database import Database
from tests.helpers.records import refused
from tests.host.events.test_append_file import read_only, small_disk

__all__ = ["small_disk"]

STORE: Final = "G6_E_MEMORY_STORE"


def made(path: Path, records: int = 30) -> Path:
    with Store(path) as store:
        for number in range(records):
            store.put(text=f"Note {number} {'of some length ' * 20}.", written_by="agent:1")
    return path


def cut_off(path: Path, size: int) -> None:
    os.truncate(made(path), size)


def cut_off_in_the_middle(path: Path) -> None:
    cut_off(path, made(path).stat().st_size // 2)


def of_another_application(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (text)")
        connection.commit()


def of_another_application_with_a_log(path: Path) -> None:
    """As it was left by a process that was killed: what it wrote last is in the log alone."""
    living = path.with_name("living.db")
    with closing(sqlite3.connect(living)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE notes (text)")
        connection.commit()
        for ending in ("", "-wal"):
            shutil.copy(living.with_name(living.name + ending), path.with_name(path.name + ending))


def of_another_mark(path: Path) -> None:
    made(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 7")


def newer(path: Path) -> None:
    made(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def older(path: Path) -> None:
    made(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")


def of_two_names(path: Path) -> None:
    os.link(made(path.with_name("first.db")), path)


# What is in the file's place, and what the refusal says of it.
FILES: Final[list[tuple[str, Callable[[Path], object], str]]] = [
    ("empty", lambda path: cut_off(path, 0), "is empty, as if it was cut off; restore it from a copy"),
    ("ten bytes", lambda path: cut_off(path, 10), "is no database; name another file, it was not touched"),
    ("header only", lambda path: cut_off(path, 100), "cannot be used: it is"),
    ("half a page", lambda path: cut_off(path, 2048), "damaged or cut off; restore it from a copy"),
    ("one page", lambda path: cut_off(path, 4096), "damaged or cut off; restore it from a copy"),
    ("middle", cut_off_in_the_middle, "damaged or cut off; restore it from a copy"),
    ("text", lambda path: path.write_text("not a database\n" * 500), "is no database; name another file"),
    ("other application", of_another_application, "is a database of something else; name another file"),
    ("other, with a log", of_another_application_with_a_log, "is a database of something else"),
    ("other mark", of_another_mark, "is a database of something else"),
    ("newer", newer, "has version 99 of the record store, this gg reads up to 2; run: pip install"),
    ("older", older, "says that it has version 1 of the record store, and its tables are not that one's"),
    ("folder", lambda path: path.mkdir(), "is a folder; name a file"),
    ("pipe", os.mkfifo, "is no regular file; name a file"),
    ("link to nothing", lambda path: path.symlink_to("nowhere"), "is a link to no file; remove the link"),
    ("two names", of_two_names, "has several names, which do not share its write-ahead log"),
]


def contents(folder: Path) -> dict[str, tuple[bytes, int] | None]:
    """Of each file below, its bytes and when it was changed last; nothing of what is no regular file."""
    found = {}
    for path in folder.rglob("*"):
        if not path.name.endswith("-shm"):  # an index of the log, made anew by each who opens it
            facts = (path.read_bytes(), path.stat().st_mtime_ns) if path.is_file() else None
            found[str(path.relative_to(folder))] = facts
    return found


@pytest.mark.parametrize(("make", "told"), [case[1:] for case in FILES], ids=[case[0] for case in FILES])
def test_what_is_no_store_is_refused_and_left_as_it_is(
    make: Callable[[Path], object], told: str, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    make(path)
    before = contents(tmp_path)

    with refused(STORE) as caught:
        Store(path)

    assert told in caught.value.message
    assert str(path) in caught.value.message or "the file " in caught.value.message
    assert contents(tmp_path) == before


def test_a_parent_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")

    with refused(STORE) as caught:
        Store(tmp_path / "file" / "below" / "memory.db")

    assert "cannot be used: not a directory" in caught.value.message
    assert contents(tmp_path).keys() == {"file"}


def test_a_new_store_is_for_its_owner_alone_and_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "memory.db"
    with Store(path):
        assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [each.name for each in path.parent.iterdir()] == ["memory.db"]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("name", [":memory:", "file:x.db?mode=memory", "a b%20?#.db", "caf\u00e9.db"])
def test_a_name_is_a_name_of_a_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Store(name) as store:
        store.put(text="A note.", written_by="agent:1")
        monkeypatch.chdir("/")
        store.put(text="Another note.", written_by="agent:1")
    with Store(tmp_path / name) as store:
        assert len(store.recall().current) == 2


def test_a_linked_store_is_used_under_its_real_name(tmp_path: Path) -> None:
    made(tmp_path / "memory.db", 1)
    (tmp_path / "link.db").symlink_to("memory.db")
    with Store(tmp_path / "link.db") as linked, Store(tmp_path / "memory.db") as store:
        linked.put(text="By the link.", written_by="agent:1")
        assert len(store.recall().current) == 2


def removed(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    copy.replace(path)


@pytest.mark.parametrize("change", [removed, replaced])
def test_a_file_that_lost_its_name_is_not_used_any_more(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    path = made(tmp_path / "memory.db", 1)
    with Store(path) as store:
        change(path)
        for call in (store.recall, lambda: store.put(text="Lost.", written_by="agent:1")):
            with refused(STORE) as caught:
                call()  # type: ignore[operator]
            assert "was removed or replaced after it was opened; open it again" in caught.value.message


def test_a_process_that_was_forked_opens_the_store_again(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db", 1)
    program = (
        "import os, sys\n"
        "from host.records import Refused, Store\n"
        "store = Store(sys.argv[1])\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try:\n"
        "        store.recall()\n"
        "    except Refused as refusal:\n"
        "        os._exit(3 if 'was opened before this process was forked' in refusal.message else 4)\n"
        "    os._exit(5)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3\n"
        "assert len(store.recall().current) == 1\n"
    )
    done = run_python(program, path)

    assert (done.returncode, done.stderr) == (0, "")


def run_python(program: str, *arguments: object) -> "subprocess.CompletedProcess[str]":
    root = Path(__file__).parents[3]
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_trigger_that_comes_while_the_store_is_open_acts_on_no_write(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db", 1)
    with Store(path) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(
                "CREATE TRIGGER copies AFTER INSERT ON records"
                " BEGIN INSERT INTO exports (at, target) VALUES ('', new.text); END"
            )
        with refused(STORE) as caught:
            store.put(text="A secret.", written_by="agent:1")
        assert "trigger copies" in caught.value.message
    assert b"A secret." not in path.read_bytes()


@pytest.fixture
def tiny_store(small_disk: Path) -> Path:
    """On a disk with room for it and for a little more."""
    remount(small_disk, "size=1m")
    return made(small_disk / "memory.db", 1)


def remount(disk: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", str(disk)], check=True)


def test_a_full_disk_refuses_puts_and_loses_nothing(tiny_store: Path) -> None:
    ids = []
    with Store(tiny_store) as store:
        with refused(STORE) as caught:
            for number in range(10_000):
                text = f"Note {number} {'of some length ' * 200}."
                ids.append(store.put(text=text, written_by="agent:1")[0].id)
        assert "the disk is full; make room, nothing was written" in caught.value.message
        assert 10 < len(ids) < 1_000
        assert store.recall(record_ids=ids).missing == ()
        remount(tiny_store.parent, "size=8m")
        store.put(text="There is room.", written_by="agent:1")
    with Store(tiny_store) as store:
        verified = store.verify()
        assert (verified.is_refusal, verified.fields["rows"]) == (False, len(ids) + 2)


def test_a_disk_that_is_full_at_the_start_gets_no_half_a_store(small_disk: Path) -> None:
    (small_disk / "filler").write_bytes(b"x" * 40_000)

    with refused(STORE) as caught:
        Store(small_disk / "memory.db")

    assert "the disk is full" in caught.value.message
    assert [path.name for path in small_disk.iterdir()] == ["filler"]


def test_a_read_only_disk_refuses_and_is_left_as_it_is(tiny_store: Path) -> None:
    before = contents(tiny_store.parent)
    read_only(tiny_store.parent)

    with refused(STORE) as caught:
        Store(tiny_store)

    assert "cannot be opened; look at the path and at the rights of its folder" in caught.value.message
    assert contents(tiny_store.parent) == before


def test_a_limit_on_the_size_of_files_is_a_refusal_too(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db", 1)
    program = (
        "import resource, sys\n"
        "from host.records import Refused, Store\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))\n"
        "store = Store(sys.argv[1])\n"
        "kept = 0\n"
        "try:\n"
        "    while True:\n"
        "        store.put(text=f'Note {kept} ' + 'of some length ' * 200, written_by='agent:2')\n"
        "        kept += 1\n"
        "except Refused as refusal:\n"
        "    print(kept, refusal.code)\n"
    )
    done = run_python(program, path)
    kept, code = done.stdout.split()

    assert (done.stderr, code) == ("", STORE)
    with Store(path) as store:
        assert store.verify().fields["rows"] == int(kept) + 1


READ_ONLY: Final = "it is read-only; make the file and its folder writable for this user"
NOBODY: Final = 65534
AS_NOBODY: Final = (
    "import os, sys\n"
    "from host.records import Refused, Store\n"
    "def said(call):\n"
    "    try:\n"
    "        call()\n"
    "        return 'done'\n"
    "    except Refused as refusal:\n"
    "        return refusal.message.rsplit(': ')[-1]\n"
    f"os.setgid({NOBODY}); os.setuid({NOBODY})\n"
    "store = None\n"
    "def opens():\n"
    "    global store\n"
    "    store = Store(sys.argv[1])\n"
    "print(said(opens))\n"
    "if store:\n"
    "    print(said(store.recall))\n"
    "    print(said(lambda: store.put(text='No.', written_by='agent:1')))\n"
)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
@pytest.mark.parametrize(
    ("file_mode", "folder_mode", "said"),
    [
        (
            0o444,
            0o777,
            ["done", "done", "it is read-only; make the file and its folder writable for this user"],
        ),
        (0o666, 0o555, [READ_ONLY]),
        (0o600, 0o777, ["it cannot be opened; look at the path and at the rights of its folder"]),
    ],
    ids=["read-only file", "read-only folder", "another user's file"],
)
def test_rights_that_are_missing(file_mode: int, folder_mode: int, said: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "store"
    path = made(folder / "memory.db", 1)
    for above in takewhile(lambda each: each.stat().st_mode & 0o077 == 0, tmp_path.parents):
        above.chmod(0o755)  # pytest's own folders, of which a parallel run has one more
    tmp_path.chmod(0o755)
    path.chmod(file_mode)
    folder.chmod(folder_mode)
    before = path.read_bytes(), path.stat().st_mtime_ns

    done = run_python(AS_NOBODY, path)

    assert (done.stdout.splitlines(), done.stderr) == (said, "")
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_a_lock_that_is_held_is_waited_for(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db", 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        database = Database(path, wait_s=0.05)
        other.execute("BEGIN EXCLUSIVE")
        with refused(STORE) as caught, database.writing():
            pass
        assert caught.value.message.endswith("another process holds it, and did so for 0.05 s; try again")
        with database.reading() as connection:  # goes on beside it
            assert connection.execute("SELECT count(*) FROM records").fetchone() == (1,)
        other.execute("ROLLBACK")
        with database.writing():
            pass
        database.close()


@pytest.mark.slow
def test_a_store_waits_five_seconds(tmp_path: Path) -> None:
    with Store(tmp_path / "memory.db") as store:
        with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with refused(STORE) as caught:
                store.put(text="A note.", written_by="agent:1")
        assert "did so for 5 s" in caught.value.message


def test_what_a_caller_raises_is_told_as_it_is(tmp_path: Path) -> None:
    with closing(Database(made(tmp_path / "memory.db", 1))) as database:
        for transaction in (database.reading, database.writing):
            with pytest.raises(OSError, match="of the caller"), transaction():
                raise OSError("of the caller")
            assert not database.connection.in_transaction
