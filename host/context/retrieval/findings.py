"""What a retrieval has to warn of."""

from collections.abc import Iterator
from typing import Final

from host.context.codes import EMPTY_RETRIEVAL, RETRIEVAL_TRUNCATED, ROOT_MISSING, UNREADABLE_FILES
from host.context.retrieval.retriever import Retrieval
from host.core.envelope import Evidence
from host.core.text import counted, join_words, quoted

_MAX_NAMED: Final = 5


def retrieval_evidence(retrieval: Retrieval, shown: int) -> Iterator[Evidence]:
    """One warning for each kind of thing that was not found or not looked at; `shown` excerpts went on."""
    if retrieval.missing_roots:
        names = join_words(map(quoted, retrieval.missing_roots))
        yield Evidence(code=ROOT_MISSING, detail=f"no directory is there: {names}")
    if retrieval.unreadable:
        yield unreadable_evidence(retrieval.unreadable)
    if not retrieval.items:
        yield _empty(retrieval)
    if reasons := list(_truncated(retrieval, shown)):
        more = {"matched": retrieval.matched, "shown": shown}
        yield Evidence(code=RETRIEVAL_TRUNCATED, detail="; ".join(reasons), more=more)


def unreadable_evidence(paths: tuple[str, ...]) -> Evidence:
    """The warning of files that are there and cannot be read as text."""
    named = ", ".join(map(quoted, paths[:_MAX_NAMED]))
    rest = f" and {len(paths) - _MAX_NAMED:,} more" if len(paths) > _MAX_NAMED else ""
    detail = f"{counted(len(paths), 'file')} cannot be read as UTF-8 or UTF-16: {named}{rest}"
    return Evidence(code=UNREADABLE_FILES, detail=detail, more={"count": len(paths)})


def _empty(retrieval: Retrieval) -> Evidence:
    if retrieval.keywords:
        reason = f"none of {counted(retrieval.searched, 'file')} holds a keyword of the task"
    else:
        reason = "the task has no keyword: no word of 3 or more characters that says anything"
    excluded = sorted(retrieval.excluded_suffixes.items(), key=lambda entry: (-entry[1], entry[0]))
    named = [f"{quoted(suffix) if suffix else 'none'} ({count:,})" for suffix, count in excluded[:_MAX_NAMED]]
    if named:
        reason += f"; not searched for their suffix: {', '.join(named)}; pass `suffixes` to search them"
    return Evidence(
        code=EMPTY_RETRIEVAL,
        detail=reason,
        more={"searched": retrieval.searched, "excluded_suffixes": dict(excluded)},
    )


def _truncated(retrieval: Retrieval, shown: int) -> Iterator[str]:
    if retrieval.matched > shown:
        found = counted(retrieval.matched, "file")
        yield f"{found} with a keyword, and excerpts of {shown:,} in the packet"
    if retrieval.partly_read:
        yield f"of {counted(retrieval.partly_read, 'file')} only the beginning was searched"
    if retrieval.is_listing_cut:
        yield "the roots hold more files than are looked at; name directories further down"
