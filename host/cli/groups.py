"""Groups of commands: one that is misspelt is answered with a near one, and a group can be one."""

import importlib
import os
from collections.abc import Sequence
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from host.core.text import join_words, nearest, quoted

_NOTHING: Final = ""


class CommandGroup(click.Group):
    """Says what was meant where a command is misspelt."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not ctx.resilient_parsing:
            verb = "is" if len(known) == 1 else "are"
            near = nearest(name, known, count=1)
            told = f"did you mean {near[0]}?" if near else f"there {verb} {join_words(sorted(known))}"
            raise click.UsageError(f"no such command {quoted(name)}; {told}", ctx=ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  # whatever the command returns
        """Gives an error of a command's line the command, where the parser left it out."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            name = ctx.invoked_subcommand
            command = self.get_command(ctx, name) if name else None
            if error.ctx is None and command is not None:
                error.ctx = click.Context(command, info_name=name, parent=ctx)
            raise


class OrderedGroup(CommandGroup):
    """Lists its commands in the order in which they are met, not that of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


class DeferredGroup(CommandGroup):
    """Commands that are imported when one is called for, since each brings along what it is made of.

    `names` are modules of the package `home`, in the order of the help; each has a command of its own name.
    """

    def __init__(self, *args: Any, home: str, names: Sequence[str], **options: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **options)
        self._home: Final = home
        self._names: Final = tuple(names)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self._names and cmd_name not in self.commands:
            module = importlib.import_module(f"{self._home}.{cmd_name}")
            self.add_command(getattr(module, cmd_name))
        return super().get_command(ctx, cmd_name)


class DefaultGroup(CommandGroup):
    """A group that is the command `default` where the name of none of its commands follows."""

    def __init__(self, name: str, *, default: click.Command, commands: Sequence[click.Command]) -> None:
        super().__init__(
            name,
            commands=commands,
            help=default.help,
            short_help=default.short_help,
            epilog=default.epilog,
            context_settings={"ignore_unknown_options": True},  # they are the default's
        )
        self.default: Final = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ([] if ctx.resilient_parsing else [_NOTHING]))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in self.commands:
            return super().resolve_command(ctx, args)
        near = nearest(args[0], self.commands, count=1)
        if near and not os.path.lexists(args[0]) and not ctx.resilient_parsing:
            raise click.UsageError(
                f"{quoted(args[0])} is no command and does not exist; did you mean {near[0]}?", ctx=ctx
            )
        return None, self.default, [argument for argument in args if argument != _NOTHING]

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return self.default.collect_usage_pieces(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.default.format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        own = super().shell_complete(ctx, incomplete)
        if incomplete.startswith("-"):
            return [*own, *self.default.shell_complete(ctx, incomplete)]
        arguments = [each for each in self.default.params if isinstance(each, click.Argument)]
        return own or [item for each in arguments[:1] for item in each.shell_complete(ctx, incomplete)]
