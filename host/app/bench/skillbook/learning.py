"""The suite run with an empty book, with a wrong one, and with what was learned from half of it."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from host.app.bench.figures import Tell
from host.app.bench.skillbook.acting import REFLECTOR, SOLVER, policy_of
from host.app.bench.skillbook.suite import KINDS, Kind, Lesson, Suite, SuiteTask
from host.app.session import Session
from host.app.shared_compiler import shared_compiler
from host.core.tokens import estimate_tokens
from host.events import EVENTS_FILE, ContextBreakdown, ModelReply, TurnOutcome, read_events
from host.launch import ScriptedModel, validate
from host.skillbook import BookFile, Skill
from runtime_js import Compiler

EMPTY: Final = "empty book"
WRONG: Final = "wrong skill alone"
LEARNED: Final = "learned book"
BOOKS: Final = (EMPTY, WRONG, LEARNED)


@dataclass(frozen=True, kw_only=True)
class Tally:
    """What tasks came to: how many of how many were solved, in how many turns and tokens, prompts and replies
    of all turns together.
    """

    tasks: int = 0
    solved: int = 0
    turns: int = 0
    tokens: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            tasks=self.tasks + other.tasks,
            solved=self.solved + other.solved,
            turns=self.turns + other.turns,
            tokens=self.tokens + other.tokens,
        )


@dataclass(frozen=True, kw_only=True)
class LearnedSkill:
    """A skill of the learned book, as it stands at the end."""

    id: str
    insight: str
    state: str
    evidence: str | None
    used: int
    helpful: int
    harmful: int
    neutral: int


@dataclass(frozen=True, kw_only=True)
class LearningReport:
    """`tallies` by kind of task, by half of the suite (`learned from`, `held out`) and by book. `digest` is
    of the suite; `accepted` counts the skills that the operator has accepted, `learning` the runs.
    """

    digest: str
    model: str
    tallies: dict[Kind, dict[str, dict[str, Tally]]]
    learning: int
    accepted: int
    skills: tuple[LearnedSkill, ...]


def measure_learning(suite: Suite, tell: Tell, *, model: str | None = None) -> LearningReport:
    """Runs the suite with each book. Without a `model` its agents are scripted; a model's name has that model
    solve and reflect, which costs what it costs.
    """
    with TemporaryDirectory(prefix="gg-bench-") as folder, ExitStack() as stack:
        lab = _Lab(Path(folder), suite, stack.enter_context(shared_compiler()), model)
        tallies: dict[Kind, dict[str, dict[str, Tally]]] = {
            kind: {half: {} for half in ("learned from", "held out")} for kind in KINDS
        }
        learning, accepted = 0, 0
        for name in BOOKS:
            book = lab.book(name)
            if name != EMPTY:
                book.apply(lambda each: _plant(each.add_skill, suite.planted))
            if name == LEARNED:
                for task in (each for each in suite.tasks if not each.is_held_out):
                    tell(f"learning from {task.key}")
                    lab.run(task, book, reflects=True)
                    learning += 1
                    accepted += _accept_all(book)
            for task in suite.tasks:
                tell(f"{name}: {task.key}")
                half = "held out" if task.is_held_out else "learned from"
                by_book = tallies[task.kind][half]
                by_book[name] = by_book.get(name, Tally()) + lab.run(task, book, reflects=False)
        skills = lab.book(LEARNED).read().skillbook.skills(include_invalid=True)
    return LearningReport(
        digest=suite.digest,
        model=model or "scripted",
        tallies=tallies,
        learning=learning,
        accepted=accepted,
        skills=tuple(map(_learned, skills)),
    )


class _Lab:
    """Runs single tasks, each in a folder of its own."""

    def __init__(self, folder: Path, suite: Suite, compiler: Compiler, model: str | None) -> None:
        self._folder: Final = folder
        self._suite: Final = suite
        self._compiler: Final = compiler
        self._model: Final = model
        self._runs = 0

    def book(self, name: str) -> BookFile:
        return BookFile(self._folder / f"{name.replace(' ', '-')}.json")

    def run(self, task: SuiteTask, book: BookFile, *, reflects: bool) -> Tally:
        """What the solver alone came to."""
        self._runs += 1
        base = self._folder / f"run-{self._runs}"
        data = base / "data"
        data.mkdir(parents=True)
        for name, content in task.files.items():
            (data / name).write_text(content, encoding="utf-8")
        plan = validate(self._document(task, book, reflects=reflects), base=base)
        result = Session.create(plan, out=base / "record", compiler=self._compiler).run()
        if result.status in ("internal_error", "model_error", "auth_error"):
            raise RuntimeError(f"{task.key} ended {result.status}: {result.error}")
        is_solved = result.ending is not None and result.ending.summary.strip() == task.answer
        return _tally(result.record, is_solved=is_solved)

    def _document(self, task: SuiteTask, book: BookFile, *, reflects: bool) -> dict[str, Any]:
        params = {"book": str(book.path)} | ({"reflector": REFLECTOR} if reflects else {})
        solver = {
            "id": SOLVER,
            "execution": "responses_as_code",
            "capabilities": [
                {"id": "files", "params": {"dir": "data"}},
                {"id": "skillbook", "params": params},
            ],
        }
        model = self._model or ScriptedModel(replies=policy_of(task))
        return {
            "task": task.task,
            "model": model,
            "root": SOLVER,
            "limits": {"maxTurns": self._suite.max_turns},
            "seed": 1,
            "agents": [solver, {"id": REFLECTOR, "execution": "tool_calling"}] if reflects else [solver],
        }


def _plant(add: Callable[..., object], planted: Lesson) -> None:
    add(planted.section, planted.issue, insight=planted.insight, keywords=planted.keywords)


def _accept_all(book: BookFile) -> int:
    """The operator accepts what is held back; how many skills that were."""
    held = [skill.id for skill in _held(book)]
    book.apply(lambda each: [each.accept(skill_id) for skill_id in held])
    return len(held)


def _held(book: BookFile) -> Sequence[Skill]:
    skills = book.read().skillbook.skills(include_invalid=True)
    return [skill for skill in skills if skill.review == "pending"]


def _tally(record: Path, *, is_solved: bool) -> Tally:
    turns = tokens = 0
    for stamped in read_events(record / EVENTS_FILE):
        if stamped.agent_id != SOLVER:
            continue
        match stamped.event:
            case TurnOutcome():
                turns += 1
            case ContextBreakdown(bands=bands):
                tokens += sum(band.tokens for band in bands.values())
            case ModelReply(text=text):
                tokens += estimate_tokens(text)
    return Tally(tasks=1, solved=int(is_solved), turns=turns, tokens=tokens)


def _learned(skill: Skill) -> LearnedSkill:
    return LearnedSkill(
        id=skill.id,
        insight=skill.insight or skill.issue,
        state="active" if skill.active else "held back" if skill.review else "removed",
        evidence=skill.evidence_is,
        used=skill.used_count,
        helpful=skill.helpful_count,
        harmful=skill.harmful_count,
        neutral=skill.neutral_count,
    )
