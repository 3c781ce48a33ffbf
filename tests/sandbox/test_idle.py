"""Idle workers of several pools: whose they are, which is used next, and which is given up."""

import pytest

from runtime_js.globals import guest_globals
from sandbox import Call, Ended, GuestProgram, SandboxPool
from sandbox.handle import WorkerHandle
from sandbox.idle import IdleWorkers, most_idle

PROGRAM = GuestProgram(js="1 + 1;\n", seed=1)


def test_the_worker_used_last_is_used_next_and_one_started_ahead_is_used_last() -> None:
    idle = IdleWorkers[str](most=8)
    idle.put("a", "first")
    idle.put("a", "second")
    idle.put("a", "ahead", last=True)

    assert idle.of("a") == ("ahead", "first", "second")
    assert [idle.take("a") for _ in range(4)] == ["second", "first", "ahead", None]


def test_a_worker_is_taken_by_its_owner_alone() -> None:
    idle = IdleWorkers[str](most=8)
    idle.put("a", "worker")

    assert idle.take("b") is None
    assert idle.of("b") == ()
    assert idle.take("a") == "worker"


@pytest.mark.parametrize("last", [False, True])
def test_beyond_the_bound_the_one_that_waited_longest_is_given_up_whoever_owns_it(last: bool) -> None:
    idle = IdleWorkers[str](most=2)

    assert [idle.put("a", "oldest"), idle.put("b", "old")] == [None, None]
    assert idle.put("b", "new", last=last) == "oldest"
    assert (idle.of("a"), set(idle.of("b"))) == ((), {"old", "new"})


def test_one_that_was_taken_and_came_back_has_waited_least() -> None:
    idle = IdleWorkers[str](most=2)
    idle.put("a", "one")
    idle.put("b", "other")
    idle.put("a", str(idle.take("a")))

    assert idle.put("c", "third") == "other"


def test_what_is_forgotten_belongs_to_nobody() -> None:
    idle = IdleWorkers[str](most=1)
    idle.put("a", "of the old process")
    idle.forget()

    assert idle.take("a") is None
    assert idle.put("a", "worker") is None


def test_a_machine_has_room_for_some() -> None:
    assert most_idle() >= 8


def test_pools_that_share_a_bound_go_on_after_their_workers_were_given_up() -> None:
    idle = IdleWorkers[WorkerHandle](most=1)
    with (
        SandboxPool(globals=guest_globals(), idle=idle) as one,
        SandboxPool(globals=guest_globals(), idle=idle) as other,
    ):
        for pool, waiting in ((one, other), (other, one), (one, other)):
            assert isinstance(pool.run(PROGRAM, answer), Ended)
            assert (len(pool.worker_pids), waiting.worker_pids) == (1, ())


def answer(call: Call) -> str:
    return '{"ok":null}'
