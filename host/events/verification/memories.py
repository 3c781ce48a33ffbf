"""Whether every snapshot of a store equals the fold of the revisions before it."""

from typing import Final

from host.core.text import counted
from host.events.fold_memories import MemoryFold
from host.events.record_reader import RecordReader
from host.events.stamped import StampedEvent
from host.events.types import MemoryRevision, MemoryState
from host.events.verification.check import Check, Problems


class MemoriesCheck:
    """Names, descriptions, lengths, lines and limits; a masked text counts as long as its original."""

    def __init__(self) -> None:
        self._fold: Final = MemoryFold(keeps_history=False)
        self._problems: Final = Problems()
        self._states = 0
        self._revisions = 0

    def add(self, stamped: StampedEvent) -> None:
        self._states += isinstance(stamped.event, MemoryState)
        self._revisions += isinstance(stamped.event, MemoryRevision)
        for mismatch in self._fold.add(stamped):
            self._problems.add(str(mismatch))

    def conclude(self, reader: RecordReader) -> Check:
        states, revisions = counted(self._states, "snapshot"), counted(self._revisions, "revision")
        return self._problems.as_check("memories", f"{states} against {revisions}")
