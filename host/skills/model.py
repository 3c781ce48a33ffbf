"""What a skill is, as values, and what bounds it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

MAX_NAME_CHARS: Final = 64
MAX_DESCRIPTION_CHARS: Final = 1_024
"""Of the line that every prompt of the agent lists."""
MAX_BODY_BYTES: Final = 65_536
"""As UTF-8: as much as a view shows, since the window shows it whole."""
MAX_FRONT_MATTER_CHARS: Final = 16_384
MAX_SKILLS: Final = 256
"""In one folder."""


@dataclass(frozen=True, kw_only=True)
class Skill:
    """A skill as it was on the disk: a line that says what it is about, prose, and code where it has any."""

    name: str
    description: str
    body: str
    code: str | None = None
    on_use: str | None = None


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Why a file is no part of a skill, or not the one that was meant. Places count from 1."""

    file: Path
    message: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"
