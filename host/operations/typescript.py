"""Python annotations of arguments and results as TypeScript types."""

import types
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import BaseModel, RootModel
from pydantic.fields import FieldInfo

from host.operations.model import Arguments, Result

_SCALARS: Final = {str: "string", int: "number", float: "number", bool: "boolean"}


def typescript(annotation: Any) -> str:  # noqa: ANN401  (an annotation)
    """The type that a guest's value of this annotation has. Raises TypeError where there is none."""
    if annotation is None:
        return "void"
    if isinstance(annotation, type) and issubclass(annotation, (Arguments, Result, RootModel)):
        return annotation.__name__
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return typescript(arguments[0])
    if origin is list:
        return _array(typescript(arguments[0]))
    if origin is dict and arguments[0] is str:
        return f"Record<string, {typescript(arguments[1])}>"
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(typescript, members(annotation))))
    raise TypeError(f"no TypeScript type for {annotation!r}")


def members(annotation: Any) -> tuple[Any, ...]:  # noqa: ANN401  (an annotation)
    """What a union is made of, less `None`; any other annotation alone."""
    if get_origin(annotation) is Annotated:
        return members(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return tuple(
            member for part in get_args(annotation) if part is not types.NoneType for member in members(part)
        )
    return (annotation,)


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:  # noqa: ANN401  (an annotation)
    """The models that an annotation names, each after those that it names itself."""
    for model in direct_models(annotation):
        for info in model.model_fields.values():
            yield from models_in(info.annotation)
        yield model


def direct_models(annotation: Any) -> Iterator[type[BaseModel]]:  # noqa: ANN401  (an annotation)
    """The models that an annotation names itself, in their order."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        return
    for argument in get_args(annotation):
        yield from direct_models(argument)


def is_optional(model: type[BaseModel], info: FieldInfo) -> bool:
    """Whether a guest's value may lack the field: an argument that has a default, a result that is `None`."""
    if issubclass(model, Result):
        return types.NoneType in get_args(info.annotation)
    return not info.is_required()


def _array(element: str) -> str:
    return f"({element})[]" if " | " in element else f"{element}[]"
