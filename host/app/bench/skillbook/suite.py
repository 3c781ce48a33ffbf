"""The committed tasks of `fixtures/skillbook-suite`, which its README describes."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from host.launch import shipped_fixture

Kind = Literal["helps", "neutral", "hurts"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

_FOLDER: Final = Path("fixtures", "skillbook-suite")
_LEARNED_FROM: Final = ("1", "2")


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """What a reflector writes where an error that holds `evidence` has delayed a run."""

    section: str
    issue: str
    insight: str
    keywords: tuple[str, ...]
    evidence: str = ""


@dataclass(frozen=True, kw_only=True)
class SuiteTask:
    """A task, the texts of its files, and a scripted agent's programs, turn by turn: those for a window with
    a skill that holds the words `cue`, and those without.
    """

    key: str
    kind: Kind
    task: str
    files: Mapping[str, str]
    answer: str
    cue: str | None
    without_skill: tuple[str, ...]
    with_skill: tuple[str, ...]
    lesson: Lesson | None

    @property
    def is_held_out(self) -> bool:
        """Whether nothing is learned from it."""
        return self.key.rpartition("-")[2] not in _LEARNED_FROM


@dataclass(frozen=True, kw_only=True)
class Suite:
    """The tasks, and the wrong skill of a book that is learned from. `digest` is of all of it."""

    tasks: Sequence[SuiteTask]
    planted: Lesson
    max_turns: int
    digest: str


def load_suite(*families: str) -> Suite:
    """The suite, or what it has of some families."""
    path = shipped_fixture(_FOLDER / "suite.json")
    if path is None:
        raise RuntimeError(f"{_FOLDER} is missing, which comes with gg")
    content = path.read_bytes()
    raw = json.loads(content)
    lessons = {name: _lesson(value) for name, value in raw["lessons"].items()}
    tasks = [_task(value, lessons) for value in raw["tasks"]]
    if families:
        tasks = [task for task in tasks if task.key.partition("-")[0] in families]
    return Suite(
        tasks=tasks,
        planted=_lesson(raw["planted"]),
        max_turns=raw["maxTurns"],
        digest=hashlib.sha256(content).hexdigest(),
    )


def _lesson(raw: Mapping[str, Any]) -> Lesson:
    return Lesson(**{**raw, "keywords": tuple(raw["keywords"])})


def _task(raw: Mapping[str, Any], lessons: Mapping[str, Lesson]) -> SuiteTask:
    return SuiteTask(
        key=raw["key"],
        kind=raw["kind"],
        task=raw["task"],
        files={name: _content(value) for name, value in raw["files"].items()},
        answer=raw["answer"],
        cue=raw["cue"],
        without_skill=tuple(raw["without"]),
        with_skill=tuple(raw["with"]),
        lesson=lessons[raw["lesson"]] if raw["lesson"] else None,
    )


def _content(value: str | Mapping[str, Any]) -> str:
    """A file as it is written, or made by its rule."""
    if isinstance(value, str):
        return value
    lines = [value["first"]]
    for number in range(1, value["lines"] + 1):
        total = str(value["step"] * number)
        lines.append(value["line"].replace("{n}", str(number)).replace("{total}", total))
    return "\n".join(lines) + "\n"
