"""Whether calls are allowed, as lines: the question to a person, and what became of it."""

import json
from collections.abc import Iterator
from typing import Final

from host.cli.lines import Line, Span, block, labeled, line, styled
from host.events import Approval
from host.operations import ApprovalRequest

_BY: Final = {
    "person": "by a person",
    "rule": "by an earlier answer",
    "nobody": "since nobody was there to be asked",
}
_LEAST_MS: Final = 1000.0
_MOST_CHARS: Final = 2_000
"""Of the arguments that a question shows."""


def approval_line(event: Approval) -> Line:
    """`approval  git.push allowed for the rest of the run by a person, after 3.2 s`."""
    until = " for the rest of the run" if event.scope == "run" and event.by == "person" else ""
    waited = f", after {event.waited_ms / 1000:,.1f} s" if event.waited_ms >= _LEAST_MS else ""
    reason = f": {event.reason}" if event.reason else ""
    told = f"{until} {_BY[event.by]}{waited}{reason}"
    decision = Span(event.decision, "good" if event.decision == "allowed" else "warn")
    return labeled("approval", styled(event.name, "name"), " ", decision, told)


def question_lines(request: ApprovalRequest) -> Iterator[Line]:
    """Who asks for what, with which arguments, and what may be answered."""
    text = _indented(request.arguments)
    place = f", {request.place}" if request.place else ""
    yield Line()
    yield labeled(
        "approve?",
        styled(request.agent_id, "name"),
        " calls ",
        styled(request.call, "strong"),
        f" in turn {request.turn}{place}",
        style="warn",
        indent=0,
    )
    yield from block(text[:_MOST_CHARS], may_crop=False, may_cut=False)
    hidden = len(text) - _MOST_CHARS
    if hidden > 0:
        yield line(Span(f"{hidden:,} more characters are not shown; answer show to see them", "warn"))
    yield line(f"yes, or always: every call of {request.name} until the run ends, by any agent")
    yield line("no, or never; a reason may follow: never, it is not yours")


def more_arguments(request: ApprovalRequest) -> Iterator[Line]:
    """The arguments, whole."""
    yield from block(_indented(request.arguments), may_crop=False, may_cut=False)
    yield line("yes, always, no or never?")


def _indented(arguments: str) -> str:
    """JSON text in rows, in none of which a text goes on."""
    try:
        return json.dumps(json.loads(arguments), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):  # what masking has left may be no JSON any more
        return arguments
