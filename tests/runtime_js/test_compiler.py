"""Both compilers together: what is accepted, what is told of what is not, and what a lost process changes."""

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import psutil
import pytest

from runtime_js import (
    Compiler,
    CompilerBroken,
    CompileRejected,
    ModuleSource,
    ToolchainError,
    Unit,
    UnitKind,
    find_toolchain,
    render_diagnostics,
)
from runtime_js.guest_sdk import load_sdk

DECLARATIONS = (Path(__file__).parents[2] / "runtime_js" / "sdk" / "gg.d.ts").read_text(encoding="utf-8")
CSV_TOOLS = ModuleSource(
    "csvTools", "export function parseCsv(text: string): string[] { return text.split(','); }\n"
)

# `export const f=` and so on: kept and exported, so that it is not dropped; one compiler cannot finish it.
ENDLESS = "export const f=" + "x=>" * 2_000 + "1;"

GOOD = (
    'import { views } from "gg";\nimport { parseCsv } from "csvTools";\n'
    'views.openText("a", parseCsv("b").join());\n'
)


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    compiler = Compiler(processes=1, timeout_s=60)
    yield compiler
    compiler.close()


def program(source: str, *modules: ModuleSource) -> Unit:
    return Unit(
        kind=UnitKind.PROGRAM, source=source, declarations=DECLARATIONS, modules=modules or (CSV_TOOLS,)
    )


def rejection(compiler: Compiler, unit: Unit) -> str:
    with pytest.raises(CompileRejected) as rejected:
        compiler.compile(unit)
    return render_diagnostics(rejected.value.diagnostics)


FAMILIES = load_sdk().families
ALL = f'({", ".join(FAMILIES)}) and the loaded module "csvTools".'
IN_GG = f"It exports {', '.join(['ApiError', *FAMILIES])}."
IN_VIEWS = f"It exports {', '.join(load_sdk().exports['gg:views'])}."
FUNCTIONS = (
    'Cannot import "functions": no module of that key is loaded. Importable are "gg", "gg:<family>" ' + ALL
)

