"""Status: what a store holds, counted after a full check of every row."""

from collections import Counter
from typing import Final

from host.core.envelope import Envelope, Warned, WarningCard
from host.core.moments import moment_text
from host.core.text import counted, format_over
from host.records import codes
from host.records.integrity.check import Checked, Progress
from host.records.look import Look
from host.records.model import KINDS, STATUSES
from host.records.putting import Limits
from host.records.rows import told
from host.records.uses import withdrawn

_COUNTS: Final = """SELECT kind, status, superseded_by IS NOT NULL, ifnull(stale_after <= :now, 0), count(*)
 FROM records WHERE seq NOT IN (SELECT seq FROM temp.unreadable) GROUP BY 1, 2, 3, 4"""
_OLDEST: Final = """SELECT min(created_at) FROM records
 WHERE status = 'proposed' AND superseded_by IS NULL AND seq NOT IN (SELECT seq FROM temp.unreadable)"""


def status(look: Look, limits: Limits, progress: Progress | None = None) -> Envelope:
    """`kept` and all counts but `unreadable` are of records that can be served. A record that is superseded
    and stale counts as superseded.
    """
    checked = look.check_all(progress)
    kinds: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    stale = superseded = 0
    counts = look.connection.execute(_COUNTS, {"now": moment_text(look.now)})
    for kind, its_status, is_superseded, is_stale, count in counts:
        kinds[kind] += count
        statuses[its_status] += count
        superseded += count if is_superseded else 0
        stale += count if is_stale and not is_superseded else 0
    oldest = look.connection.execute(_OLDEST).fetchone()[0]
    used = withdrawn(look.connection)
    store_bytes = look.connection.execute("SELECT bytes FROM totals").fetchone()[0]
    fields: dict[str, object] = {
        "kept": kinds.total(),
        "by_kind": {kind: kinds[kind] for kind in KINDS},
        "by_status": {each: statuses[each] for each in STATUSES},
        "stale": stale,
        "unreadable": checked.count,
        "superseded": superseded,
        "oldest_proposal": None if oldest is None else told(oldest),
        "store_bytes": store_bytes,
        "max_store_bytes": limits.max_store_bytes,
        "max_records": limits.max_records,
        "integrity": look.seal.kind,
        "used_then_withdrawn": [each.to_json() for each in used],
    }
    room = format_over(store_bytes, limits.max_store_bytes)
    message = f"{counted(kinds.total(), 'record')}, limit {limits.max_records:,}; {room}."
    if checked.count:
        message += f" {checked.count:,} cannot be read; look at them with gg records verify."
    return Envelope(
        code=codes.STATUS,
        message=message,
        evidence=look.evidence,
        warning_card=_card(checked, [each.record_id for each in used]),
        fields=fields,
    )


def _card(checked: Checked, withdrawn_ids: list[str]) -> WarningCard:
    warnings = [
        *([] if checked.is_whole else [Warned(failure_mode="memory_poisoning")]),
        *(
            [Warned(failure_mode="stale_context_used", record_ids=tuple(withdrawn_ids))]
            if withdrawn_ids
            else []
        ),
    ]
    return WarningCard(warnings=tuple(warnings))
