"""The judged records in a store, each in its state: through the store, or past it where that is the state."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from host.app.bench.retrieval.answering import TOP_K, Answer
from host.app.bench.retrieval.judged_set import ASKED_AT, KEPT_AT, JudgedRecord, JudgedSet
from host.records import Embedder, Found, Hit, Store

_REVIEWER: Final = "Noor Veldkamp"
_REASON: Final = "the judged set says so"

Ids = dict[str, str]
"""The id that each record got in the store, by its key."""


class KeptSet:
    """A store that holds a judged set. `ids` are those of all records, also of what is forgotten by now.

    `embedder` is for hybrid searches.
    """

    def __init__(self, store: Store, ids: Ids, embedder: Embedder | None = None) -> None:
        self.ids: Final = ids
        self._embedder: Final = embedder
        self._store: Final = store
        self._keys: Final = {id_: key for key, id_ in ids.items()}

    def ask(self, query: str) -> Answer:
        """What a search answers."""
        return self._answer(self._store.search(query, top_k=TOP_K))

    def ask_hybrid(self, query: str) -> Answer:
        """What a hybrid search answers. Only with an embedder."""
        assert self._embedder is not None, "who asks has given one"
        return self._answer(self._store.search_hybrid(query, embedder=self._embedder, top_k=TOP_K))

    def _answer(self, found: Found) -> Answer:
        return Answer(
            current=self._named(found.current),
            stale=self._named(found.stale),
            superseded=self._named(found.superseded),
        )

    def _named(self, hits: tuple[Hit, ...]) -> tuple[str, ...]:
        return tuple(self._keys[record.id] for record, _ in hits)


@contextmanager
def kept(judged: JudgedSet, embedder: Embedder | None = None) -> Iterator[KeptSet]:
    """A store in a folder of its own, at the moment at which the questions are asked."""
    with TemporaryDirectory(prefix="gg-bench-") as folder:
        path = Path(folder, "records.db")
        with Store(path, clock=_at(KEPT_AT)) as store:
            ids = {key: _put(store, record) for key, record in judged.records.items()}
            _bring_into_their_states(store, judged, ids)
        _edit_past_the_store(path, _in_state(judged, "unreadable"))
        with Store(path, clock=_at(ASKED_AT)) as store:
            yield KeptSet(store, ids, embedder)


def _at(moment: datetime) -> Callable[[], datetime]:
    return lambda: moment


def _put(store: Store, record: JudgedRecord) -> str:
    put, _ = store.put(
        text=record.text,
        written_by=record.written_by,
        source=record.source,
        kind=record.kind,
        tags=record.tags,
        stale_after=record.stale_after,
        passage=record.passage,
    )
    return put.id


def _bring_into_their_states(store: Store, judged: JudgedSet, ids: Ids) -> None:
    approved = [ids[record.key] for record in _in_state(judged, "current") if record.kind == "lesson"]
    store.approve(approved, reviewer=_REVIEWER, reason=_REASON)
    for record in _in_state(judged, "superseded"):
        if record.superseded_by is not None:
            store.supersede(ids[record.key], ids[record.superseded_by], _REASON)
    forgotten = [ids[record.key] for record in _in_state(judged, "forgotten")]
    store.forget(record_ids=forgotten, reason=_REASON)


def _in_state(judged: JudgedSet, state: str) -> list[JudgedRecord]:
    return [record for record in judged.records.values() if record.state == state]


def _edit_past_the_store(path: Path, records: list[JudgedRecord]) -> None:
    """Flips a bit in the last byte of each text, in a file that nobody has open; its terms stay the same."""
    data = path.read_bytes()
    for record in records:
        text = record.text.encode()
        if data.count(text) != 1:
            raise RuntimeError(f"the text of {record.key} is not in the file once, so it cannot be edited")
        data = data.replace(text, text[:-1] + bytes([text[-1] ^ 1]))
    path.write_bytes(data)
