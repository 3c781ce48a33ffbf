"""One directory of an agent, and no way out of it.

A path is walked one part at a time from a descriptor of the root, each part opened relative to the one
before and never through a link, so neither a crafted path nor a rename in between leads outside. Links,
pipes, sockets and devices are told apart before anything is opened. A write makes a new file beside the old
one and renames it: a reader sees the old text or the new one, and another name of the old file keeps what it
had. Messages name the path as it was given, never the place of the root.

Records of runs and the record store are no part of it, wherever they lie: a program that could write one
could change what it did, or what others are told.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from host.core.clock import Clock, SystemClock
from host.core.text import has_lone_surrogate
from host.operations.workspace.attempt import Attempt
from host.operations.workspace.file_lines import FileText, read_lines
from host.operations.workspace.folder import Entry, entries, open_file, replace
from host.operations.workspace.line_search import LinePattern
from host.operations.workspace.pictures import HEAD_BYTES, Picture, picture_type
from host.operations.workspace.root import Root, RootTree
from host.operations.workspace.text_edit import check_edit, check_size, edit_data
from host.operations.workspace.tree_search import MAX_MATCHES, Match, search_tree


class Workspace:
    """Reads, writes, edits, lists and searches below `root`.

    A path is relative, its parts separated by `/`; a part `.` says nothing. Every method raises `Refusal`:
    `invalid-argument` (the path, or what it names, does not serve), `not-found`, `refused` (a link, a special
    file, a record, nothing may be written), `limit-exceeded`, `io-error` (the system refused). `record` is
    the run's own, told by its identity and so under any name; others are told by their folder `.gg`.
    `store_folders`, those of the record store, are told by their identity too.
    """

    def __init__(
        self,
        root: Path,
        *,
        writable: bool,
        record: Path | None = None,
        store_folders: Sequence[Path] = (),
        clock: Clock | None = None,
    ) -> None:
        self._root: Final = Root(root, record=record, store_folders=store_folders)
        self._clock: Final = clock or SystemClock()
        self.writable: Final = writable

    def read(
        self, path: str, *, offset: int | None = None, limit: int | None = None, most_picture_bytes: int = 0
    ) -> FileText | Picture:
        """A picture, with its data up to so many bytes, or the text of another file, as `read_text`."""
        attempt = Attempt("read", path)
        parts = attempt.file_parts()
        with attempt.converting(), self._root.file(parts, attempt) as (file, size_bytes):
            media_type = picture_type(file.read(HEAD_BYTES))
            file.seek(0)
            if media_type is None:
                return read_lines(file, size_bytes, shown=attempt.shown, offset=offset, limit=limit)
            data = file.read(size_bytes) if size_bytes <= most_picture_bytes else None
            return Picture(media_type, size_bytes, data)

    def read_text(self, path: str, *, offset: int | None = None, limit: int | None = None) -> FileText:
        """The file's text, or `limit` lines of it from line `offset`, counted from 1; 8 MiB at most."""
        read = self.read(path, offset=offset, limit=limit)
        if isinstance(read, Picture):
            reason = f"it is a picture, {read.media_type}; views.openFile shows it"
            raise Attempt("read", path).refusal("invalid-argument", reason, "picture")
        return read

    def write_text(self, path: str, contents: str) -> int:
        """Replaces the file's text, making the directories that lack; returns its size in bytes of UTF-8."""
        attempt = Attempt("write", path)
        self._require_writable(attempt)
        *directories, name = attempt.file_parts()
        if has_lone_surrogate(contents):
            raise attempt.refusal("invalid-argument", "contents holds a lone surrogate", "lone_surrogate")
        data = contents.encode("utf-8")
        with attempt.converting(), self._root.directory(directories, attempt, create=True) as parent:
            replace(name, data, parent, attempt)
        return len(data)

    def edit_text(self, path: str, old: str, new: str) -> None:
        """Replaces the one place where `old` stands in the file; the rest of it stays to the byte."""
        attempt = Attempt("edit", path)
        self._require_writable(attempt)
        *directories, name = attempt.file_parts()
        check_edit(old, new, attempt)
        with attempt.converting(), self._root.directory(directories, attempt) as parent:
            with open_file(name, parent, attempt) as (file, size_bytes):
                check_size(size_bytes, attempt)
                data = file.read(size_bytes)
            replace(name, edit_data(data, old, new, attempt), parent, attempt)

    def list_dir(self, path: str | None = None) -> tuple[Entry, ...]:
        """The entries of a directory, of the root when no path is given, in the order of their names."""
        attempt = Attempt("list", "." if path is None else path)
        parts = attempt.folder_parts()
        with attempt.converting(), self._root.directory(parts, attempt) as directory:
            return tuple(sorted(entries(directory), key=lambda entry: entry.name))

    def search(self, query: str, path: str | None = None, *, limit: int) -> tuple[Match, ...]:
        """The first `limit` lines that match a regular expression, 200 at most, in the order of paths and
        lines. `path` is a directory, the root when none is given, or a file.
        """
        attempt = Attempt("search", "." if path is None else path)
        parts = tuple(attempt.folder_parts())
        pattern = LinePattern(query)
        with attempt.converting():
            return search_tree(
                RootTree(self._root, attempt), parts, pattern, min(limit, MAX_MATCHES), attempt, self._clock
            )

    def _require_writable(self, attempt: Attempt) -> None:
        if not self.writable:
            raise attempt.refusal("refused", "the agent's directory is read-only", "read_only")
