"""What a bundle is made of, and which forms are refused whatever the type checker would say."""

import os
import signal

import pytest

from runtime_js.bundler import Bundler
from runtime_js.errors import CompilerLost
from runtime_js.guest_sdk import FRONT, GuestSdk
from runtime_js.places import Place
from runtime_js.toolchain import find_toolchain
from runtime_js.units import UnitKind
from tests.runtime_js.bundling import IMPORTABLE, NOTHING_LOADED, SDK, bundled, errors_of, own_part, unit

CSV_TOOLS = "export function parseCsv(text: string): string[] { return text.split(','); }\n"
MODULES = {"csvTools": CSV_TOOLS}
LOADED = f'{IMPORTABLE} and the loaded module "csvTools".'

REQUIRE = "require does not exist here; write import … from."
MODULE = "module does not exist here; write export."
EXPORTS = "exports does not exist here; write export."
META = "import.meta does not exist here."
COMPUTED = f"import() takes one specifier in quotes. {LOADED}"
ATTRIBUTES = "An import here takes no attributes: whatever can be imported is TypeScript."
RETURN = "Top-level return cannot be used inside an ECMAScript module"

# Refused: the source and the errors, without the file.
REFUSED = {
    "return": ("if (true) { return; }\nreturn 5;", [f"RULE 1:13: {RETURN}", f"RULE 2:1: {RETURN}"]),
    "require": ('const fs = require("fs");', [f"RULE 1:12: {REQUIRE}"]),
    "require of a key": ('const a = require("csvTools");', [f"RULE 1:11: {REQUIRE}"]),
    "require of gg, tried": ('try { require("gg") } catch {}', [f"RULE 1:7: {REQUIRE}"]),
    "require of a variable": ("require(globalThis.a)", [f"RULE 1:1: {REQUIRE}"]),
    "require of a pattern": ("require('./' + globalThis.a)", [f"RULE 1:1: {REQUIRE}"]),
    "require of a template": ("require(`./${globalThis.a}.json`)", [f"RULE 1:1: {REQUIRE}"]),
    "require as a value": ("const r = require;", [f"RULE 1:11: {REQUIRE}"]),
    "typeof require": ("console.log(typeof require)", [f"RULE 1:20: {REQUIRE}"]),
    "require.resolve": ("x;\nrequire.resolve('x')", [f"RULE 2:1: {REQUIRE}"]),
    "import = require": ('import a = require("csvTools"); a.parseCsv("")', [f"RULE 1:12: {REQUIRE}"]),
    "module": ("module.exports = {};", [f"RULE 1:1: {MODULE}"]),
    "module, not its exports": ("f(module, module.id);", [f"RULE 1:3: {MODULE}", f"RULE 1:11: {MODULE}"]),
    "typeof module": ("f(typeof module)", [f"RULE 1:10: {MODULE}"]),
    "exports": ("exports.a = 1;\nf(typeof exports);", [f"RULE 1:1: {EXPORTS}", f"RULE 2:10: {EXPORTS}"]),
    "import.meta": ("console.log(import.meta);", [f"RULE 1:13: {META}"]),
    "import.meta.url": ("new URL('/etc/hostname', import.meta.url)", [f"RULE 1:26: {META}"]),
    "import() of a variable": ("const a = 'csvTools';\nawait import(a);", [f"RULE 2:7: {COMPUTED}"]),
    "import() of a template": ("import(`${globalThis.a}`)", [f"RULE 1:1: {COMPUTED}"]),
    "import() of a pattern": ("import('./' + globalThis.a)", [f"RULE 1:8: {COMPUTED}"]),
    "import() of a pattern above": ("import(`../${globalThis.a}.json`)", [f"RULE 1:8: {COMPUTED}"]),
    "import() of what is not there": (
        "await import('lodash').catch(() => 1)",
        [f'RULE 1:14: Cannot import "lodash": no module of that key is loaded. {LOADED}'],
    ),
    "import() with attributes": (
        "import('csvTools', { with: { type: 'json' } })",
        [f"RULE 1:8: {ATTRIBUTES}"],
    ),
    "import with attributes": (
        "import a from 'csvTools' with { type: 'text' }; a;",
        [f"RULE 1:15: {ATTRIBUTES}"],
    ),
    "import with an assertion": (
        "import a from 'csvTools' assert { type: 'json' }; a;",
        [f"RULE 1:15: {ATTRIBUTES}"],
    ),
    "import defer": (
        "import defer * as a from 'csvTools'; a.parseCsv('')",
        [
            "SYNTAX 1:8: Deferred imports are not available here",
            "SYNTAX 1:26: Bundling with deferred imports is not supported unless they are external",
        ],
    ),
    "a key that is not there": (
        'import { a } from "functions";\na;',
        [f'RULE 1:19: Cannot import "functions": no module of that key is loaded. {LOADED}'],
    ),
    "an export that is not there": (
        'import { parseCsvs } from "csvTools"; parseCsvs;',
        [
            'EXPORT 1:10: Module "csvTools" has no export "parseCsvs". Did you mean "parseCsv"?'
            " It exports parseCsv."
        ],
    ),
    "a family that is not there": (
        'import { shell } from "gg"; shell;',
        ['EXPORT 1:10: Module "gg" has no export "shell". It exports ApiError, files, memories, views.'],
    ),
    "assignment to a constant": (
        "const a = 1; a = 2;",
        ['RULE 1:14: Cannot assign to "a" because it is a constant'],
    ),
    "two declarations": (
        "let a = 1; let a = 2;",
        ['RULE 1:16: The symbol "a" has already been declared'],
    ),
    "prose": ("Here is the program:\nx;", ['SYNTAX 1:6: Expected ";" but found "is"']),
    "const =": ("const = 5", ['SYNTAX 1:7: Expected identifier but found "="']),
    "smart quotes": ("console.log(“hi”)", ['SYNTAX 1:13: Unexpected "“"']),
    "JSX": ("const a = <div/>;", ['SYNTAX 1:15: Expected ">" but found "/"']),
    "with": ("with (a) { b }", ["SYNTAX 1:1: With statements cannot be used in an ECMAScript module"]),
    "await in a function": (
        "function f() { await 1 }",
        ['SYNTAX 1:16: "await" can only be used inside an "async" function'],
    ),
    "the end": ("foo(\n\n", ["SYNTAX 1:5: Unexpected end of file"]),
    "a string without an end": ('foo("bar', ["SYNTAX 1:9: Unterminated string literal"]),
    "a template without an end": ("a;\nfoo(`bar\n", ["SYNTAX 2:9: Unterminated string literal"]),
    "a comment without an end": ("/* foo", ['SYNTAX 1:7: Expected "*/" to terminate multi-line comment']),
    "a character of no language": ("a;\0", ['SYNTAX 1:3: Unexpected "\\x00"']),
    "a place after CRLF and a tab": ("a;\r\n\tb = = c", ['SYNTAX 2:6: Unexpected "="']),
    "a place after a carriage return": ("a;\rb = = c", ['SYNTAX 2:5: Unexpected "="']),
    "a place after wide characters": ("/* 😀é字 */ b = = c", ['SYNTAX 1:15: Unexpected "="']),
    "a place after a line separator": ("a;\u2028b = = c", ['SYNTAX 1:8: Unexpected "="']),
}

