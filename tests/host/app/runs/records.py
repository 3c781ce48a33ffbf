"""Records to find, list and remove, written by the real log."""

from datetime import timedelta
from pathlib import Path

from host.events import Event, SessionRecord
from tests.host.events.runs import whole_run
from tests.host.events.samples import NO_SECRETS, START, StillClock


def begun(out: Path, *events: Event, day: int = 0) -> SessionRecord:
    """A record that is being written, begun so many days after the first."""
    clock = StillClock(START + timedelta(days=day))
    record = SessionRecord.create(
        out, run_id=out.name, config={}, gg_version="0.1.0", clock=clock, masker=NO_SECRETS
    )
    for event in events:
        record.log.emit(event, agent_id="root")
    record.log.flush()
    return record


def ended(out: Path, *, day: int = 0) -> Path:
    """The record of a run that has ended."""
    with begun(out, *whole_run(), day=day) as record:
        record.save_program("root", 1, as_sent="a", as_run="a")
    return out
