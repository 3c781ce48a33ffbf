"""The provider of one agent whose model is a vendor's: each is streamed, and tried again if that helps."""

from collections.abc import Callable
from typing import Any, Final

import anyio
from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from host.core.errors import HostError
from host.core.messages import Reply
from host.providers.base import ModelRequest
from host.providers.models.choice import RealModel
from host.providers.models.clients import OpenModel
from host.providers.models.failures import StreamIdle, failure_of
from host.providers.models.pulse import Pulse
from host.providers.models.retrying import Failed, Retrying
from host.providers.models.translation import Translation, parameters_of

Arriving = Callable[[int], None]
"""Told how many characters of a reply have arrived so far, as they do."""


class LibraryProvider:
    """Asks a model of the library. `mask` is applied to what the operator is told of a failure."""

    def __init__(
        self,
        choice: RealModel,
        model: OpenModel,
        *,
        retrying: Retrying,
        mask: Callable[[str], str],
        arriving: Arriving,
    ) -> None:
        self._choice: Final = choice
        self._model: Final = model
        self._retrying: Final = retrying
        self._mask: Final = mask
        self._arriving: Final = arriving
        self._translation: Final = Translation()
        self._can_force = True
        self._told_unmeasured = False

    async def reply(self, request: ModelRequest) -> Reply:
        """Raises `ProviderError`. A reply that takes too long is one of the finish reason `timeout`."""
        messages = self._translation.messages(request.messages)
        parameters = parameters_of(request.tools)
        return await self._retrying.run(lambda: self._attempt(messages, parameters, request))

    async def _attempt(
        self, messages: list[ModelMessage], parameters: ModelRequestParameters, request: ModelRequest
    ) -> Reply:
        try:
            with anyio.move_on_after(self._choice.timeout_s):
                return await self._forcing_if_it_can(messages, parameters, request)
        except HostError:
            raise
        except Exception as error:  # whatever the library and the clients below it make of an odd answer
            raise Failed(failure_of(error, self._mask)) from error
        return Reply(finish_reason="timeout")

    async def _forcing_if_it_can(
        self, messages: list[ModelMessage], parameters: ModelRequestParameters, request: ModelRequest
    ) -> Reply:
        """Some models cannot be made to call a tool. They are asked to by the prompt alone."""
        try:
            return await self._streamed(messages, parameters, self._settings(request))
        except UserError as error:
            if not (request.forced_tool and self._can_force and "tool_choice" in str(error)):
                raise
        self._can_force = False
        self._retrying.note(
            f"{self._choice.name} cannot be made to call {request.forced_tool}; it is asked to"
        )
        return await self._streamed(messages, parameters, self._settings(request))

    async def _streamed(
        self, messages: list[ModelMessage], parameters: ModelRequestParameters, settings: ModelSettings
    ) -> Reply:
        with Pulse(self._choice.stream_idle_s) as pulse:
            chars = 0
            async with model_request_stream(
                self._model.library,
                messages,
                model_settings=settings,
                model_request_parameters=parameters,
            ) as stream:
                async for event in stream:
                    pulse.begin()
                    if arrived := _chars_of(event):
                        chars += arrived
                        self._arriving(chars)
                response = stream.get()
                reply = self._translation.reply(response)
                self._tell_unmeasured(response)
                return reply
        raise StreamIdle(f"the reply paused for more than {self._choice.stream_idle_s:g} s")

    def _tell_unmeasured(self, response: ModelResponse) -> None:
        """Some servers say nothing of tokens in a stream. That is told once, or 0 would pass for a figure."""
        if response.usage.unmeasured_requests and not self._told_unmeasured:
            self._told_unmeasured = True
            self._retrying.note(
                f"{self._choice.name} does not tell tokens; usage counts none for its replies"
            )

    def _settings(self, request: ModelRequest) -> ModelSettings:
        choice: Any = None
        if request.tools and request.wants_text:
            choice = "none"
        elif request.forced_tool and self._can_force:
            choice = [request.forced_tool]
        return self._model.settings if choice is None else {**self._model.settings, "tool_choice": choice}


def _chars_of(event: ModelResponseStreamEvent) -> int:
    """How many characters of the reply an event brings; thoughts are none."""
    match event:
        case PartStartEvent(part=TextPart(content=text)):
            return len(text)
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return len(text)
        case PartStartEvent(part=ToolCallPart(args=str() as text)):
            return len(text)
        case PartDeltaEvent(delta=ToolCallPartDelta(args_delta=str() as text)):
            return len(text)
    return 0
