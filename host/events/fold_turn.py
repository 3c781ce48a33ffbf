"""Folds the events of one turn of one agent into what a person looks at."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from host.events.run_view import CallAnswer, CallCount, ReadCount, SearchCount, TurnView
from host.events.types import (
    ApiCall,
    Approval,
    CodeExecution,
    Compaction,
    CompileDiagnostic,
    Defect,
    Event,
    MemoryRead,
    MemoryRefusal,
    MemoryRevision,
    MemorySearch,
    ModelReply,
    Notice,
    OperatorLog,
    RecordKept,
    RecordRead,
    Shell,
    SkillbookChanged,
    SkillbookRead,
    SkillRead,
    SkillsInjected,
    TurnOutcome,
    TurnTiming,
    Usage,
    View,
)

FAILED_CALLS_KEPT: Final = 50
"""Of each turn; all are in the counts."""

# Where an event goes in the view: to a list, or to the one place of its turn.
_LISTED: Final[Mapping[type[Event], str]] = {
    CodeExecution: "executions",
    Shell: "commands",
    CompileDiagnostic: "diagnostics",
    Approval: "approvals",
    View: "views",
    Notice: "notices",
    OperatorLog: "logs",
    MemoryRevision: "revisions",
    MemoryRefusal: "refusals",
    RecordRead: "record_reads",
    RecordKept: "records_kept",
    SkillsInjected: "skills_injected",
    SkillbookRead: "skillbook_reads",
    SkillbookChanged: "skillbook_changes",
    Defect: "defects",
}
_SINGLE: Final[Mapping[type[Event], str]] = {
    ModelReply: "reply",
    Usage: "usage",
    TurnOutcome: "outcome",
    TurnTiming: "timing",
    Compaction: "compaction",
}


@dataclass
class TurnFold:
    """Takes the events of a turn in order; `view()` is the turn up to the last one taken."""

    agent_id: str
    turn: int
    started_at: datetime = datetime.min
    single: dict[str, Any] = field(default_factory=lambda: dict.fromkeys(_SINGLE.values()))
    listed: dict[str, list[Any]] = field(
        default_factory=lambda: {name: [] for name in ("summaries", *_LISTED.values())}
    )
    calls: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    failed_calls: list[ApiCall] = field(default_factory=list)
    answers: list[CallAnswer] = field(default_factory=list)
    reads: Counter[str] = field(default_factory=Counter)
    hits: Counter[str] = field(default_factory=Counter)
    skill_reads: Counter[str] = field(default_factory=Counter)
    skill_hits: Counter[str] = field(default_factory=Counter)
    searches: Counter[tuple[str, ...]] = field(default_factory=Counter)
    finds: Counter[tuple[str, ...]] = field(default_factory=Counter)

    def add(self, event: Event) -> None:
        match event:
            case ApiCall():
                self.calls[event.operation] += 1
                self.failed[event.operation] += not event.ok
                if not event.ok and len(self.failed_calls) < FAILED_CALLS_KEPT:
                    self.failed_calls.append(event)
            case ModelReply(purpose="summary"):
                self.listed["summaries"].append(event)
            case Usage(purpose="summary"):
                pass  # the turn's own is what the turn was billed
            case MemoryRead():
                self.reads[event.name] += 1
                self.hits[event.name] += event.hit
            case SkillRead():
                self.skill_reads[event.name] += 1
                self.skill_hits[event.name] += event.hit
            case MemorySearch():
                self.searches[event.keywords] += 1
                self.finds[event.keywords] += event.total > 0
            case _ if type(event) in _SINGLE:
                self.single[_SINGLE[type(event)]] = event
            case _ if type(event) in _LISTED:
                self.listed[_LISTED[type(event)]].append(event)

    def add_answers(self, answers: Iterable[CallAnswer]) -> None:
        """What the calls of the turn were answered, which the next prompt says."""
        self.answers += answers

    def view(self) -> TurnView:
        listed: dict[str, Any] = {name: tuple(events) for name, events in self.listed.items()}
        calls = (
            CallCount(operation=operation, calls=count, failed=self.failed[operation])
            for operation, count in self.calls.items()
        )
        searches = (
            SearchCount(keywords=keywords, hits=self.finds[keywords], misses=count - self.finds[keywords])
            for keywords, count in self.searches.items()
        )
        return TurnView(
            agent_id=self.agent_id,
            turn=self.turn,
            started_at=self.started_at,
            calls=tuple(calls),
            failed_calls=tuple(self.failed_calls),
            answers=tuple(self.answers),
            reads=_counted(self.reads, self.hits),
            skills=_counted(self.skill_reads, self.skill_hits),
            searches=tuple(searches),
            **self.single,
            **listed,
        )


def _counted(reads: Counter[str], hits: Counter[str]) -> tuple[ReadCount, ...]:
    return tuple(
        ReadCount(name=name, hits=hits[name], misses=count - hits[name]) for name, count in reads.items()
    )
