"""Values of a skillbook: skills, the sources that they came from, and decisions to keep two of them apart."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Section = Literal["context", "harness"]
SECTIONS: Final[tuple[Section, ...]] = ("context", "harness")
COUNTERS: Final = ("used_count", "helpful_count", "harmful_count", "neutral_count")
EvidenceIs = Literal["host", "untrusted"]
Review = Literal["pending", "rejected"]
Delta = Literal[1, 0, -1]
Extra = Mapping[str, Any]
"""Fields that are not gg's own, as they stood in a file."""

Pair = frozenset[str]
"""The ids of two skills."""


@dataclass(frozen=True, kw_only=True)
class Occurrence:
    """A source that a skill came from, was judged by or was retired for. `trace_uid` is `system:id`; one of
    gg's own is `gg:<run>#<turn>`. `sample_question` is the task, `learning_text` the evidence.
    """

    trace_uid: str
    source_system: str
    trace_id: str
    display_name: str | None = None
    relation: str | None = None
    sample_question: str | None = None
    epoch: int | None = None
    operation_type: str | None = None
    error_identification: str | None = None
    learning_text: str | None = None
    extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Skill:
    """A situation (`issue`) and what to do about it (`insight`).

    `scope` is the family of tasks, or the project, that it is for; `None` is everywhere. `merged_into` is the
    skill that it was merged into. `review` is `pending` as long as an operator has to accept it, and
    `rejected` where it was removed instead; either keeps it from every run. The counters decide nothing by
    themselves. Moments are ISO 8601 texts, empty where a file has none.
    """

    id: str
    section: Section
    issue: str
    insight: str | None = None
    keywords: tuple[str, ...] = ()
    occurrences: tuple[Occurrence, ...] = ()
    active: bool = True
    used_count: int = 0
    helpful_count: int = 0
    harmful_count: int = 0
    neutral_count: int = 0
    created_at: str = ""
    updated_at: str = ""
    scope: str | None = None
    merged_into: str | None = None
    evidence_is: EvidenceIs | None = None
    review: Review | None = None
    extra: Extra = field(default_factory=dict)

    @property
    def is_served(self) -> bool:
        """Whether runs may be told of it: it is active, accepted and not merged, whichever a file says."""
        return self.active and self.review is None and self.merged_into is None

    @property
    def counters(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in COUNTERS}


@dataclass(frozen=True, kw_only=True)
class SimilarityDecision:
    """That two skills stay apart, why, and how similar they were by `measure`, in ten-thousandths; `None`
    where that was not measured. `hashes` are of the texts that it was made about, by id. `extra` are fields
    that are not gg's own, and `noted_extra` those beside gg's hashes.
    """

    reasoning: str
    decided_at: str
    similarity: int | None = None
    measure: str | None = None
    hashes: Mapping[str, str] = field(default_factory=dict)
    decision: Literal["KEEP"] = "KEEP"
    extra: Extra = field(default_factory=dict)
    noted_extra: Extra = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Done:
    """What an operation did, or why it did nothing."""

    ok: bool
    skill_id: str | None = None
    did: str = ""
    why: str = ""


def done(skill_id: str | None, did: str) -> Done:
    return Done(ok=True, skill_id=skill_id, did=did)


def refused(why: str, skill_id: str | None = None) -> Done:
    return Done(ok=False, skill_id=skill_id, why=why)
