"""Which records were used by which runs, and which of those were withdrawn later."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from host.core.moments import moment_text
from host.records.rows import told

_WITHDRAWN: Final = """
    SELECT u.record, r.id IS NULL, json_group_array(DISTINCT CAST(u.run AS TEXT))
    FROM uses u LEFT JOIN records r ON r.id = u.record
    WHERE r.id IS NULL
       OR u.at <= CASE WHEN json_valid(r.superseded) THEN json_extract(r.superseded, '$.at') END
    GROUP BY u.record ORDER BY min(u.number)
"""


@dataclass(frozen=True, kw_only=True)
class Use:
    """A record that was put before an agent: in which run, and in which turn of it, from 1."""

    record_id: str
    run: str
    agent: str
    turn: int


@dataclass(frozen=True, kw_only=True)
class Withdrawn:
    """A record that runs had used before it was superseded, or before it was gone."""

    record_id: str
    how: Literal["superseded", "forgotten"]
    runs: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        return {"record_id": self.record_id, "how": self.how, "runs": list(self.runs)}


def note(connection: sqlite3.Connection, uses: Sequence[Use], now: datetime) -> None:
    """Outside of the ledger: it says what runs did, and nothing of what is served."""
    at = moment_text(now)
    connection.executemany(
        "INSERT INTO uses (record, run, agent, turn, at) VALUES (?, ?, ?, ?, ?)",
        [(use.record_id, use.run, use.agent, use.turn, at) for use in uses],
    )


def withdrawn(connection: sqlite3.Connection) -> tuple[Withdrawn, ...]:
    """In the order of their first use. A use of what was superseded already is none that was withdrawn."""
    return tuple(
        Withdrawn(
            record_id=told(record_id),
            how="forgotten" if is_gone else "superseded",
            runs=tuple(map(told, json.loads(runs))),
        )
        for record_id, is_gone, runs in connection.execute(_WITHDRAWN)
    )
