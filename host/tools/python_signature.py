"""What a Python function takes and gives, as far as a tool can have it."""

import functools
import inspect
import typing
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field
from pydantic.fields import FieldInfo

from host.core.text import quoted
from host.tools.docstrings import Documented, read_docstring
from host.tools.python_types import (
    Annotation,
    TypeHasNoForm,
    holder_of,
    model_of,
    schema_of,
    value_schema,
)

Function = Callable[..., Any]

_ABSENT: Final = inspect.Parameter.empty
_NO_LIST: Final = "arguments are given by name; give it a parameter of a list's type instead"


class NotATool(Exception):
    """A Python function that cannot be a tool. `faults` has every reason, each a sentence without its end."""

    def __init__(self, name: str, faults: tuple[str, ...]) -> None:
        super().__init__(f"{quoted(name) if name else 'the function'} cannot be a tool: {'; '.join(faults)}")
        self.name: Final = name
        self.faults: Final = faults


@dataclass(frozen=True, kw_only=True)
class Signature:
    """A function as a tool.

    `arguments` is the model of its arguments, whose fields have the order and the names of `parameters`;
    `holder` that of its result. `passed_on` are those parameters whose default Python does not know itself.
    `takes_others`: it takes arguments of any name besides.
    """

    name: str
    description: str
    parameters: tuple[str, ...]
    passed_on: frozenset[str]
    takes_others: bool
    arguments: type[BaseModel]
    schema: Mapping[str, object]
    holder: type[BaseModel]
    returns: Mapping[str, object]
    is_async: bool


def read_signature(function: Function, name: str | None) -> Signature:
    """Raises `NotATool` with all that keeps the function from being one."""
    called = _name(function) if name is None else name
    faults = [] if called else ["it has no name; give it one"]
    faults += _faults_as_a_whole(function)
    reading = _Reading(read_docstring(_docstring(function)))
    if not faults:
        faults += reading.read(function)
    if faults:
        raise NotATool(called, tuple(faults))
    arguments = model_of(reading.fields, others=reading.others)
    return Signature(
        name=called,
        description=reading.documented.text,
        parameters=tuple(reading.fields),
        passed_on=frozenset(reading.passed_on),
        takes_others=reading.others is not None,
        arguments=arguments,
        schema=schema_of(arguments),
        holder=reading.holder,
        returns=value_schema(reading.holder),
        is_async=inspect.iscoroutinefunction(_underlying(function)),
    )


@dataclass
class _Reading:
    """What has been read of a function so far."""

    documented: Documented
    fields: dict[str, tuple[Annotation, FieldInfo]] = field(default_factory=dict)
    passed_on: set[str] = field(default_factory=set)
    others: Annotation | None = None
    holder: type[BaseModel] = BaseModel

    def read(self, function: Function) -> list[str]:
        """Reads it, and gives what is wrong with it."""
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            return ["Python cannot tell its parameters; wrap it in a function that has types"]
        try:
            hints = typing.get_type_hints(_underlying(function), include_extras=True)
        except Exception as error:  # whatever stands in the annotations is run
            return [f"one of its types cannot be read: {error}; it has to be known in its module"]
        faults = []
        for parameter in signature.parameters.values():
            faults += self._read_parameter(parameter, hints.get(parameter.name, parameter.annotation))
        return faults + self._read_result(hints.get("return", signature.return_annotation))

    def _read_parameter(self, parameter: inspect.Parameter, annotation: Annotation) -> list[str]:
        name, kind = parameter.name, parameter.kind
        shown = quoted(str(parameter).partition(":")[0].partition("=")[0])
        if kind is kind.VAR_POSITIONAL:
            return [f"it takes {shown}, but {_NO_LIST}"]
        if kind is kind.POSITIONAL_ONLY:
            return [f"its parameter {shown} is positional only, but arguments are given by name"]
        if annotation is _ABSENT:
            if name == "self":
                return ["it is a method without its object; give that of an object"]
            example = f"**{name}: str" if kind is kind.VAR_KEYWORD else f"{name}: str"
            return [f"its parameter {shown} has no type; write one, such as {quoted(example)}"]
        origin: object = typing.get_origin(annotation)
        if origin is typing.Unpack:
            return [f"it takes {shown} of several types; write the parameters one by one"]
        try:
            schema_of(holder_of(annotation))
        except TypeHasNoForm as error:
            return [
                f"its parameter {shown} has the type {_shown(annotation)}, of which JSON has no form: {error}"
            ]
        if kind is kind.VAR_KEYWORD:
            self.others = annotation
        else:
            self._add(parameter, annotation)
        return []

    def _add(self, parameter: inspect.Parameter, annotation: Annotation) -> None:
        name, default = parameter.name, parameter.default
        told: dict[str, Any] = {}
        if isinstance(default, FieldInfo):
            annotation = Annotated[annotation, default]
            if not default.is_required():
                self.passed_on.add(name)
        elif default is not _ABSENT:
            told["default"] = default
        if (said := self.documented.parameters.get(name)) and not _is_described(annotation):
            told["description"] = said
        self.fields[name] = annotation, Field(**told)

    def _read_result(self, annotation: Annotation) -> list[str]:
        origin: object = typing.get_origin(annotation)
        if origin in (Awaitable, Coroutine):
            annotation = typing.get_args(annotation)[-1]
        if annotation is _ABSENT:
            annotation = Any
        if annotation in (typing.NoReturn, typing.Never):
            annotation = NoneType
        try:
            self.holder = holder_of(annotation)
            value_schema(self.holder)
        except TypeHasNoForm as error:
            return [f"it gives the type {_shown(annotation)}, of which JSON has no form: {error}"]
        return []


def _faults_as_a_whole(function: Function) -> list[str]:
    inner = _underlying(function)
    if inspect.isclass(function):
        return ["it is a class; give a function that makes and uses its objects"]
    if not callable(function):
        return [f"it is {quoted(type(function).__name__)}, which cannot be called"]
    if inspect.isgeneratorfunction(inner) or inspect.isasyncgenfunction(inner):
        return ["it yields values one by one; return a list of them"]
    return []


def _underlying(function: Function) -> Function:
    """The function itself, within what has been made of it."""
    while isinstance(function, functools.partial):
        function = function.func
    if inspect.isroutine(function) or inspect.isclass(function):
        return function
    called: Function = getattr(function, "__call__", function)  # noqa: B004  (an object that is called)
    return called


def _name(function: Function) -> str:
    inner = function
    while isinstance(inner, functools.partial):
        inner = inner.func
    found = getattr(inner, "__name__", type(inner).__name__)
    return "" if found == "<lambda>" else str(found)


def _docstring(function: Function) -> str | None:
    inner = _underlying(function)
    found = inspect.getdoc(inner)
    is_object = not inspect.isroutine(function) and not isinstance(function, functools.partial)
    return found or (inspect.getdoc(function) if is_object else None)


def _is_described(annotation: Annotation) -> bool:
    metadata = getattr(annotation, "__metadata__", ())
    return any(isinstance(part, FieldInfo) and part.description for part in metadata)


def _shown(annotation: Annotation) -> str:
    return quoted(inspect.formatannotation(annotation))
