"""Tools as their sources might offer them, and whether what is made of them compiles."""

import json
from collections.abc import Mapping
from typing import Any

from host.tools import Namespace, Tool, ToolOutput, ToolSource, type_tools
from host.tools.json_schema import type_of_value
from runtime_js import Compiler, CompileRejected, Unit, UnitKind, render_diagnostics

Schema = Mapping[str, object]
Json = Any
FAMILIES = frozenset({"gg", "memories", "views", "tools"})
GLOBALS = frozenset({"console", "globalThis", "Promise"})


async def run(bound: object) -> ToolOutput:
    return ToolOutput(value=bound)


def tool(
    name: str,
    parameters: Schema | None = None,
    returns: Schema | None = None,
    *,
    description: str = "Does it.",
    namespace: str = "git",
    is_local: bool = False,
) -> Tool:
    return Tool(
        namespace=namespace,
        name=name,
        description=description,
        parameters={"type": "object"} if parameters is None else parameters,
        returns=returns,
        bind=dict,
        run=run,
        timeout_s=30,
        is_local=is_local,
    )


def typed(*tools: Tool, namespace: str = "git", brief: str = "") -> Namespace:
    """The namespace of tools that have no problem."""
    source = ToolSource(namespace=namespace, tools=tools, brief=brief)
    found = type_tools([source], families=FAMILIES, global_names=GLOBALS)
    assert (found.problems, found.left_out) == ((), ())
    return found.namespaces[0]


def namespace_of(schema: object) -> str:
    """Declarations in which the type `Value` is that of a schema."""
    found = type_of_value(schema, name="Value", taken=())
    named = () if found.text == "Value" else (f"type Value = {found.text};",)
    return "\n".join(['declare module "gg:tools" {', *found.declarations, *named, "}"])


def told(compiler: Compiler, source: str, declarations: str) -> str:
    """What the compilers say against a program; empty where it compiles. Raises for broken declarations."""
    unit = Unit(kind=UnitKind.PROGRAM, source=source, declarations=declarations)
    try:
        compiler.compile(unit)
    except CompileRejected as rejected:
        return render_diagnostics(rejected.diagnostics)
    return ""


def expression(value: object) -> str:
    """A JSON value as a program writes it."""
    text = json.dumps(value)
    return text.replace('"__proto__":', '["__proto__"]:')
