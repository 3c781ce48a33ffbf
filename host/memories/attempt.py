"""One call about memories, and every refusal that it can meet, in words.

A text says what was attempted, what is allowed (`70 of 64 characters`) and a remedy among the calls that this
agent has, as it writes them; a remedy it has no call for is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from host.core.replacement import NotOnce
from host.core.text import escape_line, join_words, quoted, shortened
from host.memories.limits import MAX_NAME_CHARS
from host.memories.refusals import Kind, MemoryRefusal
from host.memories.strategies import Strategy

SDK_FIELDS: Final[Mapping[str, str]] = {"on_use": "onUse"}
"""The fields that a program spells otherwise than they are named here."""


@dataclass(frozen=True)
class Attempt:
    """`name` is the memory's, empty where the call is about none.

    `call` is the operation's id, `calls` what the agent has: operation id to spelling. `fields` spells the
    fields of its calls, those that are not spelled as they are named.
    """

    call: str
    name: str
    strategy: Strategy
    calls: Mapping[str, str]
    fields: Mapping[str, str] = field(default_factory=lambda: SDK_FIELDS)

    def read_only(self) -> MemoryRefusal:
        reading = self.strategy.calls - self.strategy.mutating
        has = sorted(self.calls[call] for call in reading if call in self.calls)
        remedy = f"The calls there are: {join_words(has)}." if has else "They are read in the window alone."
        return self._refusal(Kind.READ_ONLY, "the memories are another agent's, to be read only", remedy)

    def lone_surrogate(self, name: str, place: int, code_point: int) -> MemoryRefusal:
        found = f"{self._field(name)} holds the lone surrogate U+{code_point:04X} at character {place}"
        return self._refusal(Kind.LONE_SURROGATE, found, f"Take it out and call {self._own} again.")

    def empty_name(self) -> MemoryRefusal:
        return self._empty("name", f"a name of 1 to {MAX_NAME_CHARS} characters")

    def empty_description(self) -> MemoryRefusal:
        return self._empty("description", "one line that says what the memory is about")

    def empty_body(self) -> MemoryRefusal:
        revising = self.call == self.strategy.revises
        delete = self._with("delete the memory with", self.strategy.deletes) if revising else None
        return self._empty("body", "the text to keep", delete)

    def empty_search(self) -> MemoryRefusal:
        return self._empty("search", "the text to replace")

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
        revise = self._with("revise it with", self.strategy.revises or self.strategy.edits)
        delete = self._with("delete it first with", self.strategy.deletes)
        remedy = _one_of(revise or delete, f"give {self._own} another name")
        return self._refusal(Kind.DUPLICATE, f"there is one of that name, at revision {revision}", remedy)

    def not_found(self, near: str | None) -> MemoryRefusal:
        create = None
        if self.call != self.strategy.deletes:
            create = self._with("create it with", self.strategy.creates)
        look = self._with("look for it with", self.strategy.searches)
        other = look or f"give {self._own} the name of one that there is"
        found = "there is no memory of that name" + (f", the nearest is {quoted(near)}" if near else "")
        return self._refusal(Kind.NOT_FOUND, found, _one_of(other, create))

    def stale(self, expected: int, revision: int) -> MemoryRefusal:
        read = self._with("read it again with", self.strategy.reads) or "take its present text into account"
        remedy = f"{_one_of(read)[:-1]}, then call {self._own} with revision {revision}."
        found = f"it is at revision {revision}, the call expects {expected}"
        return self._refusal(Kind.STALE_REVISION, found, remedy, expected, revision)

    def edits_nothing(self) -> MemoryRefusal:
        remedy = f"Give {self._own} another text as {self._field('replace')}."
        return self._refusal(Kind.EDIT_SAME, "its body would stay as it is", remedy)

    def not_once(self, told: NotOnce) -> MemoryRefusal:
        found = f"{self._field('search')} {told.told}"
        if told.places:
            remedy = f"Give {self._own} more of the text around the one to replace."
            return self._refusal(Kind.EDIT_SEVERAL, found, remedy)
        remedy = _one_of(
            self._with("read it again with", self.strategy.reads),
            f"give {self._own} a text that stands in the body",
        )
        return self._refusal(Kind.EDIT_NO_MATCH, found, remedy)

    def would_empty(self) -> MemoryRefusal:
        remedy = _one_of(
            self._with("delete the memory with", self.strategy.deletes), "leave a text in its body"
        )
        return self._refusal(Kind.WOULD_EMPTY, "nothing would be left of its body", remedy)

    def no_keywords(self) -> MemoryRefusal:
        remedy = f"Give {self._own} a word, or a part of one."
        return self._refusal(Kind.NO_KEYWORDS, f"{self._field('keywords')} has nothing to look for", remedy)

    def too_many_keywords(self, figure: int, limit: int) -> MemoryRefusal:
        remedy = f"Give {self._own} fewer."
        found = f"there are {figure} of {limit} keywords"
        return self._refusal(Kind.KEYWORDS_CAP, found, remedy, figure, limit)

    def too_long(self, kind: Kind, name: str, figure: int, limit: int) -> MemoryRefusal:
        remedy = f"Shorten it and call {self._own} again."
        found = f"{self._field(name)} is {figure} of {limit} characters"
        return self._refusal(kind, found, remedy, figure, limit)

    def long_edit(self, figure: int, limit: int) -> MemoryRefusal:
        remedy = f"Shorten {self._field('replace')} and call {self._own} again."
        found = f"its body would be {figure} of {limit} characters"
        return self._refusal(Kind.BODY_CAP, found, remedy, figure, limit)

    def too_many(self, figure: int, limit: int) -> MemoryRefusal:
        found = f"there would be {figure} of {limit} memories"
        return self._refusal(Kind.COUNT_CAP, found, self._room(), figure, limit)

    def too_much(self, figure: int, limit: int, spare: int) -> MemoryRefusal:
        """`spare` is by how much the body could be shortened."""
        remedy = _one_of(
            "shorten the body" if figure - spare <= limit else None,
            self._with("revise another memory with", self.strategy.revises),
            self._with("delete one with", self.strategy.deletes),
        )
        found = f"all bodies together would be {figure} of {limit} characters"
        return self._refusal(Kind.TOTAL_CAP, found, remedy, figure, limit)

    def long_index(self, figure: int, limit: int, spare: int) -> MemoryRefusal:
        """`spare` is by how much the description could be shortened."""
        delete = self._with("delete a memory with", self.strategy.deletes)
        fits = figure - spare <= limit
        remedy = _one_of("shorten the description", delete) if fits else self._room()
        found = f"the index would be {figure} of {limit} characters"
        return self._refusal(Kind.INDEX_CAP, found, remedy, figure, limit)

    @property
    def _own(self) -> str:
        return self.calls.get(self.call, self.call)

    def _field(self, name: str) -> str:
        return self.fields.get(name, name)

    def _empty(self, name: str, wanted: str, other: str | None = None) -> MemoryRefusal:
        remedy = _one_of(f"give {self._own} {wanted}", other)
        return self._refusal(Kind.EMPTY_FIELD, f"{self._field(name)} is empty", remedy)

    def _room(self) -> str:
        """The remedy where a memory more has no room."""
        return _one_of(
            self._with("put it into another memory with", self.strategy.revises or self.strategy.edits),
            self._with("delete one with", self.strategy.deletes),
        )

    def _with(self, words: str, call: str | None) -> str | None:
        """A remedy, where this agent has the call for it."""
        return f"{words} {self.calls[call]}" if call is not None and call in self.calls else None

    def _refusal(
        self, kind: Kind, found: str, remedy: str, figure: int | None = None, limit: int | None = None
    ) -> MemoryRefusal:
        verb = self.call.partition(".")[2].partition("_")[0]
        searching = self.call == self.strategy.searches
        unnamed = "the memories" if searching else "a memory"
        subject = quoted(self.name, max_chars=MAX_NAME_CHARS) if self.name else unnamed
        message = f"Cannot {verb} {subject}: {found}. {remedy}"
        shown = escape_line(shortened(self.name, MAX_NAME_CHARS))
        return MemoryRefusal(kind, message, name=shown, figure=figure, limit=limit)


def _one_of(*remedies: str | None) -> str:
    sentence = ", or ".join(remedy for remedy in remedies if remedy) or "no call of this agent makes room"
    return f"{sentence[0].upper()}{sentence[1:]}."
