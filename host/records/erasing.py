"""Sees to it that text which was taken out of the tables is not left in the bytes of the file or of its log.

The log has it until it is emptied. The file itself may have it in spite of `secure_delete`: where SQLite
moves a cell to another page, it leaves the old bytes in the room between the cells. So a file that is not too
large is made anew from what is in its tables.

A mark in the file says that this is to be done. It goes in with the write that takes the text out, so that
a killed process, or a reader that keeps the log, leaves it to the next one who opens the file.
"""

import sqlite3
from collections.abc import Callable
from typing import Final, Literal

from host.records.database import Database

MAX_REMADE_BYTES: Final = 256 * 2**20
"""A file of this size is made anew in some seconds, and in as much memory."""

Erased = Literal["remade", "emptied", "waits"]
"""`emptied` is the log alone: of a file that is too large single words may be left between its cells."""

_MARK: Final = "to_erase"
_LATER: Final = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_NOMEM")


def mark(connection: sqlite3.Connection) -> None:
    """Inside the write that takes text out."""
    connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (_MARK, 1))


def erase(database: Database) -> Erased:
    """Makes the file anew if it is not too large, empties the log, and takes the mark away.

    `waits` where that cannot be done now: a reader elsewhere keeps the log, and did so for 5 s, or there is
    no room. The mark then stays.
    """
    with database.told():
        is_small = _size(database) <= MAX_REMADE_BYTES
        steps = (_empty, *((_remake, _empty) if is_small else ()), _unmark)
        if not all(_try(database, step) for step in steps):
            return "waits"
    return "remade" if is_small else "emptied"


def finish(database: Database) -> None:
    """Does what was left to be done, unless somebody reads the file now."""
    with database.told():
        connection = database.connection
        if connection.execute("SELECT 1 FROM settings WHERE name = ?", (_MARK,)).fetchone() is None:
            return
        waited_ms = connection.execute("PRAGMA busy_timeout").fetchone()[0]
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            is_free = _try(database, _empty)
        finally:
            connection.execute(f"PRAGMA busy_timeout = {waited_ms}")
    if is_free:
        erase(database)


def _size(database: Database) -> int:
    pages, page_bytes = (
        database.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
    )
    return int(pages * page_bytes)


def _empty(database: Database) -> bool:
    return database.truncate_log()


def _remake(database: Database) -> bool:
    database.connection.execute("VACUUM")
    return True


def _unmark(database: Database) -> bool:
    database.connection.execute("DELETE FROM settings WHERE name = ?", (_MARK,))
    return True


def _try(database: Database, step: Callable[[Database], bool]) -> bool:
    try:
        return step(database)
    except sqlite3.OperationalError as error:
        if not error.sqlite_errorname.startswith(_LATER):
            raise
        return False