# Accepted: the source, and what the program's own part of the bundle is.
ACCEPTED = {
    "nothing": ("", ""),
    "an import that is not used": (
        'import { a } from "fs"; import b from "./b"; import * as c from "c";',
        "",
    ),
    "a type import": ('import type { A } from "/etc/hostname"; f(1 as import("/etc/passwd"));', "f(1);\n"),
    "a reference": ('/// <reference path="/etc/hostname"/>\nf();', "f();\n"),
    "types": ("const a = <number>f(); g<string>(a!);", "var a = f();\ng(a);\n"),
    "enum": ("const enum A { B = 1 } enum C { D } f(A.B, C.D)", "f(1 /* B */, 0 /* D */);\n"),
    "namespace": (
        "namespace A { export const b = f() }",
        "var A;\n((A2) => {\n  A2.b = f();\n})(A || (A = {}));\n",
    ),
    "alias": ("import a = globalThis.b; f(a);", "var a = globalThis.b;\nf(a);\n"),
    "export as namespace": ("export as namespace A; f();", "f();\n"),
    "await": (
        "await f(); for await (const a of g()) h(a);",
        "await f();\nfor await (const a of g()) h(a);\n",
    ),
    "exports, never called": (
        "export default async () => f();",
        'var program_default = /* @__PURE__ */ __name(async () => f(), "default");\n'
        "export {\n  program_default as default\n};\n",
    ),
    "own require, module and exports": (
        "const require = f(), module = 1; g(require('./' + module)); function exports() {}; exports();",
        None,
    ),
    "the words elsewhere": (
        "f('require(\\'a\\')', `import.meta`, /module/, { require: 1, module: 2 }.module);",
        "f(\"require('a')\", `import.meta`, /module/, { require: 1, module: 2 }.module);\n",
    ),
    "the helper's name": ("f('__require(x) globImport(y)'); globalThis.__require('z')", None),
    "an annotation": ("/* @__PURE__ */ f();", "f();\n"),
    "a legal comment": ("/*! (c) */ f(); //! @license", "f();\n"),
    "pragmas": ("/** @jsx h */ /* @jsxImportSource a */ f();", "f();\n"),
    "process": ("f(process.env.NODE_ENV)", "f(process.env.NODE_ENV);\n"),
    "decorators": ("@f class A { @g accessor b = 1 } new A();", None),
    "using": ("using a = f(); await using b = g();", None),
    "regular expressions": ("f(/[\\p{L}--[a-z]]/v, /(?i:a)/)", "f(/[\\p{L}--[a-z]]/v, /(?i:a)/);\n"),
}


