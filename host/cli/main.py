"""The `gg` command: parses, calls the app, prints. No logic of its own."""

import io
import os
import sys
from importlib.metadata import version
from typing import Final, NoReturn

import click

from host.cli.exit_codes import CLOSED_PIPE, WRONG_USE
from host.cli.groups import DeferredGroup
from host.cli.output import Output, ReaderGone

_STDOUT: Final = 1
_COMMANDS: Final = (
    "run",
    "compare",
    "repl",
    "validate",
    "check",
    "show",
    "runs",
    "records",
    "skillbook",
    "mcp",
    "doctor",
    "bench",
    "completion",
)


@click.group(
    cls=DeferredGroup,
    home="host.cli.commands",
    names=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    invoke_without_command=True,  # click would hand its help on as the message of an error
)
@click.version_option(version("gg"), prog_name="gg")
@click.pass_context
def cli(context: click.Context) -> None:
    """Runs agents whose replies are TypeScript programs.

    Exit codes: 0 done, 1 refused or failed, 2 wrong use, 3 a limit ended the run.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(WRONG_USE)


def main() -> None:
    """The console script."""
    run_command(cli, "gg")


def run_command(command: click.Command, name: str) -> NoReturn:
    """Runs the command that a console script is, under the script's name, and ends the process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal of another encoding is no reason to fail.
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_run(command, name))


def _run(command: click.Command, name: str) -> int:
    stdout = sys.stdout
    try:
        code = command.main(prog_name=name, standalone_mode=False)
    except ReaderGone:
        # Nothing is left to say, and Python's own flush at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT)
        return CLOSED_PIPE
    except SystemExit as ended:  # how click ends a completion, and a help that nobody reads
        if sys.stdout is not stdout:  # which click has wrapped, so that it takes nothing any more
            return CLOSED_PIPE
        return ended.code if isinstance(ended.code, int) else 0
    except BaseException as error:  # the top of an entry point
        from host.cli.failures import report  # it names the errors of every package

        return report(error, Output().problem)
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    main()
