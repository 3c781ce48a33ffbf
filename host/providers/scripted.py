"""Replies that are written beforehand: a list, a folder of files, or a Python function.

A folder is read in name order. `*.ts`, `*.txt` and `*.md` are a whole reply to the letter; `*.json` is an
object with `text`, `toolCalls`, `finishReason`, `usage` and `error`, each of them optional.
"""

import inspect
import json
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import fields
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Final, get_args

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic.alias_generators import to_camel

from host.core.errors import ProviderError, system_reason
from host.core.messages import FinishReason, Message, Reply, ToolCall, Usage
from host.core.regular_files import open_regular
from host.core.text import format_size, join_words, shortened
from host.core.threads import call_in_thread
from host.providers.base import ModelRequest
from host.providers.reply_faults import reply_fault

VERBATIM_SUFFIXES: Final = (".ts", ".txt", ".md")
MAX_REPLY_BYTES: Final = 8 * 2**20

_MAX_TOLD_CHARS: Final = 2000

ScriptedFunction = Callable[[tuple[Message, ...], str], "str | Reply | Awaitable[str | Reply]"]


class _Camel(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, alias_generator=to_camel)


class ScriptedUsage(_Camel):
    """Tokens that the reply claims to have cost, and US dollars."""

    input_tokens: Annotated[int, Field(ge=0)] = 0
    output_tokens: Annotated[int, Field(ge=0)] = 0
    cost: Annotated[float, Field(ge=0, allow_inf_nan=False, strict=False)] | None = None


class ScriptedToolCall(_Camel):
    """A call of a tool. `arguments` is an object, or a text that stands for what is no JSON object."""

    name: str
    arguments: dict[str, JsonValue] | str = {}


class ScriptedReply(_Camel):
    """A reply with more to it than its text. `error` makes the provider fail with that message."""

    text: str = ""
    tool_calls: tuple[ScriptedToolCall, ...] = ()
    finish_reason: FinishReason = "stop"
    usage: ScriptedUsage = ScriptedUsage()
    error: str | None = None


ScriptedSource = Sequence["str | ScriptedReply | Reply"] | ScriptedFunction


class ScriptedProvider:
    """Gives the replies in order; when they are used up the next request fails.

    A function is called with the messages and the agent's id, in a thread unless it is a coroutine function.
    One that blocks past the end of the run's time is left to itself.
    """

    def __init__(self, source: ScriptedSource) -> None:
        self._source: Final = source if callable(source) else tuple(source)
        self._given = 0

    async def reply(self, request: ModelRequest) -> Reply:
        if callable(self._source):
            return await self._call(self._source, request)
        if self._given >= len(self._source):
            raise ProviderError(f"scripted replies used up after {self._given}")
        self._given += 1
        return _as_reply(self._source[self._given - 1], self._given)

    async def _call(self, function: ScriptedFunction, request: ModelRequest) -> Reply:
        self._given += 1
        try:
            if inspect.iscoroutinefunction(function):
                value = await function(request.messages, request.agent_id)
            else:
                value = await call_in_thread(lambda: function(request.messages, request.agent_id))
                if inspect.isawaitable(value):  # of a callable object, or a function that wraps a coroutine
                    value = await value
        except ProviderError:
            raise
        except Exception as error:
            raise ProviderError(
                f"the scripted function failed at reply {self._given}: {_told(error)}{_where(error)}"
            ) from error
        return _as_reply(value, self._given)


def read_reply_folder(folder: Path) -> tuple[str | ScriptedReply, ...]:
    """Reads a folder of replies in name order; other files are passed over, and hidden ones.

    Raises `ProviderError` naming the file that is no reply, `OSError` for a folder that cannot be listed.
    """
    paths = sorted(path for path in folder.iterdir() if _is_reply(path.name))
    return tuple(_read_file(path) for path in paths)


def _is_reply(name: str) -> bool:
    """Hidden files are what editors and systems keep beside a file, such as `.#01.ts`."""
    return name.endswith((*VERBATIM_SUFFIXES, ".json")) and not name.startswith(".")


