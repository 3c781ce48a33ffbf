"""Folds events one by one into the view of a run, a finished one or one that is being watched."""

from collections.abc import Iterable, Iterator
from typing import Final

from host.events.fold_agents import AgentFold
from host.events.fold_board import BoardFold
from host.events.fold_memories import MemoryFold
from host.events.fold_turn import TurnFold
from host.events.folded_store import Mismatch
from host.events.run_view import CallAnswer, RunView
from host.events.stamped import StampedEvent
from host.events.types import (
    AgentEnded,
    AgentSpawned,
    Defect,
    Event,
    Prompt,
    SessionStarted,
    SessionSummary,
    TurnTiming,
)


class RunFold:
    """Takes events in order; `view()` is the run up to the last one taken."""

    def __init__(self) -> None:
        self._agents: Final = AgentFold()
        self._turns: Final[dict[tuple[str, int], TurnFold]] = {}
        self._board: Final = BoardFold()
        self._memories: Final = MemoryFold()
        self._mismatches: Final[list[Mismatch]] = []
        self._defects: Final[list[Defect]] = []
        self._started: SessionStarted | None = None
        self._summary: SessionSummary | None = None
        self._first: StampedEvent | None = None
        self._last: StampedEvent | None = None

    def add(self, stamped: StampedEvent) -> None:
        """Takes the next event."""
        self._first = self._first or stamped
        self._last = stamped
        self._mismatches.extend(self._memories.add(stamped))
        self._agents.add(stamped)
        self._board.add(stamped)
        self._add_to_turn(stamped)
        match stamped.event:
            case SessionStarted() as event:
                self._started = event
            case SessionSummary() as event:
                self._summary = event
            case Defect() as event:
                self._defects.append(event)

    def view(self, *, torn: bool = False) -> RunView:
        """The run so far. `torn` is what the reader of the file says."""
        return RunView(
            run=self._first.run if self._first else None,
            started=self._started,
            agents=self._agents.views(),
            turns=tuple(turn.view() for turn in self._turns.values()),
            issues=self._board.views(),
            stores=self._memories.stores(),
            mismatches=tuple(self._mismatches),
            defects=tuple(self._defects),
            summary=self._summary,
            events=self._last.seq if self._last else 0,
            first_at=self._first.at if self._first else None,
            last_at=self._last.at if self._last else None,
            torn=torn,
        )

    def _add_to_turn(self, stamped: StampedEvent) -> None:
        event, agent_id = stamped.event, stamped.agent_id
        if (turn := turn_of(event)) is None:
            return
        if (agent_id, turn) not in self._turns:
            self._turns[agent_id, turn] = TurnFold(agent_id=agent_id, turn=turn, started_at=stamped.at)
        self._turns[agent_id, turn].add(event)
        if isinstance(event, Prompt) and (before := self._turns.get((agent_id, turn - 1))):
            before.add_answers(answers_in(event))


def fold_run(
    events: Iterable[StampedEvent],
    *,
    at_turn: int | None = None,
    agent_id: str | None = None,
    torn: bool = False,
) -> RunView:
    """The view of a run; with `at_turn`, as it stood when that turn of an agent had ended, or of the root."""
    fold = RunFold()
    for stamped in events if at_turn is None else until_turn(events, at_turn, agent_id):
        fold.add(stamped)
    return fold.view(torn=torn)


def until_turn(
    events: Iterable[StampedEvent], turn: int, agent_id: str | None = None
) -> Iterator[StampedEvent]:
    """The events up to the end of an agent's turn of that number, whoever they are of.

    Without `agent_id` it is the turn of the agent that began first. Events of the turn that come after its
    end, as a fork does, count with it, and then what others did in between.
    """
    has_ended = False
    between: list[StampedEvent] = []
    for stamped in events:
        if agent_id is None and isinstance(stamped.event, AgentSpawned):
            agent_id = stamped.agent_id
        is_own, number = stamped.agent_id == agent_id, turn_of(stamped.event) or 0
        if is_own and (number > turn or (has_ended and _ends(stamped.event))):
            return
        if has_ended and not (is_own and number == turn):
            between.append(stamped)
            continue
        yield from between
        between.clear()
        yield stamped
        has_ended = has_ended or (is_own and number == turn and isinstance(stamped.event, TurnTiming))


def turn_of(event: Event) -> int | None:
    """The turn that an event belongs to, from 1; absent where it belongs to none."""
    return getattr(event, "turn", None) or None


def _ends(event: Event) -> bool:
    """Whether nothing of its agent comes after it."""
    return isinstance(event, AgentEnded | SessionSummary)


def answers_in(prompt: Prompt) -> Iterator[CallAnswer]:
    """What the calls of tools were answered that are new in a prompt, in the order of the calls."""
    names = {call.id: call.name for message in prompt.new_messages for call in message.tool_calls}
    for message in prompt.new_messages:
        if message.band == "result" and message.answers is not None:
            yield CallAnswer(id=message.answers, tool=names.get(message.answers, ""), text=message.text)
