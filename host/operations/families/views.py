"""The views family: the one channel from a program to the model."""

from typing import ClassVar, Literal

from pydantic import Field

from host.context import (
    MAX_IMAGE_BYTES,
    MAX_VIEW_BYTES,
    View,
    ViewKind,
    docs_view,
    file_view,
    image_view,
    text_view,
)
from host.context import Region as LineRegion
from host.core.errors import Refusal
from host.core.messages import Image
from host.events import RunOrigin
from host.events import View as ViewEvent
from host.operations.families.files import (
    READ_FAILURES,
    FileRead,
    ImageRead,
    TextRead,
    image_read,
    over_image_cap,
    text_read,
    workspace_of,
)
from host.operations.model import Arguments, Family, GuestParameter, NoArguments, Operation, Result
from host.operations.services import Caller
from host.operations.workspace import Picture

ViewAction = Literal["opened", "replaced", "closed"]


class OpenTextArguments(Arguments):
    label: str = Field(description="One line that heads the view; opening a label again replaces it.")
    body: str = Field(description="The text to read; it may be empty.")


class OpenFileArguments(Arguments):
    path: str = Field(description="The file, relative to the agent's directory.")
    offset: int | None = Field(default=None, ge=1, description="First line to show, from 1.")
    limit: int | None = Field(default=None, ge=1, description="Number of lines to show at most.")
    max_line_chars: int | None = Field(
        default=None,
        ge=1,
        le=MAX_VIEW_BYTES,
        description="Characters to show of one line; what is returned stays whole.",
    )


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
        description="Its label or path, which `views.close` takes, or the key of a page, for `docs.close`."
    )
    tokens: int = Field(description="Estimated cost in tokens.")
    region: Region | None = Field(default=None, description="The lines of a file view.")

    methods: ClassVar = {"close": "close(): number"}


def open_view(caller: Caller, view: View) -> None:
    """Opens a view for the next prompt. Raises `Refusal` over the budget of a turn."""
    action = caller.window.open(view)
    if action != "unchanged":
        report_view(caller, view, action)


def report_view(caller: Caller, view: View, action: ViewAction) -> None:
    """Emits what became of a view."""
    caller.emit(view_event(view, action, turn=caller.turn, origin=caller.origin))


def view_event(
    view: View, action: ViewAction, *, turn: int, origin: RunOrigin | Literal["host"]
) -> ViewEvent:
    """What became of a view, as the event that reports it."""
    return ViewEvent(
        turn=turn,
        action=action,
        kind=view.kind,
        selector=view.selector,
        bytes=0 if action == "closed" else view.size_bytes,
        tokens=0 if action == "closed" else view.tokens,
        media_type=view.image.media_type if view.image and action != "closed" else None,
        origin=origin,
    )


def _open_text(caller: Caller, arguments: OpenTextArguments) -> None:
    open_view(caller, text_view(arguments.label, arguments.body))


def view_of_file(caller: Caller, arguments: OpenFileArguments) -> tuple[View, TextRead | ImageRead]:
    """A view of a file, which is not opened yet, and what was read. Raises `Refusal`."""
    read = workspace_of(caller).read(
        arguments.path, offset=arguments.offset, limit=arguments.limit, most_picture_bytes=MAX_IMAGE_BYTES
    )
    if isinstance(read, Picture):
        return _view_of_picture(arguments.path, read)
    region = LineRegion(read.first_line, read.last_line, read.total_lines)
    view = file_view(arguments.path, read.contents, region, max_line_chars=arguments.max_line_chars)
    return view, text_read(read)


def _view_of_picture(path: str, picture: Picture) -> tuple[View, ImageRead]:
    reason = over_image_cap(picture)
    image = None if picture.data is None else Image(picture.media_type, picture.data)
    view = image_view(path, image, f"A picture, {picture.media_type}. Not shown: {reason}")
    return view, image_read(picture, not_shown_reason=reason)


def _open_file(caller: Caller, arguments: OpenFileArguments) -> TextRead | ImageRead:
    view, read = view_of_file(caller, arguments)
    open_view(caller, view)
    return read


def _open_docs_view(caller: Caller, arguments: OpenDocsViewArguments) -> None:
    page = caller.docs.page(arguments.target)
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
    "Shows the model text and files in its next prompt.",
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
                ' view.kind === "docs" ? call("docs.close", [view.selector]) : close(view.selector) }))'
            ),
            example="for (const view of views.current()) if (view.tokens > 5000) view.close();",
        ),
    ),
)
