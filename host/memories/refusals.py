"""Why a memory call is refused: the rule, the class a program branches on, and the text.

A text says what was attempted, what is allowed (`70 of 64 characters`) and a remedy among the calls that this
agent has, as it writes them; a remedy it has no call for is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from host.core.errors import ApiErrorCode, Refusal
from host.core.text import escape_line, join_words, quoted
from host.memories.limits import MAX_NAME_CHARS
from host.memories.strategies import Strategy


class Kind(StrEnum):
    """The rule that refused."""

    READ_ONLY = "read_only"
    LONE_SURROGATE = "lone_surrogate"
    EMPTY_FIELD = "empty_field"
    INVALID_NAME = "invalid_name"
    DESCRIPTION_LINE = "description_line"
    DUPLICATE = "duplicate"
    NOT_FOUND = "not_found"
    STALE_REVISION = "stale_revision"
    DESCRIPTION_CAP = "description_cap"
    CODE_CAP = "code_cap"
    BODY_CAP = "body_cap"
    COUNT_CAP = "count_cap"
    TOTAL_CAP = "total_cap"
    INDEX_CAP = "index_cap"


CODES: Final[Mapping[Kind, ApiErrorCode]] = {
    Kind.READ_ONLY: "refused",
    Kind.LONE_SURROGATE: "invalid-argument",
    Kind.EMPTY_FIELD: "invalid-argument",
    Kind.INVALID_NAME: "invalid-argument",
    Kind.DESCRIPTION_LINE: "invalid-argument",
    Kind.DUPLICATE: "conflict",
    Kind.NOT_FOUND: "not-found",
    Kind.STALE_REVISION: "conflict",
    Kind.DESCRIPTION_CAP: "limit-exceeded",
    Kind.CODE_CAP: "limit-exceeded",
    Kind.BODY_CAP: "limit-exceeded",
    Kind.COUNT_CAP: "limit-exceeded",
    Kind.TOTAL_CAP: "limit-exceeded",
    Kind.INDEX_CAP: "limit-exceeded",
}


class MemoryRefusal(Refusal):
    """A memory call that is denied; the store is as it was.

    `name` is the memory's, cut and escaped where it could never be one. `figure` and `limit` are what was
    attempted and what is allowed, where the rule has them.
    """

    def __init__(
        self, kind: Kind, message: str, *, name: str, figure: int | None = None, limit: int | None = None
    ) -> None:
        super().__init__(CODES[kind], message, kind=kind)
        self.name: Final = name
        self.figure: Final = figure
        self.limit: Final = limit


@dataclass(frozen=True)
class Attempt:
    """One call about one memory, and the refusals that it can meet.

    `call` is the operation's id, `calls` what the agent has: operation id to spelling.
    """

    call: str
    name: str
    strategy: Strategy
    calls: Mapping[str, str]

    def read_only(self) -> MemoryRefusal:
        has = sorted(self.calls[call] for call in self.strategy.calls if call in self.calls)
        remedy = f"The calls there are: {join_words(has)}." if has else "They are read in the window alone."
        return self._refusal(Kind.READ_ONLY, "the memories are another agent's, to be read only", remedy)

    def lone_surrogate(self, field: str, place: int, code_point: int) -> MemoryRefusal:
        found = f"{field} holds the lone surrogate U+{code_point:04X} at character {place}"
        return self._refusal(Kind.LONE_SURROGATE, found, f"Take it out and call {self._own} again.")

    def empty_name(self) -> MemoryRefusal:
        remedy = f"Give {self._own} a name of 1 to {MAX_NAME_CHARS} characters."
        return self._refusal(Kind.EMPTY_FIELD, "name is empty", remedy)

    def empty_description(self) -> MemoryRefusal:
        remedy = f"Give {self._own} one line that says what the memory is about."
        return self._refusal(Kind.EMPTY_FIELD, "description is empty", remedy)

    def empty_body(self) -> MemoryRefusal:
        revising = self.call == self.strategy.revises
        delete = self._with("delete the memory with", self.strategy.deletes) if revising else None
        remedy = _one_of(f"give {self._own} the text to keep", delete)
        return self._refusal(Kind.EMPTY_FIELD, "body is empty", remedy)

    def long_name(self) -> MemoryRefusal:
        figures = f"name is {len(self.name)} of {MAX_NAME_CHARS} characters"
        remedy = f"Give {self._own} a shorter one."
        return self._refusal(Kind.INVALID_NAME, figures, remedy, len(self.name), MAX_NAME_CHARS)

    def invalid_name(self, place: int) -> MemoryRefusal:
        found = f"name holds {quoted(self.name[place - 1])} at character {place}"
        remedy = f"Give {self._own} a name of letters, digits, `-`, `_` and `.`."
        return self._refusal(Kind.INVALID_NAME, found, remedy)

    def broken_description(self, place: int, character: str) -> MemoryRefusal:
        found = f"description is not one line, character {place} is U+{ord(character):04X}"
        remedy = f"Give {self._own} one line without control characters."
        return self._refusal(Kind.DESCRIPTION_LINE, found, remedy)

    def duplicate(self, revision: int) -> MemoryRefusal:
        revise = self._with("revise it with", self.strategy.revises)
        delete = self._with("delete it first with", self.strategy.deletes)
        remedy = _one_of(revise or delete, f"give {self._own} another name")
        return self._refusal(Kind.DUPLICATE, f"there is one of that name, at revision {revision}", remedy)

    def not_found(self, near: str | None) -> MemoryRefusal:
        create = None
        if self.call != self.strategy.deletes:
            create = self._with("create it with", self.strategy.creates)
        other = f"give {self._own} the name of one that there is"
        found = "there is no memory of that name" + (f", the nearest is {quoted(near)}" if near else "")
        return self._refusal(Kind.NOT_FOUND, found, _one_of(other, create))

    def stale(self, expected: int, revision: int) -> MemoryRefusal:
        read = self._with("read it again with", self.strategy.reads) or "take its present text into account"
        remedy = f"{_one_of(read)[:-1]}, then call {self._own} with revision {revision}."
        found = f"it is at revision {revision}, the call expects {expected}"
        return self._refusal(Kind.STALE_REVISION, found, remedy, expected, revision)

    def too_long(self, kind: Kind, field: str, figure: int, limit: int) -> MemoryRefusal:
        remedy = f"Shorten it and call {self._own} again."
        return self._refusal(kind, f"{field} is {figure} of {limit} characters", remedy, figure, limit)

    def too_many(self, figure: int, limit: int) -> MemoryRefusal:
        remedy = _one_of(
            self._with("put it into another memory with", self.strategy.revises),
            self._with("delete one with", self.strategy.deletes),
        )
        found = f"there would be {figure} of {limit} memories"
        return self._refusal(Kind.COUNT_CAP, found, remedy, figure, limit)

    def too_much(self, figure: int, limit: int) -> MemoryRefusal:
        remedy = _one_of(
            "shorten the body",
            self._with("revise another memory with", self.strategy.revises),
            self._with("delete one with", self.strategy.deletes),
        )
        found = f"all bodies together would be {figure} of {limit} characters"
        return self._refusal(Kind.TOTAL_CAP, found, remedy, figure, limit)

    def long_index(self, figure: int, limit: int) -> MemoryRefusal:
        remedy = _one_of("shorten the description", self._with("delete a memory with", self.strategy.deletes))
        found = f"the index would be {figure} of {limit} characters"
        return self._refusal(Kind.INDEX_CAP, found, remedy, figure, limit)

    @property
    def _own(self) -> str:
        return self.calls.get(self.call, self.call)

    def _with(self, words: str, call: str | None) -> str | None:
        """A remedy, where this agent has the call for it."""
        return f"{words} {self.calls[call]}" if call is not None and call in self.calls else None

    def _refusal(
        self, kind: Kind, found: str, remedy: str, figure: int | None = None, limit: int | None = None
    ) -> MemoryRefusal:
        verb = self.call.partition(".")[2].partition("_")[0]
        subject = quoted(self.name, max_chars=MAX_NAME_CHARS) if self.name else "a memory"
        message = f"Cannot {verb} {subject}: {found}. {remedy}"
        shown = escape_line(self.name[: MAX_NAME_CHARS + 1])
        return MemoryRefusal(kind, message, name=shown, figure=figure, limit=limit)


def _one_of(*remedies: str | None) -> str:
    sentence = ", or ".join(remedy for remedy in remedies if remedy) or "no call of this agent makes room"
    return f"{sentence[0].upper()}{sentence[1:]}."
