"""The reference of the command line, from the commands themselves."""

import inspect
from collections.abc import Iterator

import click

from host.cli.main import cli


def render_commands() -> str:
    """A section for each command: how it is called, what it does, its options."""
    root = click.Context(cli, info_name="gg")
    commands = [(name, cli.get_command(root, name)) for name in cli.list_commands(root)]
    return "\n\n".join(_section(name, command) for name, command in commands if command is not None)


def _section(name: str, command: click.Command) -> str:
    arguments = [_metavar(parameter) for parameter in command.params if isinstance(parameter, click.Argument)]
    text = inspect.cleandoc(command.help or "")
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    return "\n".join([f"## gg {' '.join([name, *arguments])}", "", text, "", *_rows(options)])


def _rows(options: list[click.Option]) -> Iterator[str]:
    yield "| option | |"
    yield "| --- | --- |"
    for option in options:
        value = "" if option.is_flag else f" {option.metavar}"
        yield f"| `{', '.join(option.opts)}{value}` | {option.help} |"
    yield "| `-h, --help` | Show the command's help. |"


def _metavar(argument: click.Argument) -> str:
    if isinstance(argument.type, click.Choice):
        return "|".join(argument.type.choices)
    return argument.metavar or (argument.name or "").upper()
