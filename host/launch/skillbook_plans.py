"""What the capability `skillbook` comes to in a plan."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from host.launch.skillbook_settings import SkillbookCapability
from host.operations import OWN_FOLDER

BOOK_FILE: Final = Path(OWN_FOLDER) / "skillbook.json"


@dataclass(frozen=True, kw_only=True)
class SkillbookPlan:
    """An enabled skillbook capability.

    `book` is absolute. `max_section_chars` is `None` where the section has no limit, `scope` where skills for
    everywhere alone are read, and `reflector`, the id of an agent, where nobody keeps the book.
    """

    book: Path
    top_k: int = 5
    max_section_chars: int | None = 4096
    scope: str | None = None
    reflector: str | None = None


def skillbook_plan(capability: SkillbookCapability, base: Path) -> SkillbookPlan:
    params = capability.params
    return SkillbookPlan(
        book=BOOK_FILE.absolute() if params.book is None else (base / params.book).absolute(),
        top_k=params.top_k,
        max_section_chars=params.max_len_section or None,
        scope=params.scope,
        reflector=params.reflector,
    )
