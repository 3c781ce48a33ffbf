"""The module of tools, and pages of documentation, as a whole."""

from pathlib import Path

import pytest

from host.tools import (
    Namespace,
    Tool,
    ToolSource,
    UntypedTool,
    render_namespace_page,
    render_namespaces,
    render_page,
    type_tools,
)
from host.tools.sample_arguments import sample_arguments
from runtime_js import Compiler
from tests.conftest import Golden
from tests.host.tools.given import FAMILIES, GLOBALS, Json, told, tool, typed

GOLDEN = Path(__file__).with_name("golden")

STATUS = tool(
    "git_status",
    {
        "type": "object",
        "properties": {
            "repo_path": {"type": "string", "description": "Where the repository is."},
            "depth": {"type": "integer", "minimum": 1, "default": 3},
        },
        "required": ["repo_path"],
    },
    description="Shows the status.\n\n    As `git status` does; it ends no comment */.\n",
)
LOG = tool(
    "git-log",
    {"type": "object", "properties": {"most": {"type": "integer"}}},
    {
        "type": "object",
        "properties": {"commits": {"type": "array", "items": {"$ref": "#/$defs/Commit"}}},
        "required": ["commits"],
        "$defs": {
            "Commit": {
                "type": "object",
                "description": "A commit.",
                "properties": {"id": {"type": "string"}, "parents": {"items": {"$ref": "#/$defs/Commit"}}},
                "required": ["id"],
            }
        },
    },
    description="",
)
INIT = tool("init", description="Makes a repository.")
GIT = typed(STATUS, LOG, INIT, brief="A repository.")
EMPTY = Namespace(name="none", brief="Nothing yet.", tools=())


def test_the_module_of_tools(compiler: Compiler, golden: Golden) -> None:
    text = render_namespaces((GIT, EMPTY))

    golden(GOLDEN / "tools.d.ts", text)
    assert told(compiler, "export {};", text) == ""


def test_without_namespaces_the_module_is_there(compiler: Compiler) -> None:
    text = render_namespaces(())

    assert text == 'declare module "gg:tools" {\n  export {};\n}\n'
    assert told(compiler, 'type T = typeof import("gg:tools"); export const t: T = {};', text) == ""


def test_a_namespace_says_what_it_is() -> None:
    assert typed(INIT).brief == "Tools of the server git."
    assert typed(tool("a", namespace="local"), namespace="local").brief == "Python functions."


def test_pages(golden: Golden) -> None:
    pages = [render_namespace_page(GIT), *map(render_page, GIT.tools)]

    golden(GOLDEN / "pages.txt", "\n\n----\n\n".join(pages) + "\n")


@pytest.mark.parametrize("place", range(3))
def test_the_example_of_a_page_compiles(compiler: Compiler, place: int) -> None:
    call = render_page(GIT.tools[place]).rpartition("\n")[2]
    source = f'declare const git: typeof import("gg:tools").git;\nexport {{}};\n{call}'

    assert told(compiler, source, render_namespaces((GIT,))) == ""


PROGRAMS = [
    pytest.param('await git.gitStatus({ repo_path: "." })', "", id="required"),
    pytest.param('await git.gitStatus({ repo_path: ".", depth: 2 })', "", id="all"),
    pytest.param(
        "await git.gitLog(); await git.gitLog({}); await git.gitLog({ most: 1 })", "", id="optional"
    ),
    pytest.param(
        "const found: tools.git.GitLogResultCommit[] = (await git.gitLog()).commits",
        "",
        id="a type by its name",
    ),
    pytest.param("const made: string = await git.init()", "", id="a text"),
    pytest.param(
        "await git.init({})", "program.ts:3:16: error TS2554: Expected 0 arguments, but got 1.", id="too many"
    ),
    pytest.param(
        'await git.gitStatus({ repoPath: "." })',
        "program.ts:3:23: error TS2561: Object literal may only specify known properties, but 'repoPath' does"
        " not exist in type 'GitStatusArgs'. Did you mean to write 'repo_path'?",
        id="misspelt",
    ),
]


@pytest.mark.parametrize(("call", "expected"), PROGRAMS)
def test_calls_are_checked(compiler: Compiler, call: str, expected: str) -> None:
    imported = 'import type * as tools from "gg:tools";\ndeclare const git: typeof tools.git;'
    source = f"{imported}\n{call};"

    assert told(compiler, source, render_namespaces((GIT,))).partition("\n")[0] == expected