# What is told, whole.
TOLD = {
    "a type error": (
        'import { memories } from "gg";\n'
        'const r = memories.writeMemory({ name: "a", description: "b", body: "c" });\n'
        "console.log(r.cont);\n",
        "program.ts:3:15: error TS2551: Property 'cont' does not exist on type 'MemoryUsage'."
        " Did you mean 'count'?\n"
        "  3 | console.log(r.cont);\n"
        "    |               ^",
    ),
    "a syntax error, once": (
        "const a: string = 5;\nconst = 5;\n",
        'program.ts:2:7: error: Expected identifier but found "="\n  2 | const = 5;\n    |       ^',
    ),
    "an unknown module, once": (
        'import { writeMemory } from "functions";\nwriteMemory({});\n',
        f"program.ts:1:29: error: {FUNCTIONS}\n"
        '  1 | import { writeMemory } from "functions";\n'
        "    |                             ^",
    ),
    "an unknown module that is not used": (
        'import { writeMemory } from "functions";\n',
        f"program.ts:1:29: error TS2307: {FUNCTIONS}\n"
        '  1 | import { writeMemory } from "functions";\n'
        "    |                             ^",
    ),
    "a module of Node.js that is not used": (
        'import fs from "fs";\n',
        'program.ts:1:16: error TS2591: Cannot import "fs": there is no Node.js here. Importable are "gg",'
        f' "gg:<family>" {ALL}\n'
        '  1 | import fs from "fs";\n'
        "    |                ^",
    ),
    "a name of Node.js": (
        "console.log(process.env);\n",
        "program.ts:1:13: error TS2591: Cannot find name 'process'.\n"
        "  1 | console.log(process.env);\n"
        "    |             ^",
    ),
    "a call that does not exist": (
        'import { memories } from "gg";\nmemories.writeMemry({});\n',
        "program.ts:2:10: error TS2551: Property 'writeMemry' does not exist on type"
        " 'typeof import(\"gg:memories\")'. Did you mean 'writeMemory'?\n"
        "  2 | memories.writeMemry({});\n"
        "    |          ^",
    ),
    "an export of another module": (
        'import { writeMemory } from "gg";\nwriteMemory;\n',
        'program.ts:1:10: error TS2305: Module "gg" has no export "writeMemory". It is in "gg:memories".'
        f" {IN_GG}\n"
        '  1 | import { writeMemory } from "gg";\n'
        "    |          ^",
    ),
    "an export of another module that the checker finds another name for": (
        'import { openText } from "gg";\nopenText;\n',
        'program.ts:1:10: error TS2724: Module "gg" has no export "openText". It is in "gg:views".'
        f' {IN_GG}\n  1 | import {{ openText }} from "gg";\n    |          ^',
    ),
    "a type of a family, of gg": (
        'import type { MemoryUsage } from "gg";\nlet a: MemoryUsage;\n',
        'program.ts:1:15: error TS2305: Module "gg" has no export "MemoryUsage". It is in "gg:memories".'
        f' {IN_GG}\n  1 | import type {{ MemoryUsage }} from "gg";\n    |               ^',
    ),
    "a family that is not there": (
        'import { memory } from "gg";\nmemory;\n',
        'program.ts:1:10: error TS2305: Module "gg" has no export "memory". Did you mean "memories"?'
        f' {IN_GG}\n  1 | import {{ memory }} from "gg";\n    |          ^',
    ),
    "an export of a loaded module, of gg": (
        'import { parseCsv } from "gg";\nparseCsv;\n',
        'program.ts:1:10: error TS2305: Module "gg" has no export "parseCsv". It is in "csvTools".'
        f' {IN_GG}\n  1 | import {{ parseCsv }} from "gg";\n    |          ^',
    ),
    "a loaded module, of gg": (
        'import { csvTools } from "gg";\ncsvTools;\n',
        'program.ts:1:10: error TS2305: Module "gg" has no export "csvTools". It is the module "csvTools".'
        f' {IN_GG}\n  1 | import {{ csvTools }} from "gg";\n    |          ^',
    ),
    "a call of another family": (
        'import { views } from "gg";\nviews.readFile("a");\n',
        "program.ts:2:7: error TS2339: Property 'readFile' does not exist on type"
        f' \'typeof import("gg:views")\'. It is in "gg:files". {IN_VIEWS}\n'
        '  2 | views.readFile("a");\n    |       ^',
    ),
    "a call that is like none": (
        'import * as views from "gg:views";\nviews.zzz("a");\n',
        "program.ts:2:7: error TS2339: Property 'zzz' does not exist on type"
        f" 'typeof import(\"gg:views\")'. {IN_VIEWS}\n"
        '  2 | views.zzz("a");\n    |       ^',
    ),
    "a type where a value is wanted": (
        'import { MemoryUsage } from "gg:memories";\nMemoryUsage();\n',
        "program.ts:2:1: error TS2693: 'MemoryUsage' only refers to a type,"
        " but is being used as a value here.\n"
        "  2 | MemoryUsage();\n"
        "    | ^",
    ),
    "a near export of a module": (
        'import { parseCsvs } from "csvTools";\nparseCsvs;\n',
        "program.ts:1:10: error TS2724: '\"csvTools\"' has no exported member named 'parseCsvs'."
        " Did you mean 'parseCsv'?\n"
        '  1 | import { parseCsvs } from "csvTools";\n'
        "    |          ^",
    ),
    "rules and types together": (
        'const a: string = 5;\nconst b = require("fs");\nreturn 5;\n',
        "program.ts:1:7: error TS2322: Type 'number' is not assignable to type 'string'.\n"
        "  1 | const a: string = 5;\n"
        "    |       ^\n"
        "program.ts:2:11: error: require does not exist here; write import … from.\n"
        '  2 | const b = require("fs");\n'
        "    |           ^\n"
        "program.ts:3:1: error: Top-level return cannot be used inside an ECMAScript module\n"
        "  3 | return 5;\n"
        "    | ^",
    ),
    "advice on compiler options": (
        "process.exit();\n",
        "program.ts:1:1: error TS2591: Cannot find name 'process'.\n  1 | process.exit();\n    | ^",
    ),
    "a place after a mark, tabs and wide characters": (
        "\ufeff\tconst a = '字'; const b: string = 5;\n",
        "program.ts:1:23: error TS2322: Type 'number' is not assignable to type 'string'.\n"
        "  1 | \tconst a = '字'; const b: string = 5;\n"
        "    | \t                      ^",
    ),
    "no check": (
        "// @ts-nocheck\nconst a: string = 5;\n",
        "program.ts:1:1: error: @ts-nocheck cannot be used.\n  1 | // @ts-nocheck\n    | ^",
    ),
    "an export assignment": (
        "const a = 1;\nexport = a;\n",
        "program.ts:2:1: error: export = does not exist here; write export.\n  2 | export = a;\n    | ^",
    ),
    "a computed import": (
        'await import("csv" + "Tools");\n',
        'program.ts:1:7: error: import() takes one specifier in quotes. Importable are "gg", "gg:<family>" '
        f"{ALL}\n"
        '  1 | await import("csv" + "Tools");\n'
        "    |       ^",
    ),
    "half a character": (
        "const a = '\ud83d';\n",
        "program.ts:1:12: error: Lone surrogate U+D83D: a program is Unicode text.\n"
        "  1 | const a = '\\ud83d';\n"
        "    |            ^",
    ),
    "brackets": (
        "f(\n" + "[" * 150 + "]" * 150 + ");",
        "program.ts:2:100: error: Brackets nested 151 deep, limit 100.\n"
        f"  2 | …{'[' * 100}…\n"
        f"    | {' ' * 61}^",
    ),
    "size": (
        "f();" + " " * 2**20,
        f"program.ts:1:1: error: Program: 1,048,580 bytes, limit 1,048,576.\n  1 | f();{' ' * 96}…\n    | ^",
    ),
}

