"""Many agents at once in real runs: nothing that they write is lost, and the record is whole in the end."""

import re
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from host.app import Session
from host.events import AgentEnded, AgentSpawned, MemoryRevision, Notice
from runtime_js import Compiler
from tests.helpers.acts import creates, edits, finishes, reads, spawns, waits
from tests.helpers.hosts import kind_of
from tests.helpers.teams import Said, TeamRan, after, failed_checks, memories, profile_of, run_team, starts

WAIT_S: Final = 60.0
MADE: Final = 20
"""Memories that each of them makes, and marks in the one of all."""

# Agents by the profile of the root; a store that a spawner gives, or that a profile shares.
HANDS: Final = {
    "root": ("coder", "coder-2", "caller", "caller-2"),
    "coders": ("coders-2", "coders-3", "coders-4", "coders-5"),
    "callers": ("callers-2", "callers-3", "callers-4", "callers-5"),
}
CODE: Final = {"execution": "responses_as_code"}
AGENTS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "root": {
        "root": {"capabilities": [memories("isolated")], "roster": starts("coder", "caller")},
        "coder": {"capabilities": [memories("inherited")], **CODE},
        "caller": {"capabilities": [memories("inherited")]},
    },
    "coders": {"coders": {"capabilities": [memories("shared")], "roster": starts("coders"), **CODE}},
    "callers": {"callers": {"capabilities": [memories("shared")], "roster": starts("callers")}},
}


@pytest.mark.slow
@pytest.mark.parametrize("root", HANDS)
def test_programs_and_tool_calls_on_one_store_lose_nothing(
    root: str, tmp_path: Path, compiler: Compiler
) -> None:
    """Every turn begins for all of them at once. In the second each expects the revision that all know of."""
    hands = HANDS[root]
    barrier = threading.Barrier(len(hands))
    first = (creates("tally", "end"), creates("once"))
    script = {
        root: [first, tuple(spawns(profile_of(hand)) for hand in hands), (waits(),), (finishes(),)],
        **{hand: turns_of(hand, lambda: barrier.wait(WAIT_S)) for hand in hands},
    }
    ran = run_team(tmp_path / "r", script, AGENTS[root], compiler=compiler)

    assert (ran.result.status, failed_checks(ran)) == ("completed", [])
    names = {hand: [f"{hand}.{n}" for n in range(MADE)] for hand in hands}
    held = {memory.name: memory.body for memory in ran.result.memories}
    assert sorted(held) == sorted([*chain.from_iterable(names.values()), "once", "tally"])
    assert Counter(held["tally"].split()) == Counter([*chain.from_iterable(names.values()), "end"])
    assert [each.revision for each in ran.of(MemoryRevision) if each.name == "tally"] == [
        *range(1, len(hands) * MADE + 2)
    ]
    assert_one_has_won(ran, hands, held["once"])
    for hand in hands:
        others = chain.from_iterable(made for other, made in names.items() if other != hand)
        assert sorted(told(ran, hand, "added")) == sorted(others)
        assert told(ran, hand, "deleted") == []


def turns_of(hand: str, meet: Callable[[], object]) -> list[Any]:
    made = [(creates(f"{hand}.{n}"), edits("tally", "end", f"{hand}.{n} end")) for n in range(MADE)]
    return [
        after(meet, *chain.from_iterable(made)),
        after(meet, edits("once", "A note.", f"By {hand}.", revision=1)),
        after(meet, reads("once")),
        (finishes(),),
    ]


def assert_one_has_won(ran: TeamRan, hands: Sequence[str], body: str) -> None:
    answers = {hand: ran.given(hand, 2)[0] for hand in hands}
    (winner,) = [hand for hand, answer in answers.items() if not isinstance(answer, str)]
    assert body == f"By {winner}."
    lost = [answer for hand, answer in answers.items() if hand != winner]
    assert [answer.partition(". ")[0] for answer in lost] == [
        "conflict: Cannot edit `once`: it is at revision 2, the call expects 1"
    ] * (len(hands) - 1)
    assert [ran.given(hand, 3) for hand in hands] == [[body]] * len(hands)


