"""Replies written beforehand: lists, functions, folders, and what is no reply."""

import os
import re
import runpy
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest

from host.core.errors import ProviderError
from host.core.messages import Message, Reply, ToolCall, Usage
from host.providers import ModelRequest, ScriptedProvider, ScriptedReply, ScriptedSource, read_reply_folder
from host.providers.scripted import MAX_REPLY_BYTES

MESSAGES = (Message("system", "You write programs."), Message("user", "Task\n----\ndo it"))
REQUEST = ModelRequest(agent_id="root", messages=MESSAGES)
USAGE = Usage(input_tokens=7, output_tokens=3)


def replies(source: ScriptedSource, count: int) -> list[Reply]:
    provider = ScriptedProvider(source)

    async def ask() -> list[Reply]:
        return [await provider.reply(REQUEST) for _ in range(count)]

    return anyio.run(ask)


def failure(source: ScriptedSource, count: int = 1) -> str:
    with pytest.raises(ProviderError) as caught:
        replies(source, count)
    return str(caught.value)


def test_a_list_is_given_in_order() -> None:
    full = Reply(text="b", finish_reason="length", usage=USAGE)
    written = ScriptedReply.model_validate(
        {"text": "c", "finishReason": "length", "usage": {"inputTokens": 7, "outputTokens": 3}}
    )

    assert replies(["a", full, written], 3) == [
        Reply(text="a"),
        full,
        Reply(text="c", finish_reason="length", usage=USAGE),
    ]


def test_each_provider_starts_at_the_first_reply() -> None:
    source = ["a", "b"]

    assert replies(source, 1) == replies(source, 1) == [Reply(text="a")]


def test_a_list_that_changes_later_is_not_followed() -> None:
    source = ["a"]
    provider = ScriptedProvider(source)
    source.clear()

    assert anyio.run(provider.reply, REQUEST) == Reply(text="a")


USED_UP = [
    pytest.param([], 1, "scripted replies used up after 0", id="none"),
    pytest.param(["a", "b"], 3, "scripted replies used up after 2", id="two"),
    pytest.param(["a"], 2, "scripted replies used up after 1", id="one"),
]


@pytest.mark.parametrize(("source", "count", "message"), USED_UP)
def test_replies_are_used_up(source: list[str], count: int, message: str) -> None:
    assert failure(source, count) == message


def test_a_reply_that_is_an_error_fails_the_request() -> None:
    assert failure([ScriptedReply(error="overloaded")]) == "overloaded"


def plain(messages: tuple[Message, ...], agent_id: str) -> str:
    return f"{agent_id}: {messages[-1].text}"


async def awaited(messages: tuple[Message, ...], agent_id: str) -> Reply:
    await anyio.lowlevel.checkpoint()
    return Reply(text=plain(messages, agent_id), usage=USAGE)


class Callback:
    async def __call__(self, messages: tuple[Message, ...], agent_id: str) -> str:
        return plain(messages, agent_id)


def wrapping(messages: tuple[Message, ...], agent_id: str) -> Awaitable[Reply]:
    return awaited(messages, agent_id)


FUNCTIONS = [
    pytest.param(plain, Usage(), id="function"),
    pytest.param(awaited, USAGE, id="coroutine function"),
    pytest.param(Callback(), Usage(), id="object with a coroutine"),
    pytest.param(wrapping, USAGE, id="function that returns a coroutine"),
]


@pytest.mark.parametrize(("function", "usage"), FUNCTIONS)
def test_a_function_gets_the_messages_and_the_agent(function: ScriptedSource, usage: Usage) -> None:
    assert replies(function, 2) == [Reply(text="root: Task\n----\ndo it", usage=usage)] * 2


def test_a_function_runs_in_a_thread_and_a_coroutine_in_the_loop() -> None:
    threads: list[threading.Thread] = []

    def blocking(messages: tuple[Message, ...], agent_id: str) -> str:
        threads.append(threading.current_thread())
        return ""

    async def in_the_loop(messages: tuple[Message, ...], agent_id: str) -> str:
        return blocking(messages, agent_id)

    replies(blocking, 1)
    replies(in_the_loop, 1)

    assert [thread is threading.current_thread() for thread in threads] == [False, True]


