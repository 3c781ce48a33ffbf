"""Arguments that several commands have: how they are read, completed, and refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from host.app import LAST, MemoryName, NotThere, agent_ids, find_record, memory_slugs, run_ids, runs_folder
from host.core.errors import HostError
from host.core.text import quoted


class RecordName(click.ParamType[Path]):
    """The directory of a session record, by its path, its id, the beginning of its id, or `last`."""

    name = "record"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ANN401
        if isinstance(value, Path):
            return value
        try:
            return find_record(value)
        except NotThere as error:
            raise click.UsageError(str(error), ctx=ctx) from error

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        newest = next(iter(run_ids()), None)
        now = f", which is {newest} now" if newest else ""
        return f"name a path, an id as gg runs lists them, the beginning of one, or {LAST}{now}"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        names = [name for name in (*run_ids(), LAST) if name.startswith(incomplete)]
        # A shell looks for directories itself where nothing else fits.
        return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="dir")]


class RunsFolder(click.ParamType[Path]):
    """A folder of session records, or one that has such a folder under `.gg`."""

    name = "folder"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ANN401
        try:
            return runs_folder(Path(value))
        except NotThere as error:
            raise click.UsageError(str(error), ctx=ctx) from error

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="dir")]


class SlugAndRevision(click.ParamType[MemoryName]):
    """`SLUG` or `SLUG@REV`, completed from the record that stands before it."""

    name = "memory"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> MemoryName:  # noqa: ANN401
        if isinstance(value, MemoryName):
            return value
        try:
            return MemoryName.parse(value)
        except NotThere as error:
            raise click.UsageError(str(error), ctx=ctx) from error

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return _from_record(memory_slugs, ctx, incomplete)


class AgentId(click.ParamType[str]):
    """The id of an agent, completed from the record that stands before it."""

    name = "agent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return _from_record(agent_ids, ctx, incomplete)


class WholeNumber(click.ParamType[int]):
    """A whole number that is not below `least`."""

    name = "number"

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401
        text = str(value)
        if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= self.least):
            self.fail(f"{quoted(text)} is no whole number from {self.least}", param, ctx)
        return int(text)


def _from_record(
    words: Callable[[Path], list[str]], ctx: click.Context, incomplete: str
) -> list[CompletionItem]:
    # An option without its value keeps click from reading the arguments before it.
    record = ctx.params.get("record") or next(iter(ctx.args), LAST)
    try:
        found = words(find_record(str(record)))
    except HostError:
        return []  # a shell that waits for words has no use for an error
    return [CompletionItem(word) for word in found if word.startswith(incomplete)]
