"""Events of the skillbook: which skills an agent began with, and what the reflector did to the book.

They name skills by id, with the hash of what each said. The texts stand in the book, and in the prompt of
whoever was shown them.
"""

from typing import Literal

from pydantic import Field

from host.events.types.base import EventModel, Many, Part, Turn

SkillbookReading = Literal["skillbook.search_skills", "skillbook.read_skill"]
SkillbookChanging = Literal[
    "skillbook.add_skill", "skillbook.update_skill", "skillbook.tag_skill", "skillbook.remove_skill"
]
ReflectedKind = Literal[
    "outcome", "check", "diagnostic", "host error", "result", "file", "page", "memory", "reply", "other"
]
"""What a part of a run is, that a reflector reads: the first four are the host's own words."""


class InjectedSkill(Part):
    """A skill that a window opens with."""

    id: str = Field(description="Its id.")
    text_sha256: str = Field(
        description="SHA-256 of its issue and insight, in NFC and with spaces collapsed."
    )
    score: float = Field(description="How well it matched the task, comparable within this event.")


class SkillsInjected(EventModel):
    """Skills of a book entered an agent's window as the section that it begins with, in turn 0."""

    book: str = Field(description="The book's file.")
    scope: str | None = Field(
        default=None, description="The scope that was read; skills for everywhere when absent."
    )
    skills: Many[InjectedSkill] = Field(description="The skills, the most relevant first.")
    left_out: Many[InjectedSkill] = Field(
        default=(), description="Those that matched and for which the section had no room."
    )
    used: bool = Field(description="Whether the book counted a use of each; it does where it can be written.")
    turn: Turn


class SkillbookRead(EventModel):
    """The reflector read skills of the book."""

    operation: SkillbookReading = Field(description="The call.")
    query: str | None = Field(default=None, description="What was searched for; absent for a read.")
    skill_ids: Many[str] = Field(description="Ids of the skills that it was given, in order.")
    turn: Turn


class SkillbookChanged(EventModel):
    """The reflector changed the book, or was told why nothing was changed."""

    operation: SkillbookChanging = Field(description="The call.")
    ok: bool = Field(description="Whether it did anything.")
    skill_id: str | None = Field(default=None, description="Id of the skill.")
    did: str | None = Field(default=None, description="What was done.")
    why: str | None = Field(default=None, description="Why nothing was done.")
    text_sha256: str | None = Field(
        default=None, description="SHA-256 of its issue and insight from now on, as in `skills_injected`."
    )
    evidence_is: Literal["host", "untrusted"] | None = Field(
        default=None, description="What the quoted evidence counts for, of a skill that was added or updated."
    )
    evidence_kind: ReflectedKind | None = Field(
        default=None, description="What the evidence was found in; absent where it was found in nothing."
    )
    evidence_agent: str | None = Field(default=None, description="The agent that this is of.")
    evidence_turn: int | None = Field(default=None, description="The turn of that agent.")
    held_back: bool = Field(default=False, description="Whether an operator has to accept the skill first.")
    turn: Turn
