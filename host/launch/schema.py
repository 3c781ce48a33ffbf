"""The JSON Schema of a run configuration, for editors. What it cannot state is checked at the launch."""

from typing import Any, Final

from host.launch.models import RunSettings

SCHEMA_KEY: Final = "$schema"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def config_schema() -> dict[str, Any]:
    """The schema, from the models that read a configuration."""
    schema = _without_titles(RunSettings.model_json_schema(by_alias=True))
    editors = {"type": "string", "description": "Where an editor finds this schema; gg does not read it."}
    return {"$schema": DIALECT, **schema, "properties": {SCHEMA_KEY: editors, **schema["properties"]}}


def _without_titles(value: dict[str, Any]) -> dict[str, Any]:
    """pydantic titles every key by its Python name, which says nothing to a reader."""
    return {
        key: _without_titles(item) if isinstance(item, dict) else item
        for key, item in value.items()
        if key != "title" or isinstance(item, dict)
    }