def test_a_tool_that_cannot_be_typed_takes_no_other_along() -> None:
    tools = (
        tool("a", {"type": "array"}),
        tool("b", None, {"$ref": "#"}),
        tool("c", {"properties": {"x": {"$ref": "#/$defs/X"}}}),
        tool("d"),
    )
    found = type_tools([ToolSource(namespace="git", tools=tools)], families=FAMILIES, global_names=GLOBALS)

    assert found.problems == ()
    assert [[one.identifier for one in space.tools] for space in found.namespaces] == [["d"]]
    assert found.left_out == (
        UntypedTool(namespace="git", tool="a", reason="the schema of its arguments is not for an object"),
        UntypedTool(
            namespace="git",
            tool="b",
            reason="the schema of its result has references that lead to one another and to nothing else",
        ),
        UntypedTool(
            namespace="git",
            tool="c",
            reason="the schema of its arguments refers to #/$defs/X, which it does not have",
        ),
    )


def test_there_are_no_namespaces_where_a_name_cannot_be_used() -> None:
    source = ToolSource(namespace="git", tools=(tool("a"), tool("delete")))
    found = type_tools([source], families=FAMILIES, global_names=GLOBALS)

    assert found.namespaces == ()
    assert [problem.tool for problem in found.problems] == ["delete"]


NODE = {"properties": {"x": {"$ref": "#/$defs/Args"}}, "$defs": {"Args": {"type": "null"}}}
ALIKE = [
    pytest.param((tool("run", NODE), tool("run-args")), {}, id="a definition like another tool's arguments"),
    pytest.param(
        (tool("run-args", {"properties": {"a": True}}), tool("run", NODE)), {}, id="the other way round"
    ),
    pytest.param((tool("a", NODE), tool("b", NODE)), {"a": "foo", "b": "Foo"}, id="but for a capital"),
    pytest.param((tool("2", NODE), tool("promise", NODE, NODE)), {}, id="a digit, a global type"),
]


@pytest.mark.parametrize(("tools", "rename"), ALIKE)
def test_no_two_types_have_one_name(compiler: Compiler, tools: tuple[Tool, ...], rename: Json) -> None:
    source = ToolSource(namespace="git", tools=tools, rename=rename)
    found = type_tools([source], families=FAMILIES, global_names=GLOBALS)

    assert told(compiler, "export {};", render_namespaces(found.namespaces)) == ""
    assert [len(space.tools) for space in found.namespaces] == [len(tools)]


SAMPLES = [
    pytest.param({"a": {"type": "string"}}, '{ a: "…" }', id="a string"),
    pytest.param({"a-b": {"type": "integer", "minimum": 5}}, '{ "a-b": 5 }', id="a least number"),
    pytest.param({"a": {"type": "number", "maximum": 0}}, "{ a: 0 }", id="a greatest number"),
    pytest.param({"a": {"type": ["null", "boolean"]}}, "{ a: true }", id="a boolean"),
    pytest.param({"a": {"type": "null"}}, "{ a: null }", id="null"),
    pytest.param({"a": {"enum": [None, "x"]}}, "{ a: null }", id="listed"),
    pytest.param({"a": {"type": "array"}}, "{ a: [] }", id="an array"),
    pytest.param({"a": {"items": {"type": "null"}, "minItems": 2}}, "{ a: [null, null] }", id="of two"),
    pytest.param(
        {"a": {"prefixItems": [{"type": "string"}, {"type": "null"}], "minItems": 2}},
        '{ a: ["…", null] }',
        id="a tuple",
    ),
    pytest.param({"a": {"type": "object"}}, "{ a: {} }", id="an object"),
    pytest.param(
        {"a": {"properties": {"b": {"type": "null"}, "c": True}, "required": ["b"]}},
        "{ a: { b: null } }",
        id="what an object needs",
    ),
    pytest.param(
        {"a": {"allOf": [{"properties": {"b": {"type": "null"}}}, {"required": ["b"]}]}},
        '{ a: { b: "…" } }',
        id="of several parts",
    ),
    pytest.param({"a": {"anyOf": [{"type": "null"}, {"type": "string"}]}}, '{ a: "…" }', id="a union"),
    pytest.param({"a": {"$ref": "#/$defs/Color"}}, '{ a: "red" }', id="a definition"),
    pytest.param({"a": {"$ref": "#/$defs/Endless"}}, "args", id="endless"),
    pytest.param({"a": {"const": "x" * 500}}, "args", id="long"),
    pytest.param({"a": False}, "args", id="impossible"),
]


@pytest.mark.parametrize(("properties", "expected"), SAMPLES)
def test_an_example_has_what_is_required(properties: Json, expected: str) -> None:
    endless = {"required": ["a"], "properties": {"a": {"$ref": "#/$defs/Endless"}}}
    definitions = {"Color": {"enum": ["red"]}, "Endless": endless}
    schema = {"properties": properties, "required": list(properties), "$defs": definitions}

    assert sample_arguments(schema) == expected
    assert sample_arguments({"properties": properties}) == ""
