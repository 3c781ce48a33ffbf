"""The JSON Schema of a run configuration, for editors. What it cannot state is checked at the launch."""

from collections.abc import Mapping
from typing import Any, Final

from host.launch.capabilities import COMPACTIONS, LIMIT_KEYS, STRATEGIES
from host.launch.models import RunSettings

SCHEMA_KEY: Final = "$schema"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def config_schema() -> dict[str, Any]:
    """The schema, from the models that read a configuration and the rules that an editor can hold one to."""
    schema = _without_titles(RunSettings.model_json_schema(by_alias=True))
    for name, model in schema["$defs"].items():
        model.update(_RULES.get(name, {}))
        if "const" in model.get("properties", {}).get("id", {}):
            model["properties"]["id"]["description"] = "Which capability this is."
    editors = {"type": "string", "description": "Where an editor finds this schema; gg does not read it."}
    return {"$schema": DIALECT, **schema, "properties": {SCHEMA_KEY: editors, **schema["properties"]}}


def _without_titles(value: dict[str, Any]) -> dict[str, Any]:
    """pydantic titles every key by its Python name, which says nothing to a reader."""
    return {
        key: _without_titles(item) if isinstance(item, dict) else item
        for key, item in value.items()
        if key != "title" or isinstance(item, dict)
    }


def _when_on(properties: Mapping[str, Any]) -> dict[str, Any]:
    """What a capability has to write unless it is off."""
    is_on = {"properties": {"enabled": {"const": True}}}
    return {"if": is_on, "then": {"required": list(properties), "properties": dict(properties)}}


def _written(*keys: str) -> dict[str, Any]:
    """An object that has the keys, none of them null."""
    return {"required": list(keys), "properties": {key: {"not": {"type": "null"}} for key in keys}}


# The rules of `rules` that a schema can state, by the model that they are about.
_RULES: Final[Mapping[str, Mapping[str, Any]]] = {
    "LimitSettings": {
        "dependentRequired": {"maxErrorRate": ["errorRateWindow"], "errorRateWindow": ["maxErrorRate"]}
    },
    "ModelSettings": {
        "if": {"properties": {"provider": {"const": "scripted"}}},
        "then": _written("replies"),
    },
    "MemoriesCapability": _when_on(
        {"implementation": {"enum": list(STRATEGIES)}, "params": _written("scope", *LIMIT_KEYS)}
    ),
    "CompactionCapability": _when_on({"implementation": {"enum": list(COMPACTIONS)}}),
    "FilesCapability": _when_on({"params": _written("dir")}),
}
