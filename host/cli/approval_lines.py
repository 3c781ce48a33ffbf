"""What became of the question whether a call is allowed, as a line."""

from typing import Final

from host.cli.lines import Line, Span, labeled, styled
from host.events import Approval

_BY: Final = {
    "person": "by a person",
    "rule": "by an earlier answer",
    "nobody": "by nobody",
}
_LEAST_MS: Final = 1000.0


def approval_line(event: Approval) -> Line:
    """`approval  git.push allowed for the rest of the run by a person, after 3.2 s`."""
    until = " for the rest of the run" if event.scope == "run" and event.by == "person" else ""
    waited = f", after {event.waited_ms / 1000:,.1f} s" if event.waited_ms >= _LEAST_MS else ""
    reason = f": {event.reason}" if event.reason else ""
    told = f"{until} {_BY[event.by]}{waited}{reason}"
    return labeled(
        "approval",
        styled(event.name, "name"),
        " ",
        Span(event.decision, "good" if event.decision == "allowed" else "warn"),
        told,
    )
