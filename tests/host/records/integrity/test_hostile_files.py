"""Whatever stands in the file, a read serves what it can vouch for, counts what it cannot, or refuses: it
does not fail otherwise, and with a key it serves nothing that was not kept.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from host.core.envelope import Envelope
from host.records import Record, Refused, Store, Use, make_keys
from host.records.identity import json_bytes
from host.records.integrity.ledger import GENESIS, Entry, Tip, append
from host.records.integrity.seal import PlainSeal, row_mac
from host.records.rows import SELECT_KEPT, kept_of, row_hash

EXAMPLES: Final = [10, pytest.param(300, marks=pytest.mark.slow)]
TABLES: Final = (
    *("records", "record_tags", "postings", "totals", "ledger", "settings", "acceptances"),
    *("tombstones", "receipts", "exports", "exported", "uses"),
)
PAGE_BYTES: Final = 4096
VALUES: Final[tuple[str, ...]] = (
    "NULL",
    "0",
    "-1",
    "1",
    "9223372036854775807",
    "-9223372036854775808",
    "4611686018427387903",
    "1e999",
    "0.5",
    "''",
    "'x'",
    "'[' || char(0) || ']'",
    "x''",
    "x'00ff'",
    "CAST(x'c3' AS TEXT)",
    "CAST(x'eda080' AS TEXT)",
    "replace(hex(zeroblob(20000)), '00', '[')",
    "'[\"\\ud800\"]'",
    "'{\"a\": 1}'",
    "'9999-99-99'",
)


@pytest.fixture(scope="module", params=["hash", "keyed"])
def original(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store that has seen all that is done with records, and its key if it has one."""
    folder = tmp_path_factory.mktemp(request.param)
    sent: list[str] = []
    if request.param == "keyed":
        make_keys(folder / "keys")
    with opened(folder) as store:
        records = [
            store.put(text=f"Refund {n} is paid.", written_by="agent:1", tags=["money", f"t{n}"])[0]
            for n in range(50)
        ]
        lesson, _ = store.put(text="Ask a person first.", written_by="agent:2", kind="lesson")
        store.put(text="Never pay a refund.", written_by="agent:2", kind="lesson")
        store.approve(lesson.id, reviewer="Sam Rivera", reason="agreed")
        store.supersede(records[0].id, records[1].id, "newer")
        store.forget(record_ids=[records[2].id], reason="wrong", block=True)
        store.accept("only to see")
        uses = [Use(record_id=record.id, run="run", agent="root", turn=1) for record in records]
        store.note_uses(uses)
        store.export(sent.append, target="copy.jsonl")
    return folder


def opened(folder: Path) -> Store:
    keys = folder / "keys"
    return Store(folder / "memory.db", keys=keys if keys.exists() else None)


def kept_in(folder: Path) -> dict[str, Record]:
    with opened(folder) as store:
        found = store.recall(limit=100)
        proposed = store.recall(proposed=True)
    hits = (*found.current, *found.stale, *found.superseded, *proposed.current)
    return {hit.record.id: hit.record for hit in hits}


def uses_of(store: Store, served: list[Record]) -> Iterator[Callable[[], object]]:
    """All that is done with a store, reads first; `served` gets what was read."""

    def read(call: Callable[..., Any], *given: object, **more: object) -> None:
        found = call(*given, **more)
        served.extend(hit.record for hit in (*found.current, *found.stale, *found.superseded))
        json_bytes(found.envelope.to_json())

    def told(call: Callable[..., Envelope], *given: object, **more: object) -> None:
        """The answer, or the refusal, as what is sent over MCP or printed."""
        try:
            envelope = call(*given, **more)
        except Refused as refused:
            envelope = refused.envelope
        json_bytes(envelope.to_json())

    def put(text: str) -> Envelope:
        return store.put(text=text, written_by="agent:3")[1]

    yield partial(read, store.recall)
    yield partial(read, store.recall, proposed=True)
    yield partial(read, store.recall, tags=["money"])
    yield partial(read, store.search, "refund paid")
    yield partial(read, store.search, "person", kind="lesson")
    yield partial(told, store.status)
    yield partial(told, store.verify)
    yield partial(told, store.forget, tags=["money"], preview=True)
    yield partial(told, put, "Refund 2 is paid.")
    yield partial(told, store.unblock, "Refund 2 is paid.", reason="it is true after all")
    yield partial(told, put, "A new note.")
    yield partial(told, store.export, json.loads, target="-")
    yield partial(told, store.forget, tags=["money"], reason="away with them", block=True)
    yield partial(told, store.accept, "as it is")
    yield partial(told, put, "Another note.")
    yield partial(read, store.search, "refund note")
    yield partial(told, store.status)
    yield partial(told, store.verify)


def use_all(folder: Path, known: dict[str, Record]) -> None:
    served: list[Record] = []
    try:
        store = opened(folder)
    except Refused:
        return
    with store:
        for use in uses_of(store, served):
            with suppress(Refused):
                use()
    if (folder / "keys").exists():
        new = ("A new note.", "Another note.", "Refund 2 is paid.")
        as_kept = {id_: (record.text, record.tags, record.approval) for id_, record in known.items()}
        for record in served:
            if record.text not in new:
                assert as_kept[record.id] == (record.text, record.tags, record.approval)


def copied(original: Path, to: Path) -> Path:
    """The same files under the same path: the head is of a path."""
    for path in [*original.glob("memory.db*"), *original.glob("keys/**/*")]:
        if path.is_file():
            there = to / path.relative_to(original)
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_bytes(path.read_bytes())
    return to


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Iterator[Path]:
    """The store of the module, as it was again after the test."""
    saved = copied(original, tmp_path / "saved")
    yield original
    put_back(saved, original)


