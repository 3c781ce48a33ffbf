"""Takes a store under a key that had none: every row that its hash vouches for gets a MAC, the chain begins
again. What was changed or lost before stays so: the key vouches for no more than was there to vouch for.
"""

import sqlite3

from host.records.integrity.check import check
from host.records.integrity.ledger import GENESIS, NO_ROW, NO_STATE, Entry, Tip, append
from host.records.integrity.seal import PlainSeal, Seal, row_mac
from host.records.rows import SELECT_KEPT, kept_of


def begin_keyed(connection: sqlite3.Connection, seal: Seal) -> Tip:
    """Inside the transaction of the caller; the tip of the new chain. Linear in the rows."""
    found = check(connection, PlainSeal())
    entries = [Entry("key", NO_ROW, None)]
    macs: list[tuple[bytes, int]] = []
    for values in connection.execute(f"{SELECT_KEPT} ORDER BY seq"):
        kept = kept_of(values)
        if kept.seq in found.unreadable:
            entries.append(Entry("void", kept.seq, NO_STATE))
            continue
        mac = row_mac(seal, kept.seq, kept.row.content)
        macs.append((mac, kept.seq))
        entries.append(Entry("put", kept.seq, mac))
    entries += [Entry("void", seq, NO_STATE) for seq in sorted(found.missing)]
    connection.executemany("UPDATE records SET mac = ? WHERE seq = ?", macs)
    connection.execute("DELETE FROM ledger")
    return append(connection, seal, Tip(0, GENESIS, 0), entries)
