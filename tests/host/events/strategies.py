"""Any event at all, for properties."""

from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, cast, get_args, get_origin

from hypothesis import strategies as st
from pydantic import BaseModel

from host.events import EVENT_TYPES, Event

PLAIN_TEXT: Final = st.text(st.integers(0, 0x10FFFF).map(chr), max_size=8)  # lone surrogates and NUL included
ANY_TEXT: Final = PLAIN_TEXT | st.sampled_from(
    [
        "hunter2-hunter2",
        "(sesame-open)",
        "sesame-open hunter2-hunter2",
        "sk-abcdefghijklmnopqrstuv",
        "password = 'tiger5'",
    ]
)


def any_event() -> st.SearchStrategy[Event]:
    """Events of every type with values of every shape that their fields take."""
    return cast(st.SearchStrategy[Event], st.one_of([any_of(model) for model in EVENT_TYPES.values()]))


def any_of(annotation: object) -> st.SearchStrategy[Any]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is Annotated:
        return any_of(arguments[0])
    if origin in (Union, UnionType):
        return st.one_of([any_of(argument) for argument in arguments])
    if origin is tuple:
        return st.lists(any_of(arguments[0]), max_size=3).map(tuple)
    if origin is dict:
        return st.dictionaries(PLAIN_TEXT, any_of(arguments[1]), max_size=3)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        fields = {name: any_of(info.annotation) for name, info in annotation.model_fields.items()}
        return st.fixed_dictionaries(fields).map(lambda values: annotation(**values))
    return SCALARS[annotation]


SCALARS: Final[dict[Any, st.SearchStrategy[Any]]] = {
    str: ANY_TEXT,
    int: st.integers(),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    NoneType: st.none(),
}
