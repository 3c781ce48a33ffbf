"""`gg validate`: whether a configuration can be run, without running anything."""

from pathlib import Path

import click

from host.app import environment
from host.cli.exit_codes import DONE, FAILED
from host.cli.lines import line
from host.cli.options import examples, json_option, quiet_option
from host.cli.output import Output
from host.core.errors import LaunchRefused
from host.launch import defect_json, load, summarize


@click.command(
    short_help="Check a configuration without running it.",
    epilog=examples("gg validate fixtures/quickstart", "gg validate study.yaml --json"),
)
@click.argument("config", type=click.Path(path_type=Path))
@json_option
@quiet_option
def validate(config: Path, as_json: bool, quiet: bool) -> int:
    """Check everything that gg run CONFIG would refuse before it starts anything. Nothing is written.

    Prints what would run, of several agents a line for each, nothing with --quiet. Or every defect, and then
    exits with 1. With --json one object {ok, defects} is printed instead.
    """
    output = Output(quiet=quiet)
    try:
        plan = load(config, environ=environment())
    except LaunchRefused as refused:
        if not as_json:
            raise
        output.json({"ok": False, "defects": [defect_json(defect) for defect in refused.defects]})
        return FAILED
    if as_json:
        output.json({"ok": True, "defects": []})
    elif not quiet:
        output.data_lines([line(told) for told in summarize(plan)])
    return DONE
