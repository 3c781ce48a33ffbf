"""The JSON Schema of a run configuration, for editors. What it cannot state is checked at the launch."""

from typing import Any

from host.launch.models import RunSettings

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def config_schema() -> dict[str, Any]:
    """The schema, from the models that read a configuration."""
    return {"$schema": DIALECT, **_without_titles(RunSettings.model_json_schema(by_alias=True))}


def _without_titles(value: dict[str, Any]) -> dict[str, Any]:
    """pydantic titles every key by its Python name, which says nothing to a reader."""
    return {
        key: _without_titles(item) if isinstance(item, dict) else item
        for key, item in value.items()
        if key != "title" or isinstance(item, dict)
    }
