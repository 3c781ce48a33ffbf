"""A person in the model's place: shown what a model would be sent, asked for a program or for calls."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from host.cli.lines import Line, Span, block, line, styled
from host.cli.output import OutputLost, ReaderGone
from host.cli.program_input import ReadProgram
from host.cli.typed_calls import FORM, UnreadableCall, read_calls
from host.core.messages import Message
from host.providers import ModelRequest, TypedCall

_HOW: Final = "Type a TypeScript program; Ctrl-D runs it. Ctrl-D without one leaves."
_HOW_TO_CALL: Final = f"Type calls, one to a line: {FORM}; Ctrl-D makes them. Ctrl-D without one leaves."
_SHORT_CHARS: Final = 200


class Person:
    """Answers requests with what is typed. `show` writes what a model would read, `say` everything else.

    `names_agents`: which agent it is for is said where that is another one than before.
    """

    def __init__(
        self,
        read: ReadProgram,
        *,
        show: Callable[[Iterable[Line]], None],
        say: Callable[[Iterable[Line]], None],
        names_agents: bool = False,
    ) -> None:
        self._read: Final = read
        self._show: Final = show
        self._say: Final = say
        self._names_agents: Final = names_agents
        self._agent_id = ""
        self._before: Final[dict[str, tuple[Message, ...]]] = {}

    def __call__(self, request: ModelRequest) -> str | tuple[TypedCall, ...] | None:
        reads_text = request.forced_tool or request.wants_text
        tools = () if reads_text else tuple(tool.name for tool in request.tools)
        try:
            if self._names_agents and request.agent_id != self._agent_id:
                self._show([line(styled(f"You are {request.agent_id}", "name"))])
            if request.agent_id not in self._before:
                self._say(_how(tools))
            self._show(self._new_lines(request))
        except (ReaderGone, OutputLost):
            return None  # who cannot be shown anything is not there
        self._agent_id = request.agent_id
        self._before[request.agent_id] = request.messages
        return self._calls(tools) if tools else self._read()

    def _calls(self, tools: tuple[str, ...]) -> str | tuple[TypedCall, ...] | None:
        """What is typed, as calls where it has any; asks again where they cannot be read."""
        while (typed := self._read()) is not None:
            try:
                return read_calls(typed, tools) or typed
            except UnreadableCall as error:
                self._say([line(Span("again: ", "warn"), str(error))])
        return None

    def _new_lines(self, request: ModelRequest) -> Iterator[Line]:
        seen = {id(message) for message in self._before.get(request.agent_id, ())}
        names = {call.id: call.name for message in request.messages for call in message.tool_calls}
        for message in request.messages:
            if id(message) in seen:
                continue
            if message.role == "user":
                yield from _message_lines(message)
            elif message.role == "tool":
                yield from _answer_lines(names.get(message.answers or "", ""), message.text)


def _how(tools: tuple[str, ...]) -> Iterator[Line]:
    yield line(Span(_HOW_TO_CALL if tools else _HOW, "dim"))
    if tools:
        yield line(styled(f"Tools: {', '.join(tools)}", "dim"))


def _message_lines(message: Message) -> Iterator[Line]:
    """The heading and, behind bars, the whole content."""
    title, _, rest = message.text.partition("\n")
    yield line(styled(title, "strong"))
    body = rest.partition("\n")[2]
    if body:
        yield from block(body, may_crop=False, may_cut=False)
    for image in message.images:
        yield line(f"({image.media_type}, {len(image.data):,} bytes)", indent=2)


def _answer_lines(name: str, text: str) -> Iterator[Line]:
    """What a call was answered, whole."""
    is_short = len(text) <= _SHORT_CHARS and "\n" not in text
    yield line(styled(f"answer to {name}: {text if is_short else ''}".rstrip(), "dim"))
    if not is_short:
        yield from block(text, may_crop=False, may_cut=False)
