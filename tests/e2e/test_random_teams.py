"""Teams that do at random what agents can do, on one store or several: how they end, what the record is, and
that each holder is told what it did not know and nothing else. They are drawn from `--fuzz-seed`.
"""

import random
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from host.app import Session
from host.core.messages import Message
from host.events import (
    AgentEnded,
    AgentModules,
    AgentSpawned,
    AgentTransition,
    Compaction,
    Defect,
    MemoryRevision,
    Notice,
    Prompt,
)
from runtime_js import Compiler
from tests.helpers.acts import (
    Act,
    approves,
    asks_for,
    awaits_issues,
    compacts,
    creates,
    deletes,
    edits,
    execs,
    finishes,
    forks,
    reads,
    sends,
    spawns,
    updates,
    waits,
    writes,
)
from tests.helpers.memory_turns import STRATEGIES
from tests.helpers.teams import Said, TeamRan, failed_checks, memories, run_team, starts

TEAMS: Final = 60
QUICK_TEAMS: Final = 6  # without --run-slow
PROFILES: Final = ("p", "q", "r")
SCOPES: Final = ("isolated", "shared", "inherited", "read-only")
NAMES: Final = tuple("abcdef")
ENTRY: Final = "^- `(.*?)`"
LINE: Final = r"^- (\w+) `(.*?)`"
LAST_TURN: Final = 6
MOST_STARTED: Final = 30


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    seed = metafunc.config.getoption("--fuzz-seed")
    if "team" in metafunc.fixturenames:
        metafunc.parametrize(
            "team",
            [
                pytest.param(f"{seed}/{n}", marks=[pytest.mark.slow] if n >= QUICK_TEAMS else [])
                for n in range(TEAMS)
            ],
        )


@pytest.mark.slow
def test_a_random_team(team: str, tmp_path: Path, compiler: Compiler) -> None:
    chance = random.Random(team)
    strategy = chance.choice(STRATEGIES)
    agents, has_faults = drawn_agents(chance, strategy), chance.random() < 0.5
    ran = run_team(
        tmp_path / "r",
        Acting(team, strategy, fails=has_faults).script,
        agents,
        compiler=compiler,
        maxParallel=chance.choice((1, 2, 3, 16)),
        board={role: chance.choice(PROFILES) for role in ("implementer", "reviewer", "merge")},
        limits={"maxTurns": chance.choice((3, 20)) if has_faults else 20, "maxConsecutiveErrors": 3},
        change=canceled_after(chance.randint(10, 400) if has_faults else None),
    )

    assert failed_checks(ran) == []
    assert ran.of(Defect) == []
    assert ran.result.status in ("completed", "canceled", "exhausted", "limit_exceeded", "model_error")
    begun = [agent_id for agent_id, _ in ran.by_agent(AgentSpawned)]
    ended = Counter(agent_id for agent_id, _ in ran.by_agent(AgentEnded))
    assert len(begun) == len(set(begun))
    assert [id_ for id_ in begun if ended[id_] != 1] in ([], [last_root(ran)])
    if strategy != "keyword-search":  # what an agent knows of at first stands in its window
        for agent_id, event in ran.by_agent(AgentSpawned):
            if event.started_as != "fork" and agent_id in ran.prompts:
                assert_told_what_was_new(ran, agent_id)


def canceled_after(events: int | None) -> Callable[[Session], None]:
    """Cancels a run when so many events of it are recorded; never for `None`."""

    def change(session: Session) -> None:
        session.subscribe(lambda stamped: session.cancel() if stamped.seq == events else None)

    return change


def drawn_agents(chance: random.Random, strategy: str) -> dict[str, dict[str, Any]]:
    """All of them may start, and hand over to, one another."""

    def capabilities() -> list[dict[str, Any]]:
        kept = [memories(chance.choice(SCOPES), strategy)] if chance.random() < 0.9 else []
        return [*kept, {"id": "agent-managed-context", "enabled": True}]

    return {
        id_: {
            "execution": chance.choice(("responses_as_code", "tool_calling", "tool_calling")),
            "capabilities": capabilities(),
            "roster": starts(*PROFILES),
        }
        for id_ in PROFILES
    }


class Acting:
    """What the agents of a team do; how many are started is bounded. With `fails` a model fails at times."""

    def __init__(self, team: str, strategy: str, *, fails: bool) -> None:
        self._team = team
        self._fails = fails
        self._strategy = strategy
        self._left = MOST_STARTED
        self._lock = threading.Lock()

    def script(self, agent_id: str, number: int) -> Said:
        chance = random.Random(f"{self._team}/{agent_id}/{number}")
        if number >= LAST_TURN or chance.random() < 0.1:
            return self._ends(number)
        if self._fails and chance.random() < 0.1:
            return "No call, and no program."
        if self._fails and chance.random() < 0.02:
            raise OSError("The line is dead.")
        return tuple(self._acts(chance))

    def _ends(self, number: int) -> Said:
        """Whoever reviews approves in one turn, and all others finish in the other one."""
        return (finishes(),) if number % 2 else (approves(),)

    def _acts(self, chance: random.Random) -> Iterable[Act]:
        for _ in range(chance.randint(1, 5)):
            name, profile = chance.choice(NAMES), chance.choice(PROFILES)
            other = f"{profile}-{chance.randint(2, 5)}"
            if chance.random() < 0.3 and self._may_start():
                starting = (spawns(profile), spawns(profile), forks(), execs(profile), asks_for("One"))
                yield chance.choice(starting)
            else:
                beside = (sends(other, "Hear, hear."), waits(), awaits_issues(), compacts("On we go."))
                yield chance.choice((*self._on_memories(name), *beside))

    def _on_memories(self, name: str) -> tuple[Act, ...]:
        if self._strategy == "scratchpad":
            return writes(name), writes(name), updates(name, "Revised."), deletes(name), deletes(name)
        revising = (edits(name, "A note.", "Revised."), edits(name, "Revised.", "A note."))
        return creates(name), creates(name), *revising, deletes(name), reads(name)

    def _may_start(self) -> bool:
        with self._lock:
            self._left -= 1
            return self._left >= 0


def last_root(ran: TeamRan) -> str:
    root = ran.events[0].agent_id
    while True:
        following = [e.to for e in ran.of(AgentTransition, root) if e.by != "fork"]
        if not following:
            return root
        (root,) = following


def assert_told_what_was_new(ran: TeamRan, agent_id: str) -> None:
    """Follows which memories an agent knows: by the block in its window, its own writes, what it is told."""
    prompts, known = iter(ran.prompts[agent_id]), set[str]()
    told: list[tuple[str, str]] = []
    for event in (stamped.event for stamped in ran.events if stamped.agent_id == agent_id):
        match event:
            case Compaction() | AgentModules():
                is_new_block = True
            case MemoryRevision():
                known = known - {event.name} if event.change == "deleted" else known | {event.name}
            case Notice(kind="memories_changed"):
                told = re.findall(LINE, event.text, re.MULTILINE)
            case Prompt():
                prompt = next(prompts)
                if is_new_block:
                    known |= set(re.findall(ENTRY, block_of(prompt), re.MULTILINE))
                    is_new_block = False
                for verb, name in told:
                    assert (name in known) is (verb != "added"), (agent_id, event.turn, verb, name)
                    known = known - {name} if verb == "deleted" else known | {name}
                told = []


def block_of(prompt: Sequence[Message]) -> str:
    """What is pinned of the memories."""
    return next((message.text for message in prompt if message.text.startswith("Memories\n----\n")), "")
