"""A record as a reader gets it: an untrusted note, with what its writer claims marked as claims."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Final, Literal, NamedTuple, get_args

from host.core.context_item import ContextItem
from host.core.envelope import Envelope, Evidence, WarningCard
from host.core.moments import moment_text
from host.core.tripwire import instruction_signals

RecordKind = Literal["note", "lesson"]
RecordStatus = Literal["note", "proposed", "approved"]
KINDS: Final[tuple[RecordKind, ...]] = get_args(RecordKind)
ScoreScale = Literal["bm25", "rrf"]
"""How scores were taken: by the words alone, or by places in two rankings."""
STATUSES: Final[tuple[RecordStatus, ...]] = get_args(RecordStatus)


@dataclass(frozen=True, kw_only=True)
class Passage:
    """What a record cites: the text, and where its writer says it is from."""

    text: str
    provenance: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        return {"text": self.text, "provenance": dict(self.provenance)}


@dataclass(frozen=True, kw_only=True)
class Approval:
    """Who approved a lesson as the approving caller gave it: a claim, which nothing checks."""

    reviewer: str
    at: datetime
    reason: str

    def to_json(self) -> dict[str, object]:
        return {
            "reviewer": self.reviewer,
            "reviewer_is": "claim",
            "at": moment_text(self.at),
            "reason": self.reason,
        }


@dataclass(frozen=True, kw_only=True)
class Superseded:
    """Which record stands in another one's place, and why."""

    by: str
    at: datetime
    reason: str

    def to_json(self) -> dict[str, object]:
        return {"by": self.by, "at": moment_text(self.at), "reason": self.reason}


@dataclass(frozen=True, kw_only=True)
class Record:
    """A note, or a lesson. `stale` was judged when it was read; times are in UTC.

    `seq` is its place in the order in which the store's records were kept.
    """

    seq: int
    id: str
    kind: RecordKind
    text: str
    source: str | None
    written_by: str
    passage: Passage | None
    tags: tuple[str, ...]
    created_at: datetime
    stale_after: datetime | None
    stale: bool
    status: RecordStatus
    approval: Approval | None = None
    superseded: Superseded | None = None

    @property
    def trust(self) -> Literal["untrusted"]:
        return "untrusted"

    @cached_property
    def instruction_signals(self) -> tuple[str, ...]:
        """The instruction-like phrasings in its text or in the passage that it cites."""
        return instruction_signals(self.text, self.passage.text if self.passage else "")

    @property
    def flagged(self) -> bool:
        return bool(self.instruction_signals)

    def to_json(self) -> dict[str, object]:
        passage, approval = self.passage, self.approval
        return {
            "as": "memory_note",
            "trust": self.trust,
            "id": self.id,
            "kind": self.kind,
            "text": self.text,
            "source": self.source,
            "source_is": _is(self.source),
            "passage": passage.to_json() if passage else None,
            "provenance_is": _is(passage.provenance if passage else None),
            "written_by": self.written_by,
            "written_by_is": "claim",
            "flagged": self.flagged,
            "instruction_signals": list(self.instruction_signals),
            "created_at": moment_text(self.created_at),
            "stale_after": moment_text(self.stale_after) if self.stale_after else None,
            "stale": self.stale,
            "tags": list(self.tags),
            "status": self.status,
            "approval_is": "claim" if approval else "none",
            **({"approval": approval.to_json()} if approval else {}),
            **({"superseded": self.superseded.to_json()} if self.superseded else {}),
        }

    def to_context_item(self) -> ContextItem:
        """The record as data for a model call: a note that never instructs, whatever it says."""
        return ContextItem(
            self.id,
            self.text,
            source=self.source or f"record:{self.id}",
            section="notes",
            kind="memory_note",
            freshness_class="stale" if self.stale else "unknown",
            metadata={
                "written_by": self.written_by,
                "written_by_is": "claim",
                "created_at": moment_text(self.created_at),
                "stale_after": moment_text(self.stale_after) if self.stale_after else None,
                "status": self.status,
                "flagged": self.flagged,
                "instruction_signals": self.instruction_signals,
            },
        )


def _is(value: object) -> Literal["claim", "none"]:
    return "claim" if value else "none"


class Hit(NamedTuple):
    """A record that was found. `score` is comparable within one search, and `None` in a recall."""

    record: Record
    score: float | None

    def to_json(self, score_scale: ScoreScale = "bm25") -> dict[str, object]:
        if self.score is None:
            return self.record.to_json()
        return {**self.record.to_json(), "score": self.score, "score_scale": score_scale}


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a search or a recall found.

    Args:
        current: not stale and not superseded, in order.
        stale: past the moment that their writer gave; not to be used as current.
        superseded: records in whose place another one stands.
        held_back: lessons that match and that nobody has approved.
        more: matches past the limit, current and stale.
        unreadable: rows that were changed or are missing since they were kept; none is served.
        unreadable_checked_at: when all rows were checked last; `None` where they never were.
        missing: ids that were asked for and are not in the store.
        score_scale: how the scores were taken.
    """

    envelope: Envelope
    current: tuple[Hit, ...] = ()
    stale: tuple[Hit, ...] = ()
    superseded: tuple[Hit, ...] = ()
    held_back: int = 0
    more: int = 0
    unreadable: int = 0
    unreadable_checked_at: datetime | None = None
    missing: tuple[str, ...] = ()
    score_scale: ScoreScale = "bm25"

    @property
    def completion_state(self) -> str:
        return self.envelope.completion_state

    @property
    def code(self) -> str:
        return self.envelope.code

    @property
    def message(self) -> str:
        return self.envelope.message

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        return self.envelope.evidence

    @property
    def warning_card(self) -> WarningCard:
        return self.envelope.warning_card