# Refused whatever is checked.
ALWAYS = [
    "return 5;",
    "require('a');",
    "module.exports = 1;",
    "import.meta;",
    "import(globalThis.a);",
    "// @ts-nocheck",
    "export = 1;",
]


@pytest.mark.parametrize(("source", "expected"), TOLD.values(), ids=TOLD)
def test_told(compiler: Compiler, source: str, expected: str) -> None:
    assert rejection(compiler, program(source)) == expected


NOT_IMPORTED = [
    ("views.current();", "Cannot find name 'views'. It is in \"gg\"."),
    ("throw new ApiError();", "Cannot find name 'ApiError'. It is in \"gg\"."),
    ("openText();", "Cannot find name 'openText'. It is in \"gg:views\"."),
    ("let a: MemoryUsage;", "Cannot find name 'MemoryUsage'. It is in \"gg:memories\"."),
    ("let a: ApiErrorCode;", "Cannot find name 'ApiErrorCode'. It is in \"gg\"."),
    ("let a: memories.MemoryUsage;", "Cannot find namespace 'memories'. It is in \"gg\"."),
    ("parseCsv();", "Cannot find name 'parseCsv'. It is in \"csvTools\"."),
    ("csvTools.parseCsv();", "Cannot find name 'csvTools'. It is the module \"csvTools\"."),
    ("view.current();", "Cannot find name 'view'. Did you mean \"views\"?"),
    ("csvTool.parseCsv();", "Cannot find name 'csvTool'. Did you mean \"csvTools\"?"),
    ("zzz();", "Cannot find name 'zzz'."),
]


