"""The two streams: data to stdout, progress and diagnostics to stderr.

On a terminal lines are coloured and fitted to its width; elsewhere, and where `NO_COLOR` is set, they are
plain text with no escapes. Nothing is ever read as markup.
"""

import json
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from host.cli.lines import BAR, Line, Style, to_text
from host.core.errors import HostError, system_reason

_RICH_STYLES: Final[dict[Style, str]] = {
    "": "",
    "dim": "dim",
    "strong": "bold",
    "good": "green",
    "bad": "bold red",
    "warn": "yellow",
    "name": "cyan",
    "keyword": "magenta",
    "string": "green",
    "number": "yellow",
    "type": "cyan",
    "comment": "dim italic",
}

_STDOUT: Final = 1
_STDERR: Final = 2
_LEAST_WIDTH: Final = 20
_MOST_HELD: Final = 5_000
"""Lines that are kept for after a question."""
_SHOW_CURSOR: Final = "\x1b[?25h"


class ReaderGone(Exception):
    """Whoever read the output has closed it, as `head` does. Not an OSError, which click would end itself."""


class OutputLost(HostError):
    """What a command was asked for could not be written, as on a full disk."""


class Output:
    """Where a command writes. `quiet` silences progress, never data or errors."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet: Final = quiet
        self._out: Final = Console(highlight=False, markup=False, emoji=False)
        self._err: Final = Console(stderr=True, highlight=False, markup=False, emoji=False)
        self._progress: Progress | None = None
        self._held: deque[Line] | None = None  # what others have written on stderr while a person is asked
        self._lock: Final = threading.RLock()

    @property
    def is_styled(self) -> bool:
        """Whether what is said to a person may have colours."""
        return _is_styled(self._err)

    @property
    def has_colours(self) -> bool:
        """Whether data may have colours."""
        return _is_styled(self._out)

    @property
    def width(self) -> int | None:
        """How many characters a line of data has room for; `None` where no terminal is."""
        return self._out.width if self._out.is_terminal else None

    @property
    def width_of_progress(self) -> int | None:
        """The same of a line on stderr."""
        return self._err.width if self._err.is_terminal else None

    def data(self, text: str) -> None:
        """Text that the command was asked for, as it is."""
        with _reader():
            click.echo(text, nl=not text.endswith("\n"))

    def data_lines(self, lines: Iterable[Line]) -> None:
        """Lines that the command was asked for."""
        with _reader():
            self._write(self._out, lines)

    def json(self, value: object) -> None:
        """One JSON value on one line, in ASCII, so that no text in it can reach a terminal as it is."""
        with _reader():
            click.echo(json.dumps(value))

    def progress(self, lines: Iterable[Line]) -> None:
        """Lines for a person who watches."""
        if not self._quiet:
            self.problem(lines)

    def problem(self, lines: Iterable[Line]) -> None:
        """Lines that say what is wrong; also when quiet."""
        with suppress(OSError):  # that nobody can be told is no reason for a run to fail
            self._write(self._err, lines)

    def say_at_once(self, text: str) -> None:
        """One line to stderr past every buffer and lock, for a signal handler; shows the cursor again."""
        cursor = _SHOW_CURSOR if self._progress is not None else ""
        with suppress(OSError):
            os.write(_STDERR, f"{cursor}\n{text}\n".encode())

    @contextmanager
    def waiting(self, doing: str) -> Iterator[None]:
        """Shows on a terminal that gg is at work, and for how long."""
        if self._quiet or not _is_styled(self._err) or not sys.stderr.isatty():
            yield
            return
        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
        with Progress(*columns, console=self._err, transient=True) as progress:
            progress.add_task(doing, total=None)
            self._progress = progress
            try:
                yield
            finally:
                with self._lock:
                    self._progress = None

    @contextmanager
    def asking(self) -> Iterator[Callable[[Iterable[Line]], None]]:
        """While the block runs, nothing is written to stderr but through what it gives, also when quiet. What
        others write there follows afterwards, the latest of it where it is very much.

        No row that is written so is wider than the terminal, which would begin another one by itself.
        """
        with self._lock:
            self._held = deque(maxlen=_MOST_HELD)
            progress = self._progress
            if progress is not None:
                progress.stop()
        try:
            yield self._ask
        finally:
            with self._lock:
                held, self._held = self._held, None
                if progress is not None and progress is self._progress:
                    progress.start()
                self.problem(held)

    def doing(self, what: str) -> None:
        """What is waited for now, and its clock from zero."""
        progress = self._progress
        if progress is not None:
            progress.reset(progress.task_ids[0], description=what)

    def still_doing(self, what: str) -> None:
        """The same as `doing`, while its clock goes on."""
        progress = self._progress
        if progress is not None:
            progress.update(progress.task_ids[0], description=what)

    def _ask(self, lines: Iterable[Line]) -> None:
        rows = [row for each in lines for row in _rows(each, self._err)]
        with suppress(OSError):
            if _is_styled(self._err):
                self._err.print(Text("\n").join(rows), no_wrap=True, crop=False)
            else:
                click.echo("\n".join(row.plain for row in rows), err=True)

    def _write(self, console: Console, lines: Iterable[Line]) -> None:
        with self._lock:
            if self._held is not None and console is self._err:
                self._held.extend(lines)
            elif not _is_styled(console):
                click.echo(to_text(lines), nl=False, err=console.stderr)
            elif rows := [row for each in lines for row in _rows(each, console)]:
                console.print(Text("\n").join(rows), no_wrap=True, crop=False)


@contextmanager
def stdout_of_others() -> Iterator[None]:
    """While the block runs, what is printed by functions of the operator's, and by what they start, goes to
    stderr: stdout is for data.
    """
    try:
        kept = os.dup(_STDOUT)
    except OSError:  # it was closed before gg started
        yield
        return
    try:
        _flush_stdout()
        with suppress(OSError):
            os.dup2(_STDERR, _STDOUT)
        yield
    finally:
        _flush_stdout()
        os.dup2(kept, _STDOUT)
        os.close(kept)


def _flush_stdout() -> None:
    with suppress(OSError, ValueError):  # what was printed there is nobody's data
        sys.stdout.flush()


@contextmanager
def _reader() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGone from error
    except OSError as error:
        raise OutputLost(f"stdout cannot be written: {system_reason(error)}") from error


def _is_styled(console: Console) -> bool:
    return console.is_terminal and not console.no_color and not console.is_dumb_terminal


def _rows(each: Line, console: Console) -> Iterator[Text]:
    """The line as rows of at most the terminal's width; further rows stand below its text, not its lead."""
    text = Text.assemble(*((span.text, _RICH_STYLES[span.style]) for span in each.spans))
    lead = Text(each.lead.text, _RICH_STYLES[each.lead.style])
    width = max(_LEAST_WIDTH, console.width - each.indent - lead.cell_len)
    if each.may_crop:
        text.truncate(width, overflow="ellipsis")
    rows = text.wrap(console, width, overflow="fold") if text.cell_len > width else [text]
    for number, row in enumerate(rows):
        row.rstrip()
        before = lead if number == 0 or each.lead == BAR else Text(" " * lead.cell_len)
        yield Text.assemble(" " * each.indent, before, row)
