"""Functions that fail, take too long, or try to end more than their call."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from host.core.errors import Refusal
from host.tools import ToolFailure, python_tool
from host.tools.python_failures import refusal_of
from tests.host.tools.functions import called

HERE = Path(__file__)


class Silent(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no word")


FAILURES: list[Any] = [
    (ValueError("is odd"), "io-error: local.fail failed: ValueError: is odd"),
    (ValueError(), "io-error: local.fail failed: ValueError"),
    (KeyError("a"), "io-error: local.fail failed: KeyError: 'a'"),
    (ValueError("a\x1b[31m\u202e"), "io-error: local.fail failed: ValueError: a\\u001b[31m\\u202e"),
    (ValueError("x" * 2_000), f"io-error: local.fail failed: ValueError: {'x' * 1_000}…"),
    (Silent(), "io-error: local.fail failed: Silent"),
    (
        FileNotFoundError(2, "No such file or directory", str(HERE)),
        "io-error: local.fail failed: FileNotFoundError: no such file or directory",
    ),
    (
        ValueError(f"cannot read {HERE} or '{HERE.parent}/x y': /v1/users, https://a.b/c, 1/2"),
        "io-error: local.fail failed: ValueError: cannot read test_python_failures.py or 'x y': /v1/users,"
        " https://a.b/c, 1/2",
    ),
    (ExceptionGroup("several", [ValueError("inner")]), "io-error: local.fail failed: ValueError: inner"),
    (
        ExceptionGroup("several", [ValueError("a"), ValueError("b")]),
        "io-error: local.fail failed: ExceptionGroup: several (2 sub-exceptions)",
    ),
    (StopIteration(3), "io-error: local.fail failed: StopIteration: 3"),
    (TimeoutError("mine"), "io-error: local.fail failed: TimeoutError: mine"),
    (SystemExit(3), "io-error: local.fail failed: SystemExit: 3"),
    (KeyboardInterrupt(), "io-error: local.fail failed: KeyboardInterrupt"),
    (GeneratorExit(), "io-error: local.fail failed: GeneratorExit"),
    (ToolFailure("not-found", f"There is no {HERE}."), f"not-found: There is no {HERE}."),
    (ToolFailure("conflict", "a\x00"), "conflict: a\\u0000"),
]


@pytest.mark.parametrize(("error", "expected"), FAILURES, ids=[expected for _, expected in FAILURES])
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_what_a_function_raises_is_told(error: BaseException, expected: str, is_async: bool) -> None:
    def fail() -> None:
        raise error

    async def fail_async() -> None:
        raise error

    if is_async and isinstance(error, StopIteration):  # Python makes another of it
        expected = "io-error: local.fail failed: RuntimeError: coroutine raised StopIteration"
    fail_async.__name__ = "fail"

    assert called(fail_async if is_async else fail) == expected


def test_the_whole_of_a_failure_is_kept_for_the_operator() -> None:
    def fail() -> None:
        raise OSError(2, "No such file or directory", str(HERE))

    async def main() -> Refusal:
        tool = python_tool(fail, timeout_s=10)
        with pytest.raises(Refusal) as caught:
            await tool.run(tool.bind({}))
        return caught.value

    cause = anyio.run(main).__cause__

    assert isinstance(cause, FileNotFoundError)
    assert cause.filename == str(HERE)
    assert cause.__traceback__ is not None


def test_a_failure_has_a_code_that_there_is() -> None:
    with pytest.raises(ValueError, match="no code") as caught:
        ToolFailure("gone", "It is gone.")  # type: ignore[arg-type]

    assert str(caught.value) == (
        "`gone` is no code of a failure; it is one of `invalid-argument`, `not-found`, `conflict`, `refused`,"
        " `unavailable`, `limit-exceeded`, `io-error` or `other`"
    )
    assert refusal_of("local.a", ToolFailure("other", "Gone.")).kind == "tool"


def test_a_sync_function_that_takes_too_long_is_left_to_itself() -> None:
    may_end, ended = threading.Event(), threading.Event()

    def wait() -> None:
        may_end.wait()
        ended.set()

    tool = python_tool(wait, timeout_s=0.01)

    assert late(tool.run) == (
        "limit-exceeded: local.wait took longer than its limit of 0.01 s. What it had begun may still go on."
    )
    may_end.set()
    assert ended.wait(10)


def test_an_async_function_that_takes_too_long_is_canceled() -> None:
    left = []

    async def wait() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            left.append("canceled")

    assert late(python_tool(wait, timeout_s=0.01).run) == (
        "limit-exceeded: local.wait took longer than its limit of 0.01 s."
    )
    assert left == ["canceled"]


def test_something_to_await_is_under_the_limit_as_well() -> None:
    def wait() -> Any:  # noqa: ANN401  (is async without saying so)
        return anyio.sleep_forever()

    assert late(python_tool(wait, timeout_s=0.01).run) == (
        "limit-exceeded: local.wait took longer than its limit of 0.01 s. What it had begun may still go on."
    )


def late(run: Callable[[object], Any]) -> str:
    async def main() -> str:
        with pytest.raises(Refusal) as caught:
            await run({})
        return f"{caught.value.code}: {caught.value.message}"

    return anyio.run(main)


def test_a_function_that_cancels_itself_cancels_nothing_else() -> None:
    async def cancel() -> None:
        raise anyio.get_cancelled_exc_class()

    assert called(cancel) == "io-error: local.cancel failed: it canceled itself."


def test_a_call_whose_caller_is_canceled_is_canceled_with_it() -> None:
    events = []

    async def wait() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            events.append("function")

    async def main() -> None:
        tool = python_tool(wait, timeout_s=60)
        async with anyio.create_task_group() as group:
            group.start_soon(tool.run, tool.bind({}))
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()
        events.append("caller")

    anyio.run(main)

    assert events == ["function", "caller"]


def test_sync_functions_run_side_by_side() -> None:
    both = threading.Barrier(2, timeout=10)

    def meet() -> int:
        return both.wait()

    async def main() -> list[object]:
        tool = python_tool(meet, timeout_s=10)
        found: list[object] = []

        async def call() -> None:
            found.append((await tool.run(tool.bind({}))).value)

        async with anyio.create_task_group() as group:
            group.start_soon(call)
            group.start_soon(call)
        return found

    assert sorted(map(str, anyio.run(main))) == ["0", "1"]
