"""The kinds of value a configuration holds, each with the one sentence that answers a wrong one.

Nothing is converted: `true`, `64.0` and `"64"` are no counts.
"""

import re
from collections.abc import Callable
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, PlainValidator, WithJsonSchema
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from host.core.text import has_lone_surrogate, nearest

EXPECTED: Final = "expected"
HALF_CHARACTER: Final = "holds half of a surrogate pair, which is no character"
IDENTIFIER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
LARGEST_COUNT: Final = 2**53  # as far as every reader of JSON counts exactly
MEMORY_MIB: Final = (16, 16_384)
_LARGEST_SEED: Final = 2**63 - 1
_MOST_DOLLARS: Final = 1_000_000
_LONGEST_S: Final = 10_000_000  # a third of a year; keeps every sum of deadlines finite


class Settings(BaseModel):
    """Base of every object in the document: camel-case keys, nothing converted, nothing unknown."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, alias_generator=to_camel)


def expected(message: str, known: tuple[str, ...] = ()) -> PydanticCustomError:
    """The error that a wrong value raises; `known` lists the accepted values where they are few."""
    return PydanticCustomError(EXPECTED, "{message}", {"message": message, "known": known})


def did_you_mean(name: str, known: tuple[str, ...]) -> str:
    """`; did you mean "maxTurns"?`, or nothing when no known name is near."""
    close = nearest(name, known, count=1)
    return f'; did you mean "{close[0]}"?' if close else ""


def one_of(*names: str, what: str) -> Callable[[object], str]:
    """Accepts one of a closed set of words."""

    def read(value: object) -> str:
        if isinstance(value, str) and value in names:
            return value
        hint = did_you_mean(value, names) if isinstance(value, str) else ""
        raise expected(f"unknown {what}{hint}", names)

    return read


def name_of(*names: str, what: str) -> Callable[[object], str | None]:
    """As `one_of`, for a name that a study fills in: white space around it is no part of it, and a blank one
    is none.
    """
    accept = one_of(*names, what=what)

    def read(value: object) -> str | None:
        if isinstance(value, str) and not value.strip():
            return None
        return accept(value.strip() if isinstance(value, str) and value.strip() in names else value)

    return read


def words(*names: str) -> WithJsonSchema:
    """The JSON Schema of a value that `one_of` reads."""
    return WithJsonSchema({"enum": list(names)})


def whole(least: int, most: int, message: str) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        raise expected(message)

    return read


def _count(least: int, *, note: str = "") -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise expected(f"needs a whole number, {least} or more{note}")
        if value > LARGEST_COUNT:
            raise expected(f"needs at most {LARGEST_COUNT}{note}")
        return value

    return read


def _number(accepts: Callable[[float], bool], message: str) -> Callable[[object], float]:
    def read(value: object) -> float:
        if isinstance(value, int | float) and not isinstance(value, bool) and accepts(value):
            return float(value)
        raise expected(message)

    return read


def _text(accepts: Callable[[str], bool], message: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str) or not accepts(value):
            raise expected(message)
        if has_lone_surrogate(value):
            raise expected(HALF_CHARACTER)
        return value

    return read


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise expected("needs true or false")


def _replies(value: object) -> object:
    """A list, a folder, `module:function`, or, from a Python program, the function itself."""
    if isinstance(value, str) and has_lone_surrogate(value):
        raise expected(HALF_CHARACTER)
    if isinstance(value, list) or callable(value) or (isinstance(value, str) and value.strip()):
        return value
    raise expected('needs a list of replies, a folder, or a Python function as "module:function"')


def _is_line(text: str) -> bool:
    return bool(text.strip()) and len(text) <= 200 and text.isprintable()


_WHOLE_0: Final = {"type": "integer", "minimum": 0, "maximum": LARGEST_COUNT}
_WHOLE_1: Final = {"type": "integer", "minimum": 1, "maximum": LARGEST_COUNT}

Text = Annotated[str, PlainValidator(_text(lambda _: True, "needs text")), WithJsonSchema({"type": "string"})]
FilledText = Annotated[
    str,
    PlainValidator(_text(lambda text: bool(text.strip()), "needs text that is not empty")),
    WithJsonSchema({"type": "string", "minLength": 1, "pattern": r"\S"}),
]
Line = Annotated[
    str,
    PlainValidator(_text(_is_line, "needs one line of 1 to 200 printable characters")),
    WithJsonSchema(
        {"type": "string", "maxLength": 200, "pattern": r"^[^\x00-\x1f]*[^\x00-\x20][^\x00-\x1f]*$"}
    ),
]
_identifier: Final = PlainValidator(
    _text(
        lambda text: IDENTIFIER.fullmatch(text) is not None,
        "needs 1 to 64 of the letters A to Z, digits, - and _, beginning with a letter or a digit",
    )
)
Identifier = Annotated[
    str, _identifier, WithJsonSchema({"type": "string", "pattern": f"^{IDENTIFIER.pattern}$"})
]
Name = Annotated[str, _identifier, WithJsonSchema({"type": "string"})]
"""An identifier that is a key; what its object says of its keys in JSON Schema stands there."""
Flag = Annotated[bool, PlainValidator(_flag), WithJsonSchema({"type": "boolean"})]
Count = Annotated[int, PlainValidator(_count(1)), WithJsonSchema(_WHOLE_1)]
LiftableCount = Annotated[
    int, PlainValidator(_count(0, note="; 0 lifts the limit")), WithJsonSchema(_WHOLE_0)
]
Whole = Annotated[int, PlainValidator(_count(0)), WithJsonSchema(_WHOLE_0)]
MemoryMiB = Annotated[
    int,
    PlainValidator(whole(*MEMORY_MIB, f"needs a whole number from {MEMORY_MIB[0]} to {MEMORY_MIB[1]}")),
    WithJsonSchema({"type": "integer", "minimum": MEMORY_MIB[0], "maximum": MEMORY_MIB[1]}),
]
Seed = Annotated[
    int,
    PlainValidator(whole(0, _LARGEST_SEED, f"needs a whole number from 0 to {_LARGEST_SEED}")),
    WithJsonSchema({"type": "integer", "minimum": 0, "maximum": _LARGEST_SEED}),
]
Seconds = Annotated[
    float,
    PlainValidator(
        _number(
            lambda value: 0 < value <= _LONGEST_S,  # NaN is no more than anything
            f"needs a number of seconds, more than 0 and at most {_LONGEST_S}",
        )
    ),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "maximum": _LONGEST_S}),
]
Dollars = Annotated[
    float,
    PlainValidator(
        _number(
            lambda value: 0 < value <= _MOST_DOLLARS,
            f"needs a number of US dollars, more than 0 and at most {_MOST_DOLLARS}",
        )
    ),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "maximum": _MOST_DOLLARS}),
]
Threshold = Annotated[
    float,
    PlainValidator(_number(lambda value: 0 < value <= 1, "needs a number, more than 0 and at most 1")),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "maximum": 1}),
]
Share = Annotated[
    float,
    PlainValidator(_number(lambda value: 0 <= value < 1, "needs a number, 0 or more and below 1")),
    WithJsonSchema({"type": "number", "minimum": 0, "exclusiveMaximum": 1}),
]
Replies = Annotated[
    Any,
    PlainValidator(_replies),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "items": {"type": "string"}, "minItems": 1},
                {"type": "string", "pattern": r"\S"},
            ]
        }
    ),
]
