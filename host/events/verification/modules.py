"""Whether the files under `agents/` say what the events say of the stores that each agent holds."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

from host.core.text import counted
from host.events.errors import RecordUnreadable
from host.events.fold_modules import ModuleFold
from host.events.layout import AGENTS, module_file
from host.events.private_files import name_beside
from host.events.record_reader import RecordReader
from host.events.stamped import StampedEvent
from host.events.types import SessionSummary
from host.events.verification.check import Check, Problems

_NOW: Final = "coHolders"
_EARLIER: Final = "earlierCoHolders"


class ModulesCheck:
    """A file that is absent is rebuilt on reading, and is no fault; nor is what a killed process was writing.

    The files are written when a turn ends. Where the run has not ended each may be as old as that: others may
    have come and gone since, and the agent may have ended.
    """

    def __init__(self) -> None:
        self._fold: Final = ModuleFold()
        self._ended = False

    def add(self, stamped: StampedEvent) -> None:
        self._fold.add(stamped)
        self._ended |= isinstance(stamped.event, SessionSummary)

    def conclude(self, reader: RecordReader) -> Check:
        problems, states = Problems(), self._fold.states()
        known = {str(module_file(*holder)): holder for holder in states}
        half_written = {str(path.with_name(name_beside(path.name))) for path in map(PurePosixPath, known)}
        files = [file for file in _files_below(reader.directory, AGENTS) if file not in half_written]
        for file in files:
            if (holder := known.get(file)) is None:
                problems.add(f"{file} is of an agent or a store that no event tells of")
                continue
            try:
                found = reader.module_state(*holder)
            except RecordUnreadable as error:
                problems.add(str(error))
                continue
            if found != states[holder] and (self._ended or not _was(states[holder], found or {})):
                problems.add(f"{file} says {found!r}, and the events {states[holder]!r}")
        absent = len(states) - len(known.keys() & set(files))
        rebuilt = f", {absent} absent and rebuilt" if absent else ""
        return problems.as_check("stores", f"{counted(len(files), 'file')} under {AGENTS}/{rebuilt}")


def _was(now: Mapping[str, Any], found: Mapping[str, Any]) -> bool:
    """Whether what a file says can have been so before it was as it is now."""
    holding, earlier = _names(found.get(_NOW)), _names(found.get(_EARLIER))
    left = frozenset(now[_EARLIER])
    if holding & earlier or not earlier <= left or not holding <= left | frozenset(now[_NOW]):
        return False
    return found == {**now, "until": None, _NOW: found.get(_NOW), _EARLIER: found.get(_EARLIER)}


def _names(listed: object) -> frozenset[str]:
    """The ids of a list; of anything else what is the id of no agent."""
    if isinstance(listed, list) and all(isinstance(each, str) for each in listed):
        return frozenset(listed)
    return frozenset({""})


def _files_below(directory: Path, part: str) -> list[str]:
    """Every file in a part of the record, relative to it."""
    return sorted(
        str(path.relative_to(directory)) for path in (directory / part).rglob("*") if path.is_file()
    )
