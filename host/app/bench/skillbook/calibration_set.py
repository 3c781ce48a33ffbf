"""The judged pairs of `fixtures/skillbook`, which its README describes."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from host.launch import shipped_fixture
from host.skillbook import Skill, embedding_text

KINDS: Final = (
    "duplicate",
    "near_duplicate",
    "other_remedy",
    "context",
    "api",
    "negation",
    "number",
    "unrelated",
)

_FILE: Final = Path("fixtures", "skillbook", "pairs.jsonl")


@dataclass(frozen=True, kw_only=True)
class JudgedPair:
    """The embedding texts of two skills, and whether the skills say the same.

    Args:
        kind: how the two are alike or differ, one of `KINDS`.
        held_out: whether it is for reporting; a threshold is taken by the other half.
    """

    key: str
    kind: str
    same: bool
    held_out: bool
    a: str
    b: str


@dataclass(frozen=True, kw_only=True)
class CalibrationSet:
    """Judged pairs. `digest` is of the file: figures of one digest compare."""

    pairs: tuple[JudgedPair, ...]
    digest: str


def load_calibration_set() -> CalibrationSet:
    """The set that comes with gg. Raises `FileNotFoundError`."""
    file = shipped_fixture(_FILE)
    if file is None:
        raise FileNotFoundError(f"{_FILE} is not there; install gg from its wheel or run in a checkout")
    data = file.read_bytes()
    rows = map(json.loads, data.splitlines())
    return CalibrationSet(pairs=tuple(map(_pair, rows)), digest=hashlib.sha256(data).hexdigest())


def _pair(row: Mapping[str, Any]) -> JudgedPair:
    return JudgedPair(**{**row, "a": _text(row["a"]), "b": _text(row["b"])})


def _text(skill: Mapping[str, Any]) -> str:
    said = {"issue": skill["issue"], "insight": skill["insight"], "keywords": tuple(skill["keywords"])}
    return embedding_text(Skill(id="", section="context", **said))
