"""How calls are named, passed and answered: by programs, and by replies that call tools."""

import json
from typing import Final, Protocol

from pydantic import BaseModel

from host.core.errors import Refusal
from host.core.text import format_over, utf8_length
from host.operations.binding import bind
from host.operations.grants import Grants
from host.operations.model import Arguments, Operation
from host.operations.native_binding import bind_tool
from host.operations.services import Caller
from host.operations.tool_values import ToolValue, beginning

MAX_RESULT_BYTES: Final = 8 * 2**20
MAX_ANSWER_BYTES: Final = 65_536
"""Of a tool's answer, which all of the window's next prompts hold, as they do the body of a view."""
VALUE_CAP: Final = "value_cap"


class Dialect(Protocol):
    """What differs between the two ways to make a call."""

    def row(self, grants: Grants, name: str) -> Operation | None:
        """The operation of a name, whoever holds it."""
        ...

    def find(self, grants: Grants, name: str) -> Operation:
        """The operation of a name, if the agent holds it. Raises `Refusal`."""
        ...

    def bind(self, operation: Operation, arguments_json: str) -> object:
        """What the operation's `run` takes. Raises `Refusal`."""
        ...

    def run(self, operation: Operation, caller: Caller, arguments: object) -> object:
        """Carries it out. Raises `Refusal`."""
        ...

    def encode(self, operation: Operation, result: object) -> str:
        """The answer as JSON text. Raises `Refusal` over its cap."""
        ...


class ProgramDialect:
    """Calls by operation id, with an array of arguments, answered in an envelope."""

    def row(self, grants: Grants, name: str) -> Operation | None:
        return grants.operations.get(name)

    def find(self, grants: Grants, name: str) -> Operation:
        return grants.find(name)

    def bind(self, operation: Operation, arguments_json: str) -> object:
        return _checked(operation, bind(operation, arguments_json))

    def run(self, operation: Operation, caller: Caller, arguments: object) -> object:
        return operation.run(caller, arguments)

    def encode(self, operation: Operation, result: object) -> str:
        if isinstance(result, ToolValue):
            return _under_value_cap(result.envelope())
        return _under_value_cap(f'{{"ok":{_guest_json(result)}}}')


class ToolDialect:
    """Calls by a tool's name, with an object of arguments, answered by the result alone."""

    def row(self, grants: Grants, name: str) -> Operation | None:
        return grants.tool(name)

    def find(self, grants: Grants, name: str) -> Operation:
        return grants.find_tool(name)

    def bind(self, operation: Operation, arguments_json: str) -> object:
        return _checked(operation, bind_tool(operation, arguments_json))

    def run(self, operation: Operation, caller: Caller, arguments: object) -> object:
        assert operation.native is not None, "only a tool is called by a reply"
        return (operation.native.run or operation.run)(caller, arguments)

    def encode(self, operation: Operation, result: object) -> str:
        assert operation.native is not None, "only a tool is called by a reply"
        if isinstance(result, ToolValue):
            return beginning(_under_value_cap(result.text()), MAX_ANSWER_BYTES)
        text = _tool_json(result)
        size = utf8_length(text)
        if operation.native.is_capped and size > MAX_ANSWER_BYTES:
            figures = f"{size:,} of {MAX_ANSWER_BYTES:,} bytes"
            remedy = operation.native.narrow or "ask for less"
            raise Refusal(
                "limit-exceeded",
                f"The answer of {operation.native.name} has {figures}; {remedy}.",
                kind="answer_cap",
            )
        return _under_value_cap(text)


def _checked(operation: Operation, arguments: Arguments) -> object:
    return arguments if operation.check is None else operation.check(arguments)


def _under_value_cap(text: str) -> str:
    size = utf8_length(text)
    if size > MAX_RESULT_BYTES:
        raise Refusal("limit-exceeded", f"Value: {format_over(size, MAX_RESULT_BYTES)}.", kind=VALUE_CAP)
    return text


scalar_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _guest_json(result: object) -> str:
    """Under the names that a program knows; what is `None` is absent."""
    if isinstance(result, BaseModel):
        return result.model_dump_json(by_alias=True, exclude_none=True)
    if isinstance(result, list):
        return f"[{','.join(map(_guest_json, result))}]"
    return scalar_json(result)


def _tool_json(result: object) -> str:
    """Under the names of the fields; what is `None` is null."""
    if isinstance(result, BaseModel):
        return result.model_dump_json(by_alias=False)
    if isinstance(result, list):
        return f"[{','.join(map(_tool_json, result))}]"
    return scalar_json(result)
