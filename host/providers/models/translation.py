"""Messages and tools in the model library's terms, and its responses in gg's."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from host.core.messages import FinishReason, Message, Reply, ToolCall, ToolSpec, Usage
from host.core.surrogates import sendable
from host.providers.models.failures import FilterWithheld, StreamCut

_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_-]")
_MAX_NAME_CHARS: Final = 64
Said = tuple[str, tuple[ToolCall, ...]]
"""What tells one message of the model's from another: its text and its calls."""


class Translation:
    """Translates for one agent. It keeps what came beside the calls of earlier replies, such as signed
    thoughts: some vendors want it back with them.
    """

    def __init__(self) -> None:
        self._answered: dict[Said, ModelResponse] = {}

    def messages(self, messages: Sequence[Message]) -> list[ModelMessage]:
        """The prompt. What stands between two messages of the model's becomes one request."""
        names = {call.id: call.name for message in messages for call in message.tool_calls}
        kept: dict[Said, ModelResponse] = {}
        translated: list[ModelMessage] = []
        pending: list[ModelRequestPart] = []
        for message in messages:
            if message.role != "assistant":
                pending += _request_parts(message, names)
                continue
            said = (message.text, message.tool_calls)
            response = self._answered.get(said) or _response(message)
            if said in self._answered:
                kept[said] = response
            if not response.parts:
                continue  # nothing was said, and vendors take no message without content
            if pending:
                translated.append(ModelRequest(parts=pending))
                pending = []
            translated.append(response)
        if pending:
            translated.append(ModelRequest(parts=pending))
        self._answered = kept
        return translated

    def reply(self, response: ModelResponse) -> Reply:
        """Raises `StreamCut` for a response that does not say that it is whole, `FilterWithheld`."""
        reply = Reply(
            text="".join(part.content for part in response.parts if isinstance(part, TextPart)),
            tool_calls=tuple(_call(part) for part in response.parts if isinstance(part, ToolCallPart)),
            finish_reason=_finish_reason(response),
            usage=_usage(response),
            model=response.model_name or "",
        )
        if reply.tool_calls and reply.finish_reason == "stop":
            self._answered[reply.text, reply.tool_calls] = response
        return reply


def parameters_of(tools: Iterable[ToolSpec]) -> ModelRequestParameters:
    """The tools, and that text is an answer as well."""
    return ModelRequestParameters(function_tools=[*map(_definition, tools)], allow_text_output=True)


def _request_parts(message: Message, names: dict[str, str]) -> Iterator[ModelRequestPart]:
    text = sendable(message.text)
    match message.role:
        case "system":
            yield SystemPromptPart(content=text)
        case "tool":
            id_ = message.answers or ""
            yield ToolReturnPart(tool_name=_name(names.get(id_, "")), content=text, tool_call_id=id_)
        case _ if not message.images:
            yield UserPromptPart(content=text)
        case _:
            pictures = (BinaryContent(image.data, media_type=image.media_type) for image in message.images)
            content: list[UserContent] = [text, *pictures]
            yield UserPromptPart(content=content)


def _response(message: Message) -> ModelResponse:
    parts: list[ModelResponsePart] = []
    if message.text.strip():
        parts.append(TextPart(content=sendable(message.text)))
    parts += (
        ToolCallPart(tool_name=_name(call.name), args=sendable(call.arguments), tool_call_id=call.id)
        for call in message.tool_calls
    )
    return ModelResponse(parts=parts)


def _name(name: str) -> str:
    """A name that vendors take, of a tool that a model has made up."""
    return _NOT_IN_NAMES.sub("_", name)[:_MAX_NAME_CHARS] or "unnamed"


def _definition(tool: ToolSpec) -> ToolDefinition:
    # Not strict: what a vendor's strict mode does not know would be dropped from the schema.
    return ToolDefinition(
        name=tool.name,
        description=sendable(tool.description),
        parameters_json_schema=_schema(tool.parameters),
        strict=False,
    )


@lru_cache(maxsize=1024)
def _schema(parameters: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(sendable(parameters))
    return schema


def _call(part: ToolCallPart) -> ToolCall:
    """Arguments that are absent are none; such as cannot be parsed are the loop's to answer."""
    args = part.args
    if args is None or args == "":
        args = "{}"
    written = args if isinstance(args, str) else json.dumps(args, ensure_ascii=False)
    return ToolCall(id=part.tool_call_id, name=part.tool_name, arguments=written)


def _finish_reason(response: ModelResponse) -> FinishReason:
    details = response.provider_details or {}
    match response.finish_reason:
        case "length":
            return "length"
        case "content_filter":
            raise FilterWithheld(_withheld(details))
        case "error":
            raise StreamCut(f"the provider broke the reply off: {details.get('finish_reason', 'error')}")
        case None if not details.get("finish_reason"):
            raise StreamCut("the reply ended without saying that it is whole")
    return "stop"


def _withheld(details: dict[str, Any]) -> str:
    told = details.get("refusal") or details.get("finish_reason")
    why = f": {told}" if isinstance(told, str) and told else ""
    return f"the provider withheld the reply{why}"


def _usage(response: ModelResponse) -> Usage:
    billed = response.usage
    return Usage(
        input_tokens=billed.input_tokens,
        output_tokens=billed.output_tokens,
        cached_input_tokens=billed.cache_read_tokens,
        cost=billed.cost if billed.cost is not None else _price(response),
    )


def _price(response: ModelResponse) -> Any:  # noqa: ANN401  (a Decimal, by the library's price data)
    """What the tokens cost by the library's list of prices; `None` for a model that is not in it."""
    if not response.model_name or response.usage.unmeasured_requests:
        return None
    try:
        return response.cost().total_price
    except (LookupError, ValueError):
        return None
