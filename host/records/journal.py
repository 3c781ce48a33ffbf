"""The way into a store's file and out of it: every look is of one moment, every write is in the ledger, and
with a key the head outside the file goes along.

A write holds the lock of the head while it looks whether the file is where the head says, leaves word of
where it goes, commits, and says that it has. Only then is it acknowledged.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final

from host.core.envelope import Evidence, Refused
from host.records import codes, index, rows
from host.records.database import Database
from host.records.integrity.head import HEAD_FAULTS, Head, HeadState
from host.records.integrity.keys import Keys
from host.records.integrity.ledger import Entry, Op, Tip, append, tip_of
from host.records.integrity.rekeying import begin_keyed
from host.records.integrity.seal import KeyedSeal, PlainSeal, Seal, row_mac
from host.records.model import Record

_INTEGRITY: Final = "integrity"


class Change:
    """A write that is under way: rows put, rewritten and taken out, with an entry of the ledger for each."""

    def __init__(self, connection: sqlite3.Connection, seal: Seal) -> None:
        self.connection: Final = connection
        self.seal: Final = seal
        self.entries: Final[list[Entry]] = []
        self._texts: Final[list[tuple[int, str]]] = []
        self._next_seq = 0

    def keep(self, record: Record) -> Record:
        """Puts a record; the one that is given has no place yet."""
        placed = replace(record, seq=self._new_seq())
        row = rows.row_of(placed)
        content = row.content
        mac = row_mac(self.seal, placed.seq, content)
        rows.insert(self.connection, row, rows.row_hash(content), mac, seq=placed.seq)
        tags = [(tag, placed.seq) for tag in placed.tags]
        self.connection.executemany("INSERT INTO record_tags VALUES (?, ?)", tags)
        self._texts.append((placed.seq, placed.text))
        self._add_to_totals(1, row.size_bytes)
        self.entries.append(Entry("put", placed.seq, mac))
        return placed

    def rewrite(self, record: Record, op: Op) -> None:
        """Puts another state of a record in the place of the one that is there; its text stays."""
        before = self.connection.execute(
            "SELECT size_bytes FROM records WHERE seq = ?", (record.seq,)
        ).fetchone()
        row = rows.row_of(record)
        content = row.content
        mac = row_mac(self.seal, record.seq, content)
        rows.update(self.connection, row, rows.row_hash(content), mac, seq=record.seq)
        self._add_to_totals(0, row.size_bytes - before[0])
        self.entries.append(Entry(op, record.seq, mac))

    def take_out(self, seq: int, op: Op = "forget") -> None:
        """Takes a row out of the file with all that the indexes have of it, readable or not."""
        self._flush()
        size = self.connection.execute("SELECT size_bytes FROM records WHERE seq = ?", (seq,)).fetchone()
        index.remove(self.connection, [seq])
        self.connection.execute("DELETE FROM record_tags WHERE seq = ?", (seq,))
        self.connection.execute("DELETE FROM records WHERE seq = ?", (seq,))
        if size is not None:
            self._add_to_totals(-1, -size[0] if isinstance(size[0], int) else 0)
        self.entries.append(Entry(op, seq, None))

    def finish(self, tip: Tip) -> Tip:
        """Brings the indexes up to date and the entries into the ledger; the new tip."""
        self._flush()
        return append(self.connection, self.seal, tip, self.entries)

    def _flush(self) -> None:
        if self._texts:
            index.add(self.connection, self._texts)
            self._texts.clear()

    def _new_seq(self) -> int:
        if not self._next_seq:
            # Also above what the ledger has and the rows have no more: no place is given twice.
            newest = [
                self.connection.execute(f"SELECT max(seq) FROM {table}").fetchone()[0] or 0
                for table in ("ledger", "records")
            ]
            self._next_seq = max(newest)
        self._next_seq += 1
        return self._next_seq

    def _add_to_totals(self, count: int, size_bytes: int) -> None:
        self.connection.execute("UPDATE totals SET rows = rows + ?, bytes = bytes + ?", (count, size_bytes))


class Journal:
    """A store's file with its ledger and, with `keys`, its head. One thread at a time uses it."""

    def __init__(self, path: Path, keys: Keys | None) -> None:
        self.database: Final = Database(path)
        self.seal: Final[Seal] = KeyedSeal(keys) if keys else PlainSeal()
        self._head: Final = Head(keys, path) if keys else None
        try:
            self._settle()
        except BaseException:
            self.database.close()
            raise

    def close(self) -> None:
        self.database.close()

    @contextmanager
    def reading(self) -> Iterator[tuple[sqlite3.Connection, tuple[Evidence, ...]]]:
        """One moment of the file, and what speaks against the file being the one that was written last."""
        with self.database.reading() as connection:
            if self._doubt(connection) is None:
                yield connection, ()
                return
        # A write of another process may have come between the two looks.
        with self._lock(), self.database.reading() as connection:
            doubt = self._doubt(connection)
            yield connection, () if doubt is None else (Evidence(code=codes.STORE, detail=doubt),)

    @contextmanager
    def writing(self) -> Iterator[Change]:
        """A write, which is on the disk when this ends and undone when it raises."""
        with self._lock(), self.database.writing() as connection:
            doubt = self._doubt(connection)
            if doubt is not None:
                raise Refused.of(codes.STORE, f"nothing is written: {doubt}")
            tip = tip_of(connection)
            change = Change(connection, self.seal)
            yield change
            if change.entries:
                self._commit(tip, change.finish(tip))
            else:
                self.database.commit()

    @contextmanager
    def accepting(self) -> Iterator[tuple[Change, str]]:
        """A write onto a file that the head may speak against, with what it says; the head then follows."""
        with self._lock(), self.database.writing() as connection:
            tip = tip_of(connection)
            change = Change(connection, self.seal)
            yield change, self._doubt(connection) or ""
            self._commit(tip, change.finish(tip))

    def _commit(self, tip: Tip, new: Tip) -> None:
        with self.database.told():
            if self._head is not None:
                self._head.write(HeadState(tip, new))
            self.database.commit()
            if self._head is not None:
                self._head.write(HeadState(new))

    @contextmanager
    def _lock(self) -> Iterator[None]:
        with self.database.told(), self._head.lock() if self._head else nullcontext():
            yield

    def _doubt(self, connection: sqlite3.Connection) -> str | None:
        """What speaks against the file being the one that was written last; `None` without a head to ask."""
        if self._head is None:
            return None
        accept = "; look at it with gg records verify, and accept it as it is with --accept REASON"
        try:
            state = self._head.read()
        except HEAD_FAULTS:
            return f"the head of the store was changed outside gg, or is of another key{accept}"
        if state is None:
            return f"the store has no head beside its key, as if it were a copy{accept}"
        tip = tip_of(connection)
        if state.allows(tip):
            return None
        was = state.committed
        return (
            f"the file ends at entry {tip.n} with {tip.rows} records, and its head says entry {was.n} with"
            f" {was.rows}: it was put back to an earlier state, made anew or changed outside gg{accept}"
        )

    def _settle(self) -> None:
        """Finishes what a killed write began, and takes a store under its key that had none before."""
        is_keyed = self._is_keyed()
        if self._head is None:
            if is_keyed:
                raise Refused.of(
                    codes.STORE,
                    f"the store {self.database.path} was kept with a key, which is needed to read it;"
                    " name its folder by keys= or G6_KEYS",
                )
            return
        if is_keyed and not self._is_pending():
            return
        with self._lock(), self.database.writing() as connection:
            tip = tip_of(connection)
            try:
                state = self._head.read()
            except HEAD_FAULTS:
                return  # each look and each write says so
            if state is None and not self._is_keyed():
                new = begin_keyed(connection, self.seal)
                connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (_INTEGRITY, "keyed"))
                self._commit(tip, new)
            elif state is not None and state.pending is not None and state.allows(tip):
                self._head.write(HeadState(tip))

    def _is_pending(self) -> bool:
        """Whether a write was killed on its way; a head that cannot be read says nothing of one."""
        assert self._head is not None, "who asks has looked"
        with self.database.told():
            try:
                state = self._head.read()
            except HEAD_FAULTS:
                return False
        return state is not None and state.pending is not None

    def _is_keyed(self) -> bool:
        with self.database.told():
            found = self.database.connection.execute(
                "SELECT value FROM settings WHERE name = ?", (_INTEGRITY,)
            ).fetchone()
        return found is not None and found[0] == "keyed"
