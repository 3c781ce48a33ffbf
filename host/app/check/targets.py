"""What a check is made of: texts, each with what it is and what it may import."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from host.app.check.settings import DEFAULTS, CheckSettings
from host.app.check.sources import SourceFault
from host.core.module_keys import Carrier, KeyTable
from host.skills import MODULE_FILE, Fault
from runtime_js import UnitKind

_REPLY_SUFFIXES: Final = frozenset({".md", ".txt"})


CheckKind = UnitKind | Literal["skill"]
"""What the compilers take, or the prose of a skill, which nobody compiles."""


@dataclass(frozen=True, kw_only=True)
class HeldMemory:
    """A memory of a session record, in one of its stores; `is_alone`: no other of them holds code.

    `masked`: the record holds a half of its code otherwise than the run.
    """

    record: Path
    store: str
    is_alone: bool = True
    slug: str
    revision: int
    masked: bool = False


@dataclass(frozen=True, kw_only=True)
class Module:
    """What others may import by `key`; `name` is what its errors are placed under."""

    key: str
    name: str
    source: Path | str


@dataclass(frozen=True, kw_only=True)
class Target:
    """A text to be checked. `source` is the file it stands in, the text, or why there is none.

    `name` is the file as the operator wrote it, or as a model reads it. `key` is empty for a program. Of the
    kind `skill` it is the prose of the skill called `skill`, or else what stands where no file of a skill
    should; `faults` are what is wrong with how it is kept.
    """

    name: str
    kind: CheckKind
    source: Path | str | SourceFault
    key: str = ""
    modules: tuple[Module, ...] = ()
    settings: CheckSettings = DEFAULTS
    memory: HeldMemory | None = None
    skill: str = ""
    faults: tuple[Fault, ...] = ()

    @property
    def identity(self) -> object:
        """What stays the same when the text changes."""
        return self.name, self.kind, self.memory

    @property
    def is_reply(self) -> bool:
        """Whether it is a model's whole reply, which a run would heal."""
        is_file = isinstance(self.source, Path)
        return is_file and self.kind is UnitKind.PROGRAM and Path(self.name).suffix in _REPLY_SUFFIXES

    @property
    def is_draft(self) -> bool:
        """Whether it is a code half that no store has taken yet, so that its length is still to be judged."""
        return self.kind is not UnitKind.PROGRAM and self.memory is None


@dataclass(frozen=True, kw_only=True)
class Found:
    """The targets in the order of what was named, and for a watch: where they may come to be.

    `folders` exist and are to be watched, each without those below it; `places` are the files and folders
    that a change must concern. All are absolute.
    """

    targets: tuple[Target, ...]
    folders: frozenset[Path]
    places: frozenset[Path]


class ModuleGroup:
    """Modules that are checked together, and may import each other as if all of them were loaded."""

    def __init__(self) -> None:
        self._keys: Final = KeyTable()
        self._by_name: Final[dict[str, Module]] = {}
        self._by_key: Final[dict[str, Module]] = {}

    def key_of(self, name: str) -> str:
        """The key of the skill that is called `name`, which may be any name of a file."""
        skill = Carrier("skill", name.encode(errors="replace").decode())
        return self._keys.take(skill)

    def add(self, module: Module) -> None:
        """Of two with one key, as two folders of one name have, others import the first."""
        self._by_name.setdefault(module.name, module)
        self._by_key.setdefault(module.key, module)

    def given_to(self, target: Target) -> Target:
        """The target with what it may import. The module of a skill's script stands beside it."""
        if target.kind in (UnitKind.PROGRAM, "skill"):
            return target
        others = {key: module for key, module in self._by_key.items() if key != target.key}
        beside = str(Path(target.name).with_name(MODULE_FILE))
        if target.kind is UnitKind.ON_USE and beside in self._by_name:
            others[target.key] = self._by_name[beside]
        return replace(target, modules=tuple(others.values()))
