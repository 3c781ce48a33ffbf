"""Empties the write-ahead log after text was taken out of the file: until then the log still has it.

A mark in the file says that this is to be done. It goes in with the write that takes the text out, so that a
killed process, or a reader that keeps the log, leaves it to the next one who opens the file.
"""

import sqlite3
from typing import Final

from host.records.database import Database

_MARK: Final = "log_to_empty"


def mark(connection: sqlite3.Connection) -> None:
    """Inside the write that takes text out."""
    connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (_MARK, 1))


def empty(database: Database) -> bool:
    """Empties the log, and takes the mark away; false where a reader elsewhere keeps the log for 5 s."""
    with database.told():
        if not database.truncate_log():
            return False
    with database.writing() as connection:
        connection.execute("DELETE FROM settings WHERE name = ?", (_MARK,))
        database.commit()
    return True


def finish(database: Database) -> None:
    """Empties a log that was left to be emptied, if nobody reads the file now."""
    with database.told():
        connection = database.connection
        if connection.execute("SELECT 1 FROM settings WHERE name = ?", (_MARK,)).fetchone() is None:
            return
        waited_ms = connection.execute("PRAGMA busy_timeout").fetchone()[0]
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            is_empty = database.truncate_log()
        finally:
            connection.execute(f"PRAGMA busy_timeout = {waited_ms}")
    if is_empty:
        empty(database)
