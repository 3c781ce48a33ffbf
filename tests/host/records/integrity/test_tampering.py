"""Edits of a store past gg, each with what is served then, what is told, and whether a write is still taken.

What holds without a key is in one column, what holds with one in the other.
"""

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from host.records import Refused, Store, make_keys, putting
from host.records.integrity.seal import PlainSeal, row_mac
from host.records.rows import SELECT_KEPT, kept_of, row_hash
from tests.helpers.records import kept, opened

KEPT: Final = "kept"
REFUSED: Final = "refused"


class Outcome(NamedTuple):
    """What a reader and a writer get who open the file after the edit. The store had 6 records."""

    served: int
    unreadable: int = 0
    evidence: tuple[str, ...] = ()
    put: str = KEPT


WHOLE: Final = Outcome(6)
ONE_LESS: Final = Outcome(5, unreadable=1)


class Scene:
    """A folder with a store of five notes and an approved lesson, the store closed, and ways to change it."""

    def __init__(self, folder: Path, *, is_keyed: bool) -> None:
        self.folder: Final = folder
        self.keys: Final = folder / "keys" if is_keyed else None
        if self.keys:
            make_keys(self.keys)
        with self.opened() as store:
            for number in range(4):
                store.put(
                    text=f"Note number {number}.",
                    written_by="agent:1",
                    tags=["all"],
                    stale_after="2100-01-01T00:00:00Z",
                )
            lesson, _ = store.put(text="Ask a person.", written_by="agent:1", kind="lesson", tags=["all"])
            self.proposed = self.row(5)
            shutil.copytree(folder / "store", folder / "with_log")
            store.approve(lesson.id, reviewer="Sam Rivera", reason="agreed")
        shutil.copytree(folder / "store", folder / "yesterday")
        if self.keys:
            shutil.copytree(self.keys, folder / "keys_of_yesterday")
        with self.opened() as store:
            store.put(text="Note number 5.", written_by="agent:1", tags=["all"])

    @property
    def path(self) -> Path:
        return self.folder / "store" / "memory.db"

    def opened(self) -> Store:
        return Store(self.path, keys=self.keys)

    @contextmanager
    def edited(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, isolation_level=None)
        try:
            yield connection
        finally:
            connection.close()

    def sql(self, *statements: str) -> None:
        with self.edited() as connection:
            for statement in statements:
                connection.execute(statement)

    def row(self, seq: int) -> tuple[object, ...]:
        with self.edited() as connection:
            found = connection.execute("SELECT * FROM records WHERE seq = ?", (seq,)).fetchone()
        return tuple(found)

    def put_row(self, row: tuple[object, ...]) -> None:
        places = ", ".join("?" * len(row))
        with self.edited() as connection:
            connection.execute(f"INSERT OR REPLACE INTO records VALUES ({places})", row)

    def put_back(self, name: str) -> None:
        shutil.rmtree(self.path.parent)
        shutil.copytree(self.folder / name, self.path.parent)

    def outcome(self) -> Outcome | str:
        try:
            store = self.opened()
        except Refused as refusal:
            return refusal.message.split(";")[0].replace(str(self.path), "FILE")
        with store:
            found = store.recall()
            try:
                store.put(text="A new note.", written_by="agent:2")
                put = KEPT
            except Refused as refusal:
                put = REFUSED if refusal.code == "G6_E_MEMORY_STORE" else refusal.code
        evidence = tuple(sorted(str(each.more["finding"]) for each in found.evidence))
        return Outcome(len(found.current), found.unreadable, evidence, put)


def nothing(scene: Scene) -> None:
    pass


def flip_a_byte(scene: Scene) -> None:
    data = bytearray(scene.path.read_bytes())
    at = data.index(b"Note number 2.")
    data[at] ^= 1
    scene.path.write_bytes(data)


def delete_the_last_row(scene: Scene) -> None:
    scene.sql("DELETE FROM records WHERE seq = 6")


def delete_the_last_row_and_its_entry(scene: Scene) -> None:
    scene.sql("DELETE FROM records WHERE seq = 6", "DELETE FROM ledger WHERE seq = 6")


