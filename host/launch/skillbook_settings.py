"""The capability `skillbook` as pydantic models: which book, what of it a window opens with, who reflects."""

from typing import Literal

from pydantic import Field

from host.launch.fields import FilledText, Flag, LiftableCount, Settings
from host.launch.record_settings import TopK
from host.skillbook import MAX_CHARS, TOP_K


class SkillbookParams(Settings):
    """Where the book is, what of it an agent begins with, and who keeps it."""

    book: FilledText | None = Field(
        default=None,
        description="The book's JSON file; `.gg/skillbook.json` in the directory that gg runs in if omitted."
        " One that is not there is an empty book.",
    )
    top_k: TopK = Field(default=TOP_K, description="The most skills that the agent's window opens with.")
    max_len_section: LiftableCount = Field(
        default=MAX_CHARS, description="Characters of that section; 0 lifts the limit."
    )
    scope: FilledText | None = Field(
        default=None,
        description="Family of tasks, or project: skills of it, and those for everywhere. Those for"
        " everywhere alone if omitted.",
    )
    reflector: FilledText | None = Field(
        default=None,
        description="Id of the agent that reads how the run went when it has ended, and keeps the book;"
        " nobody if omitted.",
    )


class SkillbookCapability(Settings):
    """Advice that was learned from earlier runs, as a section of the agent's window."""

    id: Literal["skillbook"]
    enabled: Flag = Field(default=True, description="Off keeps the params in the file and reads no book.")
    params: SkillbookParams = Field(
        default=SkillbookParams(), description="Which book, what of it is shown, and who keeps it."
    )
