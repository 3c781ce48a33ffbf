"""A directory of notes that packets draw on, and of what was written about packets."""

import json
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final, NamedTuple

from host.context.beneath import FILE, directory_beneath, parts_beneath
from host.context.codes import HANDLE_ESCAPES_ROOT
from host.context.packets.compacting import compaction
from host.context.packets.packet import HANDLES, ContextPacket, label_json
from host.context.packets.scoring import score_packet
from host.context.retrieval.excerpts import masked_cut
from host.context.retrieval.reading import read_beginning
from host.core.clock import Clock, SystemClock
from host.core.context_item import ContextItem, Freshness
from host.core.envelope import Refused
from host.core.hashing import sha256_of
from host.core.text import quoted

NOTES: Final = "memory"
EXEMPLARS: Final = "memory/exemplars"
COMPACTIONS: Final = "compactions"
RETRIEVALS: Final = "retrieval"
SCORECARDS: Final = "scorecards"
DIRECTORIES: Final = (NOTES, EXEMPLARS, COMPACTIONS, RETRIEVALS, SCORECARDS)

FRESH_FOR: Final = timedelta(days=7)
AGING_FOR: Final = timedelta(days=30)
MAX_NOTES: Final = 100
"""Notes that are read of a directory, the latest."""
MAX_NOTE_CHARS: Final = 20_000
COMPACT_ABOVE: Final = 7
"""Tenths of a budget."""

_DAY_NS: Final = 24 * 60 * 60 * 10**9
_NAME_CHARS: Final = 16  # of a hash


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """The notes and exemplars of a workspace as items, and the paths of those that cannot be read."""

    items: tuple[ContextItem, ...]
    unreadable: tuple[str, ...]


class _Note(NamedTuple):
    mtime_ns: int
    name: str


