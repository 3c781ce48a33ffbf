"""How the agents of a session record had their code checked, as its configuration says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from host.app.declarations import DECLARATIONS, append_only_declarations
from host.events import RecordReader, RecordUnreadable
from runtime_js import TypeCheck


@dataclass(frozen=True, kw_only=True)
class CheckSettings:
    """What an agent's code was checked against, and how strictly."""

    typecheck: TypeCheck = "error"
    declarations: str = DECLARATIONS


DEFAULTS: Final = CheckSettings()


def settings_by_profile(reader: RecordReader) -> Mapping[str, CheckSettings]:
    """Of each agent that the configuration names. Whatever is odd in it counts as not written."""
    try:
        agents = reader.config.get("agents")
    except RecordUnreadable:  # the events alone, without the configuration
        return {}
    named = (agent for agent in _list(agents) if isinstance(_value(agent, "id"), str))
    return {_value(agent, "id"): _settings(agent) for agent in named}


def _settings(agent: Any) -> CheckSettings:  # noqa: ANN401  (a configuration as it was written)
    level = _value(agent, "codeMode", "typecheck")
    return CheckSettings(
        typecheck=level if level in get_args(TypeCheck) else DEFAULTS.typecheck,
        declarations=append_only_declarations() if _is_append_only(agent) else DECLARATIONS,
    )


def _is_append_only(agent: Any) -> bool:  # noqa: ANN401  (a configuration as it was written)
    return any(
        _value(each, "id") == "memories" and _value(each, "features", "reviseMemories") is False
        for each in _list(_value(agent, "capabilities"))
    )


def _list(value: Any) -> list[Any]:  # noqa: ANN401  (a configuration as it was written)
    return value if isinstance(value, list) else []


def _value(value: Any, *keys: str) -> Any:  # noqa: ANN401  (a configuration as it was written)
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
