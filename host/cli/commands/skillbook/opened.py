"""Which book a command of `gg skillbook` is about, and what it says in the end."""

import os.path
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem

from host.cli.exit_codes import DONE, FAILED
from host.cli.lines import Line, Span, line
from host.cli.output import Output
from host.cli.skill_lines import problem_lines
from host.core.errors import HostError
from host.core.text import quoted
from host.launch import BOOK_FILE
from host.skillbook import STATES, BookFile, Done, Loaded, Refused, Skillbook, State, state_of

T = TypeVar("T")

book_option: Final = click.option(
    "--book",
    "path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The book's JSON file; .gg/skillbook.json when omitted.",
)


@dataclass(frozen=True)
class Book:
    """The book that is named, or that of the directory."""

    path: Path | None

    @property
    def file(self) -> BookFile:
        return BookFile(self.shown)

    @property
    def shown(self) -> Path:
        return self.path or BOOK_FILE

    @property
    def is_there(self) -> bool:
        return os.path.exists(self.shown)  # no file has a name that is too long, of which `Path` would raise

    def read(self, output: Output) -> Loaded:
        """The book as it is; tells what of it could not be read. Raises `Refused`."""
        self._refuse_missing()
        loaded = self.file.read()
        output.problem(problem_lines(loaded.problems))
        return loaded

    def change(self, change: Callable[[Skillbook], T]) -> T:
        """Carries out a change of a book that is there. Raises `Refused`, and `NoBook` where none is."""
        self._refuse_missing()
        if not self.is_there:
            raise NoBook(f"there is no skillbook at {quoted(str(self.shown))}; gg skillbook add makes one")
        return self.file.apply(change)

    def _refuse_missing(self) -> None:
        if self.path is not None and not self.is_there:
            raise wrong_use(f"--book {quoted(str(self.path))} does not exist; gg skillbook add makes one")


class NoBook(HostError):
    """There is no book in this directory yet."""


class SkillId(click.ParamType[str]):
    """The id of a skill, completed from the book; `states` are those of the skills that fit."""

    name = "skill"

    def __init__(self, *states: State) -> None:
        self._states: Final = states or STATES

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        try:
            skills = Book(ctx.params.get("path")).file.read().skillbook.skills(include_invalid=True)
        except Refused:
            return []  # a shell that waits for words has no use for an error
        return [
            CompletionItem(skill.id)
            for skill in skills
            if state_of(skill) in self._states and skill.id.startswith(incomplete)
        ]


def wrong_use(message: str) -> click.UsageError:
    return click.UsageError(message, ctx=click.get_current_context())


def guarded(act: Callable[[], int], output: Output, *, as_json: bool) -> int:
    """The exit code of `act`, or of a refusal, which is told."""
    try:
        return act()
    except Refused as refused:
        if as_json:
            output.json({"ok": False, "code": refused.code, "why": refused.message})
        else:
            output.problem([line(Span("gg: ", "bad"), f"{refused.code}: {refused.message}")])
        return FAILED


def answered(done: Done, output: Output, *, as_json: bool, as_data: str | None = None) -> int:
    """Says what an operation did, or why it did nothing; the exit code. `as_data` is printed in its place,
    and what it did beside it.
    """
    if as_json:
        output.json(done_json(done))
    elif not done.ok:
        output.problem([line(Span("gg: ", "bad"), done.why)])
    elif as_data is None:
        output.data_lines([line(done.did)])
    else:
        output.data_lines([line(as_data)])
        output.progress([told(done.did)])
    return DONE if done.ok else FAILED


def done_json(done: Done) -> dict[str, object]:
    said = {"did": done.did} if done.ok else {"why": done.why}
    return {"ok": done.ok, "skill_id": done.skill_id, **said}


def told(message: str) -> Line:
    """A line beside what was asked for."""
    return line(Span("skills ", "dim"), message)