def test_a_function_that_blocks_does_not_hold_up_a_cancellation() -> None:
    started, release = threading.Event(), threading.Event()
    order: list[str] = []

    def blocking(messages: tuple[Message, ...], agent_id: str) -> str:
        started.set()
        release.wait(10)
        order.append("returned")
        return ""

    async def cancel_it() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ScriptedProvider(blocking).reply, REQUEST)
            await anyio.to_thread.run_sync(started.wait)
            tasks.cancel_scope.cancel()
        order.append("canceled")
        release.set()

    anyio.run(cancel_it)

    assert order[0] == "canceled"


NEVER_RETURNS = """
import threading
import anyio
from host.providers import ModelRequest, ScriptedProvider

started = threading.Event()

def never(messages, agent):
    started.set()
    threading.Event().wait()

async def give_up():
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ScriptedProvider(never).reply, ModelRequest(agent_id="root", messages=()))
        await anyio.to_thread.run_sync(started.wait)
        tasks.cancel_scope.cancel()

anyio.run(give_up)
"""


def test_a_function_that_never_returns_does_not_keep_the_process() -> None:
    ended = subprocess.run([sys.executable, "-c", NEVER_RETURNS], timeout=30)

    assert ended.returncode == 0


def second_fails() -> Callable[[tuple[Message, ...], str], str]:
    given = iter(["a"])

    def function(messages: tuple[Message, ...], agent_id: str) -> str:
        try:
            return next(given)
        except StopIteration:
            raise ValueError("no more") from None

    return function


def no_quota(messages: tuple[Message, ...], agent_id: str) -> str:
    raise ProviderError("no quota")


PLACE = re.compile(r" \(line \d+ of test_scripted\.py\)$")


class Unspeakable(Exception):
    def __repr__(self) -> str:
        raise RuntimeError("no text")


def raises(error: Exception) -> Callable[[tuple[Message, ...], str], str]:
    def function(messages: tuple[Message, ...], agent_id: str) -> str:
        raise error

    return function


FAILING = [
    pytest.param(
        second_fails(), 2, "the scripted function failed at reply 2: ValueError('no more')", id="raises"
    ),
    pytest.param(no_quota, 1, "no quota", id="raises what a provider raises"),
    pytest.param(
        lambda messages, agent_id: 5,
        1,
        "a scripted reply is a string or a Reply, and this is int",
        id="returns a number",
    ),
    pytest.param(
        raises(ValueError("x" * 3000)),
        1,
        f"the scripted function failed at reply 1: ValueError('{'x' * 1988}…",
        id="raises a long text",
    ),
    pytest.param(
        raises(Unspeakable()),
        1,
        "the scripted function failed at reply 1: Unspeakable, which cannot be shown: RuntimeError",
        id="raises what cannot be shown",
    ),
    pytest.param(
        lambda messages, agent_id: Reply(text=5),  # type: ignore[arg-type]
        1,
        "the text of a Reply is a string, and this is int",
        id="returns a Reply of a number",
    ),
    pytest.param(
        lambda messages, agent_id: Reply(text="", finish_reason="done"),  # type: ignore[arg-type]
        1,
        "the finish_reason of a Reply is stop, length or timeout, and this is 'done'",
        id="returns a Reply with an unknown finish_reason",
    ),
    pytest.param(
        lambda messages, agent_id: Reply(text="", usage=None),  # type: ignore[arg-type]
        1,
        "the usage of a Reply is a Usage of two counts, and this is None",
        id="returns a Reply without a usage",
    ),
    pytest.param(
        lambda messages, agent_id: Reply(text="", usage=Usage(input_tokens=-1)),
        1,
        "the usage of a Reply is a Usage of two counts, and this is"
        " Usage(input_tokens=-1, output_tokens=0, cached_input_tokens=0, cost=None)",
        id="returns a Reply with a negative usage",
    ),
    pytest.param(
        lambda messages, agent_id: Reply(text="", usage=Usage(cost=0.5)),  # type: ignore[arg-type]
        1,
        "the cost of a Usage is a Decimal, 0 or more, or None, and this is 0.5",
        id="returns a Reply of a cost that is no Decimal",
    ),
    pytest.param(
        lambda messages, agent_id: Reply(tool_calls=("submit_program",)),  # type: ignore[arg-type]
        1,
        "the tool_calls of a Reply are a tuple of ToolCall, and this is ('submit_program',)",
        id="returns a Reply with calls that are none",
    ),
    pytest.param(
        lambda messages, agent_id: Reply(
            tool_calls=(ToolCall(id="1", name="submit_program", arguments={"program": ""}),)  # type: ignore[arg-type]
        ),
        1,
        "the arguments of a ToolCall are JSON text, and this is dict",
        id="returns a call whose arguments are no text",
    ),
    pytest.param(
        lambda messages, agent_id: Reply(tool_calls=(ToolCall(id=None, name="x", arguments="{}"),)),  # type: ignore[arg-type]
        1,
        "the id of a ToolCall is a string, and this is NoneType",
        id="returns a call without an id",
    ),
    pytest.param(
        lambda messages, agent_id: None,
        1,
        "a scripted reply is a string or a Reply, and this is NoneType",
        id="returns nothing",
    ),
]


