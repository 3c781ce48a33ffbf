"""What a run looks like while it happens: the turns of its agents, and what concerns the run as a whole.

While one agent runs alone its lines are shown as they come. While several do, the lines of a turn are
gathered and shown at once when it has ended, so that no agent's lines stand among another's; what was begun
before goes on under a heading of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from host.cli.lines import Line, Span, counted, line, styled
from host.cli.team_lines import STATUS_STYLES, TEAM_EVENTS, team_lines
from host.cli.turn_lines import Detail, TurnLines, duration
from host.events import (
    AgentEnded,
    AgentSpawned,
    AgentTransition,
    Defect,
    Event,
    LimitExceeded,
    Notice,
    Prompt,
    SessionStarted,
    SessionSummary,
    StampedEvent,
    TurnTiming,
)


@dataclass
class _Pane:
    """One agent: its turn, from 1, whether that is under way, and what is not shown of it yet."""

    agent_id: str
    turns: TurnLines
    turn: int = 0
    is_open: bool = False
    is_headed: bool = False
    gathered: list[Line] = field(default_factory=list)


class LiveRenderer:
    """Turns the events of one run into lines.

    Headings name the agent where there are several, or where `names_agents` says that there may be.
    """

    def __init__(self, detail: Detail | None = None, *, names_agents: bool = False) -> None:
        self._detail: Final = detail or Detail()
        self._panes: Final[dict[str, _Pane]] = {}
        self._alive: Final[set[str]] = set()
        self._names_agents = names_agents
        self._front: _Pane | None = None  # the one whose lines were shown last, unless others came after
        self._is_at_margin = False
        self._root: str | None = None
        self._stopped: Final[set[str]] = set()  # agents of which it was said what ended them
        self._has_defect = False

    def lines(self, stamped: StampedEvent) -> tuple[Line, ...]:
        """The lines that are to be shown now."""
        return tuple(self._lines(stamped.event, stamped.agent_id))

    def rest(self) -> tuple[Line, ...]:
        """The lines of turns that were never ended, when there are no more events."""
        return tuple(each for pane in self._panes.values() for each in self._shown(pane))

    def _lines(self, event: Event, agent_id: str) -> Iterator[Line]:
        pane = self._pane(agent_id)
        match event:
            case SessionStarted():
                yield line(event.task, lead=styled(f"{event.name}: ", "strong"))
            case SessionSummary():
                yield from self.rest()
                yield from self._summary(event)
            case _ if isinstance(event, TEAM_EVENTS):
                yield from self._team_event(event, pane)
            case _:
                yield from self._turn_event(event, pane)

    def _turn_event(self, event: Event, pane: _Pane) -> Iterator[Line]:
        self._has_defect |= isinstance(event, Defect)
        if (turn := _opened(event, pane.turn)) is not None:
            yield from self._open(pane, turn)
        pane.gathered += pane.turns.of(event)
        if self._is_alone or not pane.is_open:
            yield from self._shown(pane)
        elif isinstance(event, TurnTiming):
            yield from self._shown(pane, has_ended=True)
        if isinstance(event, TurnTiming):
            pane.is_open = False

    def _team_event(self, event: Event, pane: _Pane) -> Iterator[Line]:
        """A line at the margin, after what its agent did before."""
        match event:
            case AgentSpawned():
                self._root = self._root or pane.agent_id
                self._names_agents = self._names_agents or bool(self._alive)
                self._alive.add(pane.agent_id)
            case AgentTransition(by="exec" | "transition", to=follower) if pane.agent_id == self._root:
                self._root = follower
            case AgentEnded():
                yield from self._shown(pane)
                self._alive.discard(pane.agent_id)
            case LimitExceeded():
                yield from self._shown(pane)
                self._stopped.add(pane.agent_id)
        if not (self._names_agents or isinstance(event, LimitExceeded)):
            return
        whose = pane.agent_id if self._names_agents else ""
        told = [*team_lines(whose, event, most=self._detail.view_lines)]
        if told:
            if not self._is_at_margin:
                yield Line()
            self._front, self._is_at_margin = None, True
            yield from told

    def _summary(self, event: SessionSummary) -> Iterator[Line]:
        yield Line()
        errors = f", {counted(event.errors, 'error turn')}" if event.errors else ""
        of = f" of {counted(event.agents, 'agent')}" if event.agents > 1 else ""
        style = STATUS_STYLES.get(event.status, "bad")
        cost = "" if event.usage.cost is None else f", ${event.usage.cost:.4f}"
        told = f" after {counted(event.turns, 'turn')}{of}{errors}, {duration(event.duration_s * 1000)}{cost}"
        yield line(Span(event.status, style), told)
        is_told = self._has_defect or bool({self._root} & self._stopped if self._root else self._stopped)
        if event.error is not None and not is_told:
            yield line(Span(f"{event.status}: ", "bad"), event.error)

    @property
    def _is_alone(self) -> bool:
        return len(self._alive) <= 1

    def _pane(self, agent_id: str) -> _Pane:
        if agent_id not in self._panes:
            self._panes[agent_id] = _Pane(agent_id, TurnLines(self._detail))
        return self._panes[agent_id]

    def _open(self, pane: _Pane, turn: int) -> Iterator[Line]:
        yield from self._shown(pane)  # of a turn that was cut off
        pane.turn, pane.is_open, pane.is_headed = turn, True, False
        if self._is_alone:
            yield from self._heading(pane)

    def _shown(self, pane: _Pane, *, has_ended: bool = False) -> Iterator[Line]:
        """What was gathered, under a heading where there is none above it that is still true."""
        told, pane.gathered = pane.gathered, []
        if told or (has_ended and not pane.is_headed):
            if (pane.is_open and not pane.is_headed) or (self._names_agents and self._front is not pane):
                yield from self._heading(pane)
            yield from told

    def _heading(self, pane: _Pane) -> Iterator[Line]:
        words: list[str | Span] = [Span(f"Turn {pane.turn}", "strong")] if pane.is_open else []
        if self._names_agents:
            words += [" · ", styled(pane.agent_id, "name")] if words else [styled(pane.agent_id, "name")]
        if pane.is_headed and pane.is_open:
            words.append(", continued")
        pane.is_headed = pane.is_open
        self._front, self._is_at_margin = pane, False
        yield Line()
        yield line(*words)


def _opened(event: Event, turn: int) -> int | None:
    """The turn that begins with it, of an agent whose latest so far is `turn`; `None` where none does."""
    match event:
        case Prompt(purpose="turn", turn=next_turn):
            return None if next_turn == turn else next_turn
        case Notice(turn=int(next_turn)) if next_turn > turn:
            return next_turn  # what an agent is told of others comes before its prompt
    return None
