"""Events of the record store: what an agent read in it, and what was kept there for later runs.

They name records by id. What a record says stands in the store, and in the prompt of whoever was served it.
"""

from typing import Literal

from pydantic import Field

from host.events.types.base import EventModel, Many, MaybeTurn, Turn

RecordReading = Literal["records.search", "records.recall", "section"]
"""How an agent came to be served records."""


class RecordRead(EventModel):
    """Records were served to an agent: to a call, or as the section that it begins with, in turn 0."""

    operation: RecordReading = Field(
        description="The call, or the section of records that bear on the agent's task."
    )
    query: str | None = Field(
        default=None, description="What was searched for; absent for a recall, and for a section the task."
    )
    asked_ids: Many[str] = Field(default=(), description="Ids that were asked for.")
    tags: Many[str] = Field(default=(), description="Tags that were asked for.")
    kind: str | None = Field(default=None, description="The kind that was asked for.")
    current: Many[str] = Field(description="Ids of the records that were served as current, in order.")
    stale: Many[str] = Field(default=(), description="Ids of those that were served as stale.")
    superseded: Many[str] = Field(
        default=(), description="Ids of those that were served as superseded by others."
    )
    held_back: int = Field(default=0, description="Lessons that match and that nobody has approved.")
    more: int = Field(default=0, description="Matches past the limit of the call.")
    left_out: int = Field(default=0, description="Matches for which the section had no room.")
    unreadable: int = Field(
        default=0, description="Records that were changed since they were kept; none is served."
    )
    turn: Turn


class RecordKept(EventModel):
    """A record was kept: by a call, or at the end of the run, of a memory, then on the stream of the root."""

    id: str = Field(description="Id of the record.")
    kind: Literal["note", "lesson"] = Field(description="What it is.")
    existed: bool = Field(description="Whether it was there already.")
    memory: str | None = Field(default=None, description="Slug of the memory that it is made of.")
    author: str | None = Field(
        default=None, description="The agent that wrote that memory last, and so the record."
    )
    turn: MaybeTurn = None
