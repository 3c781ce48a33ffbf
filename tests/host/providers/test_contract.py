"""What every provider keeps to, whoever answers: a list, a function, a person, a vendor's model."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio
import pytest

from host.core.errors import ProviderError
from host.core.messages import Message, Reply, ToolCall, ToolSpec
from host.providers import (
    HumanProvider,
    ModelProvider,
    ModelRequest,
    RealModel,
    RunModels,
    ScriptedProvider,
    TypedCall,
)
from tests.helpers.model_server import Said, chat_completions, fault, messages, model_server

ADD = ToolSpec(
    name="add",
    description="Adds.",
    parameters='{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}',
)
HI = (Message("system", "You help."), Message("user", "Hi."))
PLAIN = ModelRequest(agent_id="root", messages=HI)
FORCED = ModelRequest(agent_id="root", messages=HI, tools=(ADD,), forced_tool="add")
OFFERED = ModelRequest(agent_id="root", messages=HI, tools=(ADD,))
Say = str | tuple[str, str] | None
"""What the one in a model's place says: a text, a call of a tool, or nothing any more."""
Opened = Callable[[list[Say]], AbstractAsyncContextManager[ModelProvider]]


@asynccontextmanager
async def scripted(says: list[Say]) -> AsyncIterator[ModelProvider]:
    yield ScriptedProvider([_reply(say) for say in says if say is not None])


@asynccontextmanager
async def function(says: list[Say]) -> AsyncIterator[ModelProvider]:
    left = list(says)

    def answer(prompt: tuple[Message, ...], agent_id: str) -> Reply:
        say = left.pop(0)
        if say is None:
            raise ProviderError("nothing more")
        return _reply(say)

    yield ScriptedProvider(answer)


@asynccontextmanager
async def person(says: list[Say]) -> AsyncIterator[ModelProvider]:
    left = list(says)

    def asked(request: ModelRequest) -> str | tuple[TypedCall, ...] | None:
        say = left.pop(0)
        return (TypedCall(name=say[0], arguments=say[1]),) if isinstance(say, tuple) else say

    yield HumanProvider(asked)


def vendor(name: str, path: str) -> Opened:
    speaks = messages if name.startswith("anthropic:") else chat_completions

    @asynccontextmanager
    async def opened(says: list[Say]) -> AsyncIterator[ModelProvider]:
        answers = [fault(404, "Nothing more.") if say is None else speaks(_said(say)) for say in says]
        with model_server(*answers) as server:
            models = RunModels(environ={}, mask=str, arriving=lambda agent_id, chars: None)
            model = RealModel(name=name, base_url=server.url(path))
            yield models.provider(model, agent_id="root", note=lambda text: None, is_over=lambda: False)
            await models.aclose()

    return opened


PROVIDERS = [
    pytest.param(scripted, id="scripted"),
    pytest.param(function, id="function"),
    pytest.param(person, id="human"),
    pytest.param(vendor("openai:gpt-4o", "/v1"), id="openai"),
    pytest.param(vendor("anthropic:claude-sonnet-4-6", ""), id="anthropic"),
]
providers = pytest.mark.parametrize("opened", PROVIDERS)


def _reply(say: str | tuple[str, str]) -> Reply:
    if isinstance(say, str):
        return Reply(text=say)
    return Reply(tool_calls=(ToolCall(id="c1", name=say[0], arguments=say[1]),))


def _said(say: str | tuple[str, str]) -> Said:
    return Said(text=say) if isinstance(say, str) else Said(calls=(("c1", *say),))


def with_provider(
    opened: Opened, says: list[Say], use: Callable[[ModelProvider], Awaitable[list[Reply]]]
) -> list[Reply]:
    async def run() -> list[Reply]:
        async with opened(says) as provider:
            return await use(provider)

    return anyio.run(run)


def replies(opened: Opened, says: list[Say], *requests: ModelRequest) -> list[Reply]:
    async def ask(provider: ModelProvider) -> list[Reply]:
        return [await provider.reply(request) for request in requests]

    return with_provider(opened, says, ask)


@providers
def test_texts_come_whole_and_in_order(opened: Opened) -> None:
    got = replies(opened, ["const a = 1;\n", "ü \U0001f600"], PLAIN, PLAIN)

    assert [(reply.text, reply.tool_calls, reply.finish_reason) for reply in got] == [
        ("const a = 1;\n", (), "stop"),
        ("ü \U0001f600", (), "stop"),
    ]


@providers
def test_a_call_has_an_id_and_its_arguments_as_they_were_written(opened: Opened) -> None:
    (reply,) = replies(opened, [("add", '{"a":  1}')], OFFERED)

    (call,) = reply.tool_calls
    assert (call.name, call.arguments, bool(call.id), reply.text) == ("add", '{"a":  1}', True, "")


@providers
def test_a_tool_that_is_forced_is_called(opened: Opened) -> None:
    (reply,) = replies(opened, [("add", '{"a": 1}')], FORCED)

    assert [(call.name, json.loads(call.arguments)) for call in reply.tool_calls] == [("add", {"a": 1})]


@providers
def test_one_that_says_no_more_is_a_providers_error(opened: Opened) -> None:
    async def ask(provider: ModelProvider) -> list[Reply]:
        first = await provider.reply(PLAIN)
        with pytest.raises(ProviderError):
            await provider.reply(PLAIN)
        return [first]

    assert [reply.text for reply in with_provider(opened, ["a", None], ask)] == ["a"]


@providers
def test_usage_is_never_less_than_nothing(opened: Opened) -> None:
    (reply,) = replies(opened, ["a"], PLAIN)

    assert min(reply.usage.input_tokens, reply.usage.output_tokens) >= 0
    assert reply.usage.cost is None or reply.usage.cost >= 0
