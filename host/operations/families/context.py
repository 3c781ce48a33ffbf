"""The context family: an agent keeps its own window small."""

from collections.abc import Iterable
from typing import Final

from pydantic import Field

from host.context import View
from host.core.errors import Refusal
from host.core.messages import Role
from host.core.text import quoted
from host.operations.families.opened_views import report_view, view_of_whole_file
from host.operations.families.texts import MAX_TEXT_BYTES, check_text
from host.operations.model import Arguments, Family, Native, Operation, Result
from host.operations.services import Caller, Thread

MAX_RANGES: Final = 32
MAX_QUERY_CHARS: Final = 1_000
_CAPABILITY = "agent-managed-context"


class TurnRange(Arguments):
    """Turns of this session, both ends included; the first is turn 1."""

    from_: int = Field(alias="from", ge=1, description="The first turn.")
    to: int = Field(ge=1, description="The last turn.")


class EvictArguments(Arguments):
    path: str | None = Field(default=None, description="The file; every file view when omitted.")


class ArchiveArguments(Arguments):
    ranges: list[TurnRange] = Field(description="Earlier turns, at most 32 ranges; overlaps count once.")


class SearchArchiveArguments(Arguments):
    query: str = Field(description="Words that a message has to hold, whatever their case.")


class CompactArguments(Arguments):
    summary: str = Field(description="What has to be known from here on.")
    files: list[str] | None = Field(default=None, description="Files to open views of, as they are now.")


class ReclaimReport(Result):
    """What was taken out of the window."""

    items: int = Field(description="Messages that are gone from the next prompt.")
    reclaimed_tokens: int = Field(description="Estimated tokens of them.")
    paths: list[str] = Field(description="Files whose views were among them.")
    detail: str = Field(description="The same in a sentence.")


class ArchiveHit(Result):
    """A message in the archive."""

    seq: int = Field(description="Its number in the archive, from 1.")
    role: Role = Field(description="Who said it.")
    text: str = Field(description="The whole message.")


class ArchiveSearch(Result):
    """What a search of the archive found."""

    archive_empty: bool = Field(description="Whether nothing was archived yet.")
    hits: list[ArchiveHit] = Field(
        description="At most 8 messages, those that hold the words most often first."
    )


def _evict_file_view(caller: Caller, arguments: EvictArguments) -> ReclaimReport:
    if arguments.path == "":
        raise Refusal("invalid-argument", "The path is empty; name a file, or omit it.", kind="empty_path")
    closed = caller.window.close_files(arguments.path)
    for view in closed:
        report_view(caller, view, "closed")
    tokens = sum(view.tokens for view in closed)
    if not closed:
        of = "No file view" if arguments.path is None else f"No view of {quoted(arguments.path)}"
        return ReclaimReport(items=0, reclaimed_tokens=0, paths=[], detail=f"{of} is open.")
    return ReclaimReport(
        items=len(closed),
        reclaimed_tokens=tokens,
        paths=_paths(closed),
        detail=f"{_messages(len(closed))} closed, about {tokens:,} tokens.",
    )


def _archive_thread(caller: Caller, arguments: ArchiveArguments) -> ReclaimReport:
    ranges = arguments.ranges
    if not ranges:
        raise Refusal("invalid-argument", "There is no range; name the turns to archive.", kind="no_range")
    if len(ranges) > MAX_RANGES:
        raise Refusal(
            "invalid-argument",
            f"There are {len(ranges)} of {MAX_RANGES} ranges; name longer ones.",
            kind="too_many_ranges",
        )
    taken = _thread(caller).archive(tuple((span.from_, span.to) for span in ranges))
    for view in taken.closed:
        report_view(caller, view, "closed")
    tokens = sum(entry.tokens for entry in taken.entries)
    return ReclaimReport(
        items=len(taken.entries),
        reclaimed_tokens=tokens,
        paths=_paths(entry.view for entry in taken.entries if entry.view is not None),
        detail=f"{_messages(len(taken.entries))} archived, about {tokens:,} tokens.",
    )


