"""A person in the model's place: shown what a model would be sent, asked for a program."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from host.cli.lines import Line, Span, block, line, styled
from host.cli.output import OutputLost, ReaderGone
from host.cli.program_input import ReadProgram
from host.core.messages import Message
from host.providers import ModelRequest

_HOW: Final = "Type a TypeScript program; Ctrl-D runs it. Ctrl-D without one leaves."


class Person:
    """Answers requests with what is typed. `show` writes what a model would read, `say` everything else."""

    def __init__(
        self,
        read: ReadProgram,
        *,
        show: Callable[[Iterable[Line]], None],
        say: Callable[[Iterable[Line]], None],
    ) -> None:
        self._read: Final = read
        self._show: Final = show
        self._say: Final = say
        self._before: tuple[Message, ...] = ()

    def __call__(self, request: ModelRequest) -> str | None:
        if not self._before:
            self._say([line(Span(_HOW, "dim"))])
        try:
            self._show(self._new_lines(request.messages))
        except (ReaderGone, OutputLost):
            return None  # who cannot be shown anything is not there
        self._before = request.messages
        return self._read()

    def _new_lines(self, messages: tuple[Message, ...]) -> Iterator[Line]:
        seen = {id(message) for message in self._before}
        for message in messages:
            if id(message) not in seen and message.role in ("user", "tool"):
                yield from _message_lines(message)


def _message_lines(message: Message) -> Iterator[Line]:
    """The heading and, behind bars, the whole content."""
    title, _, rest = message.text.partition("\n")
    yield line(styled(title, "strong") if message.role == "user" else styled(f"answer: {title}", "dim"))
    body = rest.partition("\n")[2] if message.role == "user" else rest
    if body:
        yield from block(body, may_crop=False, may_cut=False)
    for image in message.images:
        yield line(f"({image.media_type}, {len(image.data):,} bytes)", indent=2)
