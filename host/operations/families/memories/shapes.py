"""What the memory calls of a program take, and what every memory call gives."""

from typing import ClassVar, Final

from pydantic import Field

from host.core.module_keys import MAX_CODE_CHARS
from host.memories import MemoryDraft
from host.operations.model import Arguments, Result

SLUG: Final = "The memory's slug: 1 to 64 of letters, digits, `-`, `_` and `.`."
DESCRIPTION: Final = "One line that says what the memory is about."
BODY: Final = "The note itself."
OLD: Final = "The text to replace, to the letter; it occurs once in the body."
NEW: Final = "What stands there afterwards; nothing in it has a special meaning."
EXPECTED: Final = "Refuses the call as a `conflict` when the memory has a newer revision."
KEYWORDS: Final = "What to look for in slugs, descriptions and bodies, whatever its case."
_CODE: Final = (
    "A TypeScript module that later programs import by the slug in camel case;"
    f" {MAX_CODE_CHARS:,} characters at most."
)
_ON_USE: Final = (
    "A script that runs after each use's program has ended; the SDK is in scope in it without an import."
    f" {MAX_CODE_CHARS:,} characters at most."
)


class MemoryWrite(Arguments):
    """A memory to write: a note, and optionally code."""

    name: str = Field(description=SLUG)
    description: str = Field(description=DESCRIPTION)
    body: str = Field(description=BODY)
    code: str | None = Field(default=None, description=_CODE)
    on_use: str | None = Field(default=None, description=_ON_USE)

    def draft(self) -> MemoryDraft:
        return MemoryDraft(
            name=self.name,
            description=self.description,
            body=self.body,
            code=self.code,
            on_use=self.on_use,
        )


class MemoryUpdate(MemoryWrite):
    """A memory to replace whole; a half of its code that is omitted is cleared."""

    expected_revision: int | None = Field(default=None, ge=1, description=EXPECTED)


class MemoryCreate(Arguments):
    """A memory to create: a note, and optionally code."""

    name: str = Field(description=SLUG)
    description: str | None = Field(
        default=None,
        description="One line that says what the memory is about; optional where no index is kept.",
    )
    body: str = Field(description=BODY)
    code: str | None = Field(default=None, description=_CODE)
    on_use: str | None = Field(default=None, description=_ON_USE)

    def draft(self) -> MemoryDraft:
        return MemoryDraft(
            name=self.name,
            description=self.description or "",
            body=self.body,
            code=self.code,
            on_use=self.on_use,
        )


class MemoryEdit(Arguments):
    """One place of a memory's body, and what is to stand there."""

    name: str = Field(description=SLUG)
    search: str = Field(description=OLD)
    replace: str = Field(description=NEW)
    expected_revision: int | None = Field(default=None, ge=1, description=EXPECTED)


class ReadArguments(Arguments):
    name: str = Field(description=SLUG)


class DeleteArguments(Arguments):
    name: str = Field(description=SLUG)
    expected_revision: int | None = Field(default=None, ge=1, description=EXPECTED)


class SearchArguments(Arguments):
    keywords: list[str] = Field(description=KEYWORDS)


class MemoryUsage(Result):
    """How full the set of memories is after a call. A maximum that is absent is lifted."""

    count: int = Field(description="Memories held.")
    max_count: int | None = Field(default=None, description="How many may be held.")
    total_chars: int = Field(description="Characters of all bodies together.")
    max_total_chars: int | None = Field(default=None, description="How many characters all bodies may have.")
    index_chars: int | None = Field(default=None, description="Characters of the pinned index.")
    max_index_chars: int | None = Field(default=None, description="How many characters the index may have.")
    revision: int = Field(description="The revision that the call made, counted per slug.")


class MemoryHit(Result):
    """A memory that holds some of the keywords."""

    name: str = Field(description="Its slug.")
    description: str = Field(description="Its description; empty when it has none.")
    matched: int = Field(description="How many of the keywords it holds.")
    occurrences: int = Field(description="How often it holds them, all together.")
    excerpt: str = Field(description="The body around the first place that was found, else its beginning.")
    revision: int = Field(description="Its revision.")

    methods: ClassVar = {"read": "read(): string"}


class MemoryHits(Result):
    """What a search found: the hits, best first, as an array."""

    hits: list[MemoryHit] = Field(description="The best of them, best first.")
    total: int = Field(description="How many memories matched, those beyond the limit of hits included.")

    elements: ClassVar = "hits"
