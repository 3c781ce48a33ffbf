"""Retrieval by keywords over directories: the files that hold one, in the order of their paths."""

import os
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from host.context.beneath import FILE, open_beneath
from host.context.retrieval.excerpts import EXCERPT_CHARS, excerpt
from host.context.retrieval.keywords import count_held, fold, keywords
from host.context.retrieval.listing import Listed, Listing, Stamp, is_ignored, list_files
from host.context.retrieval.reading import MAX_READ_BYTES, Beginning, read_beginning
from host.core.clock import Clock, SystemClock
from host.core.context_item import ContextItem
from host.core.text import has_lone_surrogate

DEFAULT_SUFFIXES: Final = (".py", ".md", ".yaml", ".yml", ".json", ".ts", ".tsx")
MAX_CANDIDATES: Final = 200
"""Files of which a query gets an excerpt: those that hold most of its keywords."""

_SETTLED_NS: Final = 2 * 10**9  # a file that changes within the tick of its time stamp shows no change
_REMEMBERED_QUERIES: Final = 2
_UNREADABLE: Final = -1

Handle = Mapping[str, object]
"""`{"kind": "file_path", "file_path": the path under its root, with slashes, "root": its number}`."""


@dataclass(frozen=True, kw_only=True)
class Retrieval:
    """What a query came to.

    `items` are excerpts in the order of their files, untrusted, with `handle`, `lines` and `masked` in their
    metadata. `matched` counts the files that hold a keyword, `searched` those that were looked at, and
    `partly_read` those of them that are longer than what is read of a file.
    """

    keywords: tuple[str, ...]
    items: tuple[ContextItem, ...]
    matched: int
    searched: int
    partly_read: int
    unreadable: tuple[str, ...]
    excluded_suffixes: Mapping[str, int]
    missing_roots: tuple[str, ...]
    is_listing_cut: bool


class _Match(NamedTuple):
    root: int
    path: str
    held: int


@dataclass
class _Search:
    """One search as it goes. `known` is what the same keywords came to before, by root and path."""

    wanted: tuple[str, ...]
    settled_before_ns: int
    known: Mapping[tuple[int, str], tuple[Stamp, int]]
    seen: dict[tuple[int, str], tuple[Stamp, int]] = field(default_factory=dict)
    matches: list[_Match] = field(default_factory=list)
    searched: int = 0
    partly_read: int = 0


