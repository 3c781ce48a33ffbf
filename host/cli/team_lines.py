"""Agents of a run as lines at the margin: who starts, hands over and ends, and where issues stand."""

from collections.abc import Iterator
from functools import singledispatch
from typing import Final

from host.cli.lines import Line, Span, Style, block, counted, line, styled
from host.core.text import shortened
from host.events import (
    AgentEnded,
    AgentSpawned,
    AgentTransition,
    EventModel,
    HandedModule,
    IssueState,
    LimitExceeded,
)

STATUS_STYLES: Final[dict[str, Style]] = {
    "completed": "good",
    "canceled": "warn",
    "running": "name",
    "cut off": "warn",
}
TEAM_EVENTS: Final = (AgentSpawned, AgentTransition, AgentEnded, IssueState, LimitExceeded)
"""What gives a line at the margin where there are several agents."""

_TASK_CHARS: Final = 120
_ARTICLES: Final = {"implementer": "an implementer", "fork": "a copy", "merge": "the merge agent"}
_ISSUE_STYLES: Final[dict[str, Style]] = {"done": "good", "failed": "bad"}


def team_lines(agent_id: str, event: EventModel, *, most: int | None) -> Iterator[Line]:
    """The lines of an event of `agent_id`; of a text `most` rows are shown."""
    yield from _told(event, agent_id, most)


@singledispatch
def _told(event: EventModel, agent_id: str, most: int | None) -> Iterator[Line]:
    yield from ()


@_told.register
def _spawned(event: AgentSpawned, agent_id: str, most: int | None) -> Iterator[Line]:
    if event.started_as == "root":
        return
    of = event.issue or event.spawner
    role = _ARTICLES.get(event.started_as, f"a {event.started_as}")
    whose = (" of ", _name(of)) if of else ()
    task = f": {_beginning(event.task)}" if event.task else ""
    yield line(_name(agent_id), f" starts as {role}", *whose, task)


@_told.register
def _transition(event: AgentTransition, agent_id: str, most: int | None) -> Iterator[Line]:
    what = "is copied to" if event.by == "fork" else "hands over to"
    state = f" in state {event.state}" if event.state else ""
    stores = "".join(f", {told}" for row in event.modules if (told := _store(row)))
    yield line(_name(agent_id), f" {what} ", _name(event.to), f"{state}{stores}")


@_told.register
def _ended(event: AgentEnded, agent_id: str, most: int | None) -> Iterator[Line]:
    if event.successor is not None:  # that it hands over was told
        return
    ending = event.ending
    by = f" by {ending.kind}" if ending and ending.kind != "finish" else ""
    why = f": {event.error}" if event.error else ""
    status = Span(event.status, STATUS_STYLES.get(event.status, "bad"))
    yield line(_name(agent_id), " ends: ", status, f"{by}{why}")
    if ending is not None:
        texts = (ending.summary, *(f"- {item}" for item in ending.items or ()))
        if told := "\n".join(text for text in texts if text):
            yield from block(told, most=most)


@_told.register
def _issue(event: IssueState, agent_id: str, most: int | None) -> Iterator[Line]:
    works = event.worker is not None and event.status in ("implementing", "reviewing", "merging")
    by = (" by ", _name(event.worker or "")) if works else ()
    behind = f", behind {', '.join(event.blocked_by)}" if event.status == "blocked" else ""
    asked = f", {counted(len(event.items), 'change')} requested" if event.items and works else ""
    title = "" if event.worker else f": {event.title}"
    status = Span(event.status, _ISSUE_STYLES.get(event.status, "strong"))
    yield line(_name(event.issue), " ", status, *by, f"{behind}{asked}{title}")


@_told.register
def _limit(event: LimitExceeded, agent_id: str, most: int | None) -> Iterator[Line]:
    of = f" of {agent_id}" if agent_id else ""
    yield line(Span(event.limit, "warn"), f"{of} reached: {event.observed:g}, limit {event.threshold:g}")


def _name(id_: str) -> Span:
    return styled(id_, "name")


def _beginning(task: str) -> str:
    first, line_feed, _ = task.partition("\n")
    told = shortened(first, _TASK_CHARS)
    return f"{told} …" if line_feed and told == first else told


def _store(row: HandedModule) -> str:
    match row.disposition:
        case "absent":
            return ""
        case "copied":
            return f"{row.from_id} copied to {row.to_id}"
        case "initialized":
            return f"{row.to_id} new"
        case disposition:
            return f"{row.from_id} {disposition}"
