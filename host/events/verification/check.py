"""What one check of a record comes to, and what every check is."""

from dataclasses import dataclass
from typing import Final, Protocol

from host.events.record_reader import RecordReader
from host.events.stamped import StampedEvent

MAX_PROBLEMS: Final = 20
"""Of each check; more are counted."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """`looked_at` says what was compared; `problems` are the first `MAX_PROBLEMS` of `wrong` in all."""

    name: str
    looked_at: str
    wrong: int = 0
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.wrong == 0


class Problems:
    """Counts what is wrong, and keeps the first of it."""

    def __init__(self) -> None:
        self._count = 0
        self._kept: Final[list[str]] = []

    def add(self, problem: str) -> None:
        self._count += 1
        if len(self._kept) < MAX_PROBLEMS:
            self._kept.append(problem)

    def expect(self, what: str, recorded: object, found: object) -> None:
        """Both have to be equal."""
        if recorded != found:
            self.add(f"{what} is {recorded!r}, not {found!r}")

    def as_check(self, name: str, looked_at: str) -> Check:
        return Check(name=name, looked_at=looked_at, wrong=self._count, problems=tuple(self._kept))


class Checker(Protocol):
    """Takes the events of a record one by one, then says what it found."""

    def add(self, stamped: StampedEvent) -> None: ...

    def conclude(self, reader: RecordReader) -> Check: ...
