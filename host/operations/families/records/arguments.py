"""What the calls of the record store take. Who writes is no argument of any: the host says it."""

from typing import Final

from pydantic import Field

from host.operations.model import Arguments
from host.records import MAX_LIMIT, RecordKind

_TAGS: Final = "Only records that have all of these tags."
_KIND: Final = "Only notes, or only lessons."


class PassageDraft(Arguments):
    """What a record cites."""

    text: str = Field(description="The words that are cited, of 20,000 characters at most.")
    provenance: dict[str, str] | None = Field(
        default=None, description="Where they are from, such as a `url` or a `page`."
    )


class PutArguments(Arguments):
    text: str = Field(description="What is to be known later, of 4,000 characters at most.")
    source: str | None = Field(
        default=None, description="Where it is from, such as a URL; this turn of this run when omitted."
    )
    kind: RecordKind | None = Field(
        default=None, description="`note`, which is served at once, or `lesson`; `note` when omitted."
    )
    tags: list[str] | None = Field(
        default=None, description="At most 32 words of 1 to 64 characters to find it by."
    )
    stale_after: str | None = Field(
        default=None,
        description="From when on it is not to be used as current, such as `2027-06-30T00:00:00Z`; it is"
        " never stale when omitted.",
    )
    passage: str | PassageDraft | None = Field(default=None, description="What it cites, verbatim.")


class SearchRecordsArguments(Arguments):
    query: str = Field(description="The words to look for: names, identifiers, what a note would say.")
    top_k: int | None = Field(
        default=None,
        ge=1,
        le=MAX_LIMIT,
        description="The most records, and the most stale ones; what the configuration says when omitted.",
    )
    tags: list[str] | None = Field(default=None, description=_TAGS)
    kind: RecordKind | None = Field(default=None, description=_KIND)


class RecallArguments(Arguments):
    record_ids: list[str] | None = Field(default=None, description="Only the records of these ids.")
    tags: list[str] | None = Field(default=None, description=_TAGS)
    kind: RecordKind | None = Field(default=None, description=_KIND)
    proposed: bool | None = Field(
        default=None, description="Only the lessons that wait for an approval, which nothing else gives."
    )
    limit: int | None = Field(
        default=None, ge=1, le=MAX_LIMIT, description="The most records; 20 when omitted."
    )
