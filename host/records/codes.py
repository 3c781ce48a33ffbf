"""The codes of the record store's answers."""

from typing import Final

KEPT: Final = "G6_E_MEMORY_KEPT"
FOUND: Final = "G6_E_MEMORY_FOUND"
FORGOTTEN: Final = "G6_E_MEMORY_FORGOTTEN"
APPROVED: Final = "G6_E_MEMORY_APPROVED"
SUPERSEDED: Final = "G6_E_MEMORY_SUPERSEDED"
UNBLOCKED: Final = "G6_E_MEMORY_UNBLOCKED"
STATUS: Final = "G6_E_MEMORY_STATUS"
EXPORTED: Final = "G6_E_MEMORY_EXPORTED"
IMPORTED: Final = "G6_E_MEMORY_IMPORTED"
VERIFIED: Final = "G6_E_MEMORY_VERIFIED"
ACCEPTED: Final = "G6_E_MEMORY_ACCEPTED"

NO_TEXT: Final = "G6_E_MEMORY_NO_TEXT"
NO_WRITER: Final = "G6_E_MEMORY_NO_WRITER"
NO_QUERY: Final = "G6_E_MEMORY_NO_QUERY"
NO_FILTER: Final = "G6_E_MEMORY_NO_FILTER"
NO_REASON: Final = "G6_E_MEMORY_NO_REASON"
NOT_FOUND: Final = "G6_E_MEMORY_NOT_FOUND"
NOT_A_PROPOSAL: Final = "G6_E_MEMORY_NOT_A_PROPOSAL"
REVIEWER: Final = "G6_E_MEMORY_REVIEWER"
INPUT: Final = "G6_E_MEMORY_INPUT"
FULL: Final = "G6_E_MEMORY_FULL"
STORE: Final = "G6_E_MEMORY_STORE"

NO_BLOCK: Final = "G6_E_NO_BLOCK"
NO_OP: Final = "G6_E_NO_OP"
SENSITIVE: Final = "G6_E_SENSITIVE"

REFUSALS: Final = frozenset(
    {
        NO_TEXT,
        NO_WRITER,
        NO_QUERY,
        NO_FILTER,
        NO_REASON,
        NOT_FOUND,
        NOT_A_PROPOSAL,
        REVIEWER,
        INPUT,
        FULL,
        STORE,
        NO_BLOCK,
        NO_OP,
        SENSITIVE,
    }
)
"""The codes of an answer that is `blocked-escalated`."""
