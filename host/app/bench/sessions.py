"""Runs sessions for a benchmark: real ones, with a record, under a folder that is removed."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from host.app.session import Session
from host.events import EVENTS_FILE, StampedEvent, Subscriber, read_events
from host.launch import ScriptedModel, validate

_LIMITS = {
    "maxCount": 0,
    "maxLenPerMemory": 0,
    "maxTotalLen": 0,
    "maxLenIndex": 0,
    "maxLenDescription": 0,
    "maxResults": 0,
}
MEMORIES: Mapping[str, object] = {
    "id": "memories",
    "implementation": "markdown",
    "params": {"scope": "isolated", **_LIMITS},
}


def events_of(programs: Sequence[str]) -> list[StampedEvent]:
    """Runs one program per turn, with markdown memories; returns every event. Raises if the run fails.

    The events are read from the record afterwards: whoever listens meanwhile takes part of every call's time.
    """
    with _record_of(programs, None) as record:
        return list(read_events(record / EVENTS_FILE))


def watch_programs(programs: Sequence[str], watch: Subscriber) -> None:
    """The same, with each event told as it is recorded and none of them kept."""
    with _record_of(programs, watch):
        pass


@contextmanager
def _record_of(programs: Sequence[str], watch: Subscriber | None) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="gg-bench-") as folder:
        document = {
            "task": "benchmark",
            "model": ScriptedModel(replies=tuple(programs)),
            "limits": {"maxTurns": len(programs)},
            "seed": 1,
            "agents": [{"id": "bench", "capabilities": [MEMORIES]}],
        }
        session = Session.create(validate(document, base=Path(folder)), out=Path(folder) / "record")
        if watch is not None:
            session.subscribe(watch)
        result = session.run()
        if result.status != "exhausted":
            raise RuntimeError(f"the benchmark's session ended {result.status}: {result.error}")
        yield session.record
