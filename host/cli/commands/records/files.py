"""`gg records export` and `gg records import`: JSON Lines, one record a line."""

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Final

import click

from host.cli.commands.records.asking import may_decide
from host.cli.commands.records.identifiers import whole_ids
from host.cli.commands.records.opened import (
    Place,
    answered,
    keys_option,
    refused,
    store_option,
    told,
    wrong_use,
)
from host.cli.counting import Counting
from host.cli.exit_codes import DONE
from host.cli.lines import Line, Span, line
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output, OutputLost
from host.core.errors import system_reason
from host.core.text import quoted
from host.records import KINDS, Refused, read_lines

_STDIO: Final = "-"


@click.command(
    "export",
    short_help="Write records as JSON Lines.",
    epilog=examples("gg records export records.jsonl", "gg records export - --tag billing | wc -l"),
)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--id", "record_ids", multiple=True, metavar="ID", help="Only this record; may be given again.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag; may be given again.")
@click.option("--kind", type=click.Choice(KINDS), metavar="KIND", help="Only records of this kind.")
@store_option
@keys_option
@json_option
@quiet_option
def export_command(
    file: Path,
    record_ids: tuple[str, ...],
    tags: tuple[str, ...],
    kind: str | None,
    path: Path | None,
    keys: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Write the records to FILE, which must not be there yet, or to stdout where FILE is -: one line of JSON
    each, oldest first, with its dates, approval and what it was superseded by.

    The file is there whole or not at all. What is forgotten later is gone from later exports, and its receipt
    names the earlier ones. With --json prints the answer, which then needs a FILE.
    """
    if as_json and str(file) == _STDIO:
        raise wrong_use("--json and FILE - are both for stdout; name a file")
    output = Output(quiet=quiet)
    try:
        with (
            Place(path=path, keys=keys).opened(may_make=False) as store,
            nullcontext() if str(file) == _STDIO else output.waiting("exporting"),
            target_of(file, output) as (write, target),
        ):
            envelope = store.export(
                write,
                target=target,
                **_filter(whole_ids(store, {"record_ids": list(record_ids)}), tags, kind),
                progress=Counting(output, "exported"),
            )
    except Refused as error:
        return refused(error, output, as_json=as_json)
    if str(file) == _STDIO:
        output.progress([told(envelope.message)])
        return DONE
    return answered(envelope, output, as_json=as_json, lines=None)


@click.command(
    "import",
    short_help="Keep the records of JSON Lines.",
    epilog=examples("gg records import records.jsonl", "cat more.jsonl | gg records import -"),
)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--keep-approvals",
    is_flag=True,
    help="Take the approvals of lessons over as they stand there, and vouch for them; else each waits for one"
    " again.",
)
@store_option
@keys_option
@json_option
@quiet_option
def import_command(
    file: Path, keep_approvals: bool, path: Path | None, keys: Path | None, as_json: bool, quiet: bool
) -> int:
    """Keep the records of FILE, or of stdin where FILE is -: one line of JSON each, as gg records export
    writes them.

    What is there already is passed over. A line that cannot be taken is told by its number, stops no other
    one, and has the command exit with 1. Ctrl-C keeps what was taken so far, and the same call goes on from
    there.

    --keep-approvals needs a terminal, or GG_SENSITIVE=1 in the environment.
    """
    output = Output(quiet=quiet)
    try:
        if keep_approvals:
            may_decide("import --keep-approvals", output, yes=True)
        with (
            Place(path=path, keys=keys).opened() as store,
            _source(file) as lines,
            output.waiting("importing"),
        ):
            envelope = store.import_lines(
                lines, keeps_approvals=keep_approvals, progress=Counting(output, "read")
            )
    except Refused as error:
        return refused(error, output, as_json=as_json)
    if not as_json:
        output.problem(_bad_lines(envelope.to_json()))
    return answered(envelope, output, as_json=as_json, lines=None)


def _filter(args: dict[str, Any], tags: tuple[str, ...], kind: str | None) -> dict[str, Any]:
    return {**args, "tags": list(tags), "kind": kind}


@contextmanager
def target_of(file: Path, output: Output) -> Iterator[tuple[Callable[[str], None], str]]:
    """Where lines go, and its name. A file gets its own name when all of it is on the disk."""
    if str(file) == _STDIO:
        yield _on_terminal(output) if sys.stdout.isatty() else output.data, "stdout"
        return
    if os.path.lexists(file):
        raise wrong_use(f"{quoted(str(file))} is there; name a file that is not")
    try:
        fd, beside = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    except OSError as error:
        raise OutputLost(f"{quoted(str(file))} cannot be written: {system_reason(error)}") from error
    try:
        with os.fdopen(fd, "w", encoding="utf-8", newline="") as stream:
            yield stream.write, str(file.absolute())  # type: ignore[misc]  # what it returns is not looked at
            stream.flush()
            os.fsync(stream.fileno())
        os.link(beside, file)  # which takes no file's place
    except FileExistsError:
        raise wrong_use(f"{quoted(str(file))} has come to be meanwhile; name another file") from None
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)


def _on_terminal(output: Output) -> Callable[[str], None]:
    """In ASCII, so that no text of a record can reach a terminal as it is."""
    return lambda text: output.json(json.loads(text))


@contextmanager
def _source(file: Path) -> Iterator[Iterator[bytes]]:
    if str(file) == _STDIO:
        yield read_lines(sys.stdin.buffer)
        return
    try:
        stream = file.open("rb")
    except OSError as error:
        raise wrong_use(f"{quoted(str(file))} cannot be read: {system_reason(error)}") from error
    with stream:
        yield read_lines(stream)


def _bad_lines(answer: dict[str, Any]) -> Iterator[Line]:
    for bad in answer.get("bad_lines", ()):
        yield line(Span(f"line {bad['line']:,}  ", "bad"), f"{bad['code']}: {bad['message']}")
    if hidden := answer.get("bad", 0) - len(answer.get("bad_lines", ())):
        yield line(f"… and {hidden:,} more lines")
