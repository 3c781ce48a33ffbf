"""`gg` in this process, as the console script would run it: what it prints, and its exit code."""

from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from host.cli.failures import report
from host.cli.lines import Line, to_text
from host.cli.main import cli


@dataclass(frozen=True, kw_only=True)
class Ran:
    code: int
    out: str
    err: str


def gg_here(*arguments: str | Path, typed: str | bytes = "") -> Ran:
    """Runs `gg` with what is `typed` on a stdin that is no terminal."""
    result = CliRunner().invoke(
        cli, [*map(str, arguments)], input=typed, standalone_mode=False, prog_name="gg"
    )
    told: list[Line] = []
    error = result.exception
    if error is None:
        value = result.return_value
        code = value if isinstance(value, int) else 0
    elif isinstance(error, SystemExit):
        code = error.code if isinstance(error.code, int) else 0
    else:
        code = report(error, told.extend)
    return Ran(code=code, out=result.stdout, err=result.stderr + to_text(told))