def delete_all_that_speaks_of_the_last_row(scene: Scene) -> None:
    size = scene.row(6)[15]
    assert isinstance(size, int)
    scene.sql(
        "DELETE FROM records WHERE seq = 6",
        "DELETE FROM ledger WHERE seq = 6",
        "DELETE FROM record_tags WHERE seq = 6",
        "DELETE FROM postings WHERE seq = 6",
        f"UPDATE totals SET rows = rows - 1, bytes = bytes - {size}",
    )


def put_back_yesterdays_copy(scene: Scene) -> None:
    scene.put_back("yesterday")


def put_back_all_of_yesterday(scene: Scene) -> None:
    """The head as well, which nothing is beside to speak against."""
    scene.put_back("yesterday")
    if scene.keys:
        shutil.rmtree(scene.keys)
        shutil.copytree(scene.folder / "keys_of_yesterday", scene.keys)


def put_back_a_copy_with_its_log(scene: Scene) -> None:
    assert (scene.folder / "with_log" / "memory.db-wal").stat().st_size > 0
    scene.put_back("with_log")


def make_the_file_anew(scene: Scene) -> None:
    shutil.rmtree(scene.path.parent)


def delete_the_head(scene: Scene) -> None:
    for path in scene.folder.glob("keys/heads/*.json"):
        path.unlink()


def edit_the_head(scene: Scene) -> None:
    for path in scene.folder.glob("keys/heads/*.json"):
        said = json.loads(path.read_text())
        said["committed"]["n"] += 1
        path.write_text(json.dumps(said))


def write_nonsense_as_the_head(scene: Scene) -> None:
    for path in scene.folder.glob("keys/heads/*.json"):
        path.write_text("[" * 60_000)


def replace_the_key(scene: Scene) -> None:
    for path in scene.folder.glob("keys/records.key"):
        path.write_text("ab" * 32 + "\n")


def swap_two_rows(scene: Scene) -> None:
    one, two = scene.row(1), scene.row(2)
    scene.sql("DELETE FROM records WHERE seq IN (1, 2)")
    scene.put_row((2, *one[1:]))
    scene.put_row((1, *two[1:]))


def copy_a_row_from_another_store(scene: Scene) -> None:
    """Kept with the same key, at the same place; its entry of the ledger comes along."""
    other = scene.folder / "other.db"
    with Store(other, keys=scene.keys) as store:
        for number in range(6):
            store.put(text=f"Another note {number}.", written_by="agent:1", tags=["all"])
    with scene.edited() as connection:
        connection.execute("ATTACH ? AS other", (str(other),))
        connection.execute("INSERT OR REPLACE INTO records SELECT * FROM other.records WHERE seq = 3")
        (n,) = connection.execute("SELECT n FROM ledger WHERE seq = 3").fetchone()
        connection.execute("INSERT OR REPLACE INTO ledger SELECT * FROM other.ledger WHERE n = ?", (n,))


def put_back_the_proposal(scene: Scene) -> None:
    scene.put_row(scene.proposed)


def put_back_the_proposal_and_take_out_the_approval(scene: Scene) -> None:
    scene.put_row(scene.proposed)
    scene.sql("DELETE FROM ledger WHERE op = 'approve'")


def put_back_the_proposal_and_edit_the_entry(scene: Scene) -> None:
    scene.put_row(scene.proposed)
    scene.sql("UPDATE ledger SET row_mac = (SELECT mac FROM records WHERE seq = 5) WHERE op = 'approve'")


def edit_with_the_hash(scene: Scene) -> None:
    scene.sql(
        "UPDATE records SET created_at = '2020-01-01T00:00:00.000000Z' WHERE seq = 1",
        "UPDATE records SET tags = '[\"bad\"]' WHERE seq = 2",
        "UPDATE records SET stale_after = '2200-01-01T00:00:00.000000Z' WHERE seq = 3",
    )
    with scene.edited() as connection:
        for kept in map(kept_of, connection.execute(SELECT_KEPT).fetchall()):
            values = (row_hash(kept.row.content), kept.seq)
            connection.execute("UPDATE records SET hash = ? WHERE seq = ?", values)


