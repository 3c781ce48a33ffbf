"""How an agent has its code checked, and how those of a session record had, as its configuration says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from host.app.declarations import DECLARATIONS, recorded_declarations
from host.core.healing import DEFAULT_HEALING, HealingSettings
from host.events import AgentSurface, RecordReader, RecordUnreadable
from runtime_js import ToolNamespace, TypeCheck


@dataclass(frozen=True, kw_only=True)
class CheckSettings:
    """What an agent's code is checked against, and how strictly; `healing` is that of its replies.

    `knows_tools`: these are the agent's tools. Without it there are none because no agent is known.
    """

    typecheck: TypeCheck = "error"
    declarations: str = DECLARATIONS
    tools: tuple[ToolNamespace, ...] = ()
    healing: HealingSettings = DEFAULT_HEALING
    knows_tools: bool = False


DEFAULTS: Final = CheckSettings()


def settings_by_profile(
    reader: RecordReader, surfaces: Mapping[str, AgentSurface]
) -> Mapping[str, CheckSettings]:
    """Of each agent that the configuration names; `surfaces` has what those that began could call.

    Whatever is odd in the configuration counts as not written.
    """
    try:
        agents = reader.config.get("agents")
    except RecordUnreadable:  # the events alone, without the configuration
        return {}
    named = (agent for agent in _list(agents) if isinstance(_value(agent, "id"), str))
    return {_value(agent, "id"): _settings(agent, surfaces.get(_value(agent, "id"))) for agent in named}


def _settings(
    agent: Any,  # noqa: ANN401  (a configuration as it was written)
    surface: AgentSurface | None,
) -> CheckSettings:
    level = _value(agent, "codeMode", "typecheck")
    tools = surface.tool_declarations if surface else None
    return CheckSettings(
        typecheck=level if level in get_args(TypeCheck) else DEFAULTS.typecheck,
        declarations=recorded_declarations(tools, is_append_only=_is_append_only(agent)),
        tools=_namespaces(surface) if surface and tools else (),
        knows_tools=True,
    )


def _namespaces(surface: AgentSurface) -> tuple[ToolNamespace, ...]:
    """The names that `gg:tools` exports. Nothing is run, so what is in them matters to the types alone."""
    ids = (id_.split(".") for id_ in (*surface.operations, *surface.withheld))
    names = dict.fromkeys(parts[1] for parts in ids if parts[0] == "tools")
    return tuple(ToolNamespace(name, ()) for name in names)


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
