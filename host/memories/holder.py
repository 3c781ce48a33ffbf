"""One agent's hold on a store: the calls it makes there, under its own access.

A mutation is checked, and checked again under the lock as it is committed, so that code can be compiled
between the two without holding the store. A refused mutation changes nothing and records nothing.
"""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace as replaced
from typing import Final, Literal

from host.memories.attempt import SDK_FIELDS, Attempt
from host.memories.changes import Change, Seat
from host.memories.checks import check_edit, check_keywords, check_new, check_there, check_update
from host.memories.contents import Contents
from host.memories.limits import Caps
from host.memories.model import (
    Edit,
    Memory,
    MemoryDraft,
    MemoryUsage,
    Mutation,
    Op,
    RevisionEntry,
    StateSnapshot,
)
from host.memories.search import Found, hit, ranked
from host.memories.store import MemoryStore
from host.memories.strategies import Strategy

_UPDATE: Final = "memories.update_memory"
_EDIT: Final = "memories.edit_memory"
_DELETE: Final = "memories.delete_memory"
_READ: Final = "memories.read_memory"
_SEARCH: Final = "memories.search_memories"


Access = Literal["write", "read"]
"""What a holder may do. It is the holder's: two holders of one store may differ in it."""


class Holder:
    """Every method that names a memory raises `MemoryRefusal`, with remedies among `calls`.

    Args:
        agent_id: the author of what is written here.
        scope: the scope that the configuration asked for, for the record.
        calls: operation id to spelling, of the calls that this agent has.
        fields: how it spells `name`, `description`, `body`, `code`, `on_use`, `search`, `replace` and
            `keywords`, those that a program spells otherwise.
        seat: its place in the store; without it, it joins as the store is now.
    """

    def __init__(
        self,
        store: MemoryStore,
        *,
        agent_id: str,
        access: Access,
        scope: str,
        calls: Mapping[str, str],
        fields: Mapping[str, str] | None = None,
        seat: Seat | None = None,
    ) -> None:
        self.store: Final = store
        self.seat: Final = seat or store.join(agent_id)
        self.agent_id: Final = agent_id
        self.scope: Final = scope
        self._calls: Final = dict(calls)
        self._fields: Final = {**SDK_FIELDS, **(fields or {})}
        self._access: Final[Access] = access

    @property
    def module_id(self) -> str:
        return self.store.module_id

    @property
    def strategy(self) -> Strategy:
        return self.store.strategy

    @property
    def caps(self) -> Caps:
        """The limits in force."""
        return self.store.caps

    @property
    def writable(self) -> bool:
        """Whether it may change the store."""
        return self._access == "write"

    @property
    def co_holders(self) -> tuple[str, ...]:
        """Ids of the other agents that hold the store now, in the order in which they came."""
        return self.store.beside(self.seat)

    @property
    def position(self) -> int:
        """How many mutations the store has seen, by whoever made them."""
        with self.store.exclusive() as contents:
            return contents.position

    def in_order(self) -> AbstractContextManager[bool]:
        """Held while a mutation is made, or a state taken, and recorded: the record has them in order."""
        return self.store.in_order()

    def news(self) -> tuple[Change, ...]:
        """What others have changed since this was asked last, each memory once; what is told is not kept."""
        return self.store.news(self.seat)

    def leave(self) -> None:
        """Ends the hold: the agent counts no more among the holders, and is told nothing more."""
        self.store.leave(self.seat)

    def refuse_read_only(self, call: str, name: str) -> None:
        """Refuses a call that changes the store, where this agent may only read it."""
        if call in self.strategy.mutating:
            self._check_access(self._attempt(call, name.strip()))

    def check_write(self, draft: MemoryDraft) -> MemoryDraft:
        """The draft of a new memory as it would be stored."""
        trimmed = draft.trimmed()
        with self.store.exclusive() as contents:
            self._check_new(trimmed, contents)
        return trimmed

    def commit_write(self, draft: MemoryDraft, *, turn: int) -> Mutation:
        trimmed = draft.trimmed()
        with self.store.exclusive() as contents:
            self._check_new(trimmed, contents)
            return self._put(trimmed, "write", turn, contents)

    def create(self, draft: MemoryDraft, *, turn: int) -> Mutation:
        """A new memory whose code loads when it is read: nothing comes between check and commit."""
        return self.commit_write(draft, turn=turn)

    def check_update(
        self, draft: MemoryDraft, *, expected_revision: int | None = None, keeps_code: bool = False
    ) -> MemoryDraft:
        """The draft as it would replace the memory of its name.

        A code half that it lacks is cleared; with `keeps_code` it says nothing of them, and both stay.
        """
        with self.store.exclusive() as contents:
            return self._updated(draft, expected_revision, keeps_code, contents)

    def commit_update(
        self,
        draft: MemoryDraft,
        *,
        expected_revision: int | None = None,
        keeps_code: bool = False,
        turn: int,
    ) -> Mutation:
        with self.store.exclusive() as contents:
            after = self._updated(draft, expected_revision, keeps_code, contents)
            return self._put(after, "update", turn, contents)

    def edit(
        self, name: str, search: str, replace: str, *, expected_revision: int | None = None, turn: int
    ) -> Mutation:
        """Replaces the one place of a text in the body. The code halves stay, and so does what is loaded."""
        attempt = self._attempt(_EDIT, name.strip())
        with self.store.exclusive() as contents:
            self._check_access(attempt)
            after = check_edit(attempt, Edit(search, replace), expected_revision, contents, self.caps)
            return self._put(after, "edit", turn, contents)

    def delete(self, name: str, *, expected_revision: int | None = None, turn: int) -> Mutation:
        attempt = self._attempt(_DELETE, name.strip())
        with self.store.exclusive() as contents:
            self._check_access(attempt)
            memory = check_there(attempt, expected_revision, contents)
            entry = contents.remove(memory, author=self.agent_id, turn=turn)
            self.store.changed(self.seat, memory, None)
            return self._mutation(entry, contents)

    def restore(self, draft: MemoryDraft, *, turn: int) -> Mutation:
        """Keeps a memory of an earlier run again, as it was and whatever the limits are now."""
        with self.store.exclusive() as contents:
            return self._put(draft, "write", turn, contents)

    def spelled(self, calls: Mapping[str, str], fields: Mapping[str, str]) -> "Holder":
        """The same hold, for calls that spell calls and fields otherwise."""
        return Holder(
            self.store,
            agent_id=self.agent_id,
            access=self._access,
            scope=self.scope,
            calls={call: spelling for call, spelling in calls.items() if call in self._calls},
            fields=fields,
            seat=self.seat,
        )

    def read(self, name: str) -> Memory:
        slug = name.strip()
        with self.store.exclusive() as contents:
            return contents.find(slug) or check_there(self._attempt(_READ, slug), None, contents)

    def search(self, keywords: Iterable[str]) -> Found:
        """The memories that hold a keyword, best first, as many as a search may return."""
        given = check_keywords(self._attempt(_SEARCH, ""), keywords)
        wanted = tuple(given)
        with self.store.exclusive() as contents:
            assert contents.index is not None, "no other strategy offers a search"
            best, total = ranked(contents.index, wanted, self.caps.max_results)
        hits = tuple(hit(scored, wanted) for scored in best)
        return Found(keywords=tuple(given.values()), hits=hits, total=total)

    def block(self) -> str | None:
        """The text that is pinned in this agent's window, without its heading; `None` where nothing is."""
        with self.store.exclusive() as contents:
            return self.strategy.block(contents) if contents.figures.count else None

    def open(self) -> str | None:
        """The same for a window that opens: the agent is told of what others do from now on."""
        return self.store.pin(self.seat, opens=True)

    def pin(self) -> str | None:
        """The same for a window that is rewritten: what it shows is no news to this agent any more."""
        return self.store.pin(self.seat, opens=False)

    def state(self) -> StateSnapshot:
        """The store as it stands, as this agent holds it."""
        with self.store.exclusive() as contents:
            return StateSnapshot(
                module_id=self.module_id,
                strategy=self.strategy.name,
                memories=tuple(contents),
                figures=contents.figures,
                peak=contents.peak,
                caps=self.store.caps,
                scope=self.scope,
                writable=self.writable,
            )

    def _check_new(self, draft: MemoryDraft, contents: Contents) -> None:
        attempt = self._attempt(self.strategy.creates, draft.name)
        self._check_access(attempt)
        check_new(attempt, draft, contents, self.store.caps)

    def _check_update(self, draft: MemoryDraft, expected_revision: int | None, contents: Contents) -> None:
        attempt = self._attempt(_UPDATE, draft.name)
        self._check_access(attempt)
        check_update(attempt, draft, expected_revision, contents, self.store.caps)

    def _updated(
        self, draft: MemoryDraft, expected_revision: int | None, keeps_code: bool, contents: Contents
    ) -> MemoryDraft:
        trimmed = draft.trimmed()
        if keeps_code:
            there = contents.find(trimmed.name)
            kept = (there.code, there.on_use) if there else (None, None)
            trimmed = replaced(trimmed, code=kept[0], on_use=kept[1])
        self._check_update(trimmed, expected_revision, contents)
        return trimmed

    def _put(self, draft: MemoryDraft, op: Op, turn: int, contents: Contents) -> Mutation:
        before = contents.find(draft.name)
        entry = contents.put(draft, op=op, author=self.agent_id, turn=turn)
        self.store.changed(self.seat, before, contents.find(draft.name))
        return self._mutation(entry, contents)

    def _check_access(self, attempt: Attempt) -> None:
        if not self.writable:
            raise attempt.read_only()

    def _attempt(self, call: str, name: str) -> Attempt:
        return Attempt(call, name, self.strategy, self._calls, self._fields)

    def _mutation(self, revision: RevisionEntry, contents: Contents) -> Mutation:
        caps = self.store.caps
        usage = MemoryUsage(
            count=contents.figures.count,
            max_count=caps.max_count,
            total_chars=contents.figures.total_chars,
            max_total_chars=caps.max_total_len,
            index_chars=self.strategy.index_chars(contents.figures),
            max_index_chars=caps.max_len_index,
            revision=revision.revision,
        )
        return Mutation(usage, revision)