def edit_with_all_hashes(scene: Scene) -> None:
    edit_with_the_hash(scene)
    seal = PlainSeal()
    with scene.edited() as connection:
        previous = bytes(32)
        macs = {
            kept.seq: row_mac(seal, kept.seq, kept.row.content)
            for kept in map(kept_of, connection.execute(SELECT_KEPT).fetchall())
        }
        connection.executemany(
            "UPDATE records SET mac = ? WHERE seq = ?", [(mac, n) for n, mac in macs.items()]
        )
        entries = connection.execute("SELECT n, op, seq FROM ledger ORDER BY n").fetchall()
        for n, op, seq in entries:
            said = b"\0".join((str(n).encode(), op.encode(), str(seq).encode(), macs.get(seq, b"")))
            mac = hashlib.sha256(b"entry\0" + said + b"\0" + previous).digest()
            connection.execute(
                "UPDATE ledger SET row_mac = ?, previous_mac = ?, mac = ? WHERE n = ?",
                (macs.get(seq), previous, mac, n),
            )
            previous = mac


def add_a_row(scene: Scene) -> None:
    scene.put_row((7, "f" * 64, *scene.row(6)[2:]))


def say_that_there_is_no_key(scene: Scene) -> None:
    scene.sql("DELETE FROM settings WHERE name = 'integrity'")


def give_it_another_number(scene: Scene) -> None:
    scene.sql("UPDATE settings SET value = randomblob(16) WHERE name = 'store'")


def change_the_sums(scene: Scene) -> None:
    scene.sql("UPDATE totals SET bytes = 0")


def make_the_sums_no_numbers(scene: Scene) -> None:
    scene.sql("UPDATE totals SET rows = 'many'")


def add_a_trigger(scene: Scene) -> None:
    scene.sql(
        "CREATE TRIGGER copies AFTER INSERT ON records BEGIN"
        " INSERT INTO exports (at, target) VALUES ('', new.text); END"
    )


def drop_an_index(scene: Scene) -> None:
    scene.sql("DROP INDEX ledger_of_row")


def add_a_trigger_of_a_reserved_name(scene: Scene) -> None:
    add_a_trigger(scene)
    scene.sql(
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET name = 'sqlite_autoindex_9', sql ="
        " replace(sql, 'copies', 'sqlite_autoindex_9') WHERE type = 'trigger'",
    )


