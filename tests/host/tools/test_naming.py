"""Names of tools, and the ones that cannot be used."""

from collections.abc import Mapping
from typing import Final

import pytest

from host.core.reserved_words import RESERVED_WORDS
from host.tools import NameProblem, Names, ToolSource, name_tools, render_namespaces
from runtime_js import Compiler
from tests.host.tools.given import FAMILIES, GLOBALS, told, tool, typed


def named(*names: str, rename: Mapping[str, str] | None = None, only: tuple[str, ...] | None = None) -> Names:
    tools = tuple(map(tool, names))
    return name(ToolSource(namespace="git", tools=tools, rename=rename or {}, only=only))


def name(*sources: ToolSource) -> Names:
    return name_tools(sources, families=FAMILIES, global_names=GLOBALS, native_names={"read_file", "a__b"})


def spoken(names: Names) -> list[str]:
    return [
        f"{problem.namespace}.{problem.tool}: {problem.reason}. {problem.remedy}"
        for problem in names.problems
    ]


def test_names_are_spelled_for_programs_and_for_replies() -> None:
    names = named(
        "git_status", "list.items", "constructor", "get-user", "größe", rename={"get-user": "Fetch"}
    )

    assert names.problems == ()
    assert [(one.tool.name, one.identifier, one.native_name) for one in names.tools[0]] == [
        ("git_status", "gitStatus", "git__git_status"),
        ("list.items", "listItems", "git__list_items"),
        ("constructor", "constructor", "git__constructor"),
        ("get-user", "Fetch", "git__Fetch"),
        ("größe", "größe", "git__gr__e"),
    ]


def test_only_some_tools_are_taken() -> None:
    names = named("a", "delete", "b", only=("b", "a"))

    assert names.problems == ()
    assert [one.identifier for one in names.tools[0]] == ["a", "b"]


RENAME: Final = "Give it another name, as in"
PROBLEMS = [
    pytest.param(
        ["get-user", "get_user"],
        {},
        [
            "git.get_user: `get-user` and `get_user` would both be called `getUser`."
            f' {RENAME} "rename": {{"get_user": "getUserTool"}}'
        ],
        id="one identifier",
    ),
    pytest.param(
        ["getUser", "b", "c"],
        {"b": "getUser", "c": "getUser"},
        [
            "git.c: `getUser`, `b` and `c` would all be called `getUser`."
            f' {RENAME} "rename": {{"c": "getUserTool"}}'
        ],
        id="one other name",
    ),
    pytest.param(
        ["delete"],
        {},
        [
            "git.delete: programs would call it `delete`, a reserved word."
            f' {RENAME} "rename": {{"delete": "deleteTool"}}'
        ],
        id="a reserved word",
    ),
    pytest.param(
        ["x"],
        {"x": "eval"},
        [f'git.x: programs would call it `eval`, a reserved word. {RENAME} "rename": {{"x": "evalTool"}}'],
        id="a reserved word as another name",
    ),
    pytest.param(
        ["then"],
        {},
        [
            "git.then: programs would call it `then`, and what has a member of that name is taken for a"
            f' promise. {RENAME} "rename": {{"then": "thenTool"}}'
        ],
        id="then",
    ),
    pytest.param(
        ["x"],
        {"x": "__proto__"},
        [
            "git.x: programs would call it `__proto__`, by which an object is given what it inherits from."
            f' {RENAME} "rename": {{"x": "__protoTool"}}'
        ],
        id="__proto__",
    ),
    pytest.param(
        ["💥"],
        {},
        [f'git.💥: no identifier can be made of `💥`. {RENAME} "rename": {{"💥": "someTool"}}'],
        id="no identifier",
    ),
    pytest.param(
        ["x"],
        {"x": "get user"},
        [f'git.x: `get user`, its other name, is no identifier. {RENAME} "rename": {{"x": "getUserTool"}}'],
        id="another name that is no identifier",
    ),
    pytest.param(
        ["x"],
        {"x": ""},
        [f'git.x: ``, its other name, is no identifier. {RENAME} "rename": {{"x": "someTool"}}'],
        id="another name that is empty",
    ),
    pytest.param(
        ["a" * 60],
        {},
        [
            f"git.{'a' * 60}: replies would call it `git__{'a' * 60}`, which has 65 characters, 64 at most."
            f' {RENAME} "rename": {{"{"a" * 60}": "{"a" * 55}Tool"}}'
        ],
        id="too long",
    ),
    pytest.param(
        ["a", "a"],
        {},
        ['git.a: the server offers two tools called `a`. Leave them out: name all others in "only"'],
        id="one name",
    ),
    pytest.param(
        ["ä", "ö"],
        {},
        [f'git.ö: replies would call `ä` and `ö` `git___`. {RENAME} "rename": {{"ö": "Tool"}}'],
        id="one native name",
    ),
    pytest.param(
        ["get-user"],
        {"gte-user": "a", "x": "b"},
        [
            'git.gte-user: "rename" names `gte-user`, and there is no such tool. Did you mean `get-user`?',
            'git.x: "rename" names `x`, and there is no such tool. There are `get-user`',
        ],
        id="names of no tool",
    ),
]