@pytest.mark.parametrize(("source", "message"), NOT_IMPORTED)
def test_a_name_that_is_not_imported_is_told_where_it_is(
    source: str, message: str, compiler: Compiler
) -> None:
    with pytest.raises(CompileRejected) as rejected:
        compiler.compile(program(source))

    assert [diagnostic.message for diagnostic in rejected.value.diagnostics] == [message]


def test_a_script_of_a_memory_is_told_of_its_own_module_alone(compiler: Compiler) -> None:
    other = ModuleSource("other", "export const word = 1;\n")
    unit = Unit(
        kind=UnitKind.ON_USE,
        key="csvTools",
        source="parseCsv(); word(); other;",
        declarations=DECLARATIONS,
        modules=(CSV_TOOLS, other),
    )
    with pytest.raises(CompileRejected) as rejected:
        compiler.compile(unit)

    assert [diagnostic.message for diagnostic in rejected.value.diagnostics] == [
        "Cannot find name 'parseCsv'. It is in \"csvTools\".",
        "Cannot find name 'word'.",
        "Cannot find name 'other'.",
    ]


def test_thousands_of_unknown_names_are_rejected_with_the_first_hundred_explained(compiler: Compiler) -> None:
    with pytest.raises(CompileRejected) as rejected:
        compiler.compile(program("\n".join(["views;"] * 3_000)))

    messages = [diagnostic.message for diagnostic in rejected.value.diagnostics]
    assert messages.count("Cannot find name 'views'. It is in \"gg\".") == 100
    assert messages.count("Cannot find name 'views'.") == 2_900


@pytest.mark.parametrize("typecheck", ["error", "warn", "off"])
@pytest.mark.parametrize("source", ALWAYS)
def test_some_forms_are_refused_whatever_is_checked(compiler: Compiler, source: str, typecheck: str) -> None:
    unit = Unit(kind=UnitKind.PROGRAM, source=source, declarations=DECLARATIONS, typecheck=typecheck)  # type: ignore[arg-type]

    with pytest.raises(CompileRejected) as rejected:
        compiler.compile(unit)

    assert [(found.file, found.line) for found in rejected.value.diagnostics] == [("program.ts", 1)]


def test_a_program_compiles_and_an_equal_one_comes_from_the_cache(compiler: Compiler) -> None:
    first = compiler.compile(program(GOOD))
    second = compiler.compile(program(GOOD))

    assert (first.warnings, first.cached, second.cached) == ((), False, True)
    assert first.bundle_s > 0
    assert first.check_s > 0
    assert second == replace(first, bundle_s=0.0, check_s=0.0, cached=True)


def test_a_rejection_comes_from_the_cache_as_well(compiler: Compiler) -> None:
    unit = program("const cached: string = 5;")
    rejected = []
    for _ in range(2):
        with pytest.raises(CompileRejected) as raised:
            compiler.compile(unit)
        rejected.append(raised.value)
    first, second = rejected

    assert render_diagnostics(first.diagnostics) == render_diagnostics(second.diagnostics)
    assert first.bundle_s > 0
    assert first.check_s > 0
    assert (second.bundle_s, second.check_s) == (0.0, 0.0)


def test_what_cannot_be_parsed_is_not_checked(compiler: Compiler) -> None:
    with pytest.raises(CompileRejected) as raised:
        compiler.compile(program("const = 5;"))

    assert raised.value.bundle_s > 0
    assert raised.value.check_s == 0.0


def test_warnings_do_not_reject(compiler: Compiler) -> None:
    unit = replace(program("const a: string = 5;"), typecheck="warn")
    compiled = compiler.compile(unit)

    assert [(found.code, found.line, found.column) for found in compiled.warnings] == [("TS2322", 1, 7)]


def test_what_is_not_checked_takes_no_time(compiler: Compiler) -> None:
    compiled = compiler.compile(replace(program("const a: string = 5;"), typecheck="off"))

    assert (compiled.warnings, compiled.check_s) == ((), 0.0)


