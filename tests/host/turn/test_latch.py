"""The first defect stays; every one is reported."""

import threading

from host.core.errors import HostDefect
from host.turn.latch import Latch


def test_the_first_defect_stays_and_all_are_reported() -> None:
    reported: list[HostDefect] = []
    latch = Latch(reported.append)
    first, second = HostDefect("compiler", "gone"), HostDefect("sandbox", "gone as well")

    assert latch.defect is None
    latch.record(first)
    latch.record(second)

    assert latch.defect is first
    assert reported == [first, second]


def test_a_defect_is_latched_before_it_is_reported() -> None:
    seen: list[HostDefect | None] = []
    latch = Latch(lambda defect: seen.append(latch.defect))
    defect = HostDefect("compiler", "gone")
    latch.record(defect)

    assert seen == [defect]


def test_one_of_many_threads_is_first() -> None:
    reported: list[HostDefect] = []
    latch = Latch(reported.append)
    together = threading.Barrier(8)

    def record(number: int) -> None:
        together.wait()
        latch.record(HostDefect("sandbox", str(number)))

    threads = [threading.Thread(target=record, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert latch.defect in reported
    assert sorted(defect.detail for defect in reported) == [str(number) for number in range(8)]
