"""The records of one server: a folder that one process at a time writes, and what the latest of them kept."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from host.app.runs import list_runs
from host.core.errors import HostError, system_reason
from host.events import FoldedMemory, FoldedStore, RecordReader, fold_memories
from host.memories import MemoryDraft

_TEXTS: Final = {"body": "its body", "description": "its description"}
_HALVES: Final = {"code": "its code", "onUse": "its onUse"}


class FolderTaken(HostError):
    """The folder of records of a server is another one's, or cannot be used."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} cannot keep the records of a server: {reason}; name another with --record")


class RecordsFolder:
    """Held from its making until `release`. Raises `FolderTaken`."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._fd: Final = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise FolderTaken(path, system_reason(error)) from error
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._fd)
            raise FolderTaken(path, "another server keeps its memories there") from None

    def release(self) -> None:
        os.close(self._fd)

    def kept(self, profile: str, tell: Callable[[str], None]) -> tuple[MemoryDraft, ...]:
        """The memories that the agent of this profile held at the end of the latest run in which it kept
        any, in the order of their latest revisions. `tell` is told of what could not be kept.
        """
        for run in list_runs(self.path):
            if run.kind != "run":
                continue
            store = _store_of(run.path, profile)
            if store is not None:
                return tuple(_drafts(store, tell))
        return ()


def _store_of(record: Path, profile: str) -> FoldedStore | None:
    """Of an agent that has begun: before that, not all that it had been given need be there."""
    stores = fold_memories(RecordReader(record).events())
    held = [store for store in stores.values() if any(each.agent_id == profile for each in store.holders)]
    return held[-1] if held and held[-1].state is not None else None


def _drafts(store: FoldedStore, tell: Callable[[str], None]) -> list[MemoryDraft]:
    order = {entry.revision.name: entry.seq for entry in store.history}
    drafts = []
    for memory in sorted(store.memories.values(), key=lambda memory: order[memory.name]):
        if "name" in memory.masked:
            tell("a memory is not kept: its name held a secret, and the record has it masked")
            continue
        drafts.append(_draft(memory, tell))
    return drafts


def _draft(memory: FoldedMemory, tell: Callable[[str], None]) -> MemoryDraft:
    """A half that holds a mask would not be the code that was written, so it is left out."""
    for name in memory.masked:
        if name in _HALVES:
            tell(f"the memory {memory.name} is kept without {_HALVES[name]}, which held a secret")
        elif name in _TEXTS:
            tell(f"the memory {memory.name} is kept with a mask in {_TEXTS[name]}, which held a secret")
    return MemoryDraft(
        name=memory.name,
        description=memory.description,
        body=memory.body,
        code=None if "code" in memory.masked else memory.code,
        on_use=None if "onUse" in memory.masked else memory.on_use,
    )