def put_back(saved: Path, folder: Path) -> None:
    for path in folder.glob("memory.db*"):
        path.unlink()
    copied(saved, folder)


def edit_at_random(path: Path, random: Random, table: str = "") -> str:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        table = table or random.choice(TABLES)
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        column, value = random.choice(columns), random.choice(VALUES)
        condition = random.choice(["1", "abs(random()) % 3 = 0"])
        said = ", ".join(random.choice([column, random.choice(VALUES)]) for column in columns)
        sql = random.choice(
            [
                f"UPDATE OR IGNORE {table} SET {column} = {value} WHERE {condition}",
                f"UPDATE OR REPLACE {table} SET {column} = {value}",
                f"DELETE FROM {table} WHERE {condition}",
                f"INSERT OR REPLACE INTO {table} SELECT {said} FROM {table}",
            ]
        )
        with suppress(sqlite3.IntegrityError):  # a column that takes no NULL, or an id of two rows
            connection.execute(sql)
    return sql


@pytest.mark.parametrize("examples", EXAMPLES)
def test_values_of_every_kind_in_every_column(
    folder: Path, tmp_path: Path, fuzz_seed: int, examples: int
) -> None:
    known = kept_in(folder)
    saved = tmp_path / "saved"
    random = Random(fuzz_seed)
    for number in range(examples):
        done = [edit_at_random(folder / "memory.db", random) for _ in range(random.choice([1, 1, 2]))]
        try:
            use_all(folder, known)
        except Exception as error:
            raise AssertionError(f"number {number} of seed {fuzz_seed}: {done}") from error
        put_back(saved, folder)


def made_to_hold(path: Path) -> None:
    """Hashes and ledger made anew for whatever the rows are now, as anyone can who has no key to know."""
    seal = PlainSeal()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
        entries = []
        for kept in list(map(kept_of, connection.execute(SELECT_KEPT))):
            mac = row_mac(seal, kept.seq, kept.row.content)
            entries.append(Entry("put", kept.seq, mac))
            connection.execute(
                "UPDATE records SET hash = ?, mac = ? WHERE seq = ?",
                (row_hash(kept.row.content), mac, kept.seq),
            )
        connection.execute("DELETE FROM ledger")
        append(connection, seal, Tip(0, GENESIS, 0), entries)


@pytest.mark.parametrize("examples", EXAMPLES)
@pytest.mark.parametrize("original", ["hash"], indirect=True)
def test_values_of_every_kind_with_hashes_that_hold(
    folder: Path, tmp_path: Path, fuzz_seed: int, examples: int
) -> None:
    saved = tmp_path / "saved"
    random = Random(fuzz_seed)
    for number in range(examples):
        done = edit_at_random(folder / "memory.db", random, "records")
        made_to_hold(folder / "memory.db")
        try:
            use_all(folder, {})
        except Exception as error:
            raise AssertionError(f"number {number} of seed {fuzz_seed}: {done}") from error
        put_back(saved, folder)


@pytest.mark.parametrize("examples", EXAMPLES)
def test_bytes_of_the_file_changed(folder: Path, tmp_path: Path, fuzz_seed: int, examples: int) -> None:
    known = kept_in(folder)
    saved = tmp_path / "saved"
    random = Random(fuzz_seed)
    path = folder / "memory.db"
    for number in range(examples):
        data = bytearray(path.read_bytes())
        for _ in range(random.choice([1, 1, 20])):
            data[random.randrange(len(data))] = random.randrange(256)
        if random.random() < 0.3:  # a page in the place of another one, or nothing in it
            source, target = random.choices(range(0, len(data), PAGE_BYTES), k=2)
            page = random.choice([data[source : source + PAGE_BYTES], bytes(PAGE_BYTES)])
            data[target : target + PAGE_BYTES] = page
        path.write_bytes(data)
        try:
            use_all(folder, known)
        except Exception as error:
            raise AssertionError(f"number {number} of seed {fuzz_seed}") from error
        put_back(saved, folder)


TOLD_COLUMNS: Final = (
    *("tombstones.at", "tombstones.reason", "exports.at", "exports.target"),
    *("uses.record", "uses.run", "acceptances.at", "acceptances.reason"),
)


@pytest.mark.parametrize("value", ["7", "x'00ff'", "CAST(x'c3' AS TEXT)", "CAST(x'eda080' AS TEXT)"])
@pytest.mark.parametrize("column", TOLD_COLUMNS)
def test_what_answers_tell_beside_records_is_always_text(folder: Path, column: str, value: str) -> None:
    table, name = column.split(".")
    with closing(sqlite3.connect(folder / "memory.db", isolation_level=None)) as connection:
        connection.execute(f"UPDATE {table} SET {name} = {value}")

    with opened(folder) as store:
        with pytest.raises(Refused) as caught:
            store.put(text="Refund 2 is paid.", written_by="agent:3")
        answers = [
            caught.value.envelope,
            store.status(),
            store.verify(),
            store.unblock("Refund 2 is paid.", reason="it is true after all"),
            store.forget(tags=["money"], reason="away with them"),
        ]

    codes = [answer.code.removeprefix("G6_E_MEMORY_") for answer in answers]
    assert codes == ["INPUT", "STATUS", "VERIFIED", "UNBLOCKED", "FORGOTTEN"]
    assert all(json_bytes(answer.to_json()) for answer in answers)
