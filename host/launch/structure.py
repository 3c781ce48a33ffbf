"""The shape of the document against the models: pydantic's errors as problems in gg's own words."""

from collections.abc import Mapping
from typing import Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from host.launch.capabilities import CAPABILITY_IDS
from host.launch.fields import EXPECTED, did_you_mean
from host.launch.models import RunSettings
from host.launch.places import ABSENT, Path, Problem, value_at

_NEEDS: Final[Mapping[str, str]] = {
    "missing": "required",
    "model_type": "needs an object",
    "model_attributes_type": "needs an object",
    "list_type": "needs a list",
    "too_short": "needs at least one entry",
    "invalid_key": "a key is text",
}
_NEEDS_MODEL: Final = 'needs an object such as {"provider": "scripted", "replies": "replies"}'


def read_structure(document: Mapping[str, object]) -> RunSettings | list[Problem]:
    """The document as settings, or every place where its shape is wrong."""
    try:
        return RunSettings.model_validate(document)
    except ValidationError as err:
        return [_to_problem(document, details) for details in err.errors(include_url=False)]


def _to_problem(document: Mapping[str, object], details: ErrorDetails) -> Problem:
    path = _untagged(details["loc"])
    kind, facts = details["type"], details.get("ctx", {})
    if kind == "extra_forbidden":
        known = _keys_beside(details["loc"])
        message = f"unknown key{did_you_mean(str(path[-1]), known)}"
        found = value_at(document, path)
        return Problem(path=path, message=message, found=found, known=known, is_of_key=True)
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _capability_problem(document, (*path, "id"))
    if kind == "model_type" and path[-1] == "model":
        return Problem(path=path, message=_NEEDS_MODEL, found=value_at(document, path))
    if path[-1:] == ("provider",) and isinstance(value_at(document, path[:-1]), str):
        path = path[:-1]  # the name alone, in place of the object
    message = facts["message"] if kind == EXPECTED else _NEEDS[kind]
    known = tuple(facts.get("known", ()))
    return Problem(path=path, message=message, found=value_at(document, path), known=known)


def _capability_problem(document: Mapping[str, object], path: Path) -> Problem:
    found = value_at(document, path)
    hint = did_you_mean(found, CAPABILITY_IDS) if isinstance(found, str) else ""
    message = "required: the capability's name" if found is ABSENT else f"unknown capability{hint}"
    return Problem(path=path, message=message, found=found, known=CAPABILITY_IDS)


def _untagged(loc: Path) -> Path:
    """pydantic puts the capability's id after its index; the document has no such step."""
    is_tagged = len(loc) > 4 and loc[0] == "agents" and loc[2] == "capabilities"
    return loc[:4] + loc[5:] if is_tagged else loc


def _keys_beside(loc: Path) -> tuple[str, ...]:
    """The keys that the object around an unknown key accepts, in the order of the models."""
    models: list[type[BaseModel]] = [RunSettings]
    for step in loc[:-1]:
        if isinstance(step, int):
            continue
        tagged = [model for model in models if step in get_args(_annotation_of(model, "id"))]
        models = tagged or [found for model in models for found in _models_in(_annotation_of(model, step))]
    return tuple(key for model in models for key in _aliases(model))


def _aliases(model: type[BaseModel]) -> tuple[str, ...]:
    return tuple(field.alias or name for name, field in model.model_fields.items())


def _annotation_of(model: type[BaseModel], key: str) -> object:
    return next((f.annotation for name, f in model.model_fields.items() if key == (f.alias or name)), None)


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in get_args(annotation) for model in _models_in(inner)]
