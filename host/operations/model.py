"""What an operation is: one call that a program may make, as a row of the table.

Everything that has to know of a call reads its row: the dispatch, the guest's SDK, the declarations the
checker sees, the pages of documentation. Arguments and results are pydantic models with a description for
each field; their keys are camelCase on the guest's side.
"""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel

from host.core.errors import ApiErrorCode, Refusal
from host.memories import Strategy
from host.operations.services import Caller

Role = Literal["worker", "reviewer"]
"""What an agent is there for: to do a task, or to judge what another one did."""


class Arguments(BaseModel):
    """The arguments of one call, or an object among them. Strict: nothing is converted, an unknown key is
    refused. A field that is `null` counts as one that was not given.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, alias_generator=to_camel)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        return {key: item for key, item in value.items() if item is not None}


def guest_name(model: type[BaseModel], field_name: str) -> str:
    """A field's name as a program knows it."""
    return model.model_fields[field_name].alias or to_camel(field_name)


class NoArguments(Arguments):
    """A call without arguments."""


class Result(BaseModel):
    """A value that a call gives to the program. A field that is `None` is absent there (`undefined`)."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)

    methods: ClassVar[Mapping[str, str]] = {}
    """TypeScript members that the guest's SDK adds to each value: name to signature."""
    elements: ClassVar[str] = ""
    """The field that is the value itself for a program: an array, of which the other fields are members."""


@dataclass(frozen=True, kw_only=True)
class GuestParameter:
    """An argument that the guest's SDK turns into what is sent.

    Args:
        typescript: its type for a program.
        sent: an expression over the parameter; it may use what `core.ts` exports.
        wanted: what a refusal says is wanted.
    """

    typescript: str
    sent: str
    wanted: str


@dataclass(frozen=True)
class Native:
    """The call as a tool that a model calls by its name, where its reply is no program.

    Args:
        name: unique among all tools.
        summary: what it does, in a tool's words; the operation's own when empty.
        arguments: the model of its arguments, whose field names are theirs; the operation's own when `None`.
        run: what carries it out; the operation's own when `None`.
        failures: the operation's own when `None`.
        narrow: what helps when its answer is over the cap of an answer; empty where none can be.
        is_capped: whether its answer has that cap.
        needs: the optional arguments that a strategy of memories requires.
        schema: JSON Schema of the arguments where their model does not say it, as JSON text; the tool's
            object is then the one argument of the model.
    """

    name: str
    _: KW_ONLY
    summary: str = ""
    arguments: type[Arguments] | None = None
    run: Callable[[Caller, Any], object] | None = None
    failures: tuple[tuple[ApiErrorCode, str], ...] | None = None
    narrow: str = ""
    is_capped: bool = True
    needs: Callable[[Strategy], tuple[str, ...]] | None = None
    schema: str = ""


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One row of the table.

    Args:
        id: `<family>.<snake_case>`, the name in the record and on the pipe.
        arguments: the model of the arguments; its fields in order are the parameters.
        takes: names the single object parameter, or is empty when the fields are positional.
        options: fields that travel in one trailing object; all of them optional.
        result: `None`, `str`, `int`, a `Result` or a list of one; a `RootModel` names a union of results.
        capability: the capability that grants the call; empty when it needs none.
        where: what else has to be so for an agent to have it, after "granted".
        role: of the agents that have it; `None` when all do.
        in_on_use: whether an onUse script may make the call.
        guest_parameter: fields that a program gives in another form than the one that is sent.
        guest_result: an expression over `result` that the guest's SDK returns in place of the plain value; a
            result with `elements` has one.
        example: one or two lines of a program that has imported the family.
        native: the tool that it is in tool-calling mode; `None` for what only a program can use.
        check: looks further at what the model of the arguments has let pass, and gives what `run` takes.
            Raises `Refusal`.
        spelled: the call as a program writes it, where the id does not say it.
        in_background: whether a program's call gives a promise, and goes on while the program does.
        admit: refuses what the caller may never do and is not granted either, since it can say why.
        note_refusal: is told of each refusal of the call, whatever refused it, and of the arguments as JSON.
    """

    id: str
    summary: str
    arguments: type[Arguments]
    run: Callable[[Caller, Any], object]
    result: Any = None
    failures: tuple[tuple[ApiErrorCode, str], ...] = ()
    capability: str = ""
    where: str = ""
    role: Role | None = None
    in_on_use: bool = True
    takes: str = ""
    options: tuple[str, ...] = ()
    guest_parameter: Mapping[str, GuestParameter] = field(default_factory=dict)
    guest_result: str = ""
    example: str = ""
    native: Native | None = None
    check: Callable[[Any], object] | None = None
    in_background: bool = False
    spelled: str = ""
    admit: Callable[[Caller, str], None] | None = None
    note_refusal: Callable[[Caller, str, Refusal], None] | None = None

    @cached_property
    def family(self) -> str:
        return self.id.partition(".")[0]

    @cached_property
    def name(self) -> str:
        """The function's name in the SDK."""
        return to_camel(self.id.partition(".")[2])

    @cached_property
    def spelling(self) -> str:
        """The call as a program writes it: `memories.writeMemory`."""
        return self.spelled or f"{self.family}.{self.name}"

    @cached_property
    def positional(self) -> tuple[str, ...]:
        """The fields that are parameters of their own, in order."""
        if self.takes:
            return ()
        return tuple(name for name in self.arguments.model_fields if name not in self.options)

    @cached_property
    def positional_names(self) -> tuple[str, ...]:
        """The same as a program knows them."""
        return tuple(guest_name(self.arguments, name) for name in self.positional)


@dataclass(frozen=True)
class Family:
    """A family of operations: one namespace of the SDK."""

    name: str
    brief: str
    operations: tuple[Operation, ...]

    def offering(self, permits: Callable[[str], bool]) -> "Family":
        """The family with the calls alone that are permitted."""
        return replace(self, operations=tuple(each for each in self.operations if permits(each.id)))
