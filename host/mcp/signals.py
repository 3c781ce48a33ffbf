"""A server ends when it is asked to, by Ctrl-C or by whoever started it."""

import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import anyio
from anyio.abc import TaskStatus

_ENDING: Final = (signal.SIGINT, signal.SIGTERM)


@asynccontextmanager
async def stopped_by_signals(stop: Callable[[], None] | None = None) -> AsyncIterator[None]:
    """Where one of them comes in, calls `stop`; without it, cancels the block, which ends quietly then."""
    async with anyio.create_task_group() as tasks:

        async def wait(*, task_status: TaskStatus[None]) -> None:
            with anyio.open_signal_receiver(*_ENDING) as signals:
                task_status.started()
                async for _ in signals:
                    (stop or tasks.cancel_scope.cancel)()

        await tasks.start(wait)
        yield
        tasks.cancel_scope.cancel()
