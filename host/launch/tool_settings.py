"""The capabilities that reach outside, as pydantic models: tools, a shell, skills."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import Field, GetJsonSchemaHandler, PlainValidator, WithJsonSchema, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from host.launch.fields import FilledText, Flag, Name, Seconds, Settings, Text, expected, one_of, words

APPROVALS: Final = ("allow", "ask", "deny")

Approval = Annotated[
    Literal["allow", "ask", "deny"],
    PlainValidator(one_of(*APPROVALS, what="approval")),
    words(*APPROVALS),
]


def _function(value: object) -> object:
    if callable(value) or (isinstance(value, str) and value.strip()):
        return value
    raise expected('needs a Python function as "module:function"')


Function = Annotated[Any, PlainValidator(_function), WithJsonSchema({"type": "string", "pattern": r"\S:\S"})]


class PythonToolSettings(Settings):
    """A Python function. `module:function` alone may stand in place of the object."""

    function: Function = Field(description="The function, as `module:function`.")
    name: FilledText | None = Field(default=None, description="Its name as a tool; its own when absent.")
    timeout_secs: Seconds = Field(default=60.0, description="Seconds that a call may take.")

    @model_validator(mode="before")
    @classmethod
    def _alone(cls, value: object) -> object:
        return value if isinstance(value, Mapping) else {"function": value}

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        of_object = handler.resolve_ref_schema(handler(core_schema))
        described = of_object.pop("description")
        alone = {"type": "string", "pattern": r"\S:\S"}
        return {"description": described, "anyOf": [alone, of_object]}


class ServerSettings(Settings):
    """An MCP server: a command, spoken to over its stdin and stdout, or the URL of one over HTTP."""

    command: list[FilledText] | None = Field(
        default=None, description="The program and its arguments; no shell reads them."
    )
    url: FilledText | None = Field(default=None, description="Where a server over streamable HTTP answers.")
    cwd: FilledText | None = Field(
        default=None, description="Where the command runs; beside the configuration when absent."
    )
    env: list[FilledText] = Field(
        default=[],
        description="Names of environment variables that the command gets, beside PATH, HOME and the like.",
    )
    headers_from: dict[Text, FilledText] = Field(
        default={},
        description="Headers of each request, and the environment variables that hold their values.",
    )
    only: list[FilledText] | None = Field(
        default=None, description="Names of the tools that are taken; all when absent."
    )
    rename: dict[Text, FilledText] = Field(
        default={}, description="Other names for tools, by those that the server has for them."
    )
    timeout_secs: Seconds = Field(default=60.0, description="Seconds that a call may take.")
    start_secs: Seconds = Field(default=30.0, description="Seconds until the server has to have answered.")


class ToolsParams(Settings):
    """What is given to the agent, and what is asked about."""

    python: list[PythonToolSettings] = Field(
        default=[], description="Python functions, which programs import as `local` from `gg:tools`."
    )
    mcp: dict[Name, ServerSettings] = Field(
        default={}, description="MCP servers; programs import the tools of each under its name."
    )
    approval: dict[Text, Approval] = Field(
        default={},
        description="`allow`, `ask` or `deny` by `<namespace>.<tool>`, where `*` stands for any characters;"
        " of several that fit the longest counts. What none fits is allowed.",
    )


class ToolsCapability(Settings):
    """Python functions and the tools of MCP servers."""

    id: Literal["tools"]
    enabled: Flag = Field(default=True, description="Off keeps the params in the file and grants nothing.")
    params: ToolsParams = Field(default=ToolsParams(), description="Which tools.")


class ShellParams(Settings):
    """Where commands run, for how long, and with what."""

    dir: FilledText | None = Field(
        default=None, description="The directory that commands start in; that of `files` when absent."
    )
    timeout_secs: Seconds = Field(default=120.0, description="Seconds that a command may take.")
    env: list[FilledText] = Field(
        default=[],
        description="Names of environment variables that commands get, beside PATH, HOME and the like.",
    )
    approval: Approval = Field(default="allow", description="Whether a person is asked about each command.")


class ShellCapability(Settings):
    """Running commands on the operator's machine, as the operator: nothing confines them."""

    id: Literal["shell"]
    enabled: Flag = Field(default=True, description="Off keeps the params in the file and grants nothing.")
    params: ShellParams = Field(default=ShellParams(), description="How commands run.")


class SkillsParams(Settings):
    """Where skills are kept."""

    dir: FilledText | None = Field(
        default=None, description="The folder of the skills; required when enabled."
    )


class SkillsCapability(Settings):
    """Notes with code that people have written: described in the prompt, read when they are needed."""

    id: Literal["skills"]
    enabled: Flag = Field(default=True, description="Off keeps the params in the file and grants nothing.")
    params: SkillsParams = Field(default=SkillsParams(), description="Which skills.")