def _read_file(path: Path) -> str | ScriptedReply:
    try:
        with open_regular(path) as file:
            # Bytes, so that line ends reach the program as they stand in the file.
            data = file.read(MAX_REPLY_BYTES + 1)
    except OSError as error:
        reason = system_reason(error)
        raise ProviderError(f"the reply {path.name} cannot be read: {reason}") from error
    if len(data) > MAX_REPLY_BYTES:
        raise ProviderError(f"the reply {path.name} is larger than {format_size(MAX_REPLY_BYTES)}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProviderError(f"the reply {path.name} is no UTF-8, at byte {error.start + 1}") from error
    if path.suffix != ".json":
        return text
    try:
        return ScriptedReply.model_validate_json(text.removeprefix("\ufeff"))
    except ValidationError as error:
        raise ProviderError(f"the reply {path.name}{reply_fault(error)}") from error


def _as_reply(value: object, number: int) -> Reply:
    """`number` counts the replies of one provider, from 1; the ids of calls are made of it."""
    match value:
        case str():
            return Reply(text=value)
        case Reply():
            return _checked(value)
        case ScriptedReply(error=str() as error):
            raise ProviderError(error)
        case ScriptedReply():
            cost = value.usage.cost
            usage = Usage(
                input_tokens=value.usage.input_tokens,
                output_tokens=value.usage.output_tokens,
                cost=None if cost is None else Decimal(str(cost)),
            )
            calls = tuple(
                _as_call(call, f"call_{number}_{place}")
                for place, call in enumerate(value.tool_calls, start=1)
            )
            return Reply(text=value.text, tool_calls=calls, finish_reason=value.finish_reason, usage=usage)
    raise ProviderError(f"a scripted reply is a string or a Reply, and this is {type(value).__name__}")


def _as_call(call: ScriptedToolCall, id_: str) -> ToolCall:
    written = call.arguments
    arguments = written if isinstance(written, str) else json.dumps(written, ensure_ascii=False)
    return ToolCall(id=id_, name=call.name, arguments=arguments)


def _checked(reply: Reply) -> Reply:
    """The reply, if its fields hold what they are declared to; nothing but this has looked at them."""
    usage: object = reply.usage
    if not isinstance(reply.text, str):
        raise ProviderError(f"the text of a Reply is a string, and this is {type(reply.text).__name__}")
    calls: object = reply.tool_calls
    if not isinstance(calls, tuple) or not all(isinstance(call, ToolCall) for call in calls):
        raise ProviderError(f"the tool_calls of a Reply are a tuple of ToolCall, and this is {calls!r}")
    for call in reply.tool_calls:
        _check_call(call)
    if reply.finish_reason not in get_args(FinishReason):
        known = join_words(get_args(FinishReason), "or")
        raise ProviderError(f"the finish_reason of a Reply is {known}, and this is {reply.finish_reason!r}")
    if not isinstance(usage, Usage) or not all(map(_is_count, (usage.input_tokens, usage.output_tokens))):
        raise ProviderError(f"the usage of a Reply is a Usage of two counts, and this is {usage!r}")
    if not _is_cost(usage.cost):
        cost = repr(usage.cost)
        raise ProviderError(f"the cost of a Usage is a Decimal, 0 or more, or None, and this is {cost}")
    return reply


def _check_call(call: ToolCall) -> None:
    for field in fields(call):
        value = getattr(call, field.name)
        if not isinstance(value, str):
            wanted = "are JSON text" if field.name == "arguments" else "is a string"
            told = f"the {field.name} of a ToolCall {wanted}, and this is {type(value).__name__}"
            raise ProviderError(told)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and value >= 0


def _is_cost(value: object) -> bool:
    return value is None or (isinstance(value, Decimal) and value.is_finite() and value >= 0)


def _told(error: Exception) -> str:
    """The error as Python shows it, in part where that is long."""
    try:
        shown = repr(error)
    except Exception as second:  # an error whose own text cannot be had is told by its name
        return f"{type(error).__name__}, which cannot be shown: {type(second).__name__}"
    return shortened(shown, _MAX_TOLD_CHARS)


def _where(error: Exception) -> str:
    """The line of the function's own file that failed; nothing where the function was not reached."""
    frames = traceback.extract_tb(error.__traceback__)
    last = max((n for n, frame in enumerate(frames) if frame.filename == __file__), default=-1)
    entered = frames[last + 1 :]
    own = [frame for frame in entered if frame.filename == entered[0].filename]
    return f" (line {own[-1].lineno} of {Path(own[-1].filename).name})" if own else ""
