"""What a turn that was asked for from outside came to: the messages that an agent would read."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from host.app.session import RunResult
from host.context import untitled
from host.core.errors import API_ERROR_CODES
from host.core.messages import Image, Message

_ERRORS: Final = frozenset({"Compiler error", "Runtime error"})
_NOTICE: Final = "Notice"
_REOPENED: Final = frozenset({"Task", "Memories", "Summary"})  # what a window opens with
_FAILED: Final = re.compile(f"(?:{'|'.join(map(re.escape, API_ERROR_CODES))}): ")


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One message: its heading, such as `View: rows`, what stands below, and its pictures."""

    title: str
    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What became of one program, or of one call.

    `result` is that of a call: JSON, or `code: message` where it `failed`. `end` is there where the run ended
    with this turn, whose views nobody reads then.
    """

    views: tuple[Shown, ...] = ()
    notices: tuple[str, ...] = ()
    error: Shown | None = None
    result: str | None = None
    end: RunResult | None = None

    @property
    def failed(self) -> bool:
        """Whether the program or the call failed, by its own fault."""
        return self.error is not None or bool(self.result and _FAILED.match(self.result))


def answer_of(messages: Iterable[Message]) -> Answer:
    """Sorts the messages of a turn; those of the model's own are left out."""
    views: list[Shown] = []
    notices: list[str] = []
    error = result = None
    for message in messages:
        if message.role == "tool":
            result = message.text
        elif message.role == "user":
            shown = _shown(message)
            if shown.title in _ERRORS:
                error = shown
            elif shown.title == _NOTICE:
                notices.append(shown.text)
            elif shown.title not in _REOPENED:
                views.append(shown)
    return Answer(views=tuple(views), notices=tuple(notices), error=error, result=result)


def _shown(message: Message) -> Shown:
    title, text = untitled(message.text)
    return Shown(title=title, text=text, images=message.images)
