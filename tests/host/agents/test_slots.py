"""So many run at a time, the others in the order in which they came; who waits lets others run."""

import asyncio

import anyio
import anyio.lowlevel

from host.agents.slots import Slots


def test_as_many_as_there_are_run_and_the_others_follow_in_order() -> None:
    ran: list[str] = []

    async def work(slots: Slots, name: str, go: anyio.Event) -> None:
        async with slots.taken(name):
            ran.append(name)
            await go.wait()

    async def main() -> None:
        slots, go = Slots(2), anyio.Event()
        async with anyio.create_task_group() as tasks:
            for name in ("a", "b", "c", "d"):
                tasks.start_soon(work, slots, name, go)
                await anyio.wait_all_tasks_blocked()
            assert ran == ["a", "b"]
            go.set()

    anyio.run(main)
    assert ran == ["a", "b", "c", "d"]


def test_one_that_ends_and_comes_again_goes_behind_those_that_wait() -> None:
    ran: list[str] = []

    async def work(slots: Slots, name: str) -> None:
        for turn in (1, 2, 3):
            async with slots.taken(name):
                ran.append(f"{name}{turn}")
                await anyio.lowlevel.checkpoint()

    async def main() -> None:
        slots = Slots(1)
        async with anyio.create_task_group() as tasks:
            for name in ("a", "b", "c"):
                tasks.start_soon(work, slots, name)

    anyio.run(main)
    assert ran == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


def test_a_slot_that_is_given_back_is_another_ones_until_it_is_free_again() -> None:
    steps: list[str] = []

    async def spawner(slots: Slots, child_ended: anyio.Event) -> None:
        async with slots.taken("spawner"):
            async with slots.given_back("spawner"):
                await child_ended.wait()
                steps.append("waited")
            steps.append("spawner goes on")

    async def child(slots: Slots, child_ended: anyio.Event) -> None:
        async with slots.taken("child"):
            child_ended.set()
            await anyio.wait_all_tasks_blocked()
            steps.append("child ends")

    async def main() -> None:
        slots, ended = Slots(1), anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(spawner, slots, ended)
            tasks.start_soon(child, slots, ended)

    anyio.run(main)
    assert steps == ["waited", "child ends", "spawner goes on"]


def test_a_slot_is_free_until_the_last_of_several_waits_of_its_agent_goes_on() -> None:
    steps: list[str] = []

    async def waits(slots: Slots, name: str, go: anyio.Event) -> None:
        async with slots.given_back("a"):
            await go.wait()
        steps.append(f"{name} goes on")

    async def other(slots: Slots, name: str) -> None:
        async with slots.taken(name):
            steps.append(f"{name} runs")
            await anyio.wait_all_tasks_blocked()
            steps.append(f"{name} ends")

    async def main() -> None:
        slots, first, last = Slots(1), anyio.Event(), anyio.Event()
        async with slots.taken("a"), anyio.create_task_group() as tasks:
            tasks.start_soon(waits, slots, "first", first)
            tasks.start_soon(waits, slots, "last", last)
            await anyio.wait_all_tasks_blocked()
            first.set()
            await anyio.wait_all_tasks_blocked()
            tasks.start_soon(other, slots, "b")
            await anyio.wait_all_tasks_blocked()
            tasks.start_soon(other, slots, "c")
            await anyio.lowlevel.checkpoint()
            last.set()

    anyio.run(main)
    assert steps == ["first goes on", "b runs", "b ends", "c runs", "c ends", "last goes on"]


def test_several_waits_that_end_at_once_take_one_slot() -> None:
    """A third begins and ends while the slot that the first two want is another agent's."""
    steps: list[str] = []

    async def other(slots: Slots) -> None:
        async with slots.taken("b"):
            steps.append("b runs")

    async def waits(slots: Slots, name: str, go: anyio.Event) -> None:
        async with slots.given_back("a"):
            await go.wait()
        steps.append(name)

    async def main() -> None:
        slots, go = Slots(1), anyio.Event()
        async with anyio.create_task_group() as others, slots.taken("a"):
            async with anyio.create_task_group() as tasks:
                for name in ("first", "second"):
                    tasks.start_soon(waits, slots, name, go)
                await anyio.wait_all_tasks_blocked()
                async with slots.taken("b"):
                    go.set()
                    await anyio.wait_all_tasks_blocked()
                    tasks.start_soon(waits, slots, "third", go)
                    await anyio.wait_all_tasks_blocked()
                    assert steps == []
            others.start_soon(other, slots)
            await anyio.wait_all_tasks_blocked()
            steps.append("a ends")

    anyio.run(main)
    assert sorted(steps[:3]) == ["first", "second", "third"]
    assert steps[3:] == ["a ends", "b runs"]


def test_a_wait_that_begins_while_a_slot_is_awaited_gives_that_one_back() -> None:
    steps: list[str] = []

    async def waits(slots: Slots, name: str, go: anyio.Event) -> None:
        async with slots.given_back("a"):
            await go.wait()
        steps.append(name)

    async def main() -> None:
        slots, first, second = Slots(1), anyio.Event(), anyio.Event()
        async with slots.taken("a"), anyio.create_task_group() as tasks:
            tasks.start_soon(waits, slots, "first", first)
            await anyio.wait_all_tasks_blocked()
            async with slots.taken("b"):
                first.set()
                await anyio.wait_all_tasks_blocked()
                tasks.start_soon(waits, slots, "second", second)
                await anyio.wait_all_tasks_blocked()
            await anyio.wait_all_tasks_blocked()
            async with slots.taken("c"):
                steps.append("c runs while the second waits")
            second.set()

    anyio.run(main)
    assert steps == ["first", "c runs while the second waits", "second"]


def test_a_stop_while_a_slot_is_given_back_leaves_none_taken() -> None:
    async def main() -> list[str]:
        slots = Slots(1)
        with anyio.move_on_after(0):
            async with slots.taken("a"), slots.given_back("a"):
                await anyio.sleep_forever()
        async with slots.taken("b"):
            return ["b runs"]

    assert anyio.run(main) == ["b runs"]


def test_one_that_is_stopped_while_it_waits_takes_no_slot_anew() -> None:
    """An interrupt cancels a task once: it must not wait again, for a slot that may never be free."""

    async def waits(slots: Slots) -> None:
        async with slots.taken("a"), slots.given_back("a"):
            await anyio.sleep_forever()

    async def main() -> bool:
        slots = Slots(1)
        task = asyncio.create_task(waits(slots))
        await anyio.wait_all_tasks_blocked()
        async with slots.taken("b"):
            task.cancel()
            await anyio.wait_all_tasks_blocked()
            return task.cancelled()

    assert anyio.run(main)