class Workspace:
    """A directory with `memory/`, `memory/exemplars/`, `compactions/`, `retrieval/` and `scorecards/`, which
    are made where they are missing. Nothing is written outside it.

    Raises `Refused` where one of them is a link that leads out, `OSError` where they cannot be made.
    """

    def __init__(self, root: str | os.PathLike[str], *, clock: Clock | None = None) -> None:
        os.makedirs(root, exist_ok=True)
        self.root: Final = Path(os.path.realpath(root))
        self._clock: Final = clock or SystemClock()
        for name in DIRECTORIES:
            with directory_beneath(str(self.root), self._parts(name), create=True):
                pass

    def remembered(self, literals: Iterable[str] = ()) -> Remembered:
        """The notes and the exemplars: untrusted, masked, the latest first, aged by the time of their files.

        Of a long note its first 20,000 characters.
        """
        known = tuple(literals)
        unreadable: list[str] = []
        items = [
            *self._items(NOTES, "notes", known, unreadable),
            *self._items(EXEMPLARS, "exemplars", known, unreadable),
        ]
        return Remembered(items=tuple(items), unreadable=tuple(unreadable))

    def write_note(self, name: str, text: str, *, exemplar: bool = False) -> Path:
        """Writes a note, over an earlier one of the name.

        Raises `ValueError` for a name that is none of a note, `Refused` and `OSError` as making a workspace
        does.
        """
        if not name or name.startswith(".") or "/" in name or "\0" in name:
            raise ValueError(f"{quoted(name)} is no name of a note; it has no slash and no dot at its start")
        return self._write(EXEMPLARS if exemplar else NOTES, name, text)

    def write_retrieval_log(self, packet: ContextPacket) -> Path:
        """Writes where each item of a packet came from, without its text, under the hash of that."""
        log: dict[str, object] = {
            "items": [label_json(item) for item in packet.items()],
            HANDLES: [dict(handle) for handle in packet.repository_handles],
            "evidence": [found.to_json() for found in packet.evidence],
        }
        return self._write_json(RETRIEVALS, log)

    def write_scorecard(self, packet: ContextPacket) -> Path:
        """Writes the envelope that a packet's content earns, under the hash of that."""
        return self._write_json(SCORECARDS, score_packet(packet).to_json())

    def compact_if_over_budget(self, packet: ContextPacket, budget: int) -> Path | None:
        """Writes a compaction of a packet that takes more than 70 % of a budget: the packet within 70 %, and
        the sources of what that leaves out. `None` for one that takes less.
        """
        if 10 * packet.tokens <= COMPACT_ABOVE * budget:
            return None
        text = compaction(packet, budget * COMPACT_ABOVE // 10)
        return self._write(COMPACTIONS, f"{sha256_of(text)[:_NAME_CHARS]}.md", text)

    def _items(
        self, directory: str, section: str, literals: tuple[str, ...], unreadable: list[str]
    ) -> Iterator[ContextItem]:
        with directory_beneath(str(self.root), self._parts(directory)) as descriptor:
            for note in self._notes(descriptor):
                item = self._item(descriptor, directory, note, section, literals)
                if item is None:
                    unreadable.append(f"{directory}/{note.name}")
                else:
                    yield item

    def _notes(self, directory: int) -> list[_Note]:
        """The regular files of a directory that are not hidden. What is linked is passed over."""
        found = []
        for name in os.listdir(directory):
            try:
                status = os.stat(name, dir_fd=directory, follow_symlinks=False)
            except FileNotFoundError:
                continue
            if stat.S_ISREG(status.st_mode) and not name.startswith(".") and name.isprintable():
                found.append(_Note(status.st_mtime_ns, name))
        return sorted(found, key=lambda note: (-note.mtime_ns, note.name))[:MAX_NOTES]

    def _item(
        self, directory_fd: int, directory: str, note: _Note, section: str, literals: tuple[str, ...]
    ) -> ContextItem | None:
        try:
            descriptor = os.open(note.name, FILE, dir_fd=directory_fd)
        except OSError:
            return None
        try:
            beginning = read_beginning(descriptor)
        except OSError:
            return None
        finally:
            os.close(descriptor)
        if beginning is None:
            return None
        text, is_masked = masked_cut(beginning.text, 0, min(MAX_NOTE_CHARS, len(beginning.text)), literals)
        return ContextItem(
            key=note.name,
            value=text[:MAX_NOTE_CHARS],
            source=f"{directory}/{note.name}",
            section=section,
            kind="memory_note",
            freshness_class=self._freshness(note.mtime_ns),
            metadata={
                "masked": is_masked,
                "truncated": beginning.is_cut or len(beginning.text) > MAX_NOTE_CHARS,
            },
        )

    def _freshness(self, mtime_ns: int) -> Freshness:
        age = self._clock.now().timestamp() - mtime_ns / 10**9
        if age <= FRESH_FOR.total_seconds():
            return "fresh"
        return "aging" if age <= AGING_FOR.total_seconds() else "stale"

    def _write_json(self, directory: str, document: dict[str, object]) -> Path:
        text = json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False, default=repr) + "\n"
        return self._write(directory, f"{sha256_of(text)[:_NAME_CHARS]}.json", text)

    def _write(self, directory: str, name: str, text: str) -> Path:
        """Writes a file as a whole, or not at all."""
        parts = self._parts(directory)
        draft = f".{secrets.token_hex(8)}"
        with directory_beneath(str(self.root), parts, create=True) as parent:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(draft, flags, 0o600, dir_fd=parent)
            try:
                with open(descriptor, "wb") as file:
                    file.write(text.encode("utf-8", "backslashreplace"))
                os.replace(draft, name, src_dir_fd=parent, dst_dir_fd=parent)
            except BaseException:
                os.unlink(draft, dir_fd=parent)
                raise
        return self.root.joinpath(*parts, name)

    def _parts(self, directory: str) -> tuple[str, ...]:
        """The way to a directory. A link in it that stays inside is followed."""
        parts = parts_beneath(str(self.root), directory)
        if parts is None:
            message = f"{quoted(directory)} of the workspace is a link that leads out of it; remove the link"
            raise Refused.of(HANDLE_ESCAPES_ROOT, message)
        return parts
