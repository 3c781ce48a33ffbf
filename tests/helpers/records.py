"""Record stores on a clock that a test moves, and ways to change a file behind a store's back."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from host.records import Limits, Record, Refused, Store, make_keys

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
ABSENT_ID = "0" * 64


class MovableClock:
    """Stands still until it is moved."""

    def __init__(self, now: datetime = NOON) -> None:
        self.moment = now

    def __call__(self) -> datetime:
        return self.moment

    def pass_by(self, **duration: float) -> datetime:
        """Moves the clock on by days, hours, seconds, …; the moment that it then shows."""
        self.moment += timedelta(**duration)
        return self.moment


@contextmanager
def opened(
    folder: Path,
    *,
    clock: MovableClock | None = None,
    keyed: bool = False,
    max_records: int = Limits.max_records,
    max_store_bytes: int = Limits.max_store_bytes,
) -> Iterator[Store]:
    """The store `memory.db` of a folder, made where it is missing; its key is in `keys` beside."""
    keys = make_keys(folder / "keys").folder if keyed else None
    with Store(
        folder / "memory.db",
        clock=clock or MovableClock(),
        keys=keys,
        max_records=max_records,
        max_store_bytes=max_store_bytes,
    ) as store:
        yield store


def kept(store: Store, text: str, *, written_by: str = "agent:run-1", **more: object) -> Record:
    """Puts a record; the arguments of a put beside its text may be given."""
    record, envelope = store.put(text=text, written_by=written_by, **more)  # type: ignore[arg-type]
    assert envelope.fields["existed"] is False
    return record


@contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[Refused]]:
    """Expects a refusal with the code, whose envelope says so; its message is `.value.message`."""
    with pytest.raises(Refused) as caught:
        yield caught
    assert caught.value.code == code, caught.value.message
    assert caught.value.envelope.is_refusal


def edit(store: Store, sql: str, *values: object) -> int:
    """Changes the file as another program would, past gg; how many rows were."""
    connection = sqlite3.connect(store.path, isolation_level=None)
    try:
        return connection.execute(sql, values).rowcount
    finally:
        connection.close()


def raw_bytes(store: Store) -> bytes:
    """All that stands in the store's files, one behind the other."""
    return b"\0".join(path.read_bytes() for path in sorted(store.path.parent.glob(store.path.name + "*")))
