"""The `g6` command: `doctor`, for programs that know gg's packages as `g6`."""

from importlib.metadata import version
from typing import Final

import click

from host.cli.exit_codes import WRONG_USE
from host.cli.groups import DeferredGroup
from host.cli.main import run_command

_COMMANDS: Final = ("doctor",)


@click.group(
    cls=DeferredGroup,
    home="host.cli.commands",
    names=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    invoke_without_command=True,
)
@click.version_option(version("gg"), prog_name="g6")
@click.pass_context
def cli(context: click.Context) -> None:
    """Checks this installation of gg, or makes an error report of a traceback.

    Exit codes: 0 done, 1 refused or failed, 2 wrong use.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(WRONG_USE)


def main() -> None:
    """The console script."""
    run_command(cli, "g6")