@pytest.mark.parametrize(("function", "count", "message"), FAILING)
def test_a_function_fails(function: ScriptedSource, count: int, message: str) -> None:
    assert PLACE.sub("", failure(function, count)) == message


def test_a_function_that_fails_is_told_with_the_line_of_its_own_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import json\n"
        "def play(messages, agent_id):\n"
        "    return told()\n"
        "def told():\n"
        "    return json.loads('')\n"
        "def lacking():\n"
        "    return ''\n"
    )
    module = runpy.run_path(str(file))

    assert failure(module["play"], 1).endswith(" (line 5 of mine.py)")
    assert failure(module["lacking"], 1) == (
        "the scripted function failed at reply 1: "
        "TypeError('lacking() takes 0 positional arguments but 2 were given')"
    )


def test_a_folder_is_read_in_name_order_and_to_the_letter(tmp_path: Path) -> None:
    files = {
        "10-last.txt": "last",
        "01-first.ts": "\ufeffexport {}\r\n",
        "02-prose.md": "```ts\nexport {}\n```\n",
        "03-full.json": '{"text": "x", "finishReason": "length", "usage": {"outputTokens": 3}}',
        "04-error.json": '{"error": "overloaded"}',
        "notes.rst": "passed over",
        "README": "passed over",
        "._01-first.ts": "passed over",
    }
    (tmp_path / ".#01-first.ts").symlink_to("user@host.1")  # an editor's lock
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode())

    assert read_reply_folder(tmp_path) == (
        "\ufeffexport {}\r\n",
        "```ts\nexport {}\n```\n",
        ScriptedReply.model_validate({"text": "x", "finishReason": "length", "usage": {"outputTokens": 3}}),
        ScriptedReply(error="overloaded"),
        "last",
    )


def test_a_folder_without_a_reply_gives_none(tmp_path: Path) -> None:
    assert read_reply_folder(tmp_path) == ()


def test_a_folder_that_is_not_there_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_reply_folder(tmp_path / "absent")


BAD_FILES = [
    pytest.param(
        "a.json", b"{", "the reply a.json:1:1: no JSON: the text ends inside an object", id="no JSON"
    ),
    pytest.param("a.json", b"[]", "the reply a.json: the reply: needs an object, and this is []", id="array"),
    pytest.param(
        "a.ts",
        b"a\xff",
        "the reply a.ts is no UTF-8, at byte 2",
        id="no UTF-8",
    ),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD_FILES)
def test_a_file_that_is_no_reply_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)

    with pytest.raises(ProviderError) as caught:
        read_reply_folder(tmp_path)

    assert str(caught.value) == message


def test_a_directory_that_looks_like_a_reply_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.md").mkdir()

    with pytest.raises(ProviderError, match=r"^the reply a\.md cannot be read: is a directory$"):
        read_reply_folder(tmp_path)


def test_a_pipe_or_a_device_among_the_replies_is_named_and_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.ts")
    with pytest.raises(ProviderError, match=r"^the reply a\.ts cannot be read: not a regular file$"):
        read_reply_folder(tmp_path)

    (tmp_path / "a.ts").unlink()
    (tmp_path / "a.ts").symlink_to("/dev/zero")
    with pytest.raises(ProviderError, match=r"^the reply a\.ts cannot be read: not a regular file$"):
        read_reply_folder(tmp_path)


def test_a_reply_of_any_size_that_no_program_has_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.ts").touch()
    os.truncate(tmp_path / "a.ts", MAX_REPLY_BYTES + 1)

    with pytest.raises(ProviderError, match=r"^the reply a\.ts is larger than 8 MiB$"):
        read_reply_folder(tmp_path)
