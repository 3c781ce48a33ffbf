"""Whoever waits looks again at each ring, wherever it was rung."""

import signal
import threading
from collections.abc import Callable

import anyio
import pytest

from host.agents.bell import Bell


def in_thread(ring: Callable[[], None]) -> None:
    thread = threading.Thread(target=ring)
    thread.start()
    thread.join()


def in_loop(ring: Callable[[], None]) -> None:
    ring()


def in_a_handler_of_signals(ring: Callable[[], None]) -> None:
    before = signal.signal(signal.SIGUSR1, lambda number, frame: ring())
    try:
        signal.raise_signal(signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)


@pytest.mark.parametrize("rung", [in_thread, in_loop, in_a_handler_of_signals])
def test_a_ring_wakes_all(rung: Callable[[Callable[[], None]], None]) -> None:
    heard: list[str] = []

    async def wait(bell: Bell, name: str) -> None:
        with bell.heard():
            await bell.until(lambda: bool(facts))
        heard.append(name)

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            bell = Bell(start=tasks.start_soon, limiter=anyio.CapacityLimiter(1))
            async with anyio.create_task_group() as waiting:
                waiting.start_soon(wait, bell, "a")
                waiting.start_soon(wait, bell, "b")
                await anyio.wait_all_tasks_blocked()
                bell.wake()  # nothing has come about yet
                await anyio.wait_all_tasks_blocked()
                assert heard == []
                facts.append("there")
                rung(bell.ring)

    facts: list[str] = []
    anyio.run(main)
    assert sorted(heard) == ["a", "b"]


def test_what_is_due_already_is_not_waited_for() -> None:
    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            await Bell(start=tasks.start_soon, limiter=anyio.CapacityLimiter(1)).until(lambda: True)

    anyio.run(main)


def test_the_thread_is_there_as_long_as_somebody_hears() -> None:
    """A limiter of one lets a second thread not begin before the first has ended."""

    async def main() -> None:
        limiter = anyio.CapacityLimiter(1)
        async with anyio.create_task_group() as tasks:
            bell = Bell(start=tasks.start_soon, limiter=limiter)
            bell.ring()  # nobody hears it
            for _ in range(2):
                with bell.heard(), bell.heard():
                    await anyio.wait_all_tasks_blocked()
                    assert limiter.borrowed_tokens == 1
                await anyio.wait_all_tasks_blocked()
        assert limiter.borrowed_tokens == 0

    anyio.run(main)
