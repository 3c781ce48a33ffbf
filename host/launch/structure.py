"""The shape of the document against the models: pydantic's errors as problems in gg's own words."""

import re
from collections.abc import Mapping
from typing import Final, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError, WithJsonSchema
from pydantic_core import ErrorDetails

from host.launch.capabilities import CAPABILITY_IDS
from host.launch.fields import EXPECTED, did_you_mean
from host.launch.models import RunSettings
from host.launch.places import ABSENT, Path, Problem, Verbatim, value_at

_OBJECT: Final = "needs an object"
_LIST: Final = "needs a list"
_NEEDS: Final[Mapping[str, str]] = {
    "missing": "required",
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "dict_type": _OBJECT,
    "list_type": _LIST,
    "too_short": "needs at least one entry",
    "invalid_key": "a key is text",
}
S = TypeVar("S", bound=BaseModel)
_OF_COMPARE: Final = ("arms", "base", "check", "checkSecs", "repeats")
_OF_KEYS: Final = re.compile(r"key|token|secret|auth|password", re.IGNORECASE)
_NOT_SHOWN: Final = Verbatim("a value that is not shown: it may be a key")
_KEY: Final = "[key]"  # what pydantic adds to the place of a key that is wrong itself


def read_structure(document: Mapping[str, object]) -> RunSettings | list[Problem]:
    """The document as settings, or every place where its shape is wrong."""
    return read_settings(document, RunSettings)


def read_settings(document: Mapping[str, object], model: type[S]) -> S | list[Problem]:
    """As `read_structure`, for a document that is read by another model than that of a run."""
    try:
        return model.model_validate(document)
    except ValidationError as err:
        return [_to_problem(document, details, model) for details in err.errors(include_url=False)]


def _to_problem(document: Mapping[str, object], details: ErrorDetails, root: type[BaseModel]) -> Problem:
    path = _untagged(details["loc"])
    kind, facts = details["type"], details.get("ctx", {})
    if kind == "extra_forbidden":
        return _unknown_key(document, path, details["loc"], root)
    if kind == EXPECTED and path[-1] == _KEY:
        path = path[:-1]
        message = f"its name {facts['message']}"
        return Problem(path=path, message=message, found=value_at(document, path), is_of_key=True)
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        return _capability_problem(document, (*path, "id"))
    if path[-1:] == ("provider",) and isinstance(value_at(document, path[:-1]), str):
        path = path[:-1]  # the name alone, in place of the object
    message = facts["message"] if kind == EXPECTED else _NEEDS[kind]
    if message in (_OBJECT, _LIST):
        message += _such_as(path)
    known = tuple(facts.get("known", ())) or (_words_at(details["loc"], root) if kind == "missing" else ())
    found = _NOT_SHOWN if path[-1:] == ("apiKeyEnv",) else value_at(document, path)
    return Problem(path=path, message=message, found=found, known=known)


def _such_as(path: Path) -> str:
    """An example of the object or the list, where something else is likely to stand in its place."""
    match path:
        case (*_, "mcp", str(), "command"):
            return ' such as ["python", "server.py"]'
        case ("model",) | ("agents", _, "model"):
            return ' such as {"provider": "scripted", "replies": "replies"}'
        case ("agents", _, "roster", _):
            return ' such as {"agent": "reader", "as": "subagent"}'
        case ("states", _):
            return ' such as {"agent": "reader"}'
        case ("states", _, "to"):
            return ' such as {"report": {"transfer": ["memories"]}}'
        case ("states", _, "to", _):
            return ' such as {"transfer": ["memories"]}'
    return ""


def _words_at(loc: Path, root: type[BaseModel]) -> tuple[str, ...]:
    """The words of which one may stand at a place, if it takes one of a few."""
    fields = {
        field.alias or name: field
        for model in _models_at(loc[:-1], root)
        for name, field in model.model_fields.items()
    }
    marks = fields[str(loc[-1])].metadata
    schemas = [mark.json_schema or {} for mark in marks if isinstance(mark, WithJsonSchema)]
    choices = [each for schema in schemas for each in (schema, *schema.get("anyOf", ()))]
    return tuple(word for each in choices for word in each.get("enum", ()))


def _capability_problem(document: Mapping[str, object], path: Path) -> Problem:
    found = value_at(document, path)
    hint = did_you_mean(found, CAPABILITY_IDS) if isinstance(found, str) else ""
    message = "required: the capability's name" if found is ABSENT else f"unknown capability{hint}"
    return Problem(path=path, message=message, found=found, known=CAPABILITY_IDS)


def _untagged(loc: Path) -> Path:
    """pydantic puts the capability's id after its index; the document has no such step."""
    is_tagged = len(loc) > 4 and loc[0] == "agents" and loc[2] == "capabilities"
    return loc[:4] + loc[5:] if is_tagged else loc


def _unknown_key(document: Mapping[str, object], path: Path, loc: Path, root: type[BaseModel]) -> Problem:
    key, known = str(path[-1]), _keys_in(_models_at(loc[:-1], root))
    home = _home_of(key, loc[:-1], root)
    hint = f"; it belongs {home}" if home else did_you_mean(key, known)
    if root is RunSettings and len(path) == 1 and key in _OF_COMPARE:
        hint = "; gg compare takes it, and one run has no use for it"
    found = value_at(document, path)
    if path[-2:-1] == ("model",) and _OF_KEYS.search(key):
        hint = "; a key is in the environment alone, and apiKeyEnv names its variable"
        found = _NOT_SHOWN
    message = f"unknown key{hint}"
    return Problem(path=path, message=message, found=found, known=known, is_of_key=True)


def _home_of(key: str, parent: Path, root: type[BaseModel]) -> str:
    """Where the key would be known: in an object of the one at `parent`, beside it, or in one beside it."""
    inner = _taker(key, parent, root)
    if inner:
        return f"in {inner}"
    if not parent or isinstance(parent[-1], int) or _untagged(parent) == parent[:-1]:
        return ""  # nothing stands beside an entry of a list
    if key in _keys_in(_models_at(parent[:-1], root)):
        return f"beside {parent[-1]}"
    sibling = _taker(key, parent[:-1], root)
    return f"in {sibling}, beside {parent[-1]}" if sibling else ""


def _taker(key: str, place: Path, root: type[BaseModel]) -> str:
    """The first object in the one at `place` that has the key."""
    fields = _fields(_models_at(place, root))
    return next((name for name, annotation in fields if key in _keys_in(_models_in(annotation))), "")


def _models_at(loc: Path, root: type[BaseModel]) -> list[type[BaseModel]]:
    """The models that the object at a place is read by."""
    models: list[type[BaseModel]] = [root]
    is_name = False
    for step in loc:
        if isinstance(step, int) or is_name:
            is_name = False
            continue
        tagged = [model for model in models if step in get_args(_annotation_of(model, "id"))]
        annotations = [] if tagged else [_annotation_of(model, step) for model in models]
        models = tagged or [found for annotation in annotations for found in _models_in(annotation)]
        is_name = any(get_origin(annotation) is dict for annotation in annotations)
    return models


def _keys_in(models: list[type[BaseModel]]) -> tuple[str, ...]:
    return tuple(name for name, _ in _fields(models))


def _fields(models: list[type[BaseModel]]) -> list[tuple[str, object]]:
    return [
        (field.alias or name, field.annotation)
        for model in models
        for name, field in model.model_fields.items()
    ]


def _annotation_of(model: type[BaseModel], key: str) -> object:
    return next((annotation for name, annotation in _fields([model]) if name == key), None)


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in get_args(annotation) for model in _models_in(inner)]
