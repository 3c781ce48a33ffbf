"""The record store: claims that outlive runs, kept in one file, found by relevance, served as data."""

from host.core.envelope import Refused
from host.records.integrity.keys import KEY_FILE, make_keys
from host.records.model import Approval, Found, Hit, Passage, Record, Superseded
from host.records.putting import Limits
from host.records.store import Store

__all__ = [
    "KEY_FILE",
    "Approval",
    "Found",
    "Hit",
    "Limits",
    "Passage",
    "Record",
    "Refused",
    "Store",
    "Superseded",
    "make_keys",
]
