"""Options that several commands have, written once."""

from pathlib import Path
from typing import Final

import click

json_option: Final = click.option("--json", "as_json", is_flag=True, help="Print data as JSON.")
quiet_option: Final = click.option("-q", "--quiet", is_flag=True, help="Print no progress.")


def refuse_used(context: click.Context, parameter: click.Parameter, out: Path | None) -> Path | None:
    """Of an option that names a directory: refuses one that holds something."""
    if out is None or not out.exists():
        return out
    if out.is_dir() and not any(out.iterdir()):
        return out
    what = "is not empty" if out.is_dir() else "is no directory"
    raise click.UsageError(f"--out {out} {what}; name a directory that is absent or empty", ctx=context)


out_option: Final = click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    callback=refuse_used,
    help="Directory of the session record, absent or empty; .gg/runs/ID when omitted.",
)


def examples(*commands: str, title: str = "Examples:") -> str:
    """The end of a command's help: lines to be pasted, which click must not wrap."""
    return "\b\n" + "\n".join([title, *(f"  {command}" for command in commands)])
