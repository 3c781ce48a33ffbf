"""What a check found, as evidence: one item for each thing that is not as gg left it."""

from collections.abc import Iterable, Iterator
from typing import Final

from host.core.envelope import Evidence
from host.records import codes
from host.records.integrity.check import Checked

MAX_TOLD: Final = 1_000
"""So many items of a kind are told, and how many more there are."""


def finding(what: str, detail: str, **more: object) -> Evidence:
    return Evidence(code=codes.STORE, detail=detail, more={"finding": what, **more})


def evidence_of(checked: Checked) -> Iterator[Evidence]:
    """What speaks against the file as a whole, and not against single rows."""
    if checked.broken_entry is not None:
        yield finding(
            "ledger_broken",
            f"entry {checked.broken_entry} of the ledger was changed, or entries before it were taken out,"
            " outside gg; look at it with gg records verify",
            entry=checked.broken_entry,
        )
    if checked.wrong_totals:
        yield finding(
            "totals_wrong",
            "the sums that the file keeps of its rows are wrong; look at it with gg records verify",
        )


def each_told(what: str, detail: str, places: Iterable[int], **ids: dict[int, str]) -> Iterator[Evidence]:
    """One item for each place, with the id that the row there gives itself; `detail` has `{place}`."""
    ordered = sorted(places)
    known = ids.get("ids", {})
    for place in ordered[:MAX_TOLD]:
        more = {"id": known[place]} if place in known else {}
        yield finding(what, detail.format(place=place), place=place, **more)
    if len(ordered) > MAX_TOLD:
        yield finding(what, f"and {len(ordered) - MAX_TOLD:,} more such places", more=len(ordered) - MAX_TOLD)
