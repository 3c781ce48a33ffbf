"""The record store as one agent of a run uses it: the run says who writes, and what was served is noted."""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from host.core.envelope import Envelope, Refused
from host.core.messages import Reply, ToolSpec
from host.records import Embedder, Found, Record, Store, Use
from host.turn import Carried, Mode

Mask = Callable[[str], str]
_RECALLED: Final = 20


class AgentRecords:
    """What the calls of one agent have of the store (`Records`).

    Args:
        run: id of the run.
        top_k: what a search gives that says no number.
        mask: takes secrets out of what is kept, as the session record is without them.
        embedder: with it searches are hybrid ones.
    """

    def __init__(
        self,
        store: Store,
        *,
        run: str,
        agent_id: str,
        top_k: int,
        mask: Mask,
        embedder: Embedder | None = None,
    ) -> None:
        self._store: Final = store
        self._run: Final = run
        self._agent_id: Final = agent_id
        self._top_k: Final = top_k
        self._mask: Final = mask
        self._embedder: Final = embedder
        self._lock: Final = threading.Lock()
        self._served: list[Use] = []

    def put(self, given: Mapping[str, object], *, turn: int) -> tuple[Record, Envelope]:
        fields: dict[str, Any] = {name: _masked(value, self._mask) for name, value in given.items()}
        source = fields.pop("source", None)
        is_named = isinstance(source, str) and source.strip()
        return self._store.put(
            **fields,
            written_by=f"agent:{self._run}/{self._agent_id}",
            source=source if is_named else f"run:{self._run}#{turn}",
        )

    def search(
        self, query: str, *, top_k: int | None, tags: tuple[str, ...], kind: str | None, turn: int
    ) -> Found:
        found = self._search(query, top_k=top_k or self._top_k, tags=tags, kind=kind)
        self.note(found, turn=turn)
        return found

    def recall(
        self,
        *,
        record_ids: tuple[str, ...],
        tags: tuple[str, ...],
        kind: str | None,
        proposed: bool,
        limit: int | None,
        turn: int,
    ) -> Found:
        found = self._store.recall(
            record_ids=record_ids, tags=tags, kind=kind, proposed=proposed, limit=limit or _RECALLED
        )
        self.note(found, turn=turn)
        return found

    def status(self) -> Envelope:
        return self._store.status()

    def about(self, task: str) -> Found:
        """The records that bear on a task, of which none counts as served."""
        return self._search(task, top_k=self._top_k)

    def note(self, found: Found, *, turn: int) -> None:
        """Counts what was found as served in a turn."""
        hits = (*found.current, *found.stale, *found.superseded)
        with self._lock:
            self._served += [
                Use(record_id=hit.record.id, run=self._run, agent=self._agent_id, turn=turn) for hit in hits
            ]

    def _search(
        self, query: str, *, top_k: int, tags: tuple[str, ...] = (), kind: str | None = None
    ) -> Found:
        if self._embedder is None:
            return self._store.search(query, top_k=top_k, tags=tags, kind=kind)
        return self._store.search_hybrid(query, embedder=self._embedder, top_k=top_k, tags=tags, kind=kind)

    def keep_uses(self) -> None:
        """Has the store keep what was served since the last time. Raises `Refused`; then it is kept never."""
        with self._lock:
            served, self._served = self._served, []
        if served:
            self._store.note_uses(served)


class NotingUses:
    """A mode of which each reply is followed by what it was served, in one write to the store.

    `refused` is told why that could not be kept, which changes nothing for the agent.
    """

    def __init__(self, mode: Mode, records: AgentRecords, refused: Callable[[Refused], None]) -> None:
        self._mode: Final = mode
        self._records: Final = records
        self._refused: Final = refused

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        return self._mode.tools

    @property
    def forced_tool(self) -> str:
        return self._mode.forced_tool

    def carry_out(self, reply: Reply, *, turn: int) -> Carried:
        try:
            return self._mode.carry_out(reply, turn=turn)
        finally:
            try:
                self._records.keep_uses()
            except Refused as refused:
                self._refused(refused)

    def ended(self) -> None:
        self._mode.ended()


def _masked(value: object, mask: Mask) -> object:
    """A text, or a list or an object of texts, without secrets."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {key: _masked(item, mask) for key, item in value.items()}
    return [_masked(item, mask) for item in value] if isinstance(value, Iterable) else value
