"""The record store: `Store` and the values that it gives."""

from host.records import Approval, Found, Hit, Passage, Record, Refused, Store, Superseded

__all__ = ["Approval", "Found", "Hit", "Passage", "Record", "Refused", "Store", "Superseded"]
