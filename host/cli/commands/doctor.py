"""`gg doctor`: whether this installation can run programs."""

import click

from host.app import Finding, examine
from host.cli.lines import Line, Span, line
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output


@click.command(
    short_help="Check the installation.",
    epilog=examples("gg doctor", "gg doctor --json"),
)
@json_option
@quiet_option
def doctor(as_json: bool, quiet: bool) -> int:
    """Check the installation: compilers, engine, confinement, limits, and where records are kept.

    Each part is used once. Exits with 1 when a part that a run needs is missing.
    """
    output = Output(quiet=quiet)
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
