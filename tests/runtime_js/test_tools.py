"""The module of an agent's tools: what it exports, under which names, and what a wrong name is told."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from runtime_js import (
    Compiled,
    Compiler,
    CompileRejected,
    ModuleSource,
    ToolNamespace,
    Unit,
    UnitKind,
    guest_globals,
    locate_stack,
)
from sandbox import Background, Call, Ended, GuestProgram, ProgramOutcome, SandboxPool, Threw

SDK: Final = (Path(__file__).parents[2] / "runtime_js" / "sdk" / "gg.d.ts").read_text(encoding="utf-8")
NO_TOOLS: Final = 'declare module "gg:tools" {\n  export {};\n}\n'
# As a host writes it for its agent; the comments and members are those that a program could take for others.
DECLARED: Final = """\
declare module "gg:tools" {
  /** Versions. */
  export namespace git {
    interface StatusArgs { path?: string; }
    /** What changed. */
    function status(args?: StatusArgs): Promise<string>;
    function fail(): Promise<void>;
    function constructor(args: { a: number | bigint }): Promise<bigint>;
    function length(): Promise<number>;
    function name(): Promise<string>;
    function get(): Promise<string>;
  }
  export namespace local {
    function views(): Promise<string>;
  }
}
"""
TOOLS: Final = (
    ToolNamespace(
        "git",
        (
            ("status", "tools.git.get_status"),
            ("fail", "tools.git.fail"),
            ("constructor", "tools.git.constructor"),
            ("length", "tools.git.length"),
            ("name", "tools.git.name"),
            ("get", "tools.git.get"),
        ),
    ),
    ToolNamespace("local", (("views", "tools.local.views"),)),
)
UNIT: Final = Unit(
    kind=UnitKind.PROGRAM, source="", declarations=SDK.replace(NO_TOOLS, DECLARED), tools=TOOLS
)


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with Compiler(processes=1) as compiler:
        yield compiler


@pytest.fixture(scope="module")
def pool() -> Iterator[SandboxPool]:
    with SandboxPool(globals=guest_globals()) as pool:
        yield pool


class Host:
    """Answers with the operation, but for one tool that fails and one that gives a bigint."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, object]] = []

    def __call__(self, call: Call) -> str:
        self.calls.append((call.operation, json.loads(call.arguments)))
        if call.operation == "tools.git.fail":
            return '{"error": {"code": "io-error", "operation": "git.fail", "message": "gone"}}'
        if call.operation == "tools.git.constructor":
            return '{"ok": "9007199254740993", "bigints": [[]]}'
        return json.dumps({"ok": call.operation})


def run(pool: SandboxPool, compiled: Compiled, host: Host) -> ProgramOutcome:
    background = Background(may=lambda operation: operation.startswith("tools."))
    return pool.run(GuestProgram(js=compiled.js, seed=1), host, background=background)


