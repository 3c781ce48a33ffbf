"""Functions as people write them, and calls of them as tools."""

import dataclasses
import datetime
import decimal
import enum
import functools
import pathlib
from collections.abc import Awaitable
from typing import Annotated, Any, Literal

import anyio
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from host.core.errors import Refusal
from host.tools import Tool, python_tool


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"


class User(BaseModel):
    """Who somebody is."""

    name: str
    friends: list["User"] = []


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.5


class Options(TypedDict, total=False):
    deep: bool


def search(query: str, limit: Annotated[int, Field(ge=1, le=100)] = 10) -> list[str]:
    """Finds texts.

    Looks everywhere.

    Args:
        query: What to look for,
            word by word.
        limit: How many at most.

    Returns:
        The texts.

    Raises:
        ValueError: for a query that is empty.
    """
    return [query] * limit


async def greet(user: User) -> User:
    """Greets."""
    await anyio.lowlevel.checkpoint()
    return User(name=f"Hello {user.name}", friends=[user])


def everything(
    color: Color,
    point: Point,
    options: Options,
    mode: Literal["r", "w"],
    when: datetime.datetime,
    amount: decimal.Decimal,
    data: bytes,
    path: pathlib.Path,
    names: set[str],
    pair: tuple[int, str],
    counts: dict[str, int],
    maybe: int | None,
) -> dict[str, Any]:
    return dict(locals())


def labelled(name: str, **labels: int) -> dict[str, int]:
    return {name: 0, **labels}


def odd_names(
    schema: str, copy: str, model_config: str, _hidden: str, self_: str, json: str = "j"
) -> list[str]:
    return [schema, copy, model_config, _hidden, self_, json]


def untyped_result(value: Any):  # noqa: ANN201, ANN401  (what is tried)
    return value


def nothing() -> None:
    """Does nothing."""


class Counter:
    """Counts."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, by: int = 1) -> int:
        """Adds to the count."""
        self.count += by
        return self.count

    def __call__(self, by: int) -> int:
        return self.add(by)


def sooner(value: int) -> Awaitable[int]:
    """Is async without saying so."""

    async def later() -> int:
        return value

    return later()


@functools.wraps(search)
def wrapped(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  (as decorators have it)
    return search(*args, **kwargs)


def answer(tool: Tool, **given: object) -> object:
    """What a call of a tool gives: its value, or its refusal as `code: message`."""

    async def main() -> object:
        try:
            return (await tool.run(tool.bind(given))).value
        except Refusal as refused:
            return f"{refused.code}: {refused.message}"

    return anyio.run(main)


def called(function: Any, **given: object) -> object:  # noqa: ANN401  (anything may be given)
    return answer(python_tool(function, timeout_s=10), **given)
