"""What a server's tool gave, as a value with attachments."""

import base64
import binascii
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from referencing.exceptions import Unresolvable

from host.core.errors import Refusal
from host.core.text import escape_controls, escape_line, format_size, shortened
from host.tools.model import Attachment, ToolOutput
from host.tools.servers.arguments import got, place_of, place_of_path, wanted
from host.tools.servers.bounds import ERROR_CHARS, MAX_DEPTH
from host.tools.servers.schemas import Form, TooManySteps

_LABEL_CHARS: Final = 120
_URI_CHARS: Final = 10_000

# A picture is what its first bytes say: a model's provider refuses one of another type than it is told.
_PICTURES: Final[Mapping[str, Callable[[bytes], bool]]] = {
    "image/png": lambda data: data.startswith(b"\x89PNG\r\n\x1a\n"),
    "image/jpeg": lambda data: data.startswith(b"\xff\xd8\xff"),
    "image/gif": lambda data: data.startswith((b"GIF87a", b"GIF89a")),
    "image/webp": lambda data: data.startswith(b"RIFF") and data[8:12] == b"WEBP",
}


class ResultReader:
    """Reads the results of one tool. `spelling` is the tool as messages and labels name it."""

    def __init__(self, spelling: str, returns: Mapping[str, Any] | None) -> None:
        """Raises `SchemaUnusable`."""
        self._spelling: Final = spelling
        self._form: Final = None if returns is None else Form(returns)
        self._pictures = 0

    def read(self, result: CallToolResult) -> ToolOutput:
        """The output; raises `Refusal` `io-error` for a failure and for a value that is not as promised."""
        parts = _Parts(self._label, self._label_of)
        for block in result.content:
            parts.add(block)
        if result.is_error:
            told = escape_controls(shortened(parts.text.strip(), ERROR_CHARS))
            raise Refusal("io-error", told or f"{self._spelling} failed and does not say why.", kind="tool")
        if self._form is None:
            text = parts.text
            if not result.content and result.structured_content is not None:
                text = json.dumps(result.structured_content, ensure_ascii=False)
            return ToolOutput(value=text, attachments=tuple(parts.attachments))
        value = self._promised(result.structured_content)
        return ToolOutput(value=value, attachments=tuple(parts.attachments))

    def _promised(self, value: object) -> object:
        """The structured value, which fits the schema.

        One that does not is refused: programs are checked with types that were made of the schema.
        """
        if value is None:
            raise self._unfit("gave no structured result, which its output schema promises")
        self._check_numbers(value)
        try:
            mistake = None if self._form is None else self._form.mistake(value)
        except (RecursionError, Unresolvable) as error:
            raise self._unfit("gave a result that its output schema has no end for") from error
        except TooManySteps as error:
            told = f"{self._spelling} gave a result that takes too long to check with its output schema."
            raise Refusal("limit-exceeded", told, kind="tool_result") from error
        if mistake is None:
            return value
        place = place_of_path(mistake.absolute_path)
        if mistake.validator == "required":
            missing = next(name for name in mistake.validator_value if name not in mistake.instance)
            raise self._unfit(
                f"gave a result without {place_of(place, missing)}, which its output schema promises"
            )
        told = f"wants {wanted(mistake)} at {place or 'its root'} and got {got(mistake)}"
        raise self._unfit(f"gave a result that does not fit its output schema, which {told}")

    def _check_numbers(self, value: object) -> None:
        pending: list[tuple[tuple[str | int, ...], object]] = [((), value)]
        while pending:
            path, found = pending.pop()
            if isinstance(found, float) and not math.isfinite(found):
                raise self._unfit(
                    f"gave a number that JSON does not have, at {place_of_path(path) or 'its root'}"
                )
            if len(path) > MAX_DEPTH:
                raise self._unfit(f"gave a result that is nested more than {MAX_DEPTH} deep")
            if isinstance(found, dict):
                pending += [((*path, name), member) for name, member in found.items()]
            elif isinstance(found, list):
                pending += [((*path, index), item) for index, item in enumerate(found)]

    def _unfit(self, message: str) -> Refusal:
        return Refusal("io-error", f"{self._spelling} {message}.", kind="tool_result")

    def _label(self) -> str:
        self._pictures += 1
        return f"{self._spelling} {self._pictures}"

    def _label_of(self, uri: str) -> str:
        """With the tool's name first, so that no server hides what an agent has opened by itself."""
        label = escape_line(f"{self._spelling} {shortened(uri, _URI_CHARS)}")
        cut = len(label) > _LABEL_CHARS
        return f"{label[: _LABEL_CHARS // 2]}…{label[-_LABEL_CHARS // 2 :]}" if cut else label


@dataclass
class _Parts:
    """The blocks of a result, in their order: a text that mentions every attachment by its label."""

    label: Callable[[], str]
    label_of: Callable[[str], str]
    lines: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    taken: dict[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def add(self, block: ContentBlock) -> None:
        match block:
            case TextContent(text=text):
                self.lines.append(text)
            case ImageContent(data=data, mime_type=media_type):
                self._add_bytes(_bytes_of(data), media_type, "picture", label=None)
            case AudioContent(data=data, mime_type=media_type):
                self._mention("sound", media_type, _bytes_of(data))
            case EmbeddedResource(resource=TextResourceContents(text=text, uri=uri, mime_type=media_type)):
                self._attach(
                    "resource",
                    Attachment(label=self._free(uri), media_type=media_type or "text/plain", text=text),
                )
            case EmbeddedResource(resource=BlobResourceContents(blob=blob, uri=uri, mime_type=media_type)):
                self._add_bytes(
                    _bytes_of(blob),
                    media_type or "application/octet-stream",
                    "resource",
                    label=self._free(uri),
                )
            case ResourceLink():
                self._attach(
                    "link",
                    Attachment(label=self._free(block.uri), media_type="text/plain", text=_link(block)),
                )

    def _add_bytes(self, data: bytes | None, media_type: str, kind: str, *, label: str | None) -> None:
        if data is None:
            self.lines.append(f"[{kind}{f' {label}' if label else ''}: not shown, for its base64 is broken]")
            return
        actual = next((name for name, fits in _PICTURES.items() if fits(data)), None)
        text = _text_of(data) if kind == "resource" and actual is None else None
        if actual is not None:
            self._attach(kind, Attachment(label=label or self.label(), media_type=actual, data=data))
        elif text is not None:
            self._attach(kind, Attachment(label=label or self.label(), media_type=media_type, text=text))
        else:
            self._mention(f"{kind} {label}" if label else kind, media_type, data)

    def _free(self, uri: str) -> str:
        """The label of a resource that no other part of the result has."""
        label = free = self.label_of(uri)
        while free in self.taken:
            self.taken[label] += 1
            free = f"{label} ({self.taken[label]})"
        self.taken[free] = 1
        return free

    def _attach(self, kind: str, attachment: Attachment) -> None:
        self.attachments.append(attachment)
        self.lines.append(f"[{kind}: {attachment.label}]")

    def _mention(self, what: str, media_type: str, data: bytes | None) -> None:
        size = "broken base64" if data is None else format_size(len(data))
        told = escape_line(shortened(media_type, _LABEL_CHARS))
        self.lines.append(f"[{what}: {told}, {size}, not shown]")


def _bytes_of(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _text_of(data: bytes) -> str | None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _link(link: ResourceLink) -> str:
    size = "" if link.size is None else format_size(link.size)
    about = ", ".join(part for part in (link.mime_type, size) if part)
    lines = [link.title or link.name, link.uri, about, link.description or ""]
    return "\n".join(line for line in lines if line)
