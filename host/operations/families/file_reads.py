"""What reading a file of the agent's directory gives: lines of a text, or a picture."""

from typing import Final, Literal

from pydantic import Field, RootModel

from host.context import MAX_IMAGE_BYTES
from host.core.errors import ApiErrorCode, Refusal
from host.core.text import format_over, format_size
from host.operations.model import Result
from host.operations.services import Caller
from host.operations.workspace import FileText, Picture, Workspace

READ_FAILURES: Final[tuple[tuple[ApiErrorCode, str], ...]] = (
    ("not-found", "there is no such file"),
    (
        "invalid-argument",
        "the path leads out of the directory, the file is neither UTF-8 text nor a picture, or it ends before"
        " the offset",
    ),
    ("refused", "the path goes through a link or names a special file"),
)


class TextRead(Result):
    """Lines of a text file."""

    kind: Literal["text"] = Field(default="text", description="Tells it from a picture.")
    contents: str = Field(description="The lines that were read, with their line ends.")
    first_line: int = Field(description="Number of the first line read, from 1; 0 in an empty file.")
    last_line: int = Field(description="Number of the last line read; 0 in an empty file.")
    total_lines: int = Field(description="Lines in the whole file.")
    byte_truncated: bool = Field(
        default=False, description="Always false: what is too large to be read is refused, never cut."
    )


class ImageRead(Result):
    """A file that is a picture, told by the bytes that it begins with: PNG, JPEG, GIF or WebP."""

    kind: Literal["image"] = Field(default="image", description="Tells it from a text.")
    media_type: str = Field(description="What it is, such as `image/png`.")
    label: str = Field(description="A line that describes it.")
    bytes: int = Field(description="Its size.")
    shown: bool = Field(description="Whether the next prompt shows it.")
    not_shown_reason: str | None = Field(default=None, description="Why the next prompt does not show it.")


class FileRead(RootModel[TextRead | ImageRead]):
    """What was read: a text or, told apart by `kind`, a picture."""


def text_read(read: FileText) -> TextRead:
    """Lines of a file as a call gives them."""
    return TextRead(
        contents=read.contents,
        first_line=read.first_line,
        last_line=read.last_line,
        total_lines=read.total_lines,
    )


def image_read(picture: Picture, *, not_shown_reason: str | None) -> ImageRead:
    """A picture as a call gives it; it is shown unless there is a reason."""
    return ImageRead(
        media_type=picture.media_type,
        label=f"picture {picture.media_type}, {format_size(picture.size_bytes)}",
        bytes=picture.size_bytes,
        shown=not_shown_reason is None,
        not_shown_reason=not_shown_reason,
    )


def over_image_cap(picture: Picture) -> str | None:
    """Why a picture is too large for any prompt."""
    if picture.size_bytes <= MAX_IMAGE_BYTES:
        return None
    return f"It has {format_over(picture.size_bytes, MAX_IMAGE_BYTES)}."


def workspace_of(caller: Caller) -> Workspace:
    """The directory of the agent that calls. Raises `Refusal` `unavailable` where it has none."""
    if caller.workspace is None:
        raise Refusal("unavailable", "This agent has no directory.", kind="no_workspace")
    return caller.workspace
