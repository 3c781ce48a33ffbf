"""Events of skills, which are authored before the run and never change in it."""

from pydantic import Field

from host.events.types.base import EventModel, MaybeTurn, Part


class SkillText(Part):
    """A skill as it was read when the run was launched."""

    description: str = Field(description="The line that the prompt lists.")
    body: str = Field(description="Its prose.")
    code: str | None = Field(default=None, description="Its module, where it has one.")
    on_use: str | None = Field(default=None, description="Its script, where it has one.")


class SkillRead(EventModel):
    """A skill was asked for by its name."""

    name: str = Field(description="The name that was asked for, cut.")
    hit: bool = Field(description="Whether there is such a skill.")
    loaded: bool = Field(
        default=False,
        description="Whether its module is loaded; not where it has none or one that does not compile, nor"
        " where replies call tools.",
    )
    skill: SkillText | None = Field(
        default=None,
        description="The whole skill, when the agent, or the one it is a copy of, read it first.",
    )
    turn: MaybeTurn = None