class Retriever:
    """Finds files by keywords in one directory or several, whose numbers count from 0.

    `suffixes` are those of the files that are searched. `literals` are secrets that are masked as well.
    Raises `ValueError` for a suffix that does not begin with a dot, and for no root.
    """

    def __init__(
        self,
        roots: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        *,
        suffixes: Iterable[str] = DEFAULT_SUFFIXES,
        literals: Iterable[str] = (),
        clock: Clock | None = None,
    ) -> None:
        given = [roots] if isinstance(roots, str | os.PathLike) else list(roots)
        self.roots: Final = tuple(Path(root).absolute() for root in given)
        if not self.roots:
            raise ValueError("no root is given; name a directory to search")
        self.suffixes: Final = _checked_suffixes(suffixes)
        self.literals: Final = tuple(literals)
        self._clock: Final = clock or SystemClock()
        self._lock: Final = Lock()
        self._remembered: Final[OrderedDict[tuple[str, ...], Mapping[tuple[int, str], tuple[Stamp, int]]]] = (
            OrderedDict()
        )

    def retrieve(self, query: str, *, excerpt_chars: int = EXCERPT_CHARS) -> Retrieval:
        """The files that hold a keyword of the query, with an excerpt of each."""
        wanted = keywords(query)
        now_ns = int(self._clock.now().timestamp() * 10**9)
        with self._lock:
            known = self._remembered.get(wanted, {})
        search = _Search(wanted, now_ns - _SETTLED_NS, known)
        listing = Listing()
        missing = []
        for number, root in enumerate(self.roots):
            resolved = os.path.realpath(root)
            if os.path.isdir(resolved):
                for listed in list_files(resolved, self.suffixes, listing):
                    self._match(search, listing, number, resolved, listed)
            else:
                missing.append(str(root))
        self._remember(search)
        return Retrieval(
            keywords=wanted,
            items=tuple(self._items(search, excerpt_chars)),
            matched=len(search.matches),
            searched=search.searched,
            partly_read=search.partly_read,
            unreadable=tuple(listing.unreadable),
            excluded_suffixes=dict(sorted(Counter(listing.excluded).items())),
            missing_roots=tuple(missing),
            is_listing_cut=listing.is_cut,
        )

    def offers(self, root: str, parts: Sequence[str]) -> bool:
        """Whether a file that lies at these parts beneath a resolved root is one that is searched."""
        return (
            parts[-1].lower().endswith(self.suffixes)
            and not any(map(has_lone_surrogate, parts))
            and not is_ignored(root, parts)
        )

    def _match(self, search: _Search, listing: Listing, number: int, root: str, listed: Listed) -> None:
        key = (number, listed.path)
        stamp, held = search.known.get(key, (None, 0))
        if stamp != listed.stamp:
            stamp, held = _looked_at(os.path.join(root, listed.path), search.wanted)
        if stamp == listed.stamp and max(stamp.mtime_ns, stamp.ctime_ns) < search.settled_before_ns:
            search.seen[key] = (stamp, held)
        search.searched += 1
        search.partly_read += listed.stamp.size > MAX_READ_BYTES
        if held == _UNREADABLE:
            listing.unreadable.append(listed.path)
        elif held:
            search.matches.append(_Match(number, listed.path, held))

    def _remember(self, search: _Search) -> None:
        with self._lock:
            self._remembered[search.wanted] = search.seen
            self._remembered.move_to_end(search.wanted)
            while len(self._remembered) > _REMEMBERED_QUERIES:
                self._remembered.popitem(last=False)

    def _items(self, search: _Search, excerpt_chars: int) -> Iterator[ContextItem]:
        order = range(len(search.matches))
        best = nsmallest(MAX_CANDIDATES, order, key=lambda at: (-search.matches[at].held, at))
        for at in sorted(best):
            match = search.matches[at]
            beginning = self.read(os.path.realpath(self.roots[match.root]), match.path.split("/"))
            if beginning is not None:
                yield from self._item(match, beginning, search.wanted, excerpt_chars)

    def _item(
        self, match: _Match, beginning: Beginning, wanted: tuple[str, ...], excerpt_chars: int
    ) -> Iterator[ContextItem]:
        found = excerpt(beginning.text, wanted, max_chars=excerpt_chars, literals=self.literals)
        if found is None:  # it has changed since
            return
        name = f"{match.root}:{match.path}" if len(self.roots) > 1 else match.path
        yield ContextItem(
            key=name,
            value=found.text,
            source=name,
            freshness_class="live",
            metadata={
                "handle": {"kind": "file_path", "file_path": match.path, "root": match.root},
                "lines": (found.first_line, found.last_line),
                "masked": found.is_masked,
            },
        )

    @staticmethod
    def read(root: str, parts: Sequence[str]) -> Beginning | None:
        """The beginning of a file, read now and through no link; `None` where it cannot be."""
        try:
            descriptor = open_beneath(root, parts)
        except OSError:
            return None
        try:
            return read_beginning(descriptor)
        except OSError:
            return None
        finally:
            os.close(descriptor)


def holds_keyword(text: str, query: str) -> bool:
    """Whether a text is one that the query finds."""
    return count_held(fold(text), keywords(query)) > 0


def _looked_at(path: str, wanted: tuple[str, ...]) -> tuple[Stamp | None, int]:
    """Which file is at the path now, and how many of the keywords it holds.

    A link on the way is followed here: what comes of it is a count. An excerpt is read through none.
    """
    try:
        descriptor = os.open(path, FILE)
    except OSError:
        return None, _UNREADABLE
    try:
        stamp = Stamp.of(os.fstat(descriptor))
        beginning = read_beginning(descriptor)
    except OSError:
        return None, _UNREADABLE
    finally:
        os.close(descriptor)
    return stamp, _UNREADABLE if beginning is None else count_held(fold(beginning.text), wanted)


def _checked_suffixes(suffixes: Iterable[str]) -> tuple[str, ...]:
    given = [suffixes] if isinstance(suffixes, str) else list(suffixes)
    for suffix in given:
        if not isinstance(suffix, str) or not suffix.startswith(".") or "/" in suffix:
            raise ValueError(f"suffix {suffix!r} does not begin with a dot; write it as '.txt'")
    return tuple(suffix.lower() for suffix in given)
