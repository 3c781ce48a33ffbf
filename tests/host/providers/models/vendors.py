"""What the tests of real models have in common: the vendors, and requests to the server on loopback."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import anyio

from host.core.errors import ProviderError
from host.core.messages import Message, Reply, ToolSpec
from host.providers import ModelRequest, RealModel
from host.providers.models.clients import OpenModel
from host.providers.models.provider import LibraryProvider
from host.providers.models.retrying import Retrying
from tests.helpers.model_server import (
    Answer,
    Asked,
    ModelServer,
    Said,
    chat_completions,
    messages,
    model_server,
    responses,
)

HI: Final = (Message("system", "You help."), Message("user", "Hi."))
ADD: Final = ToolSpec(
    name="add",
    description="Adds.",
    parameters='{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}',
)


@dataclass(frozen=True, kw_only=True)
class Vendor:
    """A way to speak to a model, and the server's part of it."""

    name: str
    path: str
    speaks: Callable[[Said], Answer]

    def __str__(self) -> str:
        return self.name

    def choice(self, server: ModelServer, **settings: Any) -> RealModel:  # noqa: ANN401  (of a model)
        return replace(RealModel(name=self.name, base_url=server.url(self.path)), **settings)

    def answer(self, given: Said | Answer) -> Answer:
        return given if isinstance(given, Answer) else self.speaks(given)


COMPATIBLE: Final = Vendor(name="openai:gpt-4o", path="/v1", speaks=chat_completions)
CHAT: Final = Vendor(name="openai-chat:gpt-4o", path="/v1", speaks=chat_completions)
RESPONSES: Final = Vendor(name="openai-responses:gpt-4o", path="/v1", speaks=responses)
ANTHROPIC: Final = Vendor(name="anthropic:claude-sonnet-4-6", path="", speaks=messages)
VENDORS: Final = (COMPATIBLE, CHAT, RESPONSES, ANTHROPIC)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of some requests: replies and errors in order, and what was seen on the way."""

    results: tuple[Reply | ProviderError, ...]
    asked: tuple[Asked, ...]
    notes: tuple[str, ...]
    waits_s: tuple[float, ...]
    arrived: tuple[int, ...]

    @property
    def reply(self) -> Reply:
        (result,) = self.results
        assert isinstance(result, Reply), result
        return result

    @property
    def error(self) -> ProviderError:
        (result,) = self.results
        assert isinstance(result, ProviderError), result
        return result

    @property
    def bodies(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(each.body for each in self.asked)


@dataclass
class _Seen:
    notes: list[str] = field(default_factory=list)
    waits_s: list[float] = field(default_factory=list)
    arrived: list[int] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        """No time passes. The waits between two attempts come in slices."""
        self.waits_s.append(seconds)


def request(*sent: Message, **settings: Any) -> ModelRequest:  # noqa: ANN401  (of a request)
    return ModelRequest(agent_id="root", messages=sent or HI, **settings)


def ask(
    vendor: Vendor,
    answers: Iterable[Said | Answer],
    *requests: ModelRequest,
    key: str | None = None,
    mask: Callable[[str], str] = str,
    **settings: Any,  # noqa: ANN401  (of a model)
) -> Outcome:
    """Sends the requests, one after another, to a server that gives the answers in order."""
    with model_server(*map(vendor.answer, answers)) as server:
        return ask_at(vendor, server, *requests, key=key, mask=mask, **settings)


def ask_at(
    vendor: Vendor,
    server: ModelServer,
    *requests: ModelRequest,
    key: str | None = None,
    mask: Callable[[str], str] = str,
    is_over: Callable[[], bool] = lambda: False,
    **settings: Any,  # noqa: ANN401  (of a model)
) -> Outcome:
    """As `ask`, of a server that is there."""
    choice, seen = vendor.choice(server, **settings), _Seen()
    results: list[Reply | ProviderError] = []

    async def run() -> None:
        opened = OpenModel(choice, key)
        retrying = Retrying(
            who=choice.name,
            max_retries=choice.max_retries,
            max_delay_s=choice.retry_max_delay_s,
            note=seen.notes.append,
            is_over=is_over,
            sleep=seen.sleep,
            draw=lambda: 0.0,
        )
        provider = LibraryProvider(choice, opened, retrying=retrying, mask=mask, arriving=seen.arrived.append)
        try:
            for each in requests or (request(),):
                try:
                    results.append(await provider.reply(each))
                except ProviderError as error:
                    results.append(error)
        finally:
            await opened.aclose()

    anyio.run(run)
    return Outcome(
        results=tuple(results),
        asked=tuple(server.asked),
        notes=tuple(seen.notes),
        waits_s=tuple(seen.waits_s),
        arrived=tuple(seen.arrived),
    )
