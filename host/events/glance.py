"""What a record says of itself at its beginning and at its end, however long it is in between."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from host.events.encoding import MalformedLine, parse_at
from host.events.errors import RecordUnreadable
from host.events.fold_run import turn_of
from host.events.layout import RUN_FILE
from host.events.record_reader import RecordReader
from host.events.stamped import StampedEvent
from host.events.types import SessionStarted, SessionSummary, Status, Usage

_TAIL_BYTES: Final = 256 * 1024


@dataclass(frozen=True, kw_only=True)
class RunEnd:
    """How far a run came. Without a `status` it did not end: `turns` is the one that had begun, of the agent
    that is told of last, and what does not stand near the end is absent.
    """

    status: Status | None = None
    agents: int | None = None
    turns: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    last_at: datetime | None = None
    duration_s: float | None = None


@dataclass(frozen=True, kw_only=True)
class Glance:
    """One run. `writer` is the process that writes it now, 0 where that is not known."""

    run: str
    created_at: datetime
    name: str
    task: str
    writer: int | None
    torn: bool
    end: RunEnd


def glance_at(directory: Path) -> Glance:
    """Raises `RecordUnreadable` where there is no record, `RecordTooNew` where its format is a later one."""
    reader = RecordReader(directory)
    writer = reader.writer  # before the events: a run that ends meanwhile is seen as ended
    run, created_at = _identity(reader)
    first = next(iter(reader.events()), None)
    started = first.event if first is not None and isinstance(first.event, SessionStarted) else None
    return Glance(
        run=run,
        created_at=created_at,
        name=started.name if started else "",
        task=started.task if started else "",
        writer=writer,
        torn=reader.torn,
        end=_end(reader.events().from_end(most_bytes=_TAIL_BYTES), created_at),
    )


def _identity(reader: RecordReader) -> tuple[str, datetime]:
    path, header = reader.directory / RUN_FILE, reader.header
    run, created_at = header.get("id"), header.get("createdAt")
    if not isinstance(run, str) or not isinstance(created_at, str):
        raise RecordUnreadable(path, "it names no id, or no time")
    try:
        return run, parse_at(created_at)
    except MalformedLine as error:
        raise RecordUnreadable(path, f"createdAt: {error}") from error


def _end(newest_first: Iterator[StampedEvent], created_at: datetime) -> RunEnd:
    last = next(newest_first, None)
    if last is None:
        return RunEnd()
    event = last.event
    if isinstance(event, SessionSummary):
        return RunEnd(
            status=event.status,
            agents=event.agents,
            turns=event.turns,
            input_tokens=event.usage.input_tokens,
            output_tokens=event.usage.output_tokens,
            last_at=last.at,
            duration_s=event.duration_s,
        )
    turns, usage, seq = turn_of(event), event if isinstance(event, Usage) else None, last.seq
    for earlier in newest_first:
        if turns is not None and usage is not None:
            break
        seq = earlier.seq
        turns = turns or turn_of(earlier.event)
        usage = usage or (earlier.event if isinstance(earlier.event, Usage) else None)
    unseen = 0 if seq == 1 else None  # at the first event it is known that there was none
    return RunEnd(
        turns=unseen if turns is None else turns,
        input_tokens=usage.total_input_tokens if usage else unseen,
        output_tokens=usage.total_output_tokens if usage else unseen,
        last_at=last.at,
        duration_s=max(0.0, (last.at - created_at).total_seconds()),
    )