def test_another_set_of_declarations_is_another_result(compiler: Compiler) -> None:
    source = 'import { views } from "gg";\nviews.openText("a", "b");\n'
    read_only = DECLARATIONS.replace("export function openText", "export function openTxt")
    compiler.compile(program(source))

    assert rejection(compiler, replace(program(source), declarations=read_only)) == (
        "program.ts:2:7: error TS2551: Property 'openText' does not exist on type"
        " 'typeof import(\"gg:views\")'. Did you mean 'openTxt'?\n"
        '  2 | views.openText("a", "b");\n'
        "    |       ^"
    )


NARROW = """\
declare module "gg:views" {
  export function openText(label: string, body: string): void;
}
declare module "gg" {
  export * as views from "gg:views";
}
"""
# a program that names what its declarations lack, and the sentence it is told
NOT_DECLARED = [
    (
        'import { views } from "gg";\nviews.close("a");\n',
        "Property 'close' does not exist on type 'typeof import(\"gg:views\")'. It exports openText.",
    ),
    (
        'import { close } from "gg:views";\nclose("a");\n',
        'Module "gg:views" has no export "close". It exports openText.',
    ),
]


@pytest.mark.parametrize(("source", "told"), NOT_DECLARED)
def test_what_is_not_declared_is_not_told_of(source: str, told: str, compiler: Compiler) -> None:
    unit = replace(program(source), declarations=NARROW)

    assert f": {told}\n" in rejection(compiler, unit)


def test_a_module_is_compiled_against_others_and_under_its_own_name(compiler: Compiler) -> None:
    others = (CSV_TOOLS,)
    unit = Unit(
        kind=UnitKind.MODULE,
        key="dates",
        source='import { parseCsv } from "csvTools";\nexport const first: number = parseCsv("a");\n',
        modules=others,
        declarations=DECLARATIONS,
    )

    assert rejection(compiler, unit) == (
        "dates.ts:2:14: error TS2322: Type 'string[]' is not assignable to type 'number'.\n"
        '  2 | export const first: number = parseCsv("a");\n'
        "    |              ^"
    )


def test_an_on_use_script_is_compiled_without_imports_and_told_without_its_source(compiler: Compiler) -> None:
    good = Unit(
        kind=UnitKind.ON_USE,
        key="csvTools",
        source='import { parseCsv } from "csvTools";\nviews.openText("a", parseCsv("b").join());\n',
        modules=(CSV_TOOLS,),
        declarations=DECLARATIONS,
    )

    assert compiler.compile(good).warnings == ()
    assert rejection(compiler, replace(good, source="const = 1;")) == (
        'csvTools.on-use.ts:1:7: error: Expected identifier but found "="'
    )
    assert rejection(compiler, replace(good, source='views.openTxt("a", "b");')) == (
        "csvTools.on-use.ts:1:7: error TS2551: Property 'openTxt' does not exist on type"
        " 'typeof import(\"gg:views\")'. Did you mean 'openText'?"
    )


def test_an_importer_whose_module_is_gone_fails_in_its_own_text(compiler: Compiler) -> None:
    importer = ModuleSource(
        "reports", 'import { parseCsv } from "csvTools";\nexport const a = parseCsv("b");\n'
    )

    assert rejection(compiler, program('import { a } from "reports";\na;', importer)).startswith(
        'reports.ts:1:26: error: Cannot import "csvTools": no module of that key is loaded.'
    )


def test_what_a_module_exports_is_described(compiler: Compiler) -> None:
    found = compiler.describe(CSV_TOOLS, modules=(), declarations=DECLARATIONS)

    assert [(doc.name, doc.kind) for doc in found] == [("parseCsv", "function")]


def test_many_threads_compile_at_once(compiler: Compiler) -> None:
    with ThreadPoolExecutor(8) as pool:
        compiled = list(pool.map(lambda n: compiler.compile(program(f"{GOOD}console.log({n});")), range(24)))

    assert all(f"console.log({n});" in found.js for n, found in enumerate(compiled))


