"""One agent's hold on a store: the calls it makes there, under its own access.

A mutation is checked, and checked again under the lock as it is committed, so that code can be compiled
between the two without holding the store. A refused mutation changes nothing and records nothing.
"""

from collections.abc import Mapping
from typing import Final, Literal

from host.memories.checks import check_new, check_there, check_update
from host.memories.contents import Contents
from host.memories.model import Memory, MemoryDraft, MemoryUsage, Mutation, RevisionEntry, StateSnapshot
from host.memories.refusals import Attempt
from host.memories.store import MemoryStore
from host.memories.strategies import Strategy

_UPDATE: Final = "memories.update_memory"
_DELETE: Final = "memories.delete_memory"
_READ: Final = "memories.read_memory"


Access = Literal["write", "read"]
"""What a holder may do. It is the holder's: two holders of one store may differ in it."""


class Holder:
    """Every method that names a memory raises `MemoryRefusal`, with remedies among `calls`.

    Args:
        agent_id: the author of what is written here.
        scope: the scope that the configuration asked for, for the record.
        calls: operation id to spelling, of the calls that this agent has.
    """

    def __init__(
        self, store: MemoryStore, *, agent_id: str, access: Access, scope: str, calls: Mapping[str, str]
    ) -> None:
        self._store: Final = store
        self._agent_id: Final = agent_id
        self._scope: Final = scope
        self._calls: Final = dict(calls)
        self._access: Final[Access] = access

    @property
    def module_id(self) -> str:
        return self._store.module_id

    @property
    def strategy(self) -> Strategy:
        return self._store.strategy

    @property
    def position(self) -> int:
        """How many mutations the store has seen, by whoever made them."""
        with self._store.exclusive() as contents:
            return contents.position

    def check_write(self, draft: MemoryDraft) -> MemoryDraft:
        """The draft of a new memory as it would be stored."""
        trimmed = draft.trimmed()
        with self._store.exclusive() as contents:
            self._check_new(trimmed, contents)
        return trimmed

    def commit_write(self, draft: MemoryDraft, *, turn: int) -> Mutation:
        trimmed = draft.trimmed()
        with self._store.exclusive() as contents:
            self._check_new(trimmed, contents)
            return self._mutation(
                contents.put(trimmed, op="write", author=self._agent_id, turn=turn), contents
            )

    def create(self, draft: MemoryDraft, *, turn: int) -> Mutation:
        """A new memory whose code loads when it is read: nothing comes between check and commit."""
        return self.commit_write(draft, turn=turn)

    def check_update(self, draft: MemoryDraft, *, expected_revision: int | None = None) -> MemoryDraft:
        """The draft as it would replace the memory of its name; a code half it lacks is cleared."""
        trimmed = draft.trimmed()
        with self._store.exclusive() as contents:
            self._check_update(trimmed, expected_revision, contents)
        return trimmed

    def commit_update(
        self, draft: MemoryDraft, *, expected_revision: int | None = None, turn: int
    ) -> Mutation:
        trimmed = draft.trimmed()
        with self._store.exclusive() as contents:
            self._check_update(trimmed, expected_revision, contents)
            return self._mutation(
                contents.put(trimmed, op="update", author=self._agent_id, turn=turn), contents
            )

    def delete(self, name: str, *, expected_revision: int | None = None, turn: int) -> Mutation:
        attempt = self._attempt(_DELETE, name.strip())
        with self._store.exclusive() as contents:
            self._check_access(attempt)
            memory = check_there(attempt, expected_revision, contents)
            return self._mutation(contents.remove(memory, author=self._agent_id, turn=turn), contents)

    def read(self, name: str) -> Memory:
        slug = name.strip()
        with self._store.exclusive() as contents:
            return contents.find(slug) or check_there(self._attempt(_READ, slug), None, contents)

    def block(self) -> str | None:
        """The text that is pinned in this agent's window, without its heading; `None` for an empty store."""
        with self._store.exclusive() as contents:
            return self.strategy.block(contents) if contents.figures.count else None

    def state(self) -> StateSnapshot:
        """The store as it stands, as this agent holds it."""
        with self._store.exclusive() as contents:
            return StateSnapshot(
                module_id=self.module_id,
                strategy=self.strategy.name,
                memories=tuple(contents),
                figures=contents.figures,
                peak=contents.peak,
                caps=self._store.caps,
                scope=self._scope,
                writable=self._access == "write",
            )

    def _check_new(self, draft: MemoryDraft, contents: Contents) -> None:
        attempt = self._attempt(self.strategy.creates, draft.name)
        self._check_access(attempt)
        check_new(attempt, draft, contents, self._store.caps)

    def _check_update(self, draft: MemoryDraft, expected_revision: int | None, contents: Contents) -> None:
        attempt = self._attempt(_UPDATE, draft.name)
        self._check_access(attempt)
        check_update(attempt, draft, expected_revision, contents, self._store.caps)

    def _check_access(self, attempt: Attempt) -> None:
        if self._access == "read":
            raise attempt.read_only()

    def _attempt(self, call: str, name: str) -> Attempt:
        return Attempt(call, name, self.strategy, self._calls)

    def _mutation(self, revision: RevisionEntry, contents: Contents) -> Mutation:
        caps = self._store.caps
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
