"""Reads a folder of skills, whole and once: what a run uses of them is as it was when it was launched."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from host.core.errors import system_reason
from host.core.module_keys import MAX_CODE_CHARS
from host.core.regular_files import open_regular
from host.core.source_text import NotUtf8, decoded
from host.core.text import format_over
from host.skills.finding import SkillFiles, find_skills
from host.skills.model import MAX_BODY_BYTES, MAX_FRONT_MATTER_CHARS, Fault, Skill
from host.skills.prose import parse_prose

_MOST_BYTES: Final = 4 * (MAX_BODY_BYTES + MAX_FRONT_MATTER_CHARS + MAX_CODE_CHARS)
"""Beyond which no file is read to its end, whatever is in it."""


@dataclass(frozen=True, kw_only=True)
class SkillsRead:
    """The skills without a fault, in the order of their names, and all faults, in that of the files."""

    skills: tuple[Skill, ...]
    faults: tuple[Fault, ...]


def read_skills(directory: Path) -> SkillsRead:
    """Everything in a folder of skills, and everything that is wrong there."""
    found = find_skills(directory)
    faults = list(found.faults)
    faulty = {fault.file for fault in faults}
    skills = []
    for files in found.skills:
        read = _Reading(files)
        if not read.faults and faulty.isdisjoint(files_of(files)):
            skills.append(read.skill)
        faults += read.faults
    return SkillsRead(
        skills=tuple(sorted(skills, key=lambda skill: skill.name)),
        faults=tuple(sorted(faults, key=lambda fault: (str(fault.file), fault.line, fault.column))),
    )


def files_of(files: SkillFiles) -> Iterator[Path]:
    """Those that there are."""
    yield from filter(None, (files.prose, files.code, files.on_use))


class _Reading:
    """One skill as it is read."""

    def __init__(self, files: SkillFiles) -> None:
        self.faults: list[Fault] = []
        text = self._text(files.prose)
        prose = None if text is None else parse_prose(text, file=files.prose, name=files.name)
        self.faults += prose.faults if prose else ()
        self.skill: Final = Skill(
            name=files.name,
            description=prose.description if prose else "",
            body=prose.body if prose else "",
            code=self._half(files.code),
            on_use=self._half(files.on_use),
        )

    def _half(self, path: Path | None) -> str | None:
        text = None if path is None else self._text(path)
        if path is None or text is None or not text.strip():
            return None
        if len(text) > MAX_CODE_CHARS:
            figures = f"{len(text):,} characters, limit {MAX_CODE_CHARS:,}"
            self.faults.append(Fault(file=path, message=f"code: {figures}"))
        return text

    def _text(self, path: Path) -> str | None:
        try:
            with open_regular(path) as file:
                data = file.read(_MOST_BYTES + 1)
        except OSError as error:
            self.faults.append(Fault(file=path, message=f"cannot be read: {system_reason(error)}"))
            return None
        if len(data) > _MOST_BYTES:
            self.faults.append(Fault(file=path, message=f"over {format_over(len(data), _MOST_BYTES)}"))
            return None
        try:
            return decoded(data)
        except NotUtf8 as error:
            self.faults.append(Fault(file=path, message=str(error), line=error.line, column=error.column))
            return None