PART: Final = "the file has a part that gg did not make, or lacks or has changed one: "
# The edit, what comes of it without a key, and with one.
EDITS: Final[list[tuple[Callable[[Scene], None], Outcome | str, Outcome | str]]] = [
    (nothing, WHOLE, WHOLE),
    (flip_a_byte, ONE_LESS, ONE_LESS),
    (delete_the_last_row, Outcome(5, 1, ("totals_wrong",)), Outcome(5, 1, ("totals_wrong",))),
    (
        delete_the_last_row_and_its_entry,
        Outcome(5, 0, ("totals_wrong",), REFUSED),  # what the indexes still have stands in a new row's way
        Outcome(5, 0, ("head", "totals_wrong"), REFUSED),
    ),
    (delete_all_that_speaks_of_the_last_row, Outcome(5), Outcome(5, 0, ("head",), REFUSED)),
    (put_back_yesterdays_copy, Outcome(5), Outcome(5, 0, ("head",), REFUSED)),
    (put_back_all_of_yesterday, Outcome(5), Outcome(5)),
    (put_back_a_copy_with_its_log, Outcome(4), Outcome(4, 0, ("head",), REFUSED)),
    (make_the_file_anew, Outcome(0), Outcome(0, 0, ("head",), REFUSED)),
    (delete_the_head, WHOLE, Outcome(6, 0, ("head",), REFUSED)),
    (edit_the_head, WHOLE, Outcome(6, 0, ("head",), REFUSED)),
    (write_nonsense_as_the_head, WHOLE, Outcome(6, 0, ("head",), REFUSED)),
    (replace_the_key, WHOLE, Outcome(0, 6, ("head", "ledger_broken"), REFUSED)),
    (swap_two_rows, Outcome(4, 2), Outcome(4, 2)),
    (
        copy_a_row_from_another_store,
        Outcome(6, 0, ("ledger_broken", "totals_wrong")),
        Outcome(5, 1, ("ledger_broken", "totals_wrong")),
    ),
    (put_back_the_proposal, Outcome(5, 1, ("totals_wrong",)), Outcome(5, 1, ("totals_wrong",))),
    (
        put_back_the_proposal_and_take_out_the_approval,
        Outcome(5, 0, ("ledger_broken", "totals_wrong")),  # the lesson is held back again
        Outcome(5, 0, ("ledger_broken", "totals_wrong")),
    ),
    (
        put_back_the_proposal_and_edit_the_entry,
        Outcome(5, 1, ("ledger_broken", "totals_wrong")),
        Outcome(5, 1, ("ledger_broken", "totals_wrong")),
    ),
    (edit_with_the_hash, Outcome(3, 3), Outcome(3, 3)),
    (edit_with_all_hashes, WHOLE, Outcome(0, 6, ("head", "ledger_broken"), REFUSED)),
    (add_a_row, Outcome(6, 1, ("totals_wrong",)), Outcome(6, 1, ("totals_wrong",))),
    (say_that_there_is_no_key, WHOLE, Outcome(6, 0, ("head",), REFUSED)),
    (give_it_another_number, WHOLE, Outcome(0, 6, ("head", "ledger_broken"), REFUSED)),
    (change_the_sums, Outcome(6, 0, ("totals_wrong",)), Outcome(6, 0, ("totals_wrong",))),
    (add_a_trigger, f"{PART}trigger copies", f"{PART}trigger copies"),
    (
        add_a_trigger_of_a_reserved_name,
        f"{PART}trigger sqlite_autoindex_9",
        f"{PART}trigger sqlite_autoindex_9",
    ),
    (drop_an_index, f"{PART}index ledger_of_row", f"{PART}index ledger_of_row"),
]


@pytest.mark.parametrize(("edit", "by_hash", "by_key"), EDITS, ids=[edit.__name__ for edit, _, _ in EDITS])
@pytest.mark.parametrize("is_keyed", [False, True], ids=["hash", "keyed"])
def test_edit(
    edit: Callable[[Scene], None],
    by_hash: Outcome | str,
    by_key: Outcome | str,
    is_keyed: bool,
    tmp_path: Path,
) -> None:
    scene = Scene(tmp_path, is_keyed=is_keyed)
    edit(scene)

    assert scene.outcome() == (by_key if is_keyed else by_hash)


@pytest.mark.parametrize("is_keyed", [False, True], ids=["hash", "keyed"])
@pytest.mark.parametrize(
    "edit",
    [
        edit
        for edit, by_hash, by_key in EDITS
        if isinstance(by_key, Outcome) and edit is not give_it_another_number
    ],
    ids=lambda edit: edit.__name__,
)
def test_an_operator_accepts_what_an_edit_left(
    edit: Callable[[Scene], None], is_keyed: bool, tmp_path: Path
) -> None:
    """Writes are taken again; what was changed is unreadable until it is forgotten, and all is whole then."""
    scene = Scene(tmp_path, is_keyed=is_keyed)
    edit(scene)
    with scene.opened() as store:
        changed = {
            each.more["place"] for each in store.verify().evidence if each.more["finding"] == "row_changed"
        }
        accepted = store.accept("looked at it")

        assert accepted.fields["unreadable"] == len(changed)
        assert store.recall().unreadable == len(changed)
        ids = [each.more["id"] for each in store.verify().evidence]
        if ids:
            store.forget(record_ids=ids, reason="changed")
        store.put(text="A new note.", written_by="agent:2")
        verified = store.verify()

    assert not verified.is_refusal, verified.message
    with scene.opened() as store:
        assert (store.recall().unreadable, store.recall().evidence) == (0, ())
        assert [each["reason"] for each in store.verify().fields["acceptances"]] == ["looked at it"]  # type: ignore[attr-defined]


