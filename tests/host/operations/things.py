"""A small family that has every form of an argument and of a result."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from host.operations import Caller, Family, Operation
from host.operations.model import Arguments, GuestParameter, Native, NoArguments, Result


class Inner(Result):
    """A part of a thing.

    More is told to people alone.
    """

    is_new: bool = Field(description="Whether it is new.")


class Thing(Result):
    """A thing."""

    kind: Literal["small", "large"] = Field(default="small", description="How it is.")
    parts: list[Inner] = Field(description="What it has.")
    first_part: Inner | None = Field(default=None, description="The first of them.")
    weight: float = Field(description="In grams.")

    methods: ClassVar = {"drop": "drop(): void"}


class Hole(Result):
    """Where a thing was."""

    sizes: dict[str, int] = Field(description="Its sizes by direction.")


class FindArguments(Arguments):
    target: str = Field(description="What to look for.")
    near_by: str | None = Field(default=None, description="Where.")
    at_most: int | None = Field(default=None, ge=1, description="How many.")


class PutArguments(Arguments):
    """A thing to put."""

    name: str = Field(description="Its name.")
    max_count: int | None = Field(default=None, description="How often.")


class Span(Arguments):
    """From here to there."""

    from_: int = Field(alias="from", ge=1, description="The first.")
    to: int | None = Field(default=None, description="The last.")


class MarkArguments(Arguments):
    spans: list[Span] = Field(min_length=1, max_length=3, description="What to mark.")
    labels: list[str | int] = Field(description="What to write there.")
    weights: dict[str, float] | None = Field(default=None, description="By label.")
    way: Literal["light", "dark"] = Field(default="light", description="How.")
    is_kept: bool = Field(default=False, description="Whether it stays.")
    instead: Span | str | None = Field(default=None, description="What to mark otherwise.")


def nothing(caller: Caller, arguments: object) -> None:
    raise AssertionError("these calls are described and never made")


def row(name: str, arguments: type[Arguments], **rest: Any) -> Operation:  # noqa: ANN401  (the rest of a row)
    return Operation(id=f"things.{name}", run=nothing, arguments=arguments, **rest)


FAMILY = Family(
    "things",
    "Finds things.",
    (
        row(
            "find_it",
            FindArguments,
            summary="Finds things.",
            result=list[Thing],
            options=("at_most",),
            capability="things",
            failures=(("not-found", "there is none"), ("limit-exceeded", "there are too many")),
            guest_parameter={
                "target": GuestParameter(
                    typescript="Function | string", sent="keyOf(target)", wanted="a function or a name"
                )
            },
            guest_result="result.map(wrapped)",
            example='things.findIt("a");',
        ),
        row(
            "put",
            PutArguments,
            summary="Puts a thing.",
            takes="thing",
            result=int,
            in_on_use=False,
            native=Native(
                "put_thing",
                summary="Puts it.",
                failures=(("conflict", "there is one"),),
                narrow="put less",
            ),
        ),
        row("clear", NoArguments, summary="Clears all."),
        row(
            "mark",
            MarkArguments,
            summary="Marks spans.",
            options=("weights", "way", "is_kept", "instead"),
            result=Hole | Thing,
            native=Native("mark"),
        ),
    ),
)
FIND, PUT, CLEAR, MARK = FAMILY.operations


class Heap(Result):
    """Things, as an array."""

    things: list[Inner] = Field(description="All of them.")
    max_weight: float = Field(description="In grams.")

    elements: ClassVar = "things"


GATHER = row(
    "gather",
    NoArguments,
    summary="Gathers things.",
    result=Heap,
    guest_result="Object.assign(result.things, { maxWeight: result.maxWeight })",
)
