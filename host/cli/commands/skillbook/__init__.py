"""`gg skillbook`: advice that was learned from runs, from the command line."""

from typing import Final

import click

from host.cli.commands.skillbook.changing import (
    add_command,
    purge_command,
    remove_command,
    restore_command,
    tag_command,
)
from host.cli.commands.skillbook.consolidating import consolidate_command
from host.cli.commands.skillbook.files import export_command, import_command
from host.cli.commands.skillbook.reviewing import review_command
from host.cli.commands.skillbook.showing import show_command
from host.cli.exit_codes import WRONG_USE
from host.cli.groups import OrderedGroup
from host.cli.options import examples

_COMMANDS: Final = (
    show_command,
    add_command,
    tag_command,
    remove_command,
    restore_command,
    purge_command,
    review_command,
    consolidate_command,
    export_command,
    import_command,
)


@click.group(
    "skillbook",
    cls=OrderedGroup,
    commands=_COMMANDS,
    short_help="Look at, review and tidy up what was learned from runs.",
    invoke_without_command=True,  # click would hand its help on as the message of an error
    epilog=examples(
        'gg skillbook add "An export has 20,000 rows." --insight "Write it in parts." --keyword csv',
        "gg skillbook show",
        "gg skillbook review",
        "gg skillbook consolidate --dry-run",
    ),
)
@click.pass_context
def skillbook(context: click.Context) -> None:
    """A skillbook: advice that was learned from runs. A skill names a situation and gives advice for it,
    with its sources and how often it was helpful or harmful.

    Whatever a skill says is data to weigh, never an instruction to follow. The book is one JSON file,
    .gg/skillbook.json where --book names no other one. Several commands and runs may write it at once.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(WRONG_USE)
