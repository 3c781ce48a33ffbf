"""A pool of processes that are none: what is started, lent and ended, in which order."""

import threading

import pytest

from runtime_js.pool import Pool


class Item:
    """A process to lend."""

    def __init__(self) -> None:
        self.worn_out = False
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def pool_of(size: int) -> tuple[Pool[Item], list[Item]]:
    started: list[Item] = []

    def start() -> Item:
        started.append(Item())
        return started[-1]

    return Pool(start, size=size), started


def test_a_process_is_started_when_needed_and_lent_again() -> None:
    pool, started = pool_of(2)
    assert started == []

    for _ in range(3):
        with pool.lease() as item:
            assert item is started[0]

    assert len(started) == 1


def test_a_pool_that_is_closed_as_a_process_comes_back_ends_it() -> None:
    class ClosingItem(Item):
        @property
        def worn_out(self) -> bool:
            pool.close()  # after the body, before the pool has the process again
            return False

        @worn_out.setter
        def worn_out(self, value: bool) -> None: ...

    item = ClosingItem()
    pool = Pool(lambda: item, size=1)

    with pool.lease():
        pass

    assert item.closed == 1


def test_two_leases_at_a_time_get_two_processes() -> None:
    pool, started = pool_of(2)

    with pool.lease() as first, pool.lease() as second:
        assert [first, second] == started


def test_a_lease_waits_for_a_process_where_all_are_lent() -> None:
    pool, started = pool_of(1)
    lent, got = threading.Event(), threading.Event()

    def borrow() -> None:
        lent.set()
        with pool.lease() as item:
            assert item is started[0]
            got.set()

    with pool.lease():
        thread = threading.Thread(target=borrow)
        thread.start()
        lent.wait()
        assert not got.is_set()
    thread.join()

    assert got.is_set()
    assert len(started) == 1


def test_a_process_whose_use_failed_is_ended_and_replaced() -> None:
    pool, started = pool_of(1)

    with pytest.raises(ZeroDivisionError), pool.lease():
        raise ZeroDivisionError
    with pool.lease() as item:
        assert item is started[1]

    assert [found.closed for found in started] == [1, 0]


def test_a_worn_out_process_is_ended_when_it_comes_back() -> None:
    pool, started = pool_of(1)

    with pool.lease() as item:
        item.worn_out = True
    with pool.lease():
        pass

    assert [found.closed for found in started] == [1, 0]


def test_a_fresh_process_takes_the_place_of_an_idle_one() -> None:
    pool, started = pool_of(1)
    with pool.lease():
        pass

    with pool.lease(fresh=True) as item:
        assert item is started[1]

    assert [found.closed for found in started] == [1, 0]


def test_a_fresh_process_is_started_beside_an_idle_one_where_there_is_room() -> None:
    pool, started = pool_of(2)
    with pool.lease():
        pass

    with pool.lease(fresh=True) as item:
        assert item is started[1]

    assert [found.closed for found in started] == [0, 0]


def test_a_process_that_cannot_be_started_leaves_its_place_free() -> None:
    starts = iter([OSError("no"), Item()])

    def start() -> Item:
        match next(starts):
            case Item() as item:
                return item
            case error:
                raise error

    pool = Pool(start, size=1)

    with pytest.raises(OSError, match=r"^no$"), pool.lease():
        pass
    with pool.lease() as item:
        assert item.closed == 0


def test_a_closed_pool_ends_what_is_idle_and_what_comes_back() -> None:
    pool, started = pool_of(2)

    with pool.lease():
        with pool.lease():
            pass
        pool.close()
        assert [found.closed for found in started] == [0, 1]

    assert [found.closed for found in started] == [1, 1]
    with pytest.raises(RuntimeError, match=r"^the compiler is closed$"), pool.lease():
        pass