# A program, what it logs, and the calls it makes.
PROGRAMS: Final = {
    "a namespace": (
        'import { git } from "gg:tools"; console.log(await git.status({ path: "a" }));',
        ["tools.git.get_status"],
        [("tools.git.get_status", [{"path": "a"}])],
    ),
    "by another name": (
        'import { git as g } from "gg:tools"; console.log(await g.status());',
        ["tools.git.get_status"],
        [("tools.git.get_status", [])],
    ),
    "through gg": (
        'import { tools } from "gg"; console.log(await tools.local.views());',
        ["tools.local.views"],
        [("tools.local.views", [])],
    ),
    "all of it": (
        'import * as tools from "gg:tools"; console.log(await tools.local.views(), Object.keys(tools));',
        ['tools.local.views ["git","local"]'],
        [("tools.local.views", [])],
    ),
    "all of gg": (
        'import * as gg from "gg"; console.log(await gg.tools.local.views());',
        ["tools.local.views"],
        [("tools.local.views", [])],
    ),
    "a dynamic import": (
        'const { local } = await import("gg:tools"); console.log(await local.views());',
        ["tools.local.views"],
        [("tools.local.views", [])],
    ),
    "the same instances": (
        'import { git } from "gg:tools"; import * as all from "gg:tools"; import { tools } from "gg";'
        ' console.log(git === tools.git, git === all.git, git === (await import("gg")).tools.git);',
        ["true true true"],
        [],
    ),
    "members of any name": (
        'import { git } from "gg:tools";'
        " console.log(await git.constructor({ a: 2n ** 60n }), await git.length(), await git.name(),"
        " await git.get());",
        ["9007199254740993n tools.git.length tools.git.name tools.git.get"],
        [
            ("tools.git.constructor", [{"a": 2**60}]),
            ("tools.git.length", []),
            ("tools.git.name", []),
            ("tools.git.get", []),
        ],
    ),
    "nothing else is a member": (
        'import { tools } from "gg"; const { git } = tools; const bare = (one: object) =>'
        " [Object.getPrototypeOf(one), Object.isFrozen(one), 'toString' in one, 'then' in one];"
        " console.log(bare(git), bare(tools), Object.keys(git), git.status.name, git.constructor.name);",
        [
            "[null,true,false,false] [null,true,false,false]"
            ' ["status","fail","constructor","length","name","get"] status constructor'
        ],
        [],
    ),
    "a failure that is caught": (
        'import { ApiError } from "gg"; import { git } from "gg:tools";'
        " try { await git.fail(); } catch (error) {"
        " if (error instanceof ApiError) console.log(error.code, error.operation, error.message); }",
        ["io-error git.fail gone"],
        [("tools.git.fail", [])],
    ),
    "a family of the same name": (
        'import { views } from "gg"; import { local } from "gg:tools";'
        " console.log(await local.views() as any, typeof views.openText);",
        ["tools.local.views function"],
        [("tools.local.views", [])],
    ),
    "only the type": (
        'import type { git } from "gg:tools"; const args: git.StatusArgs = { path: "a" };'
        " console.log(args.path);",
        ["a"],
        [],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, compiler: Compiler, pool: SandboxPool) -> None:
    source, lines, calls = PROGRAMS[name]
    host = Host()

    outcome = run(pool, compiler.compile(replace(UNIT, source=source)), host)

    assert isinstance(outcome, Ended), outcome
    assert [line.text for line in outcome.stats.logs] == lines
    assert host.calls == calls


def test_a_module_uses_them_as_well(compiler: Compiler, pool: SandboxPool) -> None:
    module = ModuleSource(
        "helper", 'import { local } from "gg:tools";\nexport const find = () => local.views();\n'
    )
    source = (
        'import { find } from "helper"; import { tools } from "gg";'
        " console.log(await find(), tools.git.get.name);"
    )
    host = Host()

    outcome = run(pool, compiler.compile(replace(UNIT, source=source, modules=(module,))), host)

    assert [line.text for line in outcome.stats.logs] == ["tools.local.views get"]


def test_a_script_has_them_in_scope(compiler: Compiler, pool: SandboxPool) -> None:
    unit = replace(UNIT, kind=UnitKind.ON_USE, key="note", source="console.log(await tools.local.views());")

    outcome = run(pool, compiler.compile(unit), Host())

    assert [line.text for line in outcome.stats.logs] == ["tools.local.views"]


def test_a_failure_that_nobody_handles_has_its_place_in_the_program(
    compiler: Compiler, pool: SandboxPool
) -> None:
    source = 'import { git } from "gg:tools";\n\nfunction clean() {\n  void git.fail();\n}\nclean();\n'
    compiled = compiler.compile(replace(UNIT, source=source))

    outcome = run(pool, compiled, Host())

    assert isinstance(outcome, Threw)
    assert (outcome.error.operation, outcome.error.code) == ("git.fail", "io-error")
    frames = locate_stack(outcome.error.stack, compiled.source_map)
    assert [(frame.function, frame.line) for frame in frames] == [("clean", 4), ("", 6)]


def test_arguments_that_cannot_be_encoded_are_refused_under_the_programs_own_name(
    compiler: Compiler, pool: SandboxPool
) -> None:
    source = 'import { git } from "gg:tools";\nawait git.status((() => 1) as any);'
    host = Host()

    outcome = run(pool, compiler.compile(replace(UNIT, source=source)), host)

    assert isinstance(outcome, Threw)
    assert (outcome.error.operation, outcome.error.message) == ("git.status", "argument 1 is a function")
    assert host.calls == [("tools.git.get_status", "argument 1 is a function")]


# What `views.openDocsView` sends of what a program names.
KEYS: Final = {
    "tools.git.status": "tools.git.status",
    "git.constructor": "tools.git.constructor",
    "git": "tools.git",
    "{ ...local }": "tools.local",
    "tools": "tools",
    "same": "tools",
    "views": "views",
    "{}": {},
}


@pytest.mark.parametrize("target", KEYS)
def test_the_page_of_a_tool(target: str, compiler: Compiler, pool: SandboxPool) -> None:
    source = (
        'import { tools, views } from "gg"; import * as same from "gg:tools";'
        ' import { git, local } from "gg:tools";'
        f" void [same, git, local]; views.openDocsView(({target}) as any);"
    )
    host = Host()

    outcome = run(pool, compiler.compile(replace(UNIT, source=source)), host)

    assert isinstance(outcome, Ended), outcome
    assert host.calls == [("views.open_docs_view", [KEYS[target]])]


# A program that is wrong, how what is said of it begins, and whether it is said where types are not checked.
NO_FAMILY: Final = 'there is no such family. Did you mean "gg:tools"? Importable are "gg" and "gg:<family>" ('
WRONG: Final = {
    "a namespace that is not there": (
        'import { gti } from "gg:tools"; gti.status();',
        'Module "gg:tools" has no export "gti". Did you mean "git"? It exports git, local.',
        True,
    ),
    "no name like it": (
        'import { zzz } from "gg:tools"; zzz();',
        'Module "gg:tools" has no export "zzz". It exports git, local.',
        True,
    ),
    "a tool is no export": (
        'import { fail } from "gg:tools"; fail();',
        'Module "gg:tools" has no export "fail". It exports git, local.',
        True,
    ),
    "a default export": (
        'import tools from "gg:tools"; tools.git;',
        'Module "gg:tools" has no default export. It exports git, local.',
        True,
    ),
    "a namespace of gg": (
        'import { git } from "gg"; git.status();',
        'Module "gg" has no export "git". It is in "gg:tools".',
        True,
    ),
    "a name without its import": ("git.status();", "Cannot find name 'git'. It is in \"gg:tools\".", False),
    "a name like one": ("gti.status();", "Cannot find name 'gti'. Did you mean \"git\"?", False),
    "a tool that is not there": (
        'import { git } from "gg:tools"; git.statu();',
        "Property 'statu' does not exist on type 'typeof git'. Did you mean 'status'?",
        False,
    ),
    "a module that is not there": (
        'import { git } from "gg:tool"; git;',
        f'Cannot import "gg:tool": {NO_FAMILY}',
        True,
    ),
    "what only stubs import": (
        'import { tools } from "gg:tools table"; tools;',
        f'Cannot import "gg:tools table": {NO_FAMILY}',
        True,
    ),
    "arguments that it does not take": (
        'import { git } from "gg:tools"; git.status({ pat: "a" });',
        "Object literal may only specify known properties, but 'pat' does not exist in type 'StatusArgs'.",
        False,
    ),
    "a promise taken for its value": (
        'import { git } from "gg:tools"; git.status().length;',
        "Property 'length' does not exist on type 'Promise<string>'.",
        False,
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told(name: str, compiler: Compiler) -> None:
    source, beginning, is_told_unchecked = WRONG[name]

    (checked,) = messages(compiler, replace(UNIT, source=source))
    unchecked = messages(compiler, replace(UNIT, source=source, typecheck="off"))

    assert checked.startswith(beginning)
    assert [message.startswith(beginning) for message in unchecked] == [True] * is_told_unchecked


def messages(compiler: Compiler, unit: Unit) -> list[str]:
    try:
        compiler.compile(unit)
    except CompileRejected as rejected:
        return [diagnostic.message for diagnostic in rejected.diagnostics]
    return []


def test_without_tools_the_module_is_there_and_exports_nothing(compiler: Compiler, pool: SandboxPool) -> None:
    unit = replace(UNIT, declarations=SDK, tools=())
    source = (
        'import * as all from "gg:tools"; import { tools, views } from "gg"; import "gg:tools";'
        " console.log(Object.keys(all), Object.keys(tools)); views.openDocsView({} as any);"
        " views.openDocsView(tools as any);"
    )
    host = Host()

    outcome = run(pool, compiler.compile(replace(unit, source=source)), host)

    assert [line.text for line in outcome.stats.logs] == ["[] []"]
    assert host.calls == [("views.open_docs_view", [{}])] * 2
    wrong = replace(unit, source='import { git } from "gg:tools"; git;')
    for asked in (wrong, replace(wrong, typecheck="off")):
        assert messages(compiler, asked) == [
            'Module "gg:tools" has no export "git". It exports nothing: a configuration gives an agent its'
            " tools, and none are known here."
        ]


def test_units_with_other_tools_are_other_units(compiler: Compiler, pool: SandboxPool) -> None:
    source = 'import { git } from "gg:tools"; console.log(await git.status());'
    other = (ToolNamespace("git", (("status", "tools.git.other"),)),)

    first = compiler.compile(replace(UNIT, source=source))
    second = compiler.compile(replace(UNIT, source=source, tools=other))

    assert [line.text for line in run(pool, first, Host()).stats.logs] == ["tools.git.get_status"]
    assert [line.text for line in run(pool, second, Host()).stats.logs] == ["tools.git.other"]


def test_a_program_that_uses_none_does_not_make_them(compiler: Compiler) -> None:
    compiled = compiler.compile(
        replace(UNIT, source='import { views } from "gg";\nviews.openText("a", "b");\n')
    )

    assert "get_status" not in compiled.js


def test_what_a_module_replaces_before_they_are_made_spoils_nothing(
    compiler: Compiler, pool: SandboxPool
) -> None:
    module = ModuleSource(
        "evil",
        "Object.freeze = Object.defineProperty = (() => { throw new Error('spoiled'); }) as any;\n"
        "Object.prototype.constructor = 1 as any;\nexport {};\n",
    )
    source = 'import "evil"; import { git } from "gg:tools"; console.log(await git.constructor({ a: 1 }));'

    outcome = run(pool, compiler.compile(replace(UNIT, source=source, modules=(module,))), Host())

    assert [line.text for line in outcome.stats.logs] == ["9007199254740993n"]