@pytest.mark.parametrize(("source", "expected"), REFUSED.values(), ids=REFUSED)
def test_refused(bundler: Bundler, source: str, expected: list[str]) -> None:
    told = errors_of(bundler, unit(source, MODULES))

    assert told == [f"{cause} program.ts:{rest}" for cause, rest in (line.split(" ", 1) for line in expected)]


@pytest.mark.parametrize(("source", "expected"), ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(bundler: Bundler, source: str, expected: str | None) -> None:
    bundle = bundled(bundler, unit(source, MODULES))

    assert expected is None or own_part(bundle.js) == expected


def test_a_bundle_holds_the_families_that_are_imported_on_its_first_line(bundler: Bundler) -> None:
    bundle = bundled(bundler, unit('import { views } from "gg";\nviews.openText();\n'))
    first_line, rest = bundle.js.split("\n", 1)

    assert first_line.startswith("var gg$sdk=(()=>{")
    assert '"views.open"' in first_line
    assert '"files.read"' not in first_line
    assert own_part(rest) == "views.openText();\n"


def test_a_bundle_that_imports_nothing_of_gg_starts_with_a_comment(bundler: Bundler) -> None:
    assert bundled(bundler, unit("f();")).js == "// gg\n\n// program.mts\nf();\n"


def test_the_first_line_stays_the_first_before_a_hashbang(bundler: Bundler) -> None:
    bundle = bundled(bundler, unit("#!/usr/bin/env node\nf();\n"))

    assert bundle.js == "// gg\n\n\n// program.mts\nf();\n"
    assert bundle.source_map.locate(5, 1) == Place("program.ts", 2, 1)


def test_a_module_is_imported_by_key_with_and_without_its_prefix(bundler: Bundler) -> None:
    source = 'import { parseCsv } from "csvTools";\nimport { parseCsv as b } from "lib:csvTools";\n'
    bundle = bundled(bundler, unit(source + "f(parseCsv, b);\n", MODULES))

    assert own_part(bundle.js) == "f(parseCsv, parseCsv);\n"
    assert bundle.js.count("function parseCsv") == 1


def test_a_function_keeps_its_name_where_bundling_renames_it(bundler: Bundler) -> None:
    bundle = bundled(
        bundler,
        unit(
            'import { run as other } from "a";\nfunction run() {}\nf(run, other);',
            {"a": "export function run() {}"},
        ),
    )

    assert own_part(bundle.js) == 'function run2() {\n}\n__name(run2, "run");\nf(run2, run);\n'


def test_places_lead_back_to_the_program_and_its_modules(bundler: Bundler) -> None:
    imports = 'import { views } from "gg";\nimport { parseCsv } from "csvTools";\n'
    bundle = bundled(bundler, unit(imports + '\n\tviews.openText(parseCsv("é"));\n', MODULES))
    lines = bundle.js.split("\n")
    call = next(number for number, line in enumerate(lines, 1) if line.startswith("views.openText("))
    split = next(number for number, line in enumerate(lines, 1) if "text.split" in line)

    assert bundle.source_map.locate(call, 1) == Place("program.ts", 4, 2)
    assert bundle.source_map.locate(call, 16) == Place("program.ts", 4, 17)
    assert bundle.source_map.locate(split, 10) == Place("csvTools.ts", 1, 59)
    assert bundle.source_map.locate(1, 20) is None


def test_an_error_in_a_module_is_located_in_it(bundler: Bundler) -> None:
    modules = {"csvTools": 'import { b } from "gone";\nexport const a = b;\nexport const = 1;\n'}

    assert errors_of(bundler, unit('import { a } from "csvTools"; a;', modules)) == [
        'SYNTAX csvTools.ts:3:14: Expected identifier but found "="'
    ]


def test_a_module_whose_import_is_gone_fails_in_its_own_text(bundler: Bundler) -> None:
    modules = {"csvTools": 'import { b } from "gone";\nexport const a = b;\n'}

    assert errors_of(bundler, unit('import { a } from "csvTools"; a;', modules)) == [
        f'RULE csvTools.ts:1:19: Cannot import "gone": no module of that key is loaded. {NOTHING_LOADED}'
    ]


def test_errors_of_the_unit_come_before_those_of_its_modules(bundler: Bundler) -> None:
    modules = {"a": "import.meta;", "c": "import.meta;"}
    source = 'import "c";\nimport "a";\nimport.meta;\n'

    assert [line.split(": ")[0] for line in errors_of(bundler, unit(source, modules))] == [
        "RULE program.ts:3:1",
        "RULE a.ts:1:1",
        "RULE c.ts:1:1",
    ]


def test_a_module_called_like_the_program_is_another_text(bundler: Bundler) -> None:
    modules = {"program": "export const a = import.meta;"}

    assert errors_of(bundler, unit('import { a } from "program";\na;', modules)) == [
        f"RULE program.ts:1:18: {META}"
    ]


def test_a_module_unit_imports_others_and_not_itself(bundler: Bundler) -> None:
    modules = {"b": 'import { a } from "a"; export const b = () => a;', "a": "export const old = 1;"}
    good = unit('import { b } from "b"; export const a = () => b();', modules, kind=UnitKind.MODULE, key="a")
    bad = unit('import { a } from "a"; a;', modules, kind=UnitKind.MODULE, key="a")

    assert errors_of(bundler, good) == []
    assert errors_of(bundler, bad) == [
        'RULE a.ts:1:19: Cannot import "a": that is this module itself.'
        f' {IMPORTABLE} and the loaded module "b".'
    ]


def test_an_on_use_script_has_every_family_without_an_import(bundler: Bundler) -> None:
    script = unit("views.openText(memories);\n{ let views = 1; f(views); }\n", kind=UnitKind.ON_USE, key="a")
    bundle = bundled(bundler, script)
    lines = bundle.js.split("\n")

    assert '"views.open"' in lines[0]
    assert '"files.read"' not in lines[0]
    assert bundle.js.endswith(
        "views.openText(memories);\n{\n  let views2 = 1;\n  f(views2);\n}\n"
    ) or bundle.js.endswith("views.openText(memories);\n{\n  let views = 1;\n  f(views);\n}\n")
    assert bundle.source_map.locate(lines.index("views.openText(memories);") + 1, 16) == Place(
        "a.on-use.ts", 1, 16
    )


def test_an_on_use_script_imports_gg_and_its_own_module_only(bundler: Bundler) -> None:
    modules = {"a": 'import { c } from "b"; export const d = c;', "b": "export const c = 1;"}
    imports = 'import { ApiError } from "gg"; import { readFile } from "gg:files"; import { d } from "a";'
    good = imports + " f(ApiError, readFile, d);"
    bad = 'f(1);\nimport { c } from "b"; f(c);'

    assert errors_of(bundler, unit(good, modules, kind=UnitKind.ON_USE, key="a")) == []
    assert errors_of(bundler, unit(bad, modules, kind=UnitKind.ON_USE, key="a")) == [
        'RULE a.on-use.ts:2:19: Cannot import "b": no module of that key may be imported here.'
        f' {IMPORTABLE} and its own module "a".'
    ]


def test_the_source_of_an_on_use_script_is_not_shown(bundler: Bundler) -> None:
    result = bundler.bundle(unit("const = 1;", kind=UnitKind.ON_USE, key="a"))

    assert [error.diagnostic.source_line for error in getattr(result, "errors", ())] == [None]


def test_a_process_serves_on_after_a_unit_that_it_refused(bundler: Bundler) -> None:
    pid = bundler.pid

    assert errors_of(bundler, unit("const = 1;")) != []
    assert errors_of(bundler, unit("const a = 1;")) == []
    assert bundler.pid == pid


def test_an_sdk_with_an_error_is_no_units_fault() -> None:
    broken = GuestSdk({FRONT: 'export * as views from "./views";\n', "sdk/views": "export const = 1;"})
    bundler = Bundler(find_toolchain().esbuild, broken, timeout_s=60, memory_bytes=2**30)

    with pytest.raises(
        CompilerLost, match=r"^gave no result: the SDK has errors: .*Expected identifier"
    ) as lost:
        bundler.bundle(unit('import { views } from "gg"; views;'))

    assert lost.value.exit_status == -signal.SIGKILL


def test_a_killed_process_is_lost() -> None:
    bundler = Bundler(find_toolchain().esbuild, SDK, timeout_s=60, memory_bytes=2**30)
    os.kill(bundler.pid, signal.SIGKILL)

    with pytest.raises(CompilerLost, match=r"^ended$|^closed its input$"):
        bundler.bundle(unit("1;"))
    bundler.close()


MANY = {
    "imports": ("".join(f'import "m{number}";\n' for number in range(3_000)), 100),
    "imports on one line": (";".join(f'import "m{number}"' for number in range(3_000)), 100),
    "traces": ("f(exports);" * 3_000, 100),
    "traces by line": ("f(exports);\n" * 3_000, 100),
    "errors of esbuild's": ("import.meta;\n" * 3_000, 1_000),
}


@pytest.mark.parametrize(("source", "count"), MANY.values(), ids=MANY)
def test_of_many_errors_some_are_told(bundler: Bundler, source: str, count: int) -> None:
    assert len(errors_of(bundler, unit(source))) == count
