"""The event of a call that a person was to be asked about."""

from typing import Literal

from pydantic import Field

from host.events.types.base import EventModel, Milliseconds, Turn


class Approval(EventModel):
    """A person was to be asked about a call. Written when that is decided, before its `api_call`."""

    turn: Turn
    operation: str = Field(description="Id of the operation.")
    name: str = Field(description="The name that rules know it by: `<namespace>.<tool>`, or `shell`.")
    decision: Literal["allowed", "denied"] = Field(description="What was decided.")
    by: Literal["person", "rule", "nobody"] = Field(
        description="Who decided: a person, an earlier answer for the rest of the run, or nobody, where no"
        " person was there or the question was withdrawn; such a call is denied."
    )
    scope: Literal["once", "run"] = Field(
        description="Whether it holds for this call or for every call of that name until the run ends."
    )
    waited_ms: Milliseconds = Field(description="From the question to the decision.")
    reason: str | None = Field(default=None, description="What the person said with a denial.")
