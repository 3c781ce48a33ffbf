"""The reference of the command line, from the commands themselves."""

import inspect
from collections.abc import Iterator
from typing import Final

import click

from host.cli.groups import DefaultGroup
from host.cli.main import cli

_AS_IT_IS: Final = "\b\n"


def render_commands() -> str:
    """A section for each command: how it is called, what it does, its options, examples."""
    return "\n\n".join(_section(name, command) for name, command in _commands(cli, "gg"))


def _commands(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    """Every command by its words; a group that is a command itself before its own."""
    context = click.Context(group)
    for name in sorted(group.list_commands(context)):
        command = group.get_command(context, name)
        assert command is not None, "it is listed"
        words = f"{path} {name}"
        if isinstance(command, DefaultGroup):
            yield words, command.default
        if isinstance(command, click.Group):
            yield from _commands(command, words)
        else:
            yield words, command


def _section(words: str, command: click.Command) -> str:
    arguments = [_metavar(parameter) for parameter in command.params if isinstance(parameter, click.Argument)]
    text = "\n\n".join(_paragraphs(inspect.cleandoc(command.help or "")))
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    examples = list(_paragraphs(command.epilog or ""))
    parts = [f"## {' '.join([words, *arguments])}", text, "\n".join(_rows(options)), *examples]
    return "\n\n".join(parts)


def _paragraphs(text: str) -> Iterator[str]:
    """Those that click leaves as they are stand in a block."""
    for paragraph in text.split("\n\n"):
        if paragraph.startswith(_AS_IT_IS):
            yield f"```\n{paragraph.removeprefix(_AS_IT_IS)}\n```"
        elif paragraph:
            yield paragraph


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
