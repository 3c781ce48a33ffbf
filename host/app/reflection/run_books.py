"""The skillbooks of one run: where they are, and which agents began with which skills."""

import hashlib
import shutil
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from host.app.reflection.keeping import RunReflection
from host.core.clock import Clock
from host.launch import LaunchPlan, SkillbookPlan
from host.skillbook import BookFile


@dataclass(frozen=True, kw_only=True)
class Reflected:
    """What one reflector reflects on: the agents that name it, and the book and scope that they share."""

    reflector: str
    plan: SkillbookPlan
    profiles: tuple[str, ...]


class RunBooks:
    """Thread-safe. With a `home` the run has copies of the books there, and changes no other."""

    def __init__(self, *, clock: Clock, home: Path | None = None) -> None:
        self.reflection: RunReflection | None = None
        self._clock: Final = clock
        self._home: Final = home
        self._lock: Final = threading.Lock()
        self._begun: Final[dict[str, list[str]]] = {}

    def file(self, plan: SkillbookPlan) -> BookFile:
        """The book of a plan."""
        path = plan.book if self._home is None else self._copied(plan.book, self._home)
        return BookFile(path, clock=self._clock)

    def note(self, profile: str, skill_ids: tuple[str, ...]) -> None:
        """An agent of this profile has begun with these skills."""
        with self._lock:
            begun = self._begun.setdefault(profile, [])
            begun.extend(id_ for id_ in skill_ids if id_ not in begun)

    def injected(self, reflected: Reflected) -> tuple[str, ...]:
        """The ids of the skills that its agents began with, each once."""
        with self._lock:
            found = (id_ for profile in reflected.profiles for id_ in self._begun.get(profile, ()))
            return tuple(dict.fromkeys(found))

    def to_reflect_on(self, plan: LaunchPlan) -> tuple[Reflected, ...]:
        """What there is to reflect on, of the agents that have begun."""
        groups: dict[tuple[str, Path, str | None], tuple[SkillbookPlan, list[str]]] = {}
        for agent in plan.agents:
            own = agent.skillbook
            if own is not None and own.reflector is not None and agent.id in self._begun:
                key = (own.reflector, own.book, own.scope)
                groups.setdefault(key, (own, []))[1].append(agent.id)
        return tuple(
            Reflected(reflector=reflector, plan=own, profiles=tuple(profiles))
            for (reflector, _, _), (own, profiles) in groups.items()
        )

    def _copied(self, book: Path, home: Path) -> Path:
        """The run's own copy, made when it is asked for first."""
        name = hashlib.sha256(str(book).encode("utf-8", "surrogatepass")).hexdigest()[:8]
        copy = home / "skillbooks" / f"{book.stem}-{name}.json"
        with self._lock:
            if not copy.exists() and book.is_file():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(book, copy)
        return copy
