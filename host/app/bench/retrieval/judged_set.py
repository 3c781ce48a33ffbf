"""The judged set of `fixtures/retrieval`, which its README describes."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from host.launch import shipped_fixture

STATES: Final = ("current", "stale", "superseded", "proposed", "forgotten", "unreadable")
CATEGORIES: Final = ("fact", "identifier", "cjk", "paraphrase", "abstention")

KEPT_AT: Final = datetime(2026, 10, 1, 9, tzinfo=UTC)
ASKED_AT: Final = datetime(2026, 12, 1, 9, tzinfo=UTC)

_FOLDER: Final = Path("fixtures", "retrieval")


@dataclass(frozen=True, kw_only=True)
class JudgedRecord:
    """A record, and the state that it is in when the questions are asked: one of `STATES`."""

    key: str
    text: str
    written_by: str
    source: str
    tags: tuple[str, ...]
    kind: str
    passage: str | None
    stale_after: str | None
    state: str
    superseded_by: str | None


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question with the keys of the records that answer it, and of those that must not be served for it."""

    key: str
    query: str
    category: str
    relevant: tuple[str, ...]
    forbidden: tuple[str, ...]
    held_out: bool


@dataclass(frozen=True, kw_only=True)
class JudgedSet:
    """Records by key, and questions. `digest` is of both files: figures of one digest compare."""

    records: Mapping[str, JudgedRecord]
    questions: tuple[Question, ...]
    digest: str


def load_judged_set() -> JudgedSet:
    """The set that comes with gg. Raises `FileNotFoundError`."""
    folder = shipped_fixture(_FOLDER)
    if folder is None:
        raise FileNotFoundError(f"{_FOLDER} is not there; install gg from its wheel or run in a checkout")
    files = [(folder / name).read_bytes() for name in ("records.jsonl", "questions.jsonl")]
    records, questions = ([json.loads(row) for row in data.splitlines()] for data in files)
    return JudgedSet(
        records={row["key"]: _record(row) for row in records},
        questions=tuple(map(_question, questions)),
        digest=hashlib.sha256(b"".join(files)).hexdigest(),
    )


def _record(row: Mapping[str, Any]) -> JudgedRecord:
    optional = {name: row.get(name) for name in ("passage", "stale_after", "superseded_by")}
    return JudgedRecord(
        **{**row, **optional, "tags": tuple(row["tags"]), "kind": row.get("kind", "note")},
    )


def _question(row: Mapping[str, Any]) -> Question:
    return Question(**{**row, "relevant": tuple(row["relevant"]), "forbidden": tuple(row["forbidden"])})
