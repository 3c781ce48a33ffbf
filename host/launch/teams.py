"""What several agents are to each other, as pydantic models: rosters, states, the board of issues."""

from typing import Annotated, Final, Literal

from pydantic import Field, PlainValidator

from host.launch.fields import IDENTIFIER, Name, Settings, Text, one_of, words

ROLES: Final = ("subagent", "implementer", "reviewer", "merge")
MODULE_KINDS: Final = ("memories",)

Role = Annotated[
    Literal["subagent", "implementer", "reviewer", "merge"],
    PlainValidator(one_of(*ROLES, what="role")),
    words(*ROLES),
]
ModuleKind = Annotated[
    str, PlainValidator(one_of(*MODULE_KINDS, what="kind of module")), words(*MODULE_KINDS)
]


class RosterSettings(Settings):
    """An agent that this one may start or hand over to."""

    agent: Text = Field(description="Its id; an agent may list itself.")
    as_: Role = Field(
        alias="as", description="What it is started as. Only a `subagent` inherits memories of this agent's."
    )


class TransferSettings(Settings):
    """How one state hands over to another."""

    transfer: list[ModuleKind] = Field(
        default=[],
        description="What goes along: `memories`. Nothing does when absent.",
        json_schema_extra={"uniqueItems": True},
    )


class StateSettings(Settings):
    """A state that a run can be in."""

    agent: Text = Field(description="The agent that acts in it.")
    to: dict[Text, TransferSettings] = Field(
        default={},
        description="The states that it may hand over to, by name. A state without any is a last one.",
    )


class BoardSettings(Settings):
    """Who works on the issues that agents create."""

    implementer: Text = Field(description="The agent that an issue is given to.")
    reviewer: Text = Field(description="The agent that approves of what was done, or requests changes.")
    merge: Text = Field(description="The agent that an approved issue is given to.")


States = Annotated[
    dict[Name, StateSettings],
    Field(json_schema_extra={"propertyNames": {"pattern": f"^{IDENTIFIER.pattern}$"}}),
]
