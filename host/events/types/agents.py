"""Events of an agent as a whole: its start, what it can call and holds, what it hands over, its end."""

from typing import Literal

from pydantic import Field

from host.core.errors import ProviderFailure
from host.events.types.base import EventModel, Many, MaybeTurn, Part
from host.events.types.session import Ending, Status

StartKind = Literal["root", "subagent", "implementer", "reviewer", "merge", "fork", "successor", "reflector"]
"""How an agent came to be."""

ModuleOrigin = Literal["created", "inherited", "profile", "transferred", "forked"]
"""How an agent came by a store: its own, its spawner's, its profile's, its predecessor's, of a fork."""

IssueStatus = Literal["blocked", "open", "implementing", "reviewing", "merging", "done", "failed"]
"""Where an issue of the board stands."""

Disposition = Literal["carried", "copied", "linked", "dropped", "initialized", "absent"]
"""What became of a store where one agent follows another."""


class AgentSpawned(EventModel):
    """An agent began. The first event that carries its id."""

    profile: str = Field(description="Id of the agent's entry in the configuration.")
    started_as: StartKind = Field(default="root", description="How it came to be.")
    spawner: str | None = Field(
        default=None, description="The agent that it was started by, forked from, or is the successor of."
    )
    issue: str | None = Field(default=None, description="The issue that it works on.")
    task: str | None = Field(default=None, description="Its task, where that is not the run's.")


class AgentSurface(EventModel):
    """What the agent can call, so that a reader can tell what was not offered from what was not used."""

    execution_mode: str = Field(
        description="How a reply becomes calls: `responses_as_code` or `tool_calling`."
    )
    model: str | None = Field(
        default=None,
        description="What answers: `scripted`, `human`, or vendor and model, such as `openai:gpt-5`.",
    )
    operations: Many[str] = Field(
        description="Ids of the operations that are granted, in the order of the table."
    )
    withheld: Many[str] = Field(
        default=(), description="Ids of the operations that exist and are not granted."
    )
    tools: Many[str] = Field(default=(), description="Names of the tools that its model is offered.")
    tools_tokens: int = Field(
        default=0,
        description="Estimate of the tokens of what every request says of the tools, which no band of"
        " `context_breakdown` counts: names, descriptions, parameters.",
    )
    modules: Many[str] = Field(
        default=(), description="Specifiers that its programs can import at the start."
    )
    declarations_sha256: str | None = Field(
        default=None,
        description="SHA-256 of the declarations that its programs are checked against; absent without"
        " programs.",
    )
    tool_declarations: str | None = Field(
        default=None,
        description="What these declare of `gg:tools`, which no other place has; absent without tools.",
    )


class AgentModule(Part):
    """One kind of state that an agent holds, or holds not."""

    kind: str = Field(description="The capability that it belongs to: `memories`.")
    module_id: str | None = Field(
        default=None, description="Id of the store; absent when the capability is off."
    )
    enabled: bool = Field(description="Whether the capability is on.")
    origin: ModuleOrigin | None = Field(default=None, description="How the agent came by the store.")
    writable: bool = Field(description="Whether this holder may change it.")
    scope: str | None = Field(default=None, description="Scope that the configuration declares.")


class AgentModules(EventModel):
    """The stores that an agent holds: a row per kind, also of those that are off. Follows `agent_spawned`."""

    modules: Many[AgentModule] = Field(description="The rows, in the order of the configuration.")


class HandedModule(Part):
    """What became of one kind of state where one agent follows another."""

    kind: str = Field(description="The capability that it belongs to: `memories`.")
    disposition: Disposition = Field(
        description="`carried`: the same store; `copied`, `linked`: of a fork; `dropped`: the follower keeps"
        " none; `initialized`: the follower has another store; `absent`: there was none."
    )
    from_id: str | None = Field(default=None, description="Id of the store of the agent that is followed.")
    to_id: str | None = Field(default=None, description="Id of the store of the agent that follows.")


class AgentTransition(EventModel):
    """An agent handed over to a successor, or was copied. On the stream of the agent that did it."""

    turn: MaybeTurn = None
    by: Literal["exec", "transition", "fork"] = Field(description="The call that asked for it.")
    to: str = Field(description="Id of the agent that follows.")
    profile: str = Field(description="Its entry in the configuration.")
    state: str | None = Field(default=None, description="The state that was entered, of a transition.")
    modules: Many[HandedModule] = Field(description="What became of its stores, a row per kind.")


class AgentEnded(EventModel):
    """An agent ended. The last event of its stream. Of the root that ended last the summary says how."""

    status: Status = Field(description="How it ended.")
    ending: Ending | None = Field(default=None, description="Its ending, if it declared one that stood.")
    error: str | None = Field(default=None, description="What ended it, where it was no ending.")
    error_type: ProviderFailure | None = Field(
        default=None, description="The kind of a provider's failure that ended it, where that is known."
    )
    successor: str | None = Field(default=None, description="The agent that took its place.")


class IssueState(EventModel):
    """An issue of the board changed. On the stream of the agent that changed it."""

    issue: str = Field(description="Its id.")
    title: str = Field(description="Its title.")
    status: IssueStatus = Field(description="Where it stands.")
    blocked_by: Many[str] = Field(default=(), description="Issues that have to be done first.")
    worker: str | None = Field(default=None, description="The agent that works on it.")
    items: Many[str] = Field(default=(), description="The changes that a review has requested.")
    summary: str | None = Field(default=None, description="The summary of the agent that worked on it last.")
