"""What vouches for rows and for entries of the ledger: a MAC with the key, or a plain hash without one.

A plain hash shows an edit that does not recompute it; a MAC shows every edit by who has no key.
"""

import hashlib
from typing import Literal, Protocol

from host.records.integrity.keys import Keys

Integrity = Literal["keyed", "hash"]


class Seal(Protocol):
    @property
    def kind(self) -> Integrity: ...

    def of(self, purpose: str, data: bytes) -> bytes:
        """32 bytes over the data."""
        ...


class KeyedSeal:
    """For one store: what it vouches for in one is worth nothing in another store of the same key."""

    def __init__(self, keys: Keys, store: bytes) -> None:
        self._keys = keys.derived("store", store)

    @property
    def kind(self) -> Integrity:
        return "keyed"

    def of(self, purpose: str, data: bytes) -> bytes:
        return self._keys.mac(purpose, data)


class PlainSeal:
    @property
    def kind(self) -> Integrity:
        return "hash"

    def of(self, purpose: str, data: bytes) -> bytes:
        return hashlib.sha256(purpose.encode() + b"\0" + data).digest()


def row_mac(seal: Seal, seq: int, content: bytes) -> bytes:
    """Over what a row says and its place, so that no row passes for another one."""
    return seal.of("row", seq.to_bytes(8, "big", signed=True) + content)
