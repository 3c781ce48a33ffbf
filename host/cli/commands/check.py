"""`gg check`: programs in files, compiled and type-checked as a run would."""

from collections.abc import Iterator
from pathlib import Path

import click

from host.app import CheckedFile, check_paths
from host.cli.lines import Line, Span, counted, line, styled
from host.cli.options import json_option, quiet_option
from host.cli.output import Output
from runtime_js import Diagnostic, render_diagnostics


@click.command(short_help="Compile and type-check programs.")
@click.argument(
    "paths",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="PATH…",
)
@json_option
@quiet_option
def check(paths: tuple[Path, ...], as_json: bool, quiet: bool) -> int:
    """Compile and type-check the programs in the files PATH…, as a run would. Nothing is run.

    Prints located diagnostics, or with --json one object {files, errors, diagnostics}. Exits with 1 if there
    is an error.
    """
    output = Output(quiet=quiet)
    checked: list[CheckedFile] = []
    with output.waiting("checking"):
        for file in check_paths(paths):
            checked.append(file)
            if not as_json:
                output.data_lines(file_lines(file))
    errors = sum(len(file.errors) for file in checked)
    if as_json:
        found = [entry for file in checked for entry in _entries(file)]
        output.json({"files": len(checked), "errors": errors, "diagnostics": found})
    told = counted(errors, "error") if errors else "no errors"
    output.progress([line(styled(told, "bad" if errors else "good"), f" in {counted(len(checked), 'file')}")])
    return 1 if errors else 0


def file_lines(file: CheckedFile) -> Iterator[Line]:
    """Each diagnostic with its source line and a caret; its first row stands out."""
    for diagnostic, style in _judged(file):
        first, *rest = render_diagnostics((diagnostic,)).split("\n")
        yield Line((Span(first, "bad" if style == "error" else "warn"),))
        yield from (Line((Span(row),), may_crop=True) for row in rest)


def _judged(file: CheckedFile) -> Iterator[tuple[Diagnostic, str]]:
    yield from ((diagnostic, "error") for diagnostic in file.errors)
    yield from ((diagnostic, "warning") for diagnostic in file.warnings)


def _entries(file: CheckedFile) -> Iterator[dict[str, object]]:
    for diagnostic, severity in _judged(file):
        yield {
            "file": diagnostic.file,
            "line": diagnostic.line,
            "column": diagnostic.column,
            "code": diagnostic.code,
            "severity": severity,
            "message": diagnostic.message,
        }
