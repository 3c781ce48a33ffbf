"""Whether the files under `agents/` say what the events say of the stores that each agent holds."""

from pathlib import Path
from typing import Any, Final

from host.core.text import counted
from host.events.errors import RecordUnreadable
from host.events.fold_modules import ModuleFold
from host.events.layout import AGENTS, module_file
from host.events.record_reader import RecordReader
from host.events.stamped import StampedEvent
from host.events.types import SessionSummary, TurnOutcome
from host.events.verification.check import Check, Problems

States = dict[tuple[str, str], dict[str, Any]]


class ModulesCheck:
    """A file that is absent is rebuilt on reading, and is no fault.

    The files are written when a turn ends: where the run has not ended they may be as old as that.
    """

    def __init__(self) -> None:
        self._fold: Final = ModuleFold()
        self._at_last_turn: States = {}
        self._ended = False

    def add(self, stamped: StampedEvent) -> None:
        self._fold.add(stamped)
        if isinstance(stamped.event, TurnOutcome):
            self._at_last_turn = self._fold.states()
        self._ended |= isinstance(stamped.event, SessionSummary)

    def conclude(self, reader: RecordReader) -> Check:
        problems, states = Problems(), self._fold.states()
        known = {str(module_file(*holder)): holder for holder in states}
        files = _files_below(reader.directory, AGENTS)
        for file in files:
            if (holder := known.get(file)) is None:
                problems.add(f"{file} is of an agent or a store that no event tells of")
                continue
            allowed = [states[holder], *([] if self._ended else [self._at_last_turn.get(holder)])]
            try:
                found = reader.module_state(*holder)
            except RecordUnreadable as error:
                problems.add(str(error))
                continue
            if found not in allowed:
                problems.add(f"{file} says {found!r}, and the events {states[holder]!r}")
        absent = len(states) - len(known.keys() & set(files))
        rebuilt = f", {absent} absent and rebuilt" if absent else ""
        return problems.as_check("stores", f"{counted(len(files), 'file')} under {AGENTS}/{rebuilt}")


def _files_below(directory: Path, part: str) -> list[str]:
    """Every file in a part of the record, relative to it."""
    return sorted(
        str(path.relative_to(directory)) for path in (directory / part).rglob("*") if path.is_file()
    )
