"""The reference of all settings, from the models that read a configuration and the rules that end a run."""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from host.app import EXIT_CODES
from host.launch import config_schema
from host.launch.fields import LARGEST_COUNT
from host.turn import Ceilings, TurnCount
from host.turn.ceilings import Breach, breach_of_agent, breach_of_run

# The limits of a configuration: what each counts over.
SCOPES: Final[Mapping[str, str]] = {
    "maxTurns": "one agent",
    "maxRuntimeSecs": "the run",
    "maxConsecutiveErrors": "one agent",
    "maxCost": "the run",
    "maxErrorRate": "one agent",
}


def render_keys() -> str:
    """A table of every key, in the order of the models; at its end those of each capability, under its id."""
    schema = config_schema()
    defs = schema["$defs"]
    head = ["| key | value | default | |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *_rows(schema, defs, ""), *_capability_rows(defs)])


def render_limits() -> str:
    """A table of the limits: the status that each ends a run under, and the exit code of `gg run`."""
    rows = ["| limit | of | status | exit code |", "| --- | --- | --- | --- |"]
    for breach in _breaches():
        code = EXIT_CODES[breach.status]
        rows.append(f"| `{breach.limit}` | {SCOPES[breach.limit]} | `{breach.status}` | {code} |")
    return "\n".join(rows)


def render_schema() -> str:
    """The JSON Schema as `docs/run-config.schema.json` holds it."""
    return json.dumps(config_schema(), indent=2, ensure_ascii=False) + "\n"


def _breaches() -> Iterator[Breach]:
    """Each limit as one turn that is an error, and one second, reach it."""
    count = TurnCount(window=1)
    count.add("runtime")
    found = (
        breach_of_agent(Ceilings(max_turns=1), count),
        breach_of_run(Ceilings(max_runtime_s=1), 1),
        breach_of_agent(Ceilings(max_consecutive_errors=1), count),
        breach_of_agent(Ceilings(max_error_rate=0, error_rate_window=1), count),
        breach_of_run(Ceilings(max_cost=1), 0, Decimal(1)),
    )
    return (breach for breach in found if breach is not None)


def _rows(model: Mapping[str, Any], defs: Mapping[str, Any], prefix: str) -> Iterator[str]:
    required = model.get("required", [])
    for key, found in model["properties"].items():
        place = f"{prefix}{key}"
        target = _target(found, defs)
        default = "required" if key in required else _default(found)
        yield f"| `{place}` | {_value(found, defs)} | {default} | {found.get('description', '')} |"
        if target is not None:
            yield from _rows(target, defs, f"{place}.")
        for inner, step in ((found.get("items"), "[]"), (found.get("additionalProperties"), ".NAME")):
            entry = _target(inner, defs) if isinstance(inner, Mapping) else None
            if entry is not None:
                yield from _rows(entry, defs, f"{place}{step}.")


def _capability_rows(defs: Mapping[str, Any]) -> Iterator[str]:
    for variant in defs["AgentSettings"]["properties"]["capabilities"]["items"]["oneOf"]:
        capability = _resolved(variant, defs)
        name = capability["properties"]["id"]["const"]
        yield f"| **`{name}`** | | | {capability['description']} |"
        own = {key: value for key, value in capability["properties"].items() if key != "id"}
        yield from _rows({**capability, "properties": own}, defs, f"{name}: ")


def _resolved(reference: Mapping[str, Any], defs: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = defs[reference["$ref"].rpartition("/")[2]]
    return found


def _target(found: Mapping[str, Any], defs: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The object that a key holds, where it may hold one."""
    if "$ref" in found:
        return _target(_resolved(found, defs), defs)
    if "properties" in found:
        return found
    targets = (_target(choice, defs) for choice in found.get("anyOf", []))
    return next((target for target in targets if target is not None), None)


def _default(found: Mapping[str, Any]) -> str:
    default = found.get("default")
    if default is None or isinstance(default, dict | list) or default == "":
        return ""
    return f"`{json.dumps(default)}`"


def _value(found: Mapping[str, Any], defs: Mapping[str, Any]) -> str:
    if "anyOf" in found:
        kinds = [_value(choice, defs) for choice in found["anyOf"] if choice.get("type") != "null"]
        return " or ".join(kinds)
    if "$ref" in found:
        return _value(_resolved(found, defs), defs)
    if "enum" in found:
        return ", ".join(f"`{word}`" for word in found["enum"])
    return {
        "array": f"list of {_items(found.get('items', {}))}",
        "boolean": "`true`, `false`",
        "integer": f"whole number{_bounds(found)}",
        "number": f"number{_bounds(found)}",
        "object": "object",
        "string": "text",
    }[found["type"]]


def _items(items: Mapping[str, Any]) -> str:
    if "enum" in items:
        return ", ".join(f"`{word}`" for word in items["enum"])
    return "texts" if items.get("type") == "string" else "objects"


def _bounds(found: Mapping[str, Any]) -> str:
    words = {"minimum": "from", "exclusiveMinimum": "over", "maximum": "to", "exclusiveMaximum": "below"}
    bounds = {key: found[key] for key in words if found.get(key, LARGEST_COUNT) != LARGEST_COUNT}
    told = [f"{words[key]} {bound}" for key, bound in bounds.items()]
    return f", {' '.join(told)}" if told else ""
