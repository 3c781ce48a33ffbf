"""Which store a command of `gg records` is about, and what it says in the end."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from host.app import environment, keys_folder, store_path
from host.cli.exit_codes import DONE, FAILED
from host.cli.lines import Line, Span, line
from host.cli.output import Output
from host.core.envelope import Envelope
from host.core.text import quoted
from host.records import Refused, Store

store_option: Final = click.option(
    "--store",
    "path",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The file of the store; $G6_HOME/memory/ctx_ace.db when omitted.",
)
keys_option: Final = click.option(
    "--keys",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder of its key; $G6_KEYS, or $G6_HOME/keys where that is there, when omitted.",
)


@dataclass(frozen=True, kw_only=True)
class Place:
    """A store, not opened yet."""

    path: Path | None
    keys: Path | None

    @property
    def file(self) -> Path:
        return self.path or store_path(environment())

    @property
    def keys_folder(self) -> Path | None:
        return self.keys or keys_folder(environment())

    @contextmanager
    def opened(self, *, may_make: bool = True) -> Iterator[Store]:
        """The store. Raises `Refused`. Without `may_make` a file that is named is one that is there."""
        if self.path is not None and not may_make and not self.path.exists():
            raise wrong_use(f"--store {quoted(str(self.path))} does not exist; gg records put makes one")
        with Store(self.file, keys=self.keys_folder) as store:
            yield store


def wrong_use(message: str) -> click.UsageError:
    return click.UsageError(message, ctx=click.get_current_context())


def answered(
    envelope: Envelope,
    output: Output,
    *,
    as_json: bool,
    lines: Callable[[dict[str, Any]], Iterable[Line]] | None,
) -> int:
    """Prints an answer, or a refusal; the exit code.

    Args:
        lines: what the answer, given as it is in JSON, is shown as; `None` where its message says it all.
    """
    value = envelope.to_json()
    if as_json:
        output.json(value)
    elif envelope.is_refusal:
        output.problem(refusal_lines(envelope))
    else:
        output.problem(evidence_lines(envelope))
        if lines is None:
            output.data_lines([line(envelope.message)])
        else:
            output.data_lines(lines(value))
            output.progress([told(envelope.message)])
    return FAILED if envelope.is_refusal else DONE


def refused(error: Refused, output: Output, *, as_json: bool) -> int:
    return answered(error.envelope, output, as_json=as_json, lines=None)


def told(message: str) -> Line:
    """A line beside what was asked for."""
    return line(Span("records ", "dim"), message)


def refusal_lines(envelope: Envelope) -> Iterator[Line]:
    yield line(Span("gg: ", "bad"), f"{envelope.code}: {envelope.message}")
    yield from evidence_lines(envelope)


def evidence_lines(envelope: Envelope) -> Iterator[Line]:
    """What speaks against the store as a whole; it is told also where nothing else is."""
    for found in envelope.evidence:
        yield line(Span("warning ", "warn"), f"{found.code}: {found.detail}")
