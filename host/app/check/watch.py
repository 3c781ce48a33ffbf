"""Checks again whenever a file is saved, for as long as it is wanted.

What is watched are folders, not files: an editor saves by renaming, and the file that a watch was on is gone.
A folder is watched before it is looked through, so that nothing saved in between is missed.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from host.app.check.checking import PROCESSES, Checked, Checker, told_once
from host.app.check.finding import CheckRefused, find_targets
from host.app.check.record import leads_to_record
from host.app.check.settings import CheckSettings
from host.app.check.sources import SourceReader
from host.app.check.targets import Found
from host.core.errors import HostError
from host.core.text import escape_line
from runtime_js import Compiler, UnitKind

_STEP_MS: Final = 25  # of quiet, after which what changed is taken for one save
_MOST_MS: Final = 400  # how long a burst of changes is waited out
_BEGUN_MS: Final = 50  # after which a watch without changes reports that it has begun

_MOST_FAILURES: Final = 50

Pass = tuple[Checked, ...]
_Find = Callable[[SourceReader], Found]


class CannotWatch(HostError):
    """The system gives no word of changes."""


def watch_paths(
    paths: Sequence[Path],
    *,
    stop: threading.Event,
    kind: UnitKind | None = None,
    settings: CheckSettings | None = None,
    compiler: Compiler | None = None,
) -> Iterator[Pass]:
    """All outcomes at once, and all again after each change of a text that is checked, until `stop` is set.

    A file that is missing or unreadable is an outcome with an error; the watch goes on. Raises `CheckRefused`
    at once for what cannot be checked now, `ToolchainError` without compilers.
    """
    for path in paths:
        if leads_to_record(path):
            raise CheckRefused(
                f"--watch waits for files to be saved, and {escape_line(str(path))} is a session record;"
                " leave --watch out"
            )
    find_targets(paths, SourceReader(), kind=kind)
    find = partial(find_targets, paths, kind=kind, settings=settings, lenient=True)
    return _watched(find, stop, compiler)


def _watched(find: _Find, stop: threading.Event, compiler: Compiler | None) -> Iterator[Pass]:
    if compiler is not None:
        yield from _Watch(find, stop, compiler).passes()
        return
    with Compiler(processes=PROCESSES) as own:
        yield from _Watch(find, stop, own).passes()


class _Watch:
    def __init__(self, find: _Find, stop: threading.Event, compiler: Compiler) -> None:
        self._find: Final = find
        self._stop: Final = stop
        self._checker: Final = Checker(compiler)
        self._last: Pass | None = None
        self._failures = 0  # in a row

    def passes(self) -> Iterator[Pass]:
        while not self._stop.is_set():
            folders = self._find(SourceReader()).folders
            yield from self._passes_while(folders)

    def _passes_while(self, folders: frozenset[Path]) -> Iterator[Pass]:
        """The passes for as long as it is these folders that are to be watched."""
        places: frozenset[Path] | None = None
        for changed in self._changes(folders):
            if places is not None and not any(_concerns(place, path) for path in changed for place in places):
                continue
            reader = SourceReader()
            found = self._find(reader)
            if found.folders != folders:
                return
            places = found.places
            yield from self._pass(found, reader)
            if not folders.isdisjoint(changed):  # one of them may be another folder of the same name by now
                return

    def _pass(self, found: Found, reader: SourceReader) -> Iterator[Pass]:
        outcomes = []
        for checked in self._checker.check(found.targets, reader):
            if self._stop.is_set():
                return
            outcomes.append(checked)
        last, self._last = self._last, tuple(outcomes)
        if last is None or not _is_same(last, self._last):
            yield tuple(told_once(self._last))

    def _changes(self, folders: frozenset[Path]) -> Iterator[set[Path]]:
        """First nothing, to say that the watch has begun, then what changed. Where it ends, begin another."""
        from watchfiles import watch  # 20 ms that only a watch pays for

        batches = watch(
            *filter(_has_name, folders),
            watch_filter=None,
            step=_STEP_MS,
            debounce=_MOST_MS,
            rust_timeout=_BEGUN_MS,
            yield_on_timeout=True,
            stop_event=self._stop,
            recursive=False,
            ignore_permission_denied=True,
        )
        has_begun = False
        try:
            for batch in batches:
                if batch or not has_begun:
                    has_begun, self._failures = True, 0
                    yield {Path(path) for _, path in batch}
        except FileNotFoundError:  # a folder that went as its watch was to begin
            return
        except (OSError, RuntimeError) as error:
            # The change of a file whose name is no UTF-8 ends a watch; the next one is told of other files.
            self._failures += 1
            if self._failures == _MOST_FAILURES:
                raise CannotWatch(
                    f"the system gives no word of changes: {error}; set WATCHFILES_FORCE_POLLING=1 to have"
                    " gg look for them itself"
                ) from error


def _is_same(last: Pass, now: Pass) -> bool:
    return len(last) == len(now) and all(a is b for a, b in zip(last, now, strict=True))


def _concerns(place: Path, changed: Path) -> bool:
    """Whether what changed is the place, in it, or around it."""
    return changed == place or place in changed.parents or changed in place.parents


def _has_name(folder: Path) -> bool:
    """Whether the watching library, which takes UTF-8 alone, can be told of it."""
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        return False
    return True
