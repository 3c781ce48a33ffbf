"""The record store: claims that outlive runs, kept in one file, found by relevance, served as data."""

from host.core.envelope import Refused
from host.records.arguments import MAX_LIMIT
from host.records.codes import INPUT, NO_BLOCK, SENSITIVE, STORE
from host.records.embedder import Embedder
from host.records.integrity.keys import KEY_FILE, make_keys
from host.records.model import (
    KINDS,
    Approval,
    Found,
    Hit,
    Passage,
    Record,
    RecordKind,
    RecordStatus,
    Superseded,
)
from host.records.op_table import Op, Parameter
from host.records.ops import OPS, REMOTE_OPS, invoke, invoke_hybrid
from host.records.putting import Limits
from host.records.record_lines import read_lines
from host.records.store import Store
from host.records.uses import Use

__all__ = [
    "INPUT",
    "KEY_FILE",
    "KINDS",
    "MAX_LIMIT",
    "NO_BLOCK",
    "OPS",
    "REMOTE_OPS",
    "SENSITIVE",
    "STORE",
    "Approval",
    "Embedder",
    "Found",
    "Hit",
    "Limits",
    "Op",
    "Parameter",
    "Passage",
    "Record",
    "RecordKind",
    "RecordStatus",
    "Refused",
    "Store",
    "Superseded",
    "Use",
    "invoke",
    "invoke_hybrid",
    "make_keys",
    "read_lines",
]
