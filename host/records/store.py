"""The store: what an agent writes down, kept over runs, and found again as untrusted notes."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final

from host.core.clock import SystemClock
from host.core.envelope import Envelope
from host.records import arguments, putting, recalling, searching
from host.records.integrity.keys import open_keys
from host.records.journal import Change, Journal
from host.records.look import MAX_CHECKED_ROWS, Look, Unreadable
from host.records.model import Found, Passage, Record
from host.records.putting import Limits
from host.records.states import Filter

Now = Callable[[], datetime]
"""The present moment, aware; staleness is judged by it, once in each call."""


class Store:
    """Records in one file. Safe for several threads, and for several processes on one file.

    Args:
        path: the file; made where it is missing.
        clock: what says the moment; the system's clock when absent.
        keys: the folder of a key for keyed integrity; without it rows have plain hashes.
        max_records: how many records it holds at most.
        max_store_bytes: and how many bytes of them.

    Every method raises `Refused`, a `ValueError` with `code`, `message` and `envelope`; nothing is
    changed then.
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
        self._now: Final = clock or SystemClock().now
        self._limits: Final = Limits(max_records=max_records, max_store_bytes=max_store_bytes)
        self._lock: Final = threading.RLock()
        self._journal: Final = Journal(Path(path), open_keys(Path(keys)) if keys is not None else None)
        self._unreadable: Final = Unreadable(self._journal.database.connection)
        self._seen_version: int | None = None

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the use of the file. A store that is not closed loses nothing."""
        with self._lock:
            self._journal.close()

    @property
    def path(self) -> Path:
        return self._journal.database.path

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
    ) -> tuple[Record, Envelope]:
        """Keeps a note, or a lesson that waits for an approval. What was kept before in other form alone is
        not kept twice.
        """
        given: dict[str, object] = {
            "text": text,
            "written_by": written_by,
            "source": source,
            "kind": kind,
            "tags": tags,
            "stale_after": stale_after,
            "passage": passage,
        }
        with self._writing() as (change, look):
            draft = putting.drafted(given, look.now)
            record, existed = putting.put(change, look, draft, self._limits)
        return record, putting.kept_envelope(record, existed=existed)

    def search(
        self, query: str, *, top_k: int = 5, tags: Sequence[str] = (), kind: str | None = None
    ) -> Found:
        """The records most relevant to a query, by their words alone; at most `top_k` current ones, and
        stale ones apart.
        """
        asked = arguments.query(query)
        most = arguments.limit("top_k", top_k)
        wanted = Filter(tags=arguments.tags(tags), kind=arguments.kind_or_none(kind))
        with self._reading() as look:
            return searching.search(look, asked, wanted, top_k=most)

    def recall(
        self,
        *,
        record_ids: str | Sequence[str] = (),
        tags: Sequence[str] = (),
        kind: str | None = None,
        proposed: bool = False,
        limit: int = 20,
    ) -> Found:
        """Records by id, tag or kind, newest first; with `proposed` the lessons that wait for an approval."""
        wanted = Filter(
            record_ids=arguments.record_ids(record_ids),
            tags=arguments.tags(tags),
            kind=arguments.kind_or_none(kind),
        )
        waiting = arguments.flag("proposed", proposed)
        most = arguments.limit("limit", limit)
        with self._reading() as look:
            return recalling.recall(look, wanted, proposed=waiting, limit=most)

    @contextmanager
    def _reading(self) -> Iterator[Look]:
        with self._lock, self._journal.reading() as (connection, evidence):
            look = Look(
                connection=connection,
                seal=self._journal.seal,
                now=self._moment(),
                unreadable=self._unreadable,
                evidence=evidence,
            )
            self._check_what_others_wrote(look)
            yield look

    @contextmanager
    def _writing(self) -> Iterator[tuple[Change, Look]]:
        with self._lock, self._journal.writing() as change:
            yield (
                change,
                Look(
                    connection=change.connection,
                    seal=change.seal,
                    now=self._moment(),
                    unreadable=self._unreadable,
                ),
            )

    def _check_what_others_wrote(self, look: Look) -> None:
        """A full check where the file is new to this connection, or changed by another one; of a large file
        only the rows that are served are looked at.
        """
        version = self._journal.database.version
        if version == self._seen_version:
            return
        if look.has_at_most(MAX_CHECKED_ROWS):
            look.check_all()
        self._seen_version = version

    def _moment(self) -> datetime:
        now = self._now()
        if now.tzinfo is None or now.utcoffset() is None:
            raise ValueError(f"the clock gives {now.isoformat()}, which has no time zone; give it UTC")
        return now.astimezone(UTC)
