"""Verify: a full check of the file against its rows, its ledger, its head; and accept, by which an operator
takes it as it is.
"""

import re
import sqlite3
from collections.abc import Iterator
from typing import Final

from host.core.envelope import Envelope, Evidence, Warned, WarningCard
from host.core.moments import moment_text
from host.core.text import counted, join_words
from host.records import codes, index, tombstones
from host.records.integrity import indexes, sums
from host.records.integrity.check import Checked, Progress
from host.records.integrity.findings import each_told, evidence_of, finding
from host.records.integrity.ledger import NO_ROW, NO_STATE, Entry, Tip
from host.records.journal import Change
from host.records.look import Look
from host.records.rows import told

_CHECKS: Final = ("rows", "ledger", "sums", "indexes", "pages")
_ID: Final = re.compile(r"[0-9a-f]{64}")
_DO: Final = "; restore the file from a copy, or accept it as it is with gg records verify --accept REASON"


def verify(look: Look, doubt: str | None, progress: Progress | None = None) -> Envelope:
    """An answer where the file is whole, and a refusal with one piece of evidence for each finding where not.

    Reads all of the file, twice. Nothing is changed.
    """
    checked = look.check_all(progress)
    found = list(_findings(look.connection, checked, doubt, progress))
    is_keyed = look.seal.kind == "keyed"
    fields: dict[str, object] = {
        "whole": not found,
        "rows": checked.rows,
        "entries": checked.entries,
        "unreadable": len(checked.unreadable),
        "missing": len(checked.missing),
        "integrity": look.seal.kind,
        "checked_at": moment_text(look.now),
        "acceptances": _acceptances(look.connection),
    }
    size = f"{counted(checked.rows, 'record')} and {counted(checked.entries, 'entry')} of the ledger"
    return Envelope(
        code=codes.STORE if found else codes.VERIFIED,
        message=f"the store is not whole: {_told(found)}{_DO}" if found else f"The store is whole: {size}.",
        completion_state="blocked-escalated" if found else "qualified-draft",
        evidence=tuple(found),
        warning_card=WarningCard(
            checks_run=(*_CHECKS, "head") if is_keyed else _CHECKS,
            not_checked=() if is_keyed else ("head",),
            warnings=(Warned(failure_mode="memory_poisoning"),) if found else (),
        ),
        fields=fields,
    )


def accept(change: Change, look: Look, tip: Tip, doubt: str | None, reason: str) -> Envelope:
    """Takes the file as it is. What was changed stays unreadable until it is forgotten, what is missing is
    given up, sums and indexes are made anew; the chain goes on from here, and the head follows.
    """
    connection = change.connection
    checked = look.check_all()
    found = list(_findings(connection, checked, doubt, None))
    change.entries.append(Entry("accept", NO_ROW, None))
    change.entries.extend(Entry("void", seq, NO_STATE) for seq in sorted(checked.unreadable))
    change.entries.extend(Entry("lost", seq, None) for seq in sorted(checked.missing))
    connection.execute("REINDEX")
    sums.make_anew(connection)
    index.rebuild(connection)
    indexes.make_tags_anew(connection, checked.unreadable)
    connection.execute("DELETE FROM vectors")  # a hybrid search makes them anew
    if not tombstones.is_salt_whole(connection):
        tombstones.drop_salt(connection)
    acceptance = {"entry": tip.n + 1, "at": moment_text(look.now), "reason": reason}
    connection.execute("INSERT OR REPLACE INTO acceptances VALUES (?, ?, ?)", tuple(acceptance.values()))
    look.unreadable.replace(
        Checked(rows=checked.rows, entries=checked.entries, unreadable=checked.unreadable), look.now
    )
    left = len(checked.unreadable)
    stays = f" {counted(left, 'row')} cannot be read; forget them by their ids." if left else ""
    was = f": {_told(found)}" if found else ", and was whole"
    return Envelope(
        code=codes.ACCEPTED,
        message=f"The store is accepted as it is{was}.{stays}",
        evidence=tuple(found),
        fields={"acceptance": acceptance, "unreadable": left, "lost": len(checked.missing)},
    )


def _findings(
    connection: sqlite3.Connection, checked: Checked, doubt: str | None, progress: Progress | None
) -> Iterator[Evidence]:
    if doubt is not None:
        yield finding("head", doubt)
    ids = _ids(connection, checked.unreadable)
    yield from each_told(
        "row_changed",
        "the row at place {place} was changed, or put there, outside gg; it is not served",
        checked.unreadable,
        ids=ids,
    )
    yield from each_told("row_missing", "the row at place {place} was taken out outside gg", checked.missing)
    yield from evidence_of(checked)
    apart = checked.unreadable | checked.missing
    postings, count = indexes.wrong_postings(connection, apart, progress)
    yield from each_told(
        "terms_wrong", "the index of terms does not say what the row at place {place} does", postings
    )
    yield from each_told(
        "tags_wrong",
        "the index of tags does not say what the row at place {place} does",
        indexes.wrong_tags(connection, apart),
    )
    kept = connection.execute("SELECT terms FROM totals").fetchall()
    if not apart and kept != [(count,)]:
        yield finding("totals_wrong", "the sum that the file keeps of its terms is wrong")
    if not tombstones.is_salt_whole(connection):
        yield finding("settings_wrong", "the salt of the store's blocked texts was changed outside gg")
    for damage in indexes.damages(connection):
        yield finding("damaged", f"SQLite says of the file: {damage}")


def _told(found: list[Evidence]) -> str:
    kinds: dict[str, int] = {}
    for each in found:
        kind = str(each.more["finding"])
        more = each.more.get("more", 1)
        kinds[kind] = kinds.get(kind, 0) + (more if isinstance(more, int) else 1)
    return join_words(
        [_TOLD[kind] if count == 1 else f"{_TOLD[kind]} ({count:,})" for kind, count in kinds.items()]
    )


_TOLD: Final = {
    "head": "its head speaks against it",
    "row_changed": "rows were changed",
    "row_missing": "rows are missing",
    "ledger_broken": "its ledger is broken",
    "totals_wrong": "its sums are wrong",
    "terms_wrong": "its index of terms is wrong",
    "tags_wrong": "its index of tags is wrong",
    "settings_wrong": "its settings were changed",
    "damaged": "its pages are damaged",
}


def _ids(connection: sqlite3.Connection, places: frozenset[int]) -> dict[int, str]:
    ids = {}
    for place in places:
        found = connection.execute("SELECT id FROM records WHERE seq = ?", (place,)).fetchone()
        if found and isinstance(found[0], str) and _ID.fullmatch(found[0]):
            ids[place] = found[0]
    return ids


def _acceptances(connection: sqlite3.Connection) -> list[dict[str, object]]:
    return [
        {"entry": n, "at": told(at), "reason": told(reason)}
        for n, at, reason in connection.execute("SELECT n, at, reason FROM acceptances ORDER BY n")
    ]
