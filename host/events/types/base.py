"""What every event model shares: frozen, strict, spelled in camel case on disk.

`type` is derived from the class name (`CodeExecution` ↔ `code_execution`), so that it is written once. Strict
means that no value is coerced, in either direction: what is read back equals what was emitted. Text is never
encoded on the way, so lone surrogates pass.
"""

import re
from typing import Annotated, ClassVar, Final, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

ENVELOPE_FIELDS: Final = ("seq", "at", "run", "agentId", "type")
MASK_FIELDS: Final = ("masked", "originals")

_WORD: Final = re.compile(r"(?<!^)(?=[A-Z])")

Item = TypeVar("Item")

Many = Annotated[tuple[Item, ...], Field(strict=False)]
"""A JSON array. Not strict itself, because JSON has no tuple; its items are."""

Milliseconds = Annotated[float, AfterValidator(lambda value: round(value, 3))]
"""Host time, kept to the microsecond."""

Turn = Annotated[int, Field(description="Turn of the agent, from 1; 0 before its first.")]
MaybeTurn = Annotated[
    int | None, Field(description="Turn of the agent, from 1; absent where it belongs to no turn.")
]

RunOrigin = Literal["program", "onUse", "tool"]
"""Whose code ran: the model's reply, or a script queued by the use of a memory or skill."""

Purpose = Literal["turn", "summary"]
"""What a model is asked for: the reply of a turn, or a summary that its window is replaced by."""

AsksFor = Annotated[
    Purpose,
    Field(description="What is asked for: `turn`, a reply to carry out, or `summary`, a text to go on from."),
]

CompileOrigin = Literal["program", "module", "onUse"]
"""What was compiled: the model's reply, the code half of a memory or skill, or its on-use half."""


class Part(BaseModel):
    """A value inside an event."""

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        allow_inf_nan=False,
    )


class EventModel(Part):
    """Root of the events. A subclass has fields, and a docstring that says when it is written."""

    type: ClassVar[str]

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)  # type: ignore[arg-type]  # pydantic's own keywords pass through
        cls.type = _WORD.sub("_", cls.__name__).lower()