def test_an_edited_index_hides_a_record_until_a_full_check(tmp_path: Path) -> None:
    scene = Scene(tmp_path, is_keyed=True)
    with scene.opened() as store:
        assert len(store.search("number").current) == 5
    scene.sql(
        "DELETE FROM postings WHERE seq = 2",
        "UPDATE record_tags SET tag = 'other' WHERE seq = 3",
    )
    with scene.opened() as store:
        assert (len(store.search("number").current), store.search("number").evidence) == (4, ())
        assert len(store.recall(tags=["all"]).current) == 5
        verified = store.verify()
        assert [(each.more["finding"], each.more.get("place")) for each in verified.evidence] == [
            ("terms_wrong", 2),
            ("tags_wrong", 3),
        ]
        store.accept("made anew")
        assert (len(store.search("number").current), len(store.recall(tags=["all"]).current)) == (5, 6)
        assert not store.verify().is_refusal


@pytest.mark.parametrize("place", ["'abc'", "2.5", "x'00'"])
def test_entries_of_an_index_at_no_place_are_told(tmp_path: Path, place: str) -> None:
    scene = Scene(tmp_path, is_keyed=False)
    scene.sql(
        f"INSERT INTO postings VALUES ('number', {place}, 1, 3)",
        f"INSERT INTO record_tags VALUES ('all', {place})",
    )
    with scene.opened() as store:
        assert [(each.more["finding"], each.more["place"]) for each in store.verify().evidence] == [
            ("terms_wrong", 0),
            ("tags_wrong", 0),
        ]
        store.accept("made anew")
        assert not store.verify().is_refusal


@pytest.mark.slow
def test_above_ten_thousand_records_a_read_checks_what_it_serves_and_a_verify_checks_all(
    tmp_path: Path,
) -> None:
    with Store(tmp_path / "memory.db", max_records=20_000) as store:
        lines = [{"text": f"Note number {n}.", "written_by": "agent:1"} for n in range(10_001)]
        with store._access.writing() as (change, look):
            for line in lines:
                given = {
                    "kind": "note",
                    "source": None,
                    "tags": (),
                    "stale_after": None,
                    "passage": None,
                    **line,
                }
                change.keep(putting.drafted(given, look.now))
        with closing(sqlite3.connect(store.path, isolation_level=None)) as connection:
            connection.execute("UPDATE records SET text = 'Changed.' WHERE seq IN (5, 10001)")
        found = store.recall(limit=3)
        assert [hit.record.seq for hit in found.current] == [10_000, 9_999, 9_998]
        assert (found.unreadable, found.unreadable_checked_at) == (1, None)
        assert store.verify().fields["unreadable"] == 2
        assert store.recall(limit=3).unreadable == 2


def test_sums_that_are_no_numbers_are_refused_until_they_are_made_again(tmp_path: Path) -> None:
    scene = Scene(tmp_path, is_keyed=False)
    make_the_sums_no_numbers(scene)
    with scene.opened() as store:
        for call in (store.recall, lambda: store.search("note"), store.status):
            with pytest.raises(Refused, match="the sums of the store"):
                call()
        store.accept("made again")
        assert len(store.recall().current) == 6
        assert not store.verify().is_refusal


def test_an_older_copy_of_everything_head_and_key_included_is_taken(tmp_path: Path) -> None:
    folder, copy = tmp_path / "home", tmp_path / "yesterday"
    folder.mkdir()
    with opened(folder, keyed=True) as store:
        kept(store, "Yesterday.")
    shutil.copytree(folder, copy)
    with opened(folder, keyed=True) as store:
        kept(store, "Today.")
    shutil.rmtree(folder)
    copy.rename(folder)

    with opened(folder, keyed=True) as store:
        found = store.recall()
        assert ([hit.record.text for hit in found.current], found.evidence) == (["Yesterday."], ())
        assert store.verify().code == "G6_E_MEMORY_VERIFIED"
        kept(store, "Today again.")
