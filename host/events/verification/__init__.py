"""Holds a session record against itself: everything that is derived from its events, folded again."""

from host.core.hashing import document_sha256
from host.core.text import counted
from host.events.errors import RecordUnreadable
from host.events.record_reader import RecordReader
from host.events.stamped import StampedEvent
from host.events.types import SessionStarted
from host.events.verification.agents import AgentsCheck
from host.events.verification.check import MAX_PROBLEMS, Check, Checker, Problems
from host.events.verification.memories import MemoriesCheck
from host.events.verification.modules import ModulesCheck
from host.events.verification.programs import ProgramsCheck
from host.events.verification.prompts import PromptsCheck
from host.events.verification.totals import TotalsCheck

__all__ = ["MAX_PROBLEMS", "Check", "verify_record"]


def verify_record(reader: RecordReader) -> tuple[Check, ...]:
    """Every check, in one pass over the events. Where a line is damaged, what comes before it is checked."""
    checkers: tuple[Checker, ...] = (
        ConfigurationCheck(),
        AgentsCheck(),
        PromptsCheck(),
        MemoriesCheck(),
        ModulesCheck(),
        ProgramsCheck(),
        TotalsCheck(),
    )
    events, last = Problems(), None
    try:
        for last in reader.events():
            for checker in checkers:
                checker.add(last)
    except RecordUnreadable as damage:
        events.add(str(damage))
    return (
        events.as_check("events", _told_of_events(last)),
        _last_line(reader),
        *(checker.conclude(reader) for checker in checkers),
    )


class ConfigurationCheck:
    """Whether `run.json` belongs to the events, and holds the configuration that was run."""

    def __init__(self) -> None:
        self._first: StampedEvent | None = None

    def add(self, stamped: StampedEvent) -> None:
        self._first = self._first or stamped

    def conclude(self, reader: RecordReader) -> Check:
        problems, looked_at = Problems(), "its hash, and the run's id"
        try:
            header = reader.header
        except RecordUnreadable as error:
            problems.add(str(error))
            return problems.as_check("run.json", "nothing")
        if self._first is not None:
            problems.expect("id", header.get("id"), self._first.run)
        started = self._first.event if self._first else None
        if header.get("masked"):
            looked_at = "the run's id; the configuration is masked in part, and has no hash to compare"
        elif isinstance(started, SessionStarted):
            folded = document_sha256(reader.config)
            problems.expect("the hash of its config", folded, started.config_sha256)
        return problems.as_check("run.json", looked_at)


def _last_line(reader: RecordReader) -> Check:
    problems = Problems()
    if reader.torn and reader.writer is None:
        problems.add("it was cut short, as by a crash; the events before it are whole")
    return problems.as_check("last line", "whether it is whole")


def _told_of_events(last: StampedEvent | None) -> str:
    if last is None:
        return "none"
    return f"{counted(last.seq, 'event')}, numbered without a gap, all of run {last.run}"
