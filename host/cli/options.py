"""Options that several commands have, written once."""

from pathlib import Path
from typing import Final

import click

json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print data as JSON.")
quiet_option: Final = click.option("-q", "--quiet", is_flag=True, help="Print no progress.")


def _refuse_used(context: click.Context, parameter: click.Parameter, out: Path | None) -> Path | None:
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise click.UsageError(
            f"--out {out} is in use; name a directory that is absent or empty", ctx=context
        )
    return out


out_option: Final = click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    callback=_refuse_used,
    help="Directory of the session record, absent or empty; .gg/runs/ID when omitted.",
)


def examples(*commands: str, title: str = "Examples:") -> str:
    """The end of a command's help: lines to be pasted, which click must not wrap."""
    return "\b\n" + "\n".join([title, *(f"  {command}" for command in commands)])
