"""Of any schema the types compile, and admit whatever the schema admits."""

import json

import pytest
from hypothesis import HealthCheck, event, given, settings
from jsonschema import Draft7Validator, Draft202012Validator

from host.tools import ToolSource, render_namespaces, type_tools
from runtime_js import Compiler
from tests.host.tools import schemas, valued
from tests.host.tools.given import FAMILIES, GLOBALS, Json, expression, namespace_of, told, tool

QUICK = settings(max_examples=40, suppress_health_check=list(HealthCheck))
LONG = settings(max_examples=600, suppress_health_check=list(HealthCheck))


def check_compiles(compiler: Compiler, parameters: Json, returns: Json, description: str) -> None:
    one = tool("do-it", parameters, returns, description=description)
    found = type_tools(
        [ToolSource(namespace="git", tools=(one, tool("other")), brief=description)],
        families=FAMILIES,
        global_names=GLOBALS,
    )
    event("left out" if found.left_out else "typed")

    assert found.problems == ()
    assert told(compiler, "export {};", render_namespaces(found.namespaces)) == ""


@pytest.mark.slow
@QUICK
@given(parameters=schemas.documents(), returns=schemas.documents(), description=schemas.TEXTS)
def test_types_of_any_schema_compile(
    compiler: Compiler, parameters: Json, returns: Json, description: str
) -> None:
    check_compiles(compiler, parameters, returns, description)


@pytest.mark.slow
@LONG
@given(parameters=schemas.documents(), returns=schemas.documents(), description=schemas.TEXTS)
def test_types_of_very_many_schemas_compile(
    compiler: Compiler, parameters: Json, returns: Json, description: str
) -> None:
    check_compiles(compiler, parameters, returns, description)


def check_admits(compiler: Compiler, schema: Json, values: list[object]) -> None:
    """Those of the values that the schema admits have its type."""
    is_old = '"items": [' in json.dumps(schema)
    validator = (Draft7Validator if is_old else Draft202012Validator)(schema)
    fitting = [value for value in values if validator.is_valid(value)]
    event(f"{len(fitting)} of {len(values)} values fit")
    lines = [f"export const v{place}: Value = {expression(value)};" for place, value in enumerate(fitting)]
    source = "\n".join(['type Value = import("gg:tools").Value;', *lines])

    assert told(compiler, source, namespace_of(schema)) == ""


@QUICK
@given(case=valued.cases())
def test_a_type_admits_what_its_schema_admits(compiler: Compiler, case: tuple[Json, list[object]]) -> None:
    check_admits(compiler, *case)


@pytest.mark.slow
@LONG
@given(case=valued.cases())
def test_very_many_types_admit_what_their_schemas_admit(
    compiler: Compiler, case: tuple[Json, list[object]]
) -> None:
    check_admits(compiler, *case)