def told(ran: TeamRan, agent_id: str, verb: str) -> list[str]:
    """The memories of which an agent was told so, as often as it was."""
    texts = [notice.text for notice in ran.of(Notice, agent_id) if notice.kind == "memories_changed"]
    return re.findall(rf"^- {verb} `(.*?)`", "\n".join(texts), re.MULTILINE)


def workers() -> list[psutil.Process]:
    """Those of this process; a compiler may be there for other tests."""
    return [child for child in psutil.Process().children(recursive=True) if kind_of(child) == "worker"]


# Fifty agents: the root, those that it starts, and those that each of these starts.
MIDDLE: Final = 7
LEAVES: Final = 6
KEPT: Final = {"capabilities": [memories("inherited")]}
FIFTY: Final = {
    "root": {**KEPT, "roster": starts("middle")},
    "middle": {**KEPT, **CODE, "roster": starts("leaf")},
    "leaf": KEPT,
}

MOST: Final = (pytest.param(1, marks=pytest.mark.slow), 4, pytest.param(50, marks=pytest.mark.slow))
"""Agents that may run at once."""


def of_fifty(agent_id: str, number: int) -> Said:
    """What each does in a turn: notes that it is there, starts those below it and waits for them."""
    below = {"root": ("middle", MIDDLE), "middle": ("leaf", LEAVES)}.get(profile_of(agent_id))
    if number == 1:
        return (creates(f"of-{agent_id}"), *([spawns(below[0])] * below[1] if below else ()))
    return (waits(),) if number == 2 else (finishes(),)


@pytest.mark.slow
@pytest.mark.parametrize("most", MOST)
def test_fifty_agents_come_to_an_end(most: int, tmp_path: Path, compiler: Compiler) -> None:
    ran = run_team(tmp_path / "r", of_fifty, FIFTY, compiler=compiler, maxParallel=most)

    assert (ran.result.status, failed_checks(ran)) == ("completed", [])
    begun = [agent_id for agent_id, _ in ran.by_agent(AgentSpawned)]
    assert Counter(map(profile_of, begun)) == {"root": 1, "middle": MIDDLE, "leaf": MIDDLE * LEAVES}
    assert {event.status for event in ran.of(AgentEnded)} == {"completed"}
    assert {memory.name for memory in ran.result.memories} == {f"of-{agent_id}" for agent_id in begun}
    waited = [
        end for agent_id in begun if profile_of(agent_id) == "middle" for end in ran.given(agent_id, 2)[0]
    ]
    assert sorted(end["id"] for end in waited) == sorted(id_ for id_ in begun if profile_of(id_) == "leaf")


@pytest.mark.slow
@pytest.mark.parametrize("most", MOST)
@pytest.mark.parametrize("turn", [1, 2, 3])
def test_fifty_agents_that_are_canceled_end_each_at_a_boundary(
    turn: int, most: int, tmp_path: Path, compiler: Compiler
) -> None:
    """The run is canceled when the tenth of those below is asked for that turn of its own."""
    sessions: list[Session] = []
    asked, lock = Counter[int](), threading.Lock()

    def script(agent_id: str, number: int) -> Said:
        if profile_of(agent_id) == "leaf":
            with lock:
                asked[number] += 1
                if asked[number] == 10 and number == turn:
                    sessions[0].cancel()
        return of_fifty(agent_id, number)

    ran = run_team(tmp_path / "r", script, FIFTY, compiler=compiler, maxParallel=most, change=sessions.append)

    assert (ran.result.status, ran.result.exit_code, failed_checks(ran)) == ("canceled", 0, [])
    ended = {agent_id: event.status for agent_id, event in ran.by_agent(AgentEnded)}
    assert sorted([*ended, "root"]) == sorted(agent_id for agent_id, _ in ran.by_agent(AgentSpawned))
    assert {"canceled"} <= {*ended.values()} <= {"completed", "canceled"}
    assert workers() == []
