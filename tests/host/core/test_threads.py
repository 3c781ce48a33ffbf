"""Blocking functions in threads that nothing waits for."""

import threading
from contextvars import ContextVar

import anyio
import pytest

from host.core.threads import call_in_thread

WHO: ContextVar[str] = ContextVar("WHO", default="nobody")


def test_what_it_returns_and_the_context_are_passed_on() -> None:
    async def main() -> tuple[str, str]:
        WHO.set("me")
        return await call_in_thread(lambda: (WHO.get(), threading.current_thread().name), name="gg-test")

    assert anyio.run(main) == ("me", "gg-test")


def test_what_it_calls_may_run_a_loop_of_its_own() -> None:
    sniffio = pytest.importorskip("sniffio", reason="without it, nothing notes that a loop runs")

    async def inner() -> str:
        assert sniffio.current_async_library() == "asyncio"
        return "from a loop within"

    assert anyio.run(call_in_thread, lambda: anyio.run(inner)) == "from a loop within"


@pytest.mark.parametrize("error", [ValueError("a"), SystemExit(3), KeyboardInterrupt()], ids=repr)
def test_what_it_raises_is_raised_where_it_was_called(error: BaseException) -> None:
    def fail() -> None:
        raise error

    async def main() -> BaseException | None:
        try:
            await call_in_thread(fail)
        except BaseException as raised:
            return raised
        return None

    assert anyio.run(main) is error


def test_a_call_that_is_canceled_leaves_its_thread_behind() -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        may_end.wait()
        ended.set()

    async def main() -> bool:
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as group:
                group.start_soon(call_in_thread, wait)
                await anyio.to_thread.run_sync(begun.wait)
                scope.cancel()
        return scope.cancelled_caught

    assert anyio.run(main)
    assert not ended.is_set()
    may_end.set()
    assert ended.wait(10)
