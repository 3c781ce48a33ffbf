"""The way into a store's file and out of it: every look is of one moment, every write is in the ledger, and
with a key the head outside the file goes along.

A write holds the lock of the head while it looks whether the file is where the head says, leaves word of
where it goes, commits, and says that it has. Only then is it acknowledged.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from host.core.envelope import Evidence, Refused
from host.core.errors import system_reason
from host.core.text import counted
from host.records import codes, index, rows
from host.records.database import WAIT_S, Database
from host.records.integrity import sums
from host.records.integrity.check import is_servable
from host.records.integrity.findings import finding
from host.records.integrity.head import HEAD_FAULTS, NOWHERE, Head, HeadState
from host.records.integrity.keys import Keys
from host.records.integrity.ledger import (
    Entry,
    Op,
    Tip,
    append,
    drop_impossible,
    is_end_of,
    next_place,
    tip_of,
)
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
        self._gone: Final[list[tuple[int, object]]] = []
        self._next_seq = 0
        self._is_summed = True

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
        sums.add(self.connection, 1, row.size_bytes)
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
        sums.add(self.connection, 0, row.size_bytes - before[0])
        self.entries.append(Entry(op, record.seq, mac))

    def take_out(self, seq: int, op: Op = "forget") -> None:
        """Takes a row out of the file with all that the indexes have of it, readable or not."""
        values = self.connection.execute(f"{rows.SELECT_KEPT} WHERE seq = ?", (seq,)).fetchone()
        kept = rows.kept_of(values) if values else None
        self._gone.append((seq, kept.row.text if kept else None))
        self.connection.execute("DELETE FROM record_tags WHERE seq = ?", (seq,))
        self.connection.execute("DELETE FROM vectors WHERE seq = ?", (seq,))
        self.connection.execute("DELETE FROM records WHERE seq = ?", (seq,))
        is_known = kept is not None and sums.is_size(kept.row.size_bytes)
        if kept is not None and is_known and is_servable(self.connection, self.seal, kept):
            sums.add(self.connection, -1, -kept.row.size_bytes)
        else:  # nobody knows what it has in the sums
            self._is_summed = False
        self.entries.append(Entry(op, seq, None))

    def finish(self, tip: Tip) -> Tip:
        """Brings the indexes up to date and the entries into the ledger; the new tip."""
        if self._texts:
            index.add(self.connection, self._texts)
        if self._gone:
            index.remove(self.connection, self._gone)
        if not self._is_summed:
            sums.make_anew(self.connection)
        return append(self.connection, self.seal, tip, self.entries)

    def _new_seq(self) -> int:
        self._next_seq = self._next_seq + 1 if self._next_seq else next_place(self.connection)
        return self._next_seq


class Journal:
    """A store's file with its ledger and, with `keys`, its head. One thread at a time uses it."""

    def __init__(self, path: Path, keys: Keys | None, *, wait_s: float = WAIT_S) -> None:
        self.database: Final = Database(path, wait_s=wait_s)
        try:
            self.seal: Final[Seal] = KeyedSeal(keys, self._number()) if keys else PlainSeal()
            self._head: Final = Head(keys, path, wait_s=wait_s) if keys else None
            self._settle()
        except BaseException:
            self.database.close()
            raise

    def close(self) -> None:
        self.database.close()

    @contextmanager
    def reading(self) -> Iterator[tuple[sqlite3.Connection, tuple[Evidence, ...]]]:
        """One moment of the file, and what speaks against the file being the one that was written last."""
        with ExitStack() as stack:
            connection = stack.enter_context(self.database.reading())
            doubt = self._doubt(connection)
            if doubt is not None:
                stack.close()
                with self._lock():  # a write of another process may have come between the two looks
                    connection = stack.enter_context(self.database.reading())
                    doubt = self._doubt(connection)
            self._refuse_wrong_sums(connection)
            yield connection, () if doubt is None else (finding("head", doubt),)

    @contextmanager
    def judging(self) -> Iterator[tuple[sqlite3.Connection, str | None]]:
        """As `reading`, of a file that was changed in whatever way; with what the head says against it."""
        with ExitStack() as stack:
            with self._lock():
                connection = stack.enter_context(self.database.reading())
                doubt = self._doubt(connection)
            yield connection, doubt

    @contextmanager
    def writing(self) -> Iterator[Change]:
        """A write, which is on the disk when this ends and undone when it raises."""
        with self._lock(), self.database.writing() as connection:
            doubt = self._doubt(connection)
            if doubt is not None:
                raise Refused.of(codes.STORE, f"nothing is written: {doubt}")
            self._refuse_wrong_sums(connection)
            tip = tip_of(connection)
            change = Change(connection, self.seal)
            yield change
            if change.entries:
                self._commit(HeadState(tip), change.finish(tip))
            else:
                self.database.commit()

    @contextmanager
    def accepting(self) -> Iterator[tuple[Change, Tip, str | None]]:
        """A write onto a file that the head may speak against, with what it says; the head then follows."""
        with self._lock(), self.database.writing() as connection:
            doubt = self._doubt(connection)
            drop_impossible(connection)
            tip = tip_of(connection)
            change = Change(connection, self.seal)
            yield change, tip, doubt
            if self._head is not None:
                self._say_keyed(connection)
            # Until the file says that it was accepted, the head goes on to speak against it.
            state = self._head_state() if self._head else None
            before = state if isinstance(state, HeadState) else HeadState(NOWHERE)
            self._commit(before, change.finish(tip))

    def _commit(self, before: HeadState, new: Tip) -> None:
        if self._head is not None:
            with self.database.told_of_system():
                self._head.write(HeadState(before.committed, new))
        self.database.commit()
        if self._head is not None:
            try:
                self._head.write(HeadState(new))
            except OSError as error:
                raise Refused.of(
                    codes.STORE,
                    "what was to be written is in the store, but its head cannot be brought to an end:"
                    f" {system_reason(error)}; the next write does that",
                ) from error

    @contextmanager
    def _lock(self) -> Iterator[None]:
        if self._head is None:
            yield
            return
        with self.database.told_of_system():
            self._head.take()
        try:
            yield
        finally:
            self._head.let_go()

    def _doubt(self, connection: sqlite3.Connection) -> str | None:
        """What speaks against the file being the one that was written last; `None` without a head to ask."""
        is_keyed = _is_keyed(connection)
        if self._head is None:
            if is_keyed:
                raise self._key_needed()
            return None
        accept = "; look at it with gg records verify, and accept it as it is with --accept REASON"
        state = self._head_state()
        if isinstance(state, str):
            return state + accept
        if state is None:
            return f"the store has no head beside its key, as if it were a copy{accept}"
        tip = tip_of(connection)
        was = state.committed
        if not state.allows(tip):
            return (
                f"the file ends at entry {tip.n} with {counted(tip.rows, 'record')}, and its head says entry"
                f" {was.n} with {was.rows:,}: it was put back to an earlier state, made anew or changed"
                f" outside gg{accept}"
            )
        if not is_keyed:
            return f"the file says that it was kept without a key, and was not{accept}"
        if not is_end_of(connection, self.seal):
            return f"the file says that it is another store than it was{accept}"
        return None

    def _head_state(self) -> HeadState | str | None:
        """The head; what speaks against one that cannot be read."""
        assert self._head is not None, "who asks has looked"
        with self.database.told_of_system():
            try:
                return self._head.read()
            except HEAD_FAULTS:
                return "the head of the store was changed outside gg, or is of another key"

    def _settle(self) -> None:
        """Finishes what a killed write began, and takes a store under its key that had none before."""
        connection = self.database.connection
        with self.database.told():
            is_keyed = _is_keyed(connection)
        if self._head is None:
            if is_keyed:
                raise self._key_needed()
            return
        state = self._head_state()
        if is_keyed and (not isinstance(state, HeadState) or state.pending is None):
            return  # a head that cannot be read is told of at each look and each write
        with self._lock(), self.database.writing():
            tip = tip_of(connection)
            state = self._head_state()
            if isinstance(state, str):
                return
            if not _is_keyed(connection) and self._may_be_taken(connection, state, tip):
                new = begin_keyed(connection, self.seal)
                self._say_keyed(connection)
                self._commit(HeadState(tip), new)
            elif state is not None and state.pending is not None and state.allows(tip):
                with self.database.told_of_system():
                    self._head.write(HeadState(tip))

    def _may_be_taken(self, connection: sqlite3.Connection, state: HeadState | None, tip: Tip) -> bool:
        """A head is there already where a process was killed while it took the store under its key."""
        return state is None or (state.committed == tip and is_end_of(connection, PlainSeal()))

    def _say_keyed(self, connection: sqlite3.Connection) -> None:
        connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (_INTEGRITY, "keyed"))

    def _key_needed(self) -> Refused:
        return Refused.of(
            codes.STORE,
            f"the store {self.database.path} was kept with a key, which is needed to read it;"
            " name its folder by keys= or G6_KEYS",
        )

    def _number(self) -> bytes:
        """The store's own; MACs that are bound to none hold for no row that a store keeps."""
        with self.database.told():
            found = self.database.connection.execute(
                "SELECT value FROM settings WHERE name = 'store'"
            ).fetchone()
        return found[0] if found and isinstance(found[0], bytes) else b""

    def _refuse_wrong_sums(self, connection: sqlite3.Connection) -> None:
        if not sums.are_numbers(connection):
            raise Refused.of(
                codes.STORE,
                f"the sums of the store {self.database.path} were changed outside gg; look at it with gg"
                " records verify, and have them made again with --accept REASON",
            )


def _is_keyed(connection: sqlite3.Connection) -> bool:
    found = connection.execute("SELECT value FROM settings WHERE name = ?", (_INTEGRITY,)).fetchone()
    return found is not None and found[0] == "keyed"
