"""Which files of a folder are skills: `<name>/skill.md` with what stands beside it, and `<name>.md`.

Hidden files and folders are passed over, as is a `README.md`, a folder in which nothing belongs to a skill,
and whatever else stands beside the files of one.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from host.core.errors import system_reason
from host.core.text import quoted
from host.skills.model import MAX_NAME_CHARS, MAX_SKILLS, Fault

SKILL_FILE: Final = "skill.md"
MODULE_FILE: Final = "skill.ts"
SCRIPT_FILE: Final = "on-use.ts"

_PROSE_SUFFIX: Final = ".md"
_README: Final = "readme"
_FOLDER: Final = "skills"
_NAME: Final = re.compile(rf"[A-Za-z0-9_-][A-Za-z0-9._-]{{0,{MAX_NAME_CHARS - 1}}}")
_LETTERS_OF_HALVES: Final = {"skill.ts": MODULE_FILE, "onuse.ts": SCRIPT_FILE}


@dataclass(frozen=True, kw_only=True)
class SkillFiles:
    """Where the parts of a skill stand; nothing of them has been read."""

    name: str
    prose: Path
    code: Path | None = None
    on_use: Path | None = None
    is_one_file: bool = False


@dataclass(frozen=True, kw_only=True)
class Found:
    """The skills of a folder in the order of their names, and what is wrong with how they are kept there."""

    skills: tuple[SkillFiles, ...]
    faults: tuple[Fault, ...]


def skill_file(folder: Path) -> Path | None:
    """The prose of the skill that a folder is, `skill.md` in whatever case; `None` where it is none."""
    return next(iter(_prose_in(folder, _names(folder))), None)


def is_skill(folder: Path) -> bool:
    """Whether the folder holds the prose of a skill, beside which its code stands."""
    return skill_file(folder) is not None


def find_skills(directory: Path) -> Found:
    """The skills in a folder of skills."""
    faults: list[Fault] = []
    skills: list[SkillFiles] = []
    try:
        names = sorted(os.listdir(directory))
    except OSError as error:
        return Found(
            skills=(), faults=(Fault(file=directory, message=f"cannot be listed: {system_reason(error)}"),)
        )
    for name in names:
        path = directory / name
        if name.startswith("."):
            continue
        if name.lower() in (SKILL_FILE, MODULE_FILE, SCRIPT_FILE):
            message = "belongs to one skill, and this is the folder of all; put it into a folder of its own"
            faults.append(Fault(file=path, message=message))
        elif os.path.isdir(path):
            skills += _of_folder(path, faults)
        elif _is_prose(name):
            skills.append(SkillFiles(name=path.stem, prose=path, is_one_file=True))
    faults += _name_faults(skills)
    if len(skills) > MAX_SKILLS:
        faults.append(Fault(file=directory, message=f"holds {len(skills):,} skills, limit {MAX_SKILLS}"))
    return _without_leaks(directory, skills, faults)


def is_skills_folder(folder: Path) -> bool:
    """Whether it is one for all one can tell: it holds the folder of a skill, or it is called `skills` and
    holds prose.
    """
    names = [name for name in _names(folder) if not name.startswith(".")]
    if is_skill(folder):
        return False
    is_called_so = _called(folder) == _FOLDER and any(map(_is_prose, names))
    return is_called_so or any(is_skill(folder / name) for name in names if os.path.isdir(folder / name))


def one_file_skill(path: Path) -> str | None:
    """The name of the skill that a file in a folder of skills is by itself; `None` where it is none."""
    is_alone = _is_prose(path.name) and path.name.lower() != SKILL_FILE
    return path.stem if is_alone and is_skills_folder(path.parent) else None


def skill_in(folder: Path) -> Found:
    """The skill that one folder is, if it is one."""
    faults: list[Fault] = []
    skills = [*_of_folder(folder, faults)]
    return _without_leaks(folder.parent, skills, [*faults, *_name_faults(skills)])


def _of_folder(folder: Path, faults: list[Fault]) -> Iterator[SkillFiles]:
    names = _names(folder)
    prose = _prose_in(folder, names)
    halves = {half: folder / half for half in (MODULE_FILE, SCRIPT_FILE) if half in names}
    if not prose:
        for path in halves.values():
            faults.append(Fault(file=path, message=f"there is no {SKILL_FILE} beside it, so it is no skill"))
        return
    for second in prose[1:]:
        faults.append(Fault(file=second, message=f"{prose[0].name} stands beside it; keep one"))
    for name in names:
        meant = _LETTERS_OF_HALVES.get(name.lower().replace("-", "").replace("_", ""))
        if meant is not None and name != meant:
            faults.append(Fault(file=folder / name, message=f"is not read under this name; call it {meant}"))
    yield SkillFiles(
        name=_called(folder), prose=prose[0], code=halves.get(MODULE_FILE), on_use=halves.get(SCRIPT_FILE)
    )


def _name_faults(skills: Iterable[SkillFiles]) -> Iterator[Fault]:
    first: dict[str, SkillFiles] = {}
    for skill in skills:
        if not _NAME.fullmatch(skill.name):
            allowed = f"1 to {MAX_NAME_CHARS} of letters, digits, -, _ and ."
            message = f"a skill cannot be called {quoted(skill.name)}; its name has {allowed}"
            yield Fault(file=skill.prose, message=message)
        before = first.setdefault(skill.name.casefold(), skill)
        if before is not skill:
            message = f"has the name of {before.prose}, whatever their case; give one another name"
            yield Fault(file=skill.prose, message=message)


def _without_leaks(directory: Path, skills: Iterable[SkillFiles], faults: Iterable[Fault]) -> Found:
    """Less those of which a file leads out of the folder, and is not read: a model would read what nobody has
    put there as a skill.
    """
    leaks = {skill.prose: [*_leaks(directory, skill)] for skill in skills}
    kept = tuple(skill for skill in skills if not leaks[skill.prose])
    return Found(skills=kept, faults=(*faults, *(leak for each in leaks.values() for leak in each)))


def _leaks(directory: Path, skill: SkillFiles) -> Iterator[Fault]:
    root = os.path.realpath(directory)
    for path in filter(None, (skill.prose, skill.code, skill.on_use)):
        real = os.path.realpath(path)
        if os.path.commonpath((root, real)) != root:
            told = f"is a link that leads out of the folder of the skills, to {real}; copy the file there"
            yield Fault(file=path, message=told)


def _called(folder: Path) -> str:
    """The name of a folder, which its path may leave out."""
    return Path(os.path.abspath(folder)).name


def _is_prose(name: str) -> bool:
    stem, dot, suffix = name.rpartition(".")
    is_visible = not name.startswith(".") and stem.lower() != _README
    return is_visible and f"{dot}{suffix}".lower() == _PROSE_SUFFIX


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _prose_in(folder: Path, names: Iterable[str]) -> list[Path]:
    found = (folder / name for name in names if name.lower() == SKILL_FILE)
    return [path for path in found if not os.path.isdir(path)]
