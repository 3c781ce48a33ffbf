"""From the paths that were named to what is to be checked: files, folders, skills and session records."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from host.app.check.record import leads_to_record, record_folder, record_targets
from host.app.check.settings import CheckSettings
from host.app.check.sources import SourceFault, SourceMissing, SourceReader, SourceTooLong
from host.app.check.targets import CheckKind, Found, Module, ModuleGroup, Target
from host.app.check.walk import PROGRAM_SUFFIXES, walk
from host.core.errors import HostError
from host.core.text import escape_line, join_words, nearest
from host.events import RecordError
from host.skills import (
    MODULE_FILE,
    SCRIPT_FILE,
    SKILL_FILE,
    Fault,
    find_skills,
    is_skill,
    is_skills_folder,
    one_file_skill,
    skill_in,
)
from runtime_js import UnitKind

_CONFIGURATION_SUFFIXES: Final = frozenset({".json", ".yaml", ".yml", ".toml"})
_HALVES: Final = {MODULE_FILE: UnitKind.MODULE, SCRIPT_FILE: UnitKind.ON_USE}


class CheckRefused(HostError):
    """A path that was named cannot be checked. The message is one line and says what to do instead."""


def find_targets(
    paths: Sequence[Path],
    reader: SourceReader,
    *,
    kind: UnitKind | None = None,
    settings: CheckSettings | None = None,
    lenient: bool = False,
) -> Found:
    """Everything there is to check at the paths, each file once, however often and by whatever name it comes.

    `kind` says what files are, in place of what their names say. By `settings` all is checked; without them
    memories of a record as for the agents that wrote them, the rest by default. A path that cannot be checked
    raises `CheckRefused`, a record that cannot be read `RecordError`; `lenient`, as while files come and go,
    makes either a target with a fault.
    """
    finder = _Finder(reader, kind, settings, lenient=lenient)
    for path in paths:
        finder.add(path)
    return finder.found()


class _Finder:
    def __init__(
        self,
        reader: SourceReader,
        kind: UnitKind | None,
        settings: CheckSettings | None,
        *,
        lenient: bool,
    ) -> None:
        self._reader: Final = reader
        self._kind: Final = kind
        self._settings: Final = settings
        self._lenient: Final = lenient
        self._modules: Final = ModuleGroup()
        self._targets: Final[dict[tuple[str, str], Target]] = {}
        self._faults: Final[dict[Path, list[Fault]]] = {}
        self._folders: Final[set[Path]] = set()
        self._places: Final[set[Path]] = set()

    def add(self, path: Path) -> None:
        """Takes one path that was named."""
        self._note_place(_absolute(path))
        if leads_to_record(path):
            self._add_record(path)
        elif path.name.lower() == SKILL_FILE and os.path.isfile(path):
            self._note_place(_absolute(path.parent))
            self._add_skill(path.parent)
        elif not os.path.isdir(path):
            self._add_named_file(path)
        elif is_skill(path):
            self._add_skill(path)
        else:
            self._add_folder(path)

    def found(self) -> Found:
        for path in self._faults:
            self._add_target(path, "", "skill")  # unless it is there already
        targets = (
            target if target.memory else self._modules.given_to(self._with_faults(target))
            for target in self._targets.values()
        )
        if (settings := self._settings) is not None:
            targets = (replace(target, settings=settings) for target in targets)
        return Found(targets=tuple(targets), folders=frozenset(self._folders), places=frozenset(self._places))

    def _add_record(self, path: Path) -> None:
        if self._kind is not None:
            self._refuse(path, _no_kind_for("a session record", path))
            return
        try:
            targets = record_targets(path)
        except RecordError as error:
            if not self._lenient:
                raise
            self._add_fault(path, f"cannot read this session record: {escape_line(str(error))}")
            return
        real = os.path.realpath(record_folder(path))
        for number, target in enumerate(targets):
            self._targets.setdefault((real, str(number)), target)

    def _add_folder(self, root: Path) -> None:
        self._folders.add(_absolute(root))
        is_empty = not self._add_skills_of(root)
        for item in walk(root):
            match item.kind:
                case "folder":
                    self._folders.add(_absolute(item.path))
                    is_empty = not self._add_skills_of(item.path) and is_empty
                    continue
                case "skill":
                    self._add_skill(item.path)
                case "file":
                    self._add_file(item.path)
                case "fault":
                    self._add_target(item.path, item.fault or item.path, UnitKind.PROGRAM)
            is_empty = False
        if is_empty and not self._lenient:
            kinds = join_words((f"*{suffix}" for suffix in PROGRAM_SUFFIXES), "or")
            what = f"no {kinds} file and no skill"
            raise CheckRefused(f"nothing to check in {_shown(root)}: {what}; name the file itself")

    def _add_skill(self, folder: Path) -> None:
        if self._kind is not None:
            self._refuse(folder, _no_kind_for("a skill", folder))
            return
        self._folders.add(_absolute(folder))
        found = skill_in(folder)
        for skill in found.skills:
            self._add_prose(skill.prose, skill.name)
        self._note_faults(found.faults)
        for name in _HALVES:
            if os.path.lexists(folder / name):
                self._add_file(folder / name)

    def _add_skills_of(self, folder: Path) -> bool:
        """What a walk does not give of a folder of skills: those that are one file, and what is wrong with
        how all of them are kept. Whether there was anything.
        """
        if self._kind is not None or not is_skills_folder(folder):
            return False
        found = find_skills(folder)
        alone = [skill for skill in found.skills if skill.is_one_file]
        for skill in alone:
            self._add_prose(skill.prose, skill.name)
        self._note_faults(found.faults)
        return bool(alone or found.faults)

    def _add_prose(self, path: Path, skill: str) -> None:
        self._add_target(path, path, "skill", skill=skill)

    def _note_faults(self, faults: Sequence[Fault]) -> None:
        for fault in faults:
            of_file = self._faults.setdefault(fault.file, [])
            if fault not in of_file:
                of_file.append(fault)

    def _with_faults(self, target: Target) -> Target:
        faults = self._faults.get(Path(target.name), ()) if target.kind == "skill" else ()
        return replace(target, faults=tuple(faults))

    def _add_named_file(self, path: Path) -> None:
        if not self._lenient:
            try:
                self._reader.text(path)
            except SourceMissing as missing:
                raise CheckRefused(_missing(path)) from missing
            except SourceTooLong:
                pass  # which is the file's fault, not that of who named it
            except SourceFault as fault:
                raise CheckRefused(f"cannot check {_shown(path)}: {escape_line(str(fault))}") from fault
            if path.suffix.lower() in _CONFIGURATION_SUFFIXES:
                raise CheckRefused(f"{_shown(path)} is no program; gg validate checks a configuration")
        self._add_file(path)

    def _add_file(self, path: Path) -> None:
        alone = one_file_skill(path) if self._kind is None else None
        if alone is not None:
            self._add_prose(path, alone)
        elif self._kind is None and path.name in _HALVES and is_skill(path.parent):
            self._add_half(path, _HALVES[path.name])
        elif self._kind in (None, UnitKind.PROGRAM):
            self._add_target(path, path, UnitKind.PROGRAM)
        else:
            key = self._modules.key_of(path.stem)
            self._add_target(path, path, self._kind or UnitKind.PROGRAM, key)
            if self._kind is UnitKind.MODULE:
                self._modules.add(Module(key=key, name=str(path), source=path))

    def _add_half(self, path: Path, kind: UnitKind) -> None:
        """Half of a skill. Its module takes part even where only the script was named."""
        key = self._modules.key_of(_absolute(path).parent.name)
        module = path.with_name(MODULE_FILE)
        self._add_target(path, path, kind, key)
        self._note_place(_absolute(module))
        if os.path.lexists(module):
            self._modules.add(Module(key=key, name=str(module), source=module))

    def _add_target(
        self, path: Path, source: Path | str | SourceFault, kind: CheckKind, key: str = "", *, skill: str = ""
    ) -> None:
        real = Path(os.path.realpath(path))
        target = Target(name=str(path), kind=kind, source=source, key=key, skill=skill)
        self._targets.setdefault((str(real), kind), target)
        if real != _absolute(path):  # a save of what a link leads to happens there
            self._note_place(real)

    def _note_place(self, place: Path) -> None:
        """A change of what stands there concerns the check, also one that makes or removes it."""
        self._places.add(place)
        around = (*place.parents, place)
        self._folders.add(next(folder for folder in around if os.path.isdir(folder)))

    def _refuse(self, path: Path, message: str) -> None:
        if not self._lenient:
            raise CheckRefused(message)
        self._add_fault(path, message)

    def _add_fault(self, path: Path, message: str) -> None:
        self._add_target(path, SourceFault(message), UnitKind.PROGRAM)


def _missing(path: Path) -> str:
    told = f"there is no {_shown(path)}"
    try:
        near = nearest(path.name, os.listdir(path.parent), count=1)
    except OSError:
        near = ()
    if near:
        return f"{told}; did you mean {_shown(path.with_name(near[0]))}?"
    return f"{told}; name a file, a folder, a skill or a session record"


def _no_kind_for(what: str, path: Path) -> str:
    return f"--as says what a file is, and {_shown(path)} is {what}; leave --as out"


def _shown(path: Path) -> str:
    return escape_line(str(path))


def _absolute(path: Path) -> Path:
    """Without `..`, links as they are."""
    return Path(os.path.abspath(path))