def _search_archive(caller: Caller, arguments: SearchArchiveArguments) -> ArchiveSearch:
    if not arguments.query.strip():
        raise Refusal("invalid-argument", "The query is empty; give words to look for.", kind="empty_query")
    if len(arguments.query) > MAX_QUERY_CHARS:
        raise Refusal(
            "limit-exceeded",
            f"The query has {len(arguments.query):,} of {MAX_QUERY_CHARS:,} characters; give fewer words.",
            kind="query_cap",
        )
    found = _thread(caller).search(arguments.query)
    hits = [ArchiveHit(seq=hit.seq, role=hit.role, text=hit.text) for hit in found.hits]
    return ArchiveSearch(archive_empty=found.is_empty, hits=hits)


def _compact(caller: Caller, arguments: CompactArguments) -> None:
    thread, summary = _thread(caller), arguments.summary.strip()
    thread.refuse_second_compaction()
    check_text(summary, "The summary", wanted="say what has to be known from here on")
    paths = dict.fromkeys(arguments.files or ())
    views = (view_of_whole_file(caller, path) for path in paths)
    for view, action in caller.window.open_all(views):
        if action != "unchanged":
            report_view(caller, view, action)
    thread.compact(summary)


def _thread(caller: Caller) -> Thread:
    if caller.thread is None:
        raise Refusal("unavailable", "This agent does not manage its context.", kind="no_thread")
    return caller.thread


def _paths(views: Iterable[View]) -> list[str]:
    return list(dict.fromkeys(view.selector for view in views if view.kind == "file"))


def _messages(count: int) -> str:
    return f"{count:,} message{' is' if count == 1 else 's are'}"


FAMILY = Family(
    "context",
    "Makes room in the window: closes file views, archives turns, replaces what was said by a summary.",
    (
        Operation(
            id="context.evict_file_view",
            summary="Takes the views of a file, or of all files, out of the next prompt.",
            arguments=EvictArguments,
            run=_evict_file_view,
            result=ReclaimReport,
            capability=_CAPABILITY,
            failures=(("invalid-argument", "the path is empty"),),
            native=Native("evict_file_view"),
            example='const report = context.evictFileView("data.csv");',
        ),
        Operation(
            id="context.archive_thread",
            summary=(
                "Takes the messages of earlier turns out of the next prompt and keeps them where"
                " `context.searchArchive` finds them."
            ),
            arguments=ArchiveArguments,
            run=_archive_thread,
            result=ReclaimReport,
            capability=_CAPABILITY,
            failures=(
                (
                    "invalid-argument",
                    "there is no range, there are over 32, or one names a turn that is not over",
                ),
                ("refused", "a compaction is due at the end of this turn"),
            ),
            native=Native(
                "archive_thread",
                summary=(
                    "Takes the messages of earlier turns out of the next prompt and keeps them where"
                    " `search_archive` finds them."
                ),
            ),
            example="context.archiveThread([{ from: 1, to: 3 }]);",
        ),
        Operation(
            id="context.search_archive",
            summary="Searches the archived messages, those that a compaction took included.",
            arguments=SearchArchiveArguments,
            run=_search_archive,
            result=ArchiveSearch,
            capability=_CAPABILITY,
            failures=(
                ("invalid-argument", "the query is empty"),
                ("limit-exceeded", f"the query is over {MAX_QUERY_CHARS:,} characters"),
            ),
            native=Native("search_archive", narrow="look for words that fewer messages hold"),
            example='const { hits } = context.searchArchive("unit price");',
        ),
        Operation(
            id="context.compact",
            summary=(
                "When this turn ends, replaces everything before it by a summary; memories, loaded modules"
                " and the task stay. The latest call counts."
            ),
            arguments=CompactArguments,
            run=_compact,
            capability=_CAPABILITY,
            failures=(
                ("invalid-argument", "the summary is empty or holds a lone surrogate"),
                ("not-found", "there is no such file"),
                ("unavailable", "files are named, and this agent has none"),
                (
                    "limit-exceeded",
                    f"the summary is over {MAX_TEXT_BYTES:,} bytes, a file too large for a view, or the"
                    " turn's views over 8 MiB",
                ),
            ),
            native=Native(
                "compact",
                summary=(
                    "When this turn ends, replaces everything before it by a summary; memories and the task"
                    " stay. The latest call counts."
                ),
            ),
            example='context.compact("Rows 1 to 500 are clean; go on at 501.", ["notes.md"]);',
        ),
    ),
)
