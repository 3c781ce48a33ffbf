"""Claims that were forgotten for good: none of their text is kept, only what a text can be compared with."""

import hashlib
import hmac
import secrets
import sqlite3
from typing import Final, NamedTuple

from host.core.envelope import Refused
from host.core.look_alikes import fold
from host.core.text import quoted
from host.records import codes
from host.records.arguments import refused_input
from host.records.integrity.seal import Seal
from host.records.rows import told

_SALT: Final = "tombstone_salt"
_SALT_BYTES: Final = 32
_PURPOSE: Final = "tombstone"


class Tombstone(NamedTuple):
    mac: bytes
    at: str
    reason: str


def block(connection: sqlite3.Connection, seal: Seal, text: str, *, at: str, reason: str) -> None:
    """Leaves a tombstone for a claim; the newest reason stays."""
    mac = _macs(connection, seal, text)[0]
    connection.execute("INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?)", (mac, at, reason))


def find(connection: sqlite3.Connection, seal: Seal, text: str) -> Tombstone | None:
    if connection.execute("SELECT 1 FROM tombstones LIMIT 1").fetchone() is None:
        return None
    for mac in _macs(connection, seal, text):
        found = connection.execute("SELECT mac, at, reason FROM tombstones WHERE mac = ?", (mac,)).fetchone()
        if found is not None:
            mac, at, reason = found
            return Tombstone(mac, told(at), told(reason))
    return None


def lift(connection: sqlite3.Connection, seal: Seal, text: str) -> tuple[Tombstone, ...]:
    """Takes away the tombstones of a claim; those that there were."""
    lifted: list[Tombstone] = []
    while (tombstone := find(connection, seal, text)) is not None:
        connection.execute("DELETE FROM tombstones WHERE mac = ?", (tombstone.mac,))
        lifted.append(tombstone)
    return tuple(lifted)


def refuse_blocked(connection: sqlite3.Connection, seal: Seal, text: str) -> None:
    """Raises `Refused` for a text that has a tombstone."""
    tombstone = find(connection, seal, text)
    if tombstone is not None:
        raise refused_input(
            f"text says what was forgotten and blocked on {tombstone.at}: {quoted(tombstone.reason)};"
            " to keep it again lift the block first: gg records unblock"
        )


def is_salt_whole(connection: sqlite3.Connection) -> bool:
    found = connection.execute("SELECT value FROM settings WHERE name = ?", (_SALT,)).fetchone()
    return found is None or isinstance(found[0], bytes)


def drop_salt(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM settings WHERE name = ?", (_SALT,))


def _macs(connection: sqlite3.Connection, seal: Seal, text: str) -> tuple[bytes, ...]:
    """By what a claim is known, the present way first. One that was blocked before the store had a key is
    known by the store's salt.
    """
    # Without any white space, as a claim may be written with less of it or with more.
    claim = fold(text).replace(" ", "").encode("utf-8", "surrogatepass")
    if seal.kind == "keyed":
        salt = _salt(connection, is_made=False)
        return (seal.of(_PURPOSE, claim), *([_salted(salt, claim)] if salt else []))
    return (_salted(_salt(connection, is_made=True), claim),)


def _salted(salt: bytes, claim: bytes) -> bytes:
    return hmac.new(salt, claim, hashlib.sha256).digest()


def _salt(connection: sqlite3.Connection, *, is_made: bool) -> bytes:
    found = connection.execute("SELECT value FROM settings WHERE name = ?", (_SALT,)).fetchone()
    if found is not None:
        if not isinstance(found[0], bytes):
            raise Refused.of(
                codes.STORE,
                "the salt of the store's blocked texts was changed outside gg; restore the file from a copy,"
                " or have it made anew with gg records verify --accept REASON: what was blocked is not, then",
            )
        return found[0]
    if not is_made:
        return b""
    salt = secrets.token_bytes(_SALT_BYTES)
    connection.execute("INSERT INTO settings VALUES (?, ?)", (_SALT, salt))
    return salt