@pytest.mark.parametrize(("names", "rename", "expected"), PROBLEMS)
def test_a_name_that_cannot_be_used_is_told(
    names: list[str], rename: Mapping[str, str], expected: list[str]
) -> None:
    assert spoken(named(*names, rename=rename)) == expected


def test_every_problem_is_told_at_once() -> None:
    problems = named("a", "class", "then", only=("class", "then", "b"), rename={"a": "c"}).problems

    assert [(problem.tool, problem.reason) for problem in problems] == [
        ("b", '"only" names `b`, and there is no such tool'),
        ("a", '"rename" names `a`, which "only" leaves out'),
        ("class", "programs would call it `class`, a reserved word"),
        (
            "then",
            "programs would call it `then`, and what has a member of that name is taken for a promise",
        ),
    ]


def test_a_function_is_named_where_it_is_given() -> None:
    local = [tool(name, namespace="local", is_local=True) for name in ("delete", "a", "a")]
    problems = name(ToolSource(namespace="local", tools=tuple(local))).problems

    assert [problem.remedy for problem in problems] == [
        'Give the function another name, as in "name": "deleteTool"',
        'Give the function another name, as in "name": "aTool"',
    ]


ANOTHER: Final = "Give the server another name: letters, digits and `_`, no digit first"
NAMESPACES = [
    ("a-b", "programs cannot import `a-b`, which is no identifier"),
    ("größe", "programs cannot import `größe`, which is no identifier"),
    ("1a", "programs cannot import `1a`, which is no identifier"),
    ("", "programs cannot import ``, which is no identifier"),
    ("default", "programs cannot import `default`, a reserved word"),
    ("then", "programs would import `then`, and what has a member of that name is taken for a promise"),
    ("views", "`views` would hide a name of the SDK"),
    ("gg", "`gg` would hide a name of the SDK"),
    ("console", "`console` would hide a global of programs"),
]


@pytest.mark.parametrize(("namespace", "reason"), NAMESPACES)
def test_a_namespace_that_cannot_be_used_is_told(namespace: str, reason: str) -> None:
    names = name(ToolSource(namespace=namespace, tools=()))

    assert names.problems == (NameProblem(namespace=namespace, tool="", reason=reason, remedy=ANOTHER),)


def test_names_clash_across_sources() -> None:
    names = name(
        ToolSource(namespace="a", tools=(tool("b", namespace="a"), tool("b__c", namespace="a"))),
        ToolSource(namespace="a__b", tools=(tool("c", namespace="a__b"),)),
        ToolSource(namespace="a", tools=()),
    )

    assert spoken(names) == [
        "a.: two sources of tools have the namespace `a`. Give the server another name",
        'a.b: replies call another tool `a__b`. Give it another name, as in "rename": {"b": "bTool"}',
        "a__b.c: replies would call `a.b__c` and `a__b.c` `a__b__c`."
        ' Give it another name, as in "rename": {"c": "cTool"}',
    ]


ODD = ["constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "name", "type", "any", "string"]
ODD += ["Promise", "undefined", "NaN", "get", "async", "of", "namespace", "module", "globalThis", "$", "üben"]


def test_odd_names_are_called_as_they_are(compiler: Compiler) -> None:
    declarations = render_namespaces((typed(*map(tool, ODD)),))
    identifiers = [one.identifier for one in typed(*map(tool, ODD)).tools]
    calls = "".join(f"export const x{n}: string = await git.{one}();\n" for n, one in enumerate(identifiers))

    assert told(compiler, f'declare const git: typeof import("gg:tools").git;\n{calls}', declarations) == ""


def test_reserved_words_are_those_that_nothing_can_be_bound_to(compiler: Compiler) -> None:
    words = [*sorted(RESERVED_WORDS), "type", "of", "async", "constructor", "undefined"]
    bound = [
        word
        for word in words
        if told(compiler, f"export {{}}; const f = ({word}: string) => {word};", "") == ""
    ]

    assert bound == ["type", "of", "async", "constructor", "undefined"]
