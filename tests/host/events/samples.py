"""Events to test with, and a clock that a test moves."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from host.core.masking import Masker
from host.events import EVENT_TYPES, ApiCall, EventLog, EventModel, OperatorLog

START: Final = datetime(2026, 11, 30, 15, 24, 5, 123, tzinfo=UTC)
NO_SECRETS: Final = Masker({})
SECRETS: Final = Masker({"API_KEY": "hunter2-hunter2", "OTHER_TOKEN": "sesame-open"})


class StillClock:
    """Stands where it was set."""

    def __init__(self, now: datetime = START) -> None:
        self.time = now

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return 0.0

    def move(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


def log_at(path: Path, *, masker: Masker = NO_SECRETS, clock: StillClock | None = None) -> EventLog:
    return EventLog(path, run_id="run-1", clock=clock or StillClock(), masker=masker)


def call(turn: int = 1, **fields: object) -> ApiCall:
    defaults: dict[str, Any] = {
        "operation": "files.read_file",
        "ok": True,
        "duration_us": 42,
        "origin": "program",
    }
    return ApiCall(turn=turn, **(defaults | fields))


def line(text: str) -> OperatorLog:
    return OperatorLog(level="log", text=text, source="program")


ALL_MODELS: Final[tuple[type[EventModel], ...]] = tuple(EVENT_TYPES.values())
