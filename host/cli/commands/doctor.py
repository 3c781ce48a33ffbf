"""`gg doctor`: whether this installation can run programs, and what may be told of a traceback."""

from pathlib import Path

import click

from host.app import Finding, error_report, examine, newest_bytes, write_error_report
from host.cli.exit_codes import FAILED
from host.cli.lines import Line, Span, line
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output
from host.core.errors import system_reason


@click.command(
    short_help="Check the installation, or make an error report.",
    epilog=examples("gg doctor", "gg doctor --json", "gg doctor --report trace.txt --write"),
)
@click.option(
    "--report",
    "report_of",
    type=click.Path(path_type=Path, allow_dash=True),
    metavar="FILE",
    help="Instead of checking, report on the traceback in FILE; - is standard input.",
)
@click.option(
    "--keep-caller-text",
    is_flag=True,
    help="With --report: keep messages, names and paths that are not gg's own, masked.",
)
@click.option(
    "--write", is_flag=True, help="With --report: keep it under $G6_HOME/diagnostics, and print its path."
)
@json_option
@quiet_option
def doctor(report_of: Path | None, keep_caller_text: bool, write: bool, as_json: bool, quiet: bool) -> int:
    """Check the installation: compilers, engine, confinement, limits, the place of records, the record store.

    Each part is used once, and the extras that are installed are told. Exits with 1 when a part that a run
    needs is missing.

    With --report nothing is checked: an error report is printed, one JSON object {versions, platform,
    exception, frames, masks}. It has no source lines, and no messages, names or paths that are not gg's own.
    It is sent nowhere. Exits with 1 when FILE has no traceback.
    """
    output = Output(quiet=quiet)
    if report_of is not None:
        return _report(report_of, output, keep_caller_text=keep_caller_text, write=write)
    if keep_caller_text or write:
        option = "--keep-caller-text" if keep_caller_text else "--write"
        raise click.UsageError(f"{option} goes with --report FILE; name the file of a traceback")
    with output.waiting("examining"):
        findings = examine()
    is_ready = all(finding.ok for finding in findings)
    if as_json:
        parts = [{"part": f.part, "ok": f.ok, "detail": f.detail} for f in findings]
        output.json({"ok": is_ready, "parts": parts})
    else:
        output.data_lines(finding_line(finding) for finding in findings)
    return 0 if is_ready else 1


def finding_line(finding: Finding) -> Line:
    """`ok    compilers    esbuild 0.28.2, TypeScript 7.0.2`."""
    mark = Span("ok    ", "good") if finding.ok else Span("wrong ", "bad")
    return line(mark, Span(finding.part.ljust(13)), finding.detail)


def _report(file: Path, output: Output, *, keep_caller_text: bool, write: bool) -> int:
    try:
        with click.open_file(str(file), "rb") as source:
            data = newest_bytes(source)
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {system_reason(error)}") from error
    report = error_report(data, keep_caller_text=keep_caller_text)
    if report is None:
        place = "standard input" if str(file) == "-" else str(file)
        output.problem(
            [line(Span("gg: ", "bad"), f"no traceback in {place}; give the whole of what was printed")]
        )
        return FAILED
    if write:
        output.data(str(write_error_report(report)))
    else:
        output.json(report)
    return 0
