"""The store: what an agent writes down, kept over runs, and found again as untrusted notes."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Final

from host.core.clock import SystemClock
from host.core.envelope import Envelope
from host.records import (
    approving,
    arguments,
    forgetting,
    hybrid,
    naming,
    putting,
    recalling,
    searching,
    superseding,
    transfer,
    unblocking,
    uses,
    verifying,
)
from host.records import status as counting
from host.records.access import Access, Now
from host.records.embedder import Embedder
from host.records.integrity.check import Progress
from host.records.integrity.keys import open_keys
from host.records.model import Found, Passage, Record
from host.records.op_table import OPS
from host.records.putting import Limits
from host.records.record_lines import Line
from host.records.states import Filter
from host.records.uses import Use


class Store:
    """Records in one file. Safe for several threads, and for several processes on one file.

    Args:
        path: the file; made where it is missing.
        clock: what says the moment; the system's clock when absent.
        keys: the folder of a key for keyed integrity; without it rows have plain hashes.
        max_records: how many records it holds at most.
        max_store_bytes: and how many bytes of them.

    Every method raises `Refused`, a `ValueError` with `code`, `message` and `envelope`; nothing is
    changed then. An argument that an operation does not know is refused so as well.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        clock: Now | None = None,
        keys: str | Path | None = None,
        max_records: int = Limits.max_records,
        max_store_bytes: int = Limits.max_store_bytes,
    ) -> None:
        self._limits: Final = Limits(max_records=max_records, max_store_bytes=max_store_bytes)
        opened = open_keys(Path(keys)) if keys is not None else None
        self._access: Final = Access(Path(path), opened, clock or SystemClock().now)

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the use of the file. A store that is not closed loses nothing."""
        self._access.close()

    @property
    def path(self) -> Path:
        return self._access.path

    def put(
        self,
        *,
        text: str,
        written_by: str,
        source: str | None = None,
        kind: str = "note",
        tags: Sequence[str] = (),
        stale_after: str | datetime | None = None,
        passage: str | Passage | dict[str, object] | None = None,
        **unknown: object,
    ) -> tuple[Record, Envelope]:
        """Keeps a note, or a lesson that waits for an approval. What was kept before in other form alone is
        not kept twice.
        """
        OPS["put"].refuse_unknown(unknown)
        given: dict[str, object] = {
            "text": text,
            "written_by": written_by,
            "source": source,
            "kind": kind,
            "tags": tags,
            "stale_after": stale_after,
            "passage": passage,
        }
        with self._access.writing() as (change, look):
            draft = putting.drafted(given, look.now)
            record, existed = putting.put(change, look, draft, self._limits)
        return record, putting.kept_envelope(record, existed=existed)

    def search(
        self,
        query: str,
        *,
        top_k: int = 5,
        tags: Sequence[str] = (),
        kind: str | None = None,
        **unknown: object,
    ) -> Found:
        """The records most relevant to a query, by their words alone; at most `top_k` current ones, and
        stale ones apart.
        """
        OPS["search"].refuse_unknown(unknown)
        asked = arguments.query(query)
        most = arguments.limit("top_k", top_k)
        wanted = _filter(tags=tags, kind=kind)
        with self._access.reading() as look:
            return searching.search(look, asked, wanted, top_k=most)

    def search_hybrid(
        self,
        query: str,
        *,
        embedder: Embedder,
        top_k: int = 5,
        tags: Sequence[str] = (),
        kind: str | None = None,
        progress: Progress | None = None,
        **unknown: object,
    ) -> Found:
        """The records most relevant to a query by their words and by their meaning, whose scores are of
        another scale: see `host.records.hybrid`.

        Args:
            embedder: what makes vectors of texts; they are kept in the file, where it can be written.
            progress: told how many vectors of how many are made, where any are missing.
        """
        OPS["search"].refuse_unknown(unknown)
        asked = arguments.query(query)
        most = arguments.limit("top_k", top_k)
        wanted = _filter(tags=tags, kind=kind)
        return hybrid.search(self._access, asked, wanted, embedder=embedder, top_k=most, progress=progress)

    def recall(
        self,
        *,
        record_ids: str | Sequence[str] = (),
        tags: Sequence[str] = (),
        kind: str | None = None,
        proposed: bool = False,
        limit: int = 20,
        **unknown: object,
    ) -> Found:
        """Records by id, tag or kind, newest first; with `proposed` the lessons that wait for an approval."""
        OPS["recall"].refuse_unknown(unknown)
        wanted = _filter(record_ids=record_ids, tags=tags, kind=kind)
        waiting = arguments.flag("proposed", proposed)
        most = arguments.limit("limit", limit)
        with self._access.reading() as look:
            return recalling.recall(look, wanted, proposed=waiting, limit=most)

    def forget(
        self,
        *,
        record_ids: str | Sequence[str] = (),
        tags: Sequence[str] = (),
        kind: str | None = None,
        reason: str = "",
        block: bool = False,
        preview: bool = False,
        **unknown: object,
    ) -> Envelope:
        """Removes what the filter names, readable or not, so that none of its text is left in the file.

        With `block` the same text is refused from then on; with `preview` nothing is removed. The receipt
        says what was: see `host.records.forgetting`.
        """
        OPS["forget"].refuse_unknown(unknown)
        wanted = _filter(record_ids=record_ids, tags=tags, kind=kind)
        blocks = arguments.flag("block", block)
        if arguments.flag("preview", preview):
            return forgetting.preview(self._access, wanted)
        return forgetting.forget(self._access, wanted, reason=reason, block=blocks)

    def approve(
        self, record_ids: str | Sequence[str], *, reviewer: str, reason: str, **unknown: object
    ) -> Envelope:
        """Records the approval of proposed lessons, of all of them or of none."""
        OPS["approve"].refuse_unknown(unknown)
        wanted = approving.lesson_ids(record_ids)
        why = arguments.reason(reason)
        by = arguments.reviewer(reviewer)
        with self._access.writing() as (change, look):
            return approving.approve(change, look, wanted, self._limits, reviewer=by, reason=why)

    def supersede(self, old: str, new: str, reason: str, **unknown: object) -> Envelope:
        """Puts the record `new` in the place of `old`, which is listed as superseded from then on."""
        OPS["supersede"].refuse_unknown(unknown)
        old_id, new_id = arguments.record_id("old", old), arguments.record_id("new", new)
        why = arguments.reason(reason)
        with self._access.writing() as (change, look):
            return superseding.supersede(change, look, old_id, new_id, self._limits, reason=why)

    def unblock(self, text: str, *, reason: str, **unknown: object) -> Envelope:
        """Lets a text be kept again that was forgotten and blocked."""
        OPS["unblock"].refuse_unknown(unknown)
        claim = arguments.record_text(text)
        why = arguments.reason(reason)
        with self._access.writing() as (change, look):
            return unblocking.unblock(change, look, claim, reason=why)

    def status(self, progress: Progress | None = None, **unknown: object) -> Envelope:
        """What the store holds, after a full check of its rows, of which `progress` is told."""
        OPS["status"].refuse_unknown(unknown)
        with self._access.reading() as look:
            return counting.status(look, self._limits, progress)

    def ids_beginning(self, beginning: str, *, most: int = 2) -> tuple[str, ...]:
        """Ids of records that begin so, at most so many; also of those that cannot be served."""
        with self._access.reading() as look:
            return naming.ids_beginning(look, beginning, most=most)

    def verify(self, progress: Progress | None = None) -> Envelope:
        """A full check of rows, ledger, sums, indexes and head, of which `progress` is told. The answer is
        `G6_E_MEMORY_VERIFIED`, or `G6_E_MEMORY_STORE` and `blocked-escalated`, with one piece of evidence
        for each finding, where the file is not whole; nothing is changed.
        """
        with self._access.judging() as (look, doubt):
            return verifying.verify(look, doubt, progress)

    def accept(self, reason: str) -> Envelope:
        """Takes the file as it is, so that it can be written again; the reason is kept in it."""
        why = arguments.reason(reason)
        with self._access.accepting() as (change, look, tip, doubt):
            return verifying.accept(change, look, tip, doubt, why)

    def note_uses(self, noted: Sequence[Use]) -> None:
        """Keeps that records were put before agents, in one write for all."""
        with self._access.writing() as (change, look):
            uses.note(change.connection, noted, look.now)

    def export(
        self,
        write: Callable[[str], None],
        *,
        target: str,
        record_ids: str | Sequence[str] = (),
        tags: Sequence[str] = (),
        kind: str | None = None,
        progress: Progress | None = None,
    ) -> Envelope:
        """Gives each record that the filter names to `write`, as a line of JSON, oldest first.

        Args:
            target: where the lines go; receipts of what is forgotten later name it.
            progress: told how many records of how many are out.
        """
        wanted = _filter(record_ids=record_ids, tags=tags, kind=kind)
        named = arguments.a_text("target", target)
        return transfer.export(self._access, wanted, write, target=named, progress=progress)

    def import_lines(
        self,
        lines: Iterable[Line],
        *,
        keeps_approvals: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> Envelope:
        """Keeps the records of lines of JSON, as texts or as bytes of UTF-8.

        Lines that cannot be taken are told in the answer, which is `blocked-escalated` then; the others are
        kept all the same, and nothing is raised for them.

        Args:
            keeps_approvals: lessons that the lines say are approved are so here; else they wait again.
            progress: told how many lines are done.
        """
        return transfer.import_lines(
            self._access, lines, self._limits, keeps_approvals=keeps_approvals, progress=progress
        )


def _filter(*, record_ids: object = (), tags: object = (), kind: object = None) -> Filter:
    return Filter(
        record_ids=arguments.record_ids(record_ids),
        tags=arguments.tags(tags),
        kind=arguments.kind_or_none(kind),
    )
