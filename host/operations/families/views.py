"""The views family: the one channel from a program to the model."""

from typing import ClassVar

from pydantic import Field

from host.context import Region as LineRegion
from host.context import ViewKind, docs_view, text_view
from host.core.errors import Refusal
from host.operations.families.docs import docs_of
from host.operations.families.file_reads import READ_FAILURES, FileRead, ImageRead, TextRead
from host.operations.families.opened_views import OpenFileArguments, open_view, report_view, view_of_file
from host.operations.model import Arguments, Family, GuestParameter, NoArguments, Operation, Result
from host.operations.services import Caller


class OpenTextArguments(Arguments):
    label: str = Field(description="One line that heads the view; opening a label again replaces it.")
    body: str = Field(description="The text to read; it may be empty.")


class OpenDocsViewArguments(Arguments):
    target: str = Field(
        description="A function or a family, or the key of a page: `views.openText`, `csvTools.parse`, `gg`."
    )


class CloseArguments(Arguments):
    selector: str = Field(description="The label of a text view or the path of a file view.")


class Region(Result):
    """The lines that a file view holds."""

    offset: int = Field(description="First line, from 1.")
    limit: int = Field(description="Number of lines.")


class OpenView(Result):
    """A view that the next prompt will hold."""

    kind: ViewKind = Field(description="What the view shows.")
    selector: str = Field(
        description=(
            "Its label or path, which `views.close` takes, the key of a page, for `docs.close`, or the name"
            " of a skill, which stays."
        )
    )
    tokens: int = Field(description="Estimated cost in tokens.")
    region: Region | None = Field(default=None, description="The lines of a file view.")

    methods: ClassVar = {"close": "close(): number"}


def _open_text(caller: Caller, arguments: OpenTextArguments) -> None:
    open_view(caller, text_view(arguments.label, arguments.body))


def _open_file(caller: Caller, arguments: OpenFileArguments) -> TextRead | ImageRead:
    view, read = view_of_file(caller, arguments)
    open_view(caller, view)
    return read


def _open_docs_view(caller: Caller, arguments: OpenDocsViewArguments) -> None:
    page = docs_of(caller).page(arguments.target)
    open_view(caller, docs_view(page.key, page.text))


def _close(caller: Caller, arguments: CloseArguments) -> int:
    if not arguments.selector:
        raise Refusal(
            "invalid-argument", "The selector is empty; name a label or a path.", kind="empty_selector"
        )
    closed = caller.window.close(arguments.selector)
    for view in closed:
        report_view(caller, view, "closed")
    return len(closed)


def _current(caller: Caller, _: NoArguments) -> list[OpenView]:
    return [
        OpenView(kind=view.kind, selector=view.selector, tokens=view.tokens, region=_region(view.region))
        for view in caller.window.current()
    ]


def _region(lines: LineRegion | None) -> Region | None:
    if lines is None:
        return None
    count = lines.last_line - lines.first_line + 1 if lines.total_lines else 0
    return Region(offset=lines.first_line, limit=count)


FAMILY = Family(
    "views",
    "Shows you text and files in your next prompt.",
    (
        Operation(
            id="views.open_text",
            summary="Opens a view of text under a label; the model reads it in the next prompt.",
            arguments=OpenTextArguments,
            run=_open_text,
            failures=(
                (
                    "invalid-argument",
                    "the label is empty or more than one line, or the body holds a lone surrogate",
                ),
                (
                    "limit-exceeded",
                    "the body is over 65,536 bytes, the label over 200, or the turn's views over 8 MiB",
                ),
            ),
            example='views.openText("total", `${2 + 3} rows`);',
        ),
        Operation(
            id="views.open_file",
            summary=(
                "Reads a file as `files.readFile` does and opens a view of what was read: the one way to see"
                " a picture, of which the options say nothing."
            ),
            arguments=OpenFileArguments,
            options=("offset", "limit", "max_line_chars"),
            run=_open_file,
            result=FileRead,
            capability="files",
            failures=(
                *READ_FAILURES,
                (
                    "limit-exceeded",
                    "the lines are over 65,536 bytes, or the turn's views, pictures among them, over 8 MiB;"
                    " open them in parts or cut them",
                ),
            ),
            example='views.openFile("data.csv", { limit: 20 });',
        ),
        Operation(
            id="views.open_docs_view",
            summary="Opens a page of documentation: of `gg`, a module, a function or a type.",
            arguments=OpenDocsViewArguments,
            run=_open_docs_view,
            failures=(
                ("invalid-argument", "the target is empty, or a function without a name"),
                ("not-found", "there is no such page"),
                ("conflict", "several pages have that bare name"),
            ),
            guest_parameter={
                "target": GuestParameter(
                    typescript="Function | Record<string, Function> | string",
                    sent="keyOf(target)",
                    wanted="a function, a family or a key",
                ),
            },
            example="views.openDocsView(views.openText);",
        ),
        Operation(
            id="views.close",
            summary="Takes the views with this label or path out of the next prompt; returns their number.",
            arguments=CloseArguments,
            run=_close,
            result=int,
            failures=(("invalid-argument", "the selector is empty"),),
            example='views.close("total");',
        ),
        Operation(
            id="views.current",
            summary="Lists the views that the next prompt will hold, oldest first.",
            arguments=NoArguments,
            run=_current,
            result=list[OpenView],
            guest_result=(
                "result.map((view) => ({ ...view, close: () =>"
                ' view.kind === "docs" ? call("docs.close", [view.selector]) : view.kind === "skill" ? 0'
                " : close(view.selector) }))"
            ),
            example="for (const view of views.current()) if (view.tokens > 5000) view.close();",
        ),
    ),
)
