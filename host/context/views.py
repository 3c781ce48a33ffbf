"""Views as values: what a program opened for the model to read, and the caps it is refused at.

A view is the only channel from a program to the model. A breach of a cap is thrown at the call; nothing is
ever cut short.
"""

from dataclasses import dataclass
from typing import Final, Literal

from host.context.headings import titled
from host.core.errors import Refusal
from host.core.messages import Image
from host.core.refusals import refuse_lone_surrogate
from host.core.scrubbing.cuts import last_cut
from host.core.text import counted, path_parts, place_of_control, quoted, utf8_length
from host.core.tokens import estimate_tokens

ViewKind = Literal["text", "file", "docs", "skill"]
ViewIdentity = tuple[ViewKind, str, tuple[int, int] | None]
MAX_VIEW_BYTES: Final = 65_536
MAX_LABEL_BYTES: Final = 200
MAX_VIEWS_BYTES_PER_TURN: Final = 8 * 2**20
MAX_IMAGE_BYTES: Final = 8 * 2**20
IMAGE_TOKENS: Final = 1600  # models scale a picture down to about as much


@dataclass(frozen=True)
class Region:
    """The lines of a file that a view holds, from 1, both ends included."""

    first_line: int
    last_line: int
    total_lines: int


@dataclass(frozen=True, kw_only=True)
class View:
    """One view. `(kind, selector, region)` says which one it is; opening it again replaces it."""

    kind: ViewKind
    selector: str
    title: str
    body: str
    region: Region | None = None
    image: Image | None = None

    @property
    def identity(self) -> ViewIdentity:
        region = None if self.region is None else (self.region.first_line, self.region.last_line)
        return self.kind, self.selector, region

    @property
    def text(self) -> str:
        """The message that the model reads."""
        return titled(self.title, self.body)

    @property
    def size_bytes(self) -> int:
        return utf8_length(self.body) + (len(self.image.data) if self.image else 0)

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.text) + (IMAGE_TOKENS if self.image else 0)


@dataclass(frozen=True, kw_only=True)
class OpenedView:
    """A view that is open now, as `views.current()` lists it."""

    kind: ViewKind
    selector: str
    tokens: int
    region: Region | None


def text_view(label: str, body: str) -> View:
    """A view of computed text, headed by its label.

    Raises `Refusal`: `invalid-argument` for a label that is empty or more than one line, `limit-exceeded`
    over a cap.
    """
    _check_label(label)
    _check_body(body, f"The body of view {quoted(label)}", "open it in parts, or open what matters of it")
    return View(kind="text", selector=label, title=f"View: {label}", body=body)


def file_view(
    path: str,
    body: str,
    region: Region,
    *,
    max_line_chars: int | None = None,
    remedy: str = "open it in parts with offset and limit, or cut long lines with maxLineChars",
) -> View:
    """A view of lines of a file; its body is the file's text alone. An empty file is headed by its path
    only.

    What a line has beyond `max_line_chars` is counted, not shown; the cap is for what is left. `remedy` is
    what helps over it.
    """
    if max_line_chars is not None:
        body = "\n".join(_cut(line, max_line_chars) for line in body.split("\n"))
    _check_body(body, f"The view of {quoted(path)}", remedy)
    span = (
        f":{region.first_line}-{region.last_line} of {region.total_lines} lines" if region.total_lines else ""
    )
    selector = file_selector(path)
    return View(kind="file", selector=selector, title=f"File: {selector}{span}", body=body, region=region)


def image_view(path: str, image: Image | None, description: str) -> View:
    """A view of a file that is a picture, headed by its path only; one that is not attached is described."""
    selector = file_selector(path)
    body = "" if image else description
    return View(kind="file", selector=selector, title=f"File: {selector}", body=body, image=image)


def file_selector(path: str) -> str:
    """What selects the views of a file, however its path was written: `./a.txt` and `a.txt` are one."""
    return "/".join(path_parts(path))


def _cut(line: str, most: int) -> str:
    more = len(line) - most
    if more <= 0:
        return line
    end = last_cut(line, most)
    return f"{line[:end]}… ({counted(len(line) - end, 'more character')})"


def docs_view(key: str, body: str) -> View:
    """A page of documentation, headed by the key it is opened by."""
    return View(kind="docs", selector=key, title=f"Documentation: {key}", body=body)


def skill_view(name: str, body: str) -> View:
    """The prose of a skill, headed by its name."""
    return View(kind="skill", selector=name, title=f"Documentation: {name}", body=body)


def _check_label(label: str) -> None:
    if not label.strip():
        raise Refusal("invalid-argument", "The label of a view is empty; name the view.", kind="empty_label")
    if place_of_control(label) is not None:
        raise Refusal(
            "invalid-argument",
            f"The label {quoted(label)} holds a line break, a control character or a lone surrogate;"
            " a label is one line of text.",
            kind="label_not_one_line",
        )
    size = utf8_length(label)
    if size > MAX_LABEL_BYTES:
        raise Refusal(
            "limit-exceeded",
            f"The label of a view has {size:,} of {MAX_LABEL_BYTES} bytes; shorten it.",
            kind="label_cap",
        )


def _check_body(body: str, what: str, remedy: str) -> None:
    refuse_lone_surrogate(body, what)
    size = utf8_length(body)
    if size > MAX_VIEW_BYTES:
        raise Refusal(
            "limit-exceeded", f"{what} has {size:,} of {MAX_VIEW_BYTES:,} bytes; {remedy}.", kind="view_cap"
        )


def refuse_over_turn_budget(view: View, spent_bytes: int) -> None:
    """Refuses a view that would take the views of one turn past their common budget."""
    left = MAX_VIEWS_BYTES_PER_TURN - spent_bytes
    if view.size_bytes > left:
        raise Refusal(
            "limit-exceeded",
            f"View {quoted(view.selector)} has {view.size_bytes:,} bytes, and {left:,} of"
            f" {MAX_VIEWS_BYTES_PER_TURN:,} bytes of views per turn are left; open it in a later turn.",
            kind="views_per_turn_cap",
        )