def test_a_process_killed_between_two_requests_is_replaced() -> None:
    compiler = Compiler(processes=1, timeout_s=60)
    compiler.compile(program(GOOD))
    for pid in children():
        os.kill(pid, signal.SIGKILL)

    assert compiler.compile(program(GOOD + "1;")).cached is False
    compiler.close()
    assert children() == set()


def test_a_process_killed_at_work_is_replaced() -> None:
    slow = "export const f=" + "x=>" * 400 + "1;"
    compiler = Compiler(processes=1, timeout_s=60)
    with ThreadPoolExecutor(1) as pool:
        compiled = pool.submit(compiler.compile, replace(program(slow), typecheck="off"))
        while not (started := children()):
            pass
        for pid in started:
            os.kill(pid, signal.SIGKILL)

        assert "(x400) => 1" in compiled.result().js
    compiler.close()
    assert children() == set()


@pytest.mark.slow
def test_an_input_that_esbuild_cannot_finish_is_a_defect() -> None:
    compiler = Compiler(processes=1, timeout_s=0.5)

    with pytest.raises(CompilerBroken) as broken:
        compiler.compile(replace(program(ENDLESS), typecheck="off"))

    assert broken.value.compiler == "esbuild"
    assert broken.value.detail == (
        "did not finish within 0.5 s; before that, on another process: did not finish within 0.5 s"
    )
    assert broken.value.exit_status == -signal.SIGKILL
    assert (broken.value.input, broken.value.input_sha256) == (ENDLESS, sha256(ENDLESS.encode()).hexdigest())
    compiler.close()
    assert children() == set()


@pytest.mark.slow
def test_an_input_that_typescript_cannot_finish_is_a_defect() -> None:
    compiler = Compiler(processes=1, timeout_s=0.5)
    endless = "const x = " + "1+" * 100_000 + "1;"

    with pytest.raises(CompilerBroken) as broken:
        compiler.compile(program(endless))

    assert (broken.value.compiler, broken.value.exit_status) == ("TypeScript", -signal.SIGKILL)
    assert broken.value.input == endless
    compiler.close()


def test_a_compiler_that_crashes_twice_is_a_defect_with_its_last_words(tmp_path: Path) -> None:
    greeting = "os.write(1, b'\\6\\0\\0\\0000.28.2'); os.read(0, 1)"
    end = "os.write(2, b'goroutine 1'); os._exit(2)"
    executable = tmp_path / "esbuild"
    executable.write_text(f"#!{sys.executable} -IS\nimport os; {greeting}; {end}\n")
    executable.chmod(0o755)
    compiler = Compiler(processes=1, toolchain=replace(find_toolchain(), esbuild=executable))

    with pytest.raises(CompilerBroken) as broken:
        compiler.compile(program("1;"))

    assert (broken.value.compiler, broken.value.exit_status) == ("esbuild", 2)
    assert broken.value.stderr_tail == "goroutine 1"
    compiler.close()


def test_a_compiler_that_is_missing_refuses_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtime_js.compiler.find_toolchain", lambda: find_toolchain(tmp_path))

    with pytest.raises(ToolchainError):
        Compiler()


def test_a_closed_compiler_leaves_no_process() -> None:
    compiler = Compiler(processes=2, timeout_s=60)
    compiler.warm(DECLARATIONS)
    assert len(children()) == 2

    compiler.close()

    assert children() == set()
    with pytest.raises(RuntimeError, match=r"^the compiler is closed$"):
        compiler.compile(program("2;"))


def children() -> set[int]:
    """The compilers that the tests of this function started; those of the shared one are of its age."""
    own = psutil.Process()
    return {
        child.pid
        for child in own.children()
        if child.pid not in SHARED and child.status() != psutil.STATUS_ZOMBIE
    }


SHARED: set[int] = set()


@pytest.fixture(scope="module", autouse=True)
def shared(compiler: Compiler) -> None:
    compiler.warm(DECLARATIONS)
    SHARED.update(child.pid for child in psutil.Process().children())
