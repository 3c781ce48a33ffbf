"""A loop among others: what it asks of its team, when, and what the team can do to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from host.core.errors import HostDefect
from host.events import Notice
from host.turn.acting import ACTING
from host.turn.ceilings import Ceilings
from host.turn.company import Alone
from host.turn.loop import AgentEnd
from host.turn.modes import Carried
from host.turn.outcome import Fault
from tests.host.turn.bench import Bench, said

FAULT = Fault("threw", "program_throw", "Runtime error", "It threw.")


@dataclass
class Others:
    """A team that notes what it is asked, and does as it is told."""

    steps: list[str] = field(default_factory=list)
    is_canceled: bool = False
    hands_over: bool = False
    cancels_while_waiting: bool = False
    replaces_after: int = 0
    breaks: bool = False

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        self.steps.append("at work")
        self.is_canceled |= self.cancels_while_waiting
        yield
        self.steps.append("rests")

    def reply_failed(self) -> None:
        self.steps.append("failed")

    async def turn_ended(self, turn: int, *, goes_on: bool) -> bool:
        self.steps.append(f"turn {turn} ended, {'goes on' if goes_on else 'over'}")
        if self.breaks:
            raise HostDefect("workspace", "it cannot be copied")
        return turn == self.replaces_after


def bench(others: Others, **more: object) -> Bench:
    made = Bench(**more)  # type: ignore[arg-type]  # fields of the bench
    made.company = others
    return made


def finishes(bench: Bench, reply: str) -> Carried:
    bench.endings.declare("finish", "done")
    return Carried(kept=said(reply))


def fails(bench: Bench, reply: str) -> Carried:
    return Carried(kept=said(reply), fault=FAULT)


def test_each_turn_is_made_in_a_place_of_its_own() -> None:
    others = Others()
    bench(others, replies=["a", "b"], ceilings=Ceilings(max_turns=2)).run()

    assert others.steps == [
        "at work",
        "turn 1 ended, goes on",
        "rests",
        "at work",
        "turn 2 ended, goes on",
        "rests",
    ]


def test_an_ending_leaves_nothing_to_be_started() -> None:
    others = Others()
    assert bench(others, carry=finishes).run().status == "completed"
    assert others.steps == ["at work", "turn 1 ended, over", "rests"]


@pytest.mark.parametrize(
    ("others", "steps"),
    [
        pytest.param(Others(is_canceled=True), [], id="before it has a place"),
        pytest.param(Others(cancels_while_waiting=True), ["at work", "rests"], id="while it waits for one"),
    ],
)
def test_an_agent_that_is_canceled_asks_nothing_more(others: Others, steps: list[str]) -> None:
    made = bench(others)

    assert made.run() == AgentEnd(status="canceled")
    assert (others.steps, made.prompts) == (steps, [])


def test_one_that_is_canceled_in_its_turn_starts_nothing_and_ends_at_the_boundary() -> None:
    others = Others()

    def carry(bench: Bench, reply: str) -> Carried:
        others.is_canceled = True
        return Carried(kept=said(reply))

    made = bench(others, carry=carry)
    assert made.run() == AgentEnd(status="canceled")
    assert others.steps == ["at work", "turn 1 ended, over", "rests"]
    assert made.count.turns == 1


def test_an_agent_that_was_replaced_has_ended() -> None:
    others = Others(replaces_after=2)
    made = bench(others, replies=["a", "b", "c"])

    assert made.run() == AgentEnd(status="completed")
    assert made.count.turns == 2


def test_a_turn_that_is_an_error_is_told_before_it_ends() -> None:
    others = Others()
    bench(others, carry=fails, ceilings=Ceilings(max_turns=1)).run()

    assert others.steps == ["at work", "failed", "turn 1 ended, goes on", "rests"]


def test_nothing_is_told_to_an_agent_that_hands_over_of_what_it_has_not_shown() -> None:
    made = bench(Others(hands_over=True, replaces_after=1))
    made.run()

    assert made.told() == [("program", "a")]


def test_what_cannot_be_started_ends_the_run() -> None:
    made = bench(Others(breaks=True))

    assert made.run() == AgentEnd(status="internal_error", error="workspace: it cannot be copied")
    assert [str(defect) for defect in made.reported] == ["workspace: it cannot be copied"]


def test_news_stand_at_the_end_of_the_prompt_that_they_came_before() -> None:
    news = [(("message", "one"), ("agents_ended", "two")), (), (("message", "three"),)]
    made = Bench(replies=["a", "b", "c"], ceilings=Ceilings(max_turns=3))
    made.news = lambda: news.pop(0)
    made.carry = lambda bench, reply: Carried(kept=said(reply), notices=(("n", reply),))
    made.run()

    heads = [[message.text.removeprefix("Notice\n----\n") for message in prompt] for prompt in made.prompts]
    assert heads == [
        ["system", "one", "two"],
        ["system", "one", "two", "a", "a"],
        ["system", "one", "two", "a", "a", "b", "b", "three"],
    ]
    assert [(n.turn, n.kind) for n in made.captured.of(Notice)] == [
        (1, "message"),
        (1, "agents_ended"),
        (1, "n"),
        (2, "n"),
        (3, "message"),
        (3, "n"),
    ]
    assert [entry.turn for entry in made.window.entries_from(1)] == [1, 1, 1, 1, 2, 2, 3, 3, 3]


def test_whoever_acts_is_known_in_the_thread_that_carries_out_its_reply() -> None:
    seen: list[str | None] = []

    def carry(bench: Bench, reply: str) -> Carried:
        seen.append(ACTING.get())
        return finishes(bench, reply)

    Bench(carry=carry).run()
    assert (seen, ACTING.get()) == (["root"], None)


def test_an_agent_that_is_alone_asks_nobody() -> None:
    alone = Alone()

    assert (alone.is_canceled, alone.hands_over) == (False, False)
