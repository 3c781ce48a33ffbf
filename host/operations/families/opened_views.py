"""Views that calls open, of files among them, and the events that report them."""

from typing import Literal

from pydantic import Field

from host.context import MAX_IMAGE_BYTES, MAX_VIEW_BYTES, View, file_view, image_view
from host.context import Region as LineRegion
from host.core.messages import Image
from host.events import RunOrigin
from host.events import View as ViewEvent
from host.operations.families.file_reads import (
    ImageRead,
    TextRead,
    image_read,
    over_image_cap,
    text_read,
    workspace_of,
)
from host.operations.model import Arguments
from host.operations.services import Caller
from host.operations.workspace import Picture

ViewAction = Literal["opened", "replaced", "closed"]


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


def view_of_file(caller: Caller, arguments: OpenFileArguments) -> tuple[View, TextRead | ImageRead]:
    """A view of a file, which is not opened yet, and what was read. Raises `Refusal`."""
    read = workspace_of(caller).read(
        arguments.path, offset=arguments.offset, limit=arguments.limit, most_picture_bytes=MAX_IMAGE_BYTES
    )
    if isinstance(read, Picture):
        return view_of_picture(arguments.path, read)
    region = LineRegion(read.first_line, read.last_line, read.total_lines)
    view = file_view(arguments.path, read.contents, region, max_line_chars=arguments.max_line_chars)
    return view, text_read(read)


def view_of_whole_file(caller: Caller, path: str) -> View:
    """A view of all of a file, which is not opened yet. Raises `Refusal`."""
    read = workspace_of(caller).read(path, most_picture_bytes=MAX_IMAGE_BYTES)
    if isinstance(read, Picture):
        return view_of_picture(path, read)[0]
    region = LineRegion(read.first_line, read.last_line, read.total_lines)
    return file_view(path, read.contents, region, remedy="leave it out, and read parts of it later")


def view_of_picture(path: str, picture: Picture) -> tuple[View, ImageRead]:
    reason = over_image_cap(picture)
    image = None if picture.data is None else Image(picture.media_type, picture.data)
    view = image_view(path, image, f"A picture, {picture.media_type}. Not shown: {reason}")
    return view, image_read(picture, not_shown_reason=reason)
