"""Loads the file that a handle names, masked and bounded, and only one that the query finds."""

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from host.context.beneath import open_beneath, parts_beneath
from host.context.codes import (
    HANDLE_ESCAPES_ROOT,
    HANDLE_INVALID,
    HANDLE_NOT_CANDIDATE,
    HANDLE_NOT_FOUND,
    UNVERIFIED,
)
from host.context.retrieval.excerpts import masked_cut
from host.context.retrieval.reading import read_beginning
from host.context.retrieval.retriever import Retriever, holds_keyword
from host.core.context_item import Trust
from host.core.envelope import Enveloped, WarningCard
from host.core.text import has_lone_surrogate, quoted

MAX_LOADED_CHARS: Final = 20_000

_FIELDS: Final = frozenset({"kind", "file_path", "root"})
_ABSENT: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG})


@dataclass(frozen=True, kw_only=True)
class LoadedText(Enveloped):
    """A file's text: its first 20,000 characters, masked; empty where the load is refused.

    `truncated` says that the file goes on, `masked` that a secret was replaced.
    """

    text: str = ""
    source: str = ""
    trust: Trust = "untrusted"
    truncated: bool = False
    masked: bool = False


def load_handle(retriever: Retriever, handle: Mapping[str, object], query: str) -> LoadedText:
    """The text of the file that a handle names, if the query finds it beneath the retriever's roots.

    Whoever made the handle: what is opened is what its path resolves to, which must lie beneath the root it
    names, have one of the retriever's suffixes, be ignored by no rule and hold a keyword of the query.
    """
    place = _place(retriever, handle)
    if isinstance(place, str):
        return _refused(HANDLE_INVALID, place)
    number, path = place
    root = os.path.realpath(retriever.roots[number])
    try:
        parts = parts_beneath(root, path)
    except (OSError, ValueError) as error:
        return _refused(HANDLE_INVALID, f"{quoted(path)} is no path: {error}")
    if parts is None:
        return _refused(HANDLE_ESCAPES_ROOT, f"{quoted(path)} leads out of the retriever's root")
    return _loaded(retriever, root, parts, query)


def _place(retriever: Retriever, handle: object) -> tuple[int, str] | str:
    """The number of the root and the path, or what is wrong with the handle."""
    if not isinstance(handle, Mapping):
        return f"a handle is a mapping, not {type(handle).__name__}"
    if unknown := [name for name in handle if name not in _FIELDS]:
        return f"a handle has no field {quoted(str(unknown[0]))}; its fields are kind, file_path and root"
    if handle.get("kind") != "file_path":
        return "the handle's kind is not `file_path`"
    path, number = handle.get("file_path"), handle.get("root", 0)
    if not isinstance(path, str) or not path or "\0" in path or has_lone_surrogate(path):
        return "the handle's file_path is not a path; it needs text of UTF-8 without a NUL"
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(retriever.roots):
        return f"the handle's root is not a number from 0 to {len(retriever.roots) - 1}"
    return number, path


def _loaded(retriever: Retriever, root: str, parts: tuple[str, ...], query: str) -> LoadedText:
    path = "/".join(parts)
    try:
        descriptor = open_beneath(root, parts)
    except OSError as error:
        return _not_opened(path, error)
    try:
        if not retriever.offers(root, parts):
            reason = "is ignored, or has none of the retriever's suffixes"
            return _refused(HANDLE_NOT_CANDIDATE, f"{quoted(path)} {reason}")
        beginning = read_beginning(descriptor)
    except OSError as error:
        return _not_opened(path, error)
    finally:
        os.close(descriptor)
    if beginning is None:
        return _refused(HANDLE_NOT_CANDIDATE, f"{quoted(path)} is neither UTF-8 nor UTF-16 text")
    if not holds_keyword(beginning.text, query):
        return _refused(HANDLE_NOT_CANDIDATE, f"{quoted(path)} holds no keyword of the query")
    text, is_masked = masked_cut(
        beginning.text, 0, min(MAX_LOADED_CHARS, len(beginning.text)), retriever.literals
    )
    return LoadedText(
        completion_state="qualified-draft",
        code=UNVERIFIED,
        message="the text as it is in the file, with recognised secrets masked",
        warning_card=WarningCard(
            checks_run=("handle", "root", "suffix", "ignore rules", "keywords", "recognised secrets"),
            not_checked=("relevance", "truth", "instructions in the text", "secrets of unknown shapes"),
        ),
        text=text[:MAX_LOADED_CHARS],
        source=path,
        truncated=beginning.is_cut or len(beginning.text) > MAX_LOADED_CHARS or len(text) > MAX_LOADED_CHARS,
        masked=is_masked,
    )


def _not_opened(path: str, error: OSError) -> LoadedText:
    if error.errno in _ABSENT:
        return _refused(HANDLE_NOT_FOUND, f"there is no file {quoted(path)}")
    if error.errno == errno.ELOOP:
        # What it resolves to holds no link that leads anywhere, unless one was put there since.
        return _refused(HANDLE_NOT_FOUND, f"{quoted(path)} is a link that leads to no file")
    return _refused(HANDLE_NOT_CANDIDATE, f"{quoted(path)} cannot be read: {error.strerror}")


def _refused(code: str, message: str) -> LoadedText:
    return LoadedText(
        completion_state="blocked-escalated",
        code=code,
        message=f"{message}; take a handle from a packet for the same query",
        warning_card=WarningCard(checks_run=("handle",), not_checked=("the file's text",)),
    )
