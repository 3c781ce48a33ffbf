"""What the calls of the skillbook take. Where a skill comes from is no argument of any: the host says it."""

from typing import Final

from pydantic import Field

from host.operations.model import Arguments
from host.skillbook import Section

MAX_TOP_K: Final = 100
_EVIDENCE: Final = (
    "Words that show it, copied exactly from under `Run`. Unless they are found there in words of the host's"
    " own, the skill is held back until an operator accepts it."
)
_ISSUE: Final = "The situation: when it applies, in words that such a task would have."
_INSIGHT: Final = "What to do about it"
_KEYWORDS: Final = "Words to find it by."


class SearchSkillsArguments(Arguments):
    query: str = Field(description="The words to look for, such as those of a situation.")
    top_k: int | None = Field(
        default=None, ge=1, le=MAX_TOP_K, description="The most skills; 5 when omitted."
    )
    section: Section | None = Field(default=None, description="Only skills of this section.")
    keywords: list[str] | None = Field(
        default=None, description="Only skills that have one of these keywords."
    )


class ReadSkillArguments(Arguments):
    skill_id: str = Field(description="The skill's id.")


class AddSkillArguments(Arguments):
    section: Section = Field(
        description="`context`: about tasks and their world; `harness`: about the calls that an agent has."
    )
    issue: str = Field(description=_ISSUE)
    keywords: list[str] = Field(description=_KEYWORDS)
    insight: str | None = Field(default=None, description=f"{_INSIGHT}; required in section `context`.")
    evidence: str | None = Field(default=None, description=_EVIDENCE)


class UpdateSkillArguments(Arguments):
    skill_id: str = Field(description="The skill's id.")
    issue: str | None = Field(default=None, description=f"{_ISSUE} As it is when omitted.")
    keywords: list[str] | None = Field(default=None, description=f"{_KEYWORDS} As they are when omitted.")
    insight: str | None = Field(default=None, description=f"{_INSIGHT}; as it is when omitted.")
    evidence: str | None = Field(default=None, description=_EVIDENCE)


class TagSkillArguments(Arguments):
    skill_id: str = Field(description="The id of a skill that the run began with.")
    delta: int = Field(ge=-1, le=1, description="1 where it was helpful, -1 where harmful, 0 where neither.")


class RemoveSkillArguments(Arguments):
    skill_id: str = Field(description="The skill's id.")
    reason: str = Field(description="What shows that it misleads consistently.")
