"""Holders that work on one store at the same time: nothing is lost, and what each is told is exact."""

import random
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.memories import Bound, Holder, MemoryRefusal, Mutation, Start, StoreRegistry
from tests.helpers.memories import draft, holder_of, refusal_of, store_of, wanted

STRATEGIES = ["scratchpad", "markdown", "keyword-search"]
MET = {"duplicate", "not_found", "stale_revision"}  # what one meets that another has changed in between
NAMES = ("a", "b", "c")


T = TypeVar("T")


def done_or_refused(act: Callable[[], T]) -> T | str:
    """What the call gives, or the kind of its refusal: which of the two is the schedule's to say."""
    try:
        return act()
    except MemoryRefusal as refusal:
        return refusal.kind


class Diary:
    """A holder that works, and keeps which revision it knows of each memory, by what it did and was told."""

    def __init__(self, holder: Holder, seed: int) -> None:
        self.holder = holder
        self.known: dict[str, int] = {each.name: each.revision for each in holder.state().memories}
        self.mutations: list[Mutation] = []
        self._random = random.Random(seed)

    def works(self, steps: int) -> Iterator[None]:
        """Stops wherever the host lets others in: between a check and its commit as well."""
        for _ in range(steps):
            yield from self._random.choice([self._make, self._revise, self._delete, self._ask])()
            yield

    def _make(self) -> Iterator[None]:
        made = draft(self._random.choice(NAMES), str(len(self.mutations)))
        if done_or_refused(lambda: self.holder.check_write(made)) != "duplicate":
            yield
            self._try(lambda: self.holder.commit_write(made, turn=1))

    def _revise(self) -> Iterator[None]:
        name = self._random.choice(NAMES)
        revision = self.known.get(name)
        if revision is None:
            return
        yield
        if self.holder.strategy.revises:
            after = draft(name, str(self._random.random()))
            self._try(lambda: self.holder.commit_update(after, expected_revision=revision, turn=1))
        else:
            self._try(lambda: self._append(name, revision))

    def _append(self, name: str, revision: int) -> Mutation:
        body = self.holder.read(name).body
        return self.holder.edit(name, body, f"{body}!", expected_revision=revision, turn=1)

    def _delete(self) -> Iterator[None]:
        name = self._random.choice(NAMES)
        yield
        self._try(lambda: self.holder.delete(name, turn=1))

    def _ask(self) -> Iterator[None]:
        self.ask()
        yield

    def ask(self) -> None:
        """Takes the news; whatever is told has to be news."""
        for change in self.holder.news():
            known = self.known.pop(change.name, None)
            assert (change.kind == "added") == (known is None)
            if change.memory is not None:
                assert known is None or known < change.memory.revision
                self.known[change.name] = change.memory.revision

    def _try(self, act: Callable[[], Mutation]) -> None:
        mutation = done_or_refused(act)
        if isinstance(mutation, str):
            assert mutation in MET
            return
        self.mutations.append(mutation)
        entry = mutation.revision
        self.known.pop(entry.name, None)
        if entry.change != "deleted":
            self.known[entry.name] = entry.revision


def check_ends(diaries: list[Diary]) -> None:
    """Every mutation has its place, each name its count, and each holder knows the store as it is."""
    holder = diaries[0].holder
    entries = sorted((made.revision for each in diaries for made in each.mutations), key=lambda e: e.position)
    assert [entry.position for entry in entries] == list(range(holder.position))
    for name in NAMES:
        count = [entry.revision for entry in entries if entry.name == name]
        assert count == list(range(1, len(count) + 1))
    for diary in diaries:
        diary.ask()
        assert diary.known == {each.name: each.revision for each in holder.state().memories}
        assert diary.holder.news() == ()


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(STRATEGIES), st.integers(0, 2**32 - 1))
def test_whatever_the_order_of_the_steps(strategy: str, seed: int) -> None:
    order = random.Random(seed)
    store = store_of(strategy)
    diaries = [Diary(holder_of(store, agent_id=name), order.randrange(2**32)) for name in ("x", "y", "z")]
    working = [diary.works(12) for diary in diaries]
    while working:
        steps = order.choice(working)
        if next(steps, steps) is steps:
            working.remove(steps)

    check_ends(diaries)


@contextmanager
def switching_often() -> Iterator[None]:
    """Threads take turns within a call, not only between two."""
    interval_s = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(interval_s)


def at_once(*acts: Callable[[], object], together: threading.Barrier | None = None) -> None:
    """Runs each in a thread of its own; what one raises fails the test, and nobody waits for it."""
    failures: list[BaseException] = []

    def guarded(act: Callable[[], object]) -> None:
        try:
            act()
        except BaseException as error:
            failures.append(error)
            if together is not None:
                together.abort()

    with switching_often():
        threads = [threading.Thread(target=guarded, args=(act,)) for act in acts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_threads_that_step_together(strategy: str) -> None:
    store, together = store_of(strategy), threading.Barrier(3)
    diaries = [Diary(holder_of(store, agent_id=str(seed)), seed) for seed in range(3)]

    def work(diary: Diary) -> None:
        steps = diary.works(1_000)
        for _ in range(200):
            together.wait()
            next(steps)
        steps.close()

    at_once(*(partial(work, diary) for diary in diaries), together=together)

    check_ends(diaries)


def test_of_two_that_expect_the_same_revision_one_succeeds() -> None:
    store, together = store_of("scratchpad"), threading.Barrier(2)
    holders = [holder_of(store, agent_id=name) for name in ("x", "y")]
    holders[0].commit_write(draft("a"), turn=1)
    won: list[int] = []

    def race(holder: Holder) -> None:
        for revision in range(1, 101):
            together.wait()
            made = draft("a", holder.agent_id)
            ended = done_or_refused(partial(holder.commit_update, made, expected_revision=revision, turn=1))
            if ended != "stale_revision":
                won.append(revision)

    at_once(*(partial(race, holder) for holder in holders), together=together)

    assert won == list(range(1, 101))


def test_a_check_is_made_again_as_it_is_committed() -> None:
    """The one that committed in between wins, however long the other compiled."""
    store = store_of("scratchpad")
    one, other = holder_of(store, agent_id="one"), holder_of(store, agent_id="other")
    one.check_write(draft("a"))
    at_once(lambda: other.commit_write(draft("a"), turn=1))

    assert refusal_of(lambda: one.commit_write(draft("a"), turn=1)).kind == "duplicate"


def test_a_copy_is_of_one_moment() -> None:
    """It has what was written before it and nothing of what came after, and is told as much."""
    stores, start = StoreRegistry(), threading.Barrier(2)
    forker = stores.bind(wanted("a"), Start(kind="root")).holder
    child = stores.bind(wanted("c", scope="inherited"), Start(kind="subagent", offered=forker)).holder
    copies: list[Bound] = []

    def write() -> None:
        start.wait()
        for number in range(300):
            child.create(draft(f"{number:03}"), turn=1)

    def copy() -> None:
        start.wait()
        while len(copies) < 40:
            copies.append(stores.bind(wanted(f"a-{len(copies) + 2}"), Start(kind="fork", offered=forker)))

    at_once(write, copy, together=start)

    assert child.position == 300
    for bound in copies:
        names = [each.name for each in bound.holder.state().memories]
        assert names == [f"{number:03}" for number in range(bound.holder.position)]
        assert [change.name for change in bound.holder.news()] == names
    assert [change.name for change in forker.news()] == [f"{number:03}" for number in range(300)]
