"""A signal wakes the event loop of the main thread, whichever thread the system gives it to."""

import signal
import threading
from types import FrameType

import anyio

from host.app.signals import woken_by_signals

HANGS_S = 20


def test_a_signal_that_interrupts_no_sleep_is_handled_at_once() -> None:
    before = signal.getsignal(signal.SIGUSR1)

    assert threading.current_thread() is threading.main_thread()
    assert anyio.run(_was_woken)
    assert signal.set_wakeup_fd(-1) == -1
    signal.signal(signal.SIGUSR1, before)


def test_elsewhere_than_in_the_main_thread_it_does_nothing() -> None:
    ended: list[bool] = []

    async def run() -> None:
        async with woken_by_signals():
            ended.append(True)

    thread = threading.Thread(target=lambda: anyio.run(run))
    thread.start()
    thread.join()

    assert ended == [True]


async def _was_woken() -> bool:
    """Whether a signal was handled before anything else woke the loop.

    Another thread is given it, which is as good as one that comes in just before the loop goes to sleep.
    """
    handled_at = float("inf")

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal handled_at
        handled_at = anyio.current_time()
        scope.cancel()

    signal.signal(signal.SIGUSR1, handle)
    async with woken_by_signals():
        with anyio.move_on_after(HANGS_S) as scope:
            asleep_until = scope.deadline
            threading.Timer(0.05, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)).start()
            await anyio.sleep_forever()
    return handled_at < asleep_until
