import pytest

from runtime_js.checker import FOLDERS, TypeChecker
from runtime_js.units import Diagnostic
from tests.runtime_js.checking import DECLARATIONS, module, on_use, program, told

WELL_TYPED = [
    pytest.param("", id="empty"),
    pytest.param('import { views } from "gg";', id="an import that is not used"),
    pytest.param("// @ts-ignore\nconst a: number = 'x';", id="ignored"),
    pytest.param('// @ts-expect-error\nconst a: number = "x";', id="expected"),
    pytest.param("const never = 1; function unused() { return 1; void 0; }", id="hints do not count"),
    pytest.param("await Promise.resolve(1); for await (const a of [1]) console.log(a);", id="await"),
    pytest.param("export default async () => { await 1; };", id="export"),
    pytest.param("enum A { B } namespace N { export const c = A.B } console.log(N.c);", id="enum, namespace"),
    pytest.param("class A { constructor(private readonly b: string) { this.b; } } new A('');", id="class"),
    pytest.param(
        'import { ApiError, memories } from "gg";\n'
        'try { memories.readMemory("a"); } catch (e) { if (e instanceof ApiError) e.operation.length; }',
        id="ApiError",
    ),
    pytest.param('import { openText } from "gg:views"; openText("a", "b");', id="family"),
    pytest.param(
        "const u = new URL('a:b'); console.dir(u.searchParams.get('c')?.length, performance.now());"
        "queueMicrotask(() => {}); structuredClone({ a: 1 }).a; atob(btoa('a')); crypto.randomUUID();"
        "new TextDecoder().decode(new TextEncoder().encode('a'));",
        id="globals",
    ),
    pytest.param(
        "(5n).toLocaleString() + 'a'.localeCompare('b') + new Date().toLocaleDateString();", id="locale"
    ),
    pytest.param(
        "Iterator.from([1]).map((n) => n + 1).toArray().at(0); Object.groupBy([1], (n) => n).toString;"
        "new Set([1]).union(new Set([2])); Promise.try(() => 1); new Float16Array(1); RegExp.escape('.');"
        "class Ones extends Iterator<1> { next() { return { done: false, value: 1 } as const; } }",
        id="ES2025",
    ),
]

ILL_TYPED = [
    pytest.param(
        'import { memories } from "gg";\n'
        'const r = memories.writeMemory({ name: "a", description: "b", body: "c" });\n'
        "console.log(r.nam);",
        [
            "program.ts:3:15: TS2551: Property 'nam' does not exist on type 'MemoryUsage'."
            " Did you mean 'name'?"
        ],
        id="a member that does not exist",
    ),
    pytest.param(
        'import { memories } from "gg";\nmemories.writeMemry({});',
        [
            "program.ts:2:10: TS2551: Property 'writeMemry' does not exist on type"
            " 'typeof import(\"gg:memories\")'. Did you mean 'writeMemory'?"
        ],
        id="a call that does not exist",
    ),
    pytest.param(
        'import { view } from "gg";',
        ["program.ts:1:10: TS2724: '\"gg\"' has no exported member named 'view'. Did you mean 'views'?"],
        id="an import that does not exist",
    ),
    pytest.param(
        'import { views } from "gg"; views.openText("a");',
        [
            "program.ts:1:35: TS2554: Expected 2 arguments, but got 1.\n"
            "  An argument for 'body' was not provided."
        ],
        id="what is missing is named",
    ),
    pytest.param(
        "interface A { a: { b: { c: number } } }\nconst y = { b: { c: '' } };\nconst z: A = { a: y };",
        [
            "program.ts:3:16: TS2322: Type '{ b: { c: string; }; }' is not assignable to type"
            " '{ b: { c: number; }; }'.\n"
            "  The types of 'b.c' are incompatible between these types.\n"
            "    Type 'string' is not assignable to type 'number'."
        ],
        id="explanations are indented",
    ),
    pytest.param(
        "const f = (x) => x;",
        ["program.ts:1:12: TS7006: Parameter 'x' implicitly has an 'any' type."],
        id="strict",
    ),
    pytest.param(
        "// @ts-expect-error\nconst a = 1;",
        ["program.ts:1:1: TS2578: Unused '@ts-expect-error' directive."],
        id="expected and absent",
    ),
    pytest.param(
        "const b: number = ''; const a: number = '';",
        [
            "program.ts:1:7: TS2322: Type 'string' is not assignable to type 'number'.",
            "program.ts:1:29: TS2322: Type 'string' is not assignable to type 'number'.",
        ],
        id="in the order of their places",
    ),
    pytest.param(
        "process.exit(); document; new SharedArrayBuffer(1); Atomics; Intl; setTimeout; fetch; window;",
        [
            "program.ts:1:1: TS2591: Cannot find name 'process'.",
            "program.ts:1:17: TS2584: Cannot find name 'document'.",
            "program.ts:1:31: TS2583: Cannot find name 'SharedArrayBuffer'.",
            "program.ts:1:53: TS2583: Cannot find name 'Atomics'.",
            "program.ts:1:62: TS2304: Cannot find name 'Intl'.",
            "program.ts:1:68: TS2304: Cannot find name 'setTimeout'.",
            "program.ts:1:80: TS2304: Cannot find name 'fetch'.",
            "program.ts:1:87: TS2304: Cannot find name 'window'.",
        ],
        id="no advice on compiler options",
    ),
    pytest.param(
        "'a'.localeCompare('b', 'de'); (1).toLocaleString('en-US');",
        [
            "program.ts:1:24: TS2554: Expected 1 arguments, but got 2.",
            "program.ts:1:50: TS2554: Expected 0 arguments, but got 1.",
        ],
        id="the engine knows no locale",
    ),
]

# (source, line, column, length); the error is always that of a text assigned to a number.
PLACES = [
    pytest.param("const a = '😀', n: number = '';", 1, 16, 1, id="after a character of two units"),
    pytest.param("const a = 'é'; const n: number = '';", 1, 22, 1, id="after one of two bytes"),
    pytest.param("/*\r\n*/\r\nconst n: number = '';\r\n", 3, 7, 1, id="CRLF"),
    pytest.param("/*\r*/\rconst n: number = '';\r", 3, 7, 1, id="CR"),
    pytest.param("/*\u2028*/ const n: number = '';", 1, 13, 1, id="a script's line break is no editor's"),
    pytest.param("\ufeffconst n: number = '';", 1, 8, 1, id="byte order mark"),
    pytest.param("/* \ud83d */ const n: number = '';", 1, 15, 1, id="half a character"),
    pytest.param("const n\U0001d4b3: number = '';", 1, 7, 2, id="a wide character in a name"),
]

FORGED = [
    pytest.param("//# sourceMappingURL=data:application/json;base64,e30=", id="source map"),
    pytest.param("//# sourceURL=/etc/passwd", id="source URL"),
    pytest.param("// @filename: other.ts", id="file name"),
    pytest.param("//#line 7 'other.ts'", id="line"),
]


@pytest.mark.parametrize("source", WELL_TYPED)
def test_a_well_typed_program_has_no_errors(checker: TypeChecker, source: str) -> None:
    assert told(checker.check(program(source))) == []


@pytest.mark.parametrize(("source", "expected"), ILL_TYPED)
def test_errors_of_a_program(checker: TypeChecker, source: str, expected: list[str]) -> None:
    assert told(checker.check(program(source))) == expected


@pytest.mark.parametrize(("source", "line", "column", "length"), PLACES)
def test_places_count_characters(
    checker: TypeChecker, source: str, line: int, column: int, length: int
) -> None:
    (error,) = checker.check(program(source))

    assert (error.code, error.line, error.column, error.length) == ("TS2322", line, column, length)


@pytest.mark.parametrize("forgery", FORGED)
def test_a_program_cannot_move_its_errors(checker: TypeChecker, forgery: str) -> None:
    assert told(checker.check(program(f"{forgery}\nconst n: number = '';\n{forgery}\n"))) == [
        "program.ts:2:7: TS2322: Type 'string' is not assignable to type 'number'."
    ]


def test_a_diagnostic_carries_its_line(checker: TypeChecker) -> None:
    assert checker.check(program("\n  console.infos(1); // é\n")) == (
        Diagnostic(
            file="program.ts",
            line=2,
            column=11,
            message="Property 'infos' does not exist on type 'Console'. Did you mean 'info'?",
            code="TS2551",
            source_line="  console.infos(1); // é",
            length=5,
        ),
    )


def test_of_a_long_explanation_the_ends_stay(checker: TypeChecker) -> None:
    nested = "".join(
        f"interface A{n} {{ a{n}: A{n + 1}[] }} interface B{n} {{ a{n}: B{n + 1}[] }}\n" for n in range(14)
    )
    source = (
        f"{nested}interface A14 {{ z: 1 }} interface B14 {{ z: 2 }}\ndeclare let a: A0;\nconst b: B0 = a;"
    )

    assert told(checker.check(program(source))) == [
        "program.ts:17:7: TS2322: Type 'A0' is not assignable to type 'B0'.\n"
        "  Types of property 'a0' are incompatible.\n"
        "    Type 'A1[]' is not assignable to type 'B1[]'.\n"
        "      Type 'A1' is not assignable to type 'B1'.\n"
        "        Types of property 'a1' are incompatible.\n"
        "          …\n"
        "          Type 'A14[]' is not assignable to type 'B14[]'.\n"
        "            Type 'A14' is not assignable to type 'B14'.\n"
        "              Types of property 'z' are incompatible.\n"
        "                Type '1' is not assignable to type '2'."
    ]


def test_nothing_of_a_program_remains_for_the_next(checker: TypeChecker) -> None:
    declared = (
        'import "gg"; declare global { var leaked: 1; interface Array<T> { leaked: T } }\n'
        'declare module "gg" { export const extra: 1 }\ndeclare module "gg:views" { export const more: 1 }\n'
        "leaked; [1].leaked;"
    )
    use = 'import { extra } from "gg"; import { more } from "gg:views"; leaked; [1].leaked;'

    assert told(checker.check(program(declared))) == []
    assert told(checker.check(program(use))) == [
        "program.ts:1:10: TS2305: Module '\"gg\"' has no exported member 'extra'.",
        "program.ts:1:38: TS2305: Module '\"gg:views\"' has no exported member 'more'.",
        "program.ts:1:62: TS2304: Cannot find name 'leaked'.",
        "program.ts:1:74: TS2339: Property 'leaked' does not exist on type 'number[]'.",
    ]


def test_a_module_is_imported_by_its_key_with_its_types(checker: TypeChecker) -> None:
    source = (
        'import { parseCsv } from "csvTools";\nimport * as csv from "lib:csvTools";\n'
        "const rows: number = parseCsv('a');\nconst all: string = csv;\nparseCsv(1);"
    )
    modules = {"csvTools": "export function parseCsv(text: string): string[][] { return [[text]]; }"}

    assert told(checker.check(program(source, modules))) == [
        "program.ts:3:7: TS2322: Type 'string[][]' is not assignable to type 'number'.",
        "program.ts:4:7: TS2322: Type 'typeof import(\"csvTools\")' is not assignable to type 'string'.",
        "program.ts:5:10: TS2345: Argument of type 'number' is not assignable to parameter of type 'string'.",
    ]


def test_a_program_sees_the_module_as_it_is_now(checker: TypeChecker) -> None:
    source = 'import { value } from "csvTools"; const text: string = value;'

    assert told(checker.check(program(source, {"csvTools": "export const value = 'a';"}))) == []
    assert told(checker.check(program(source, {"csvTools": "export const value = 1;"}))) == [
        "program.ts:1:41: TS2322: Type 'number' is not assignable to type 'string'."
    ]
    assert told(checker.check(program(source))) == [
        "program.ts:1:23: TS2307: Cannot find module 'csvTools' or its corresponding type declarations."
    ]
    assert told(checker.check(program(source, {"csvTools": "export const value = 'a';"}))) == []


def test_keys_that_differ_in_case_are_two_modules(checker: TypeChecker) -> None:
    source = 'import { a } from "csvTools"; import { b } from "csvtools"; a.x; b.x;'
    modules = {"csvTools": "export const a = 1;", "csvtools": "export const b = '';"}

    assert told(checker.check(program(source, modules))) == [
        "program.ts:1:63: TS2339: Property 'x' does not exist on type '1'.",
        "program.ts:1:68: TS2339: Property 'x' does not exist on type '\"\"'.",
    ]


def test_an_escape_may_spell_a_key(checker: TypeChecker) -> None:
    source = 'import { a } from "csv\\u0054ools"; a.x;'

    assert told(checker.check(program(source, {"csvTools": "export const a = 1;"}))) == [
        "program.ts:1:38: TS2339: Property 'x' does not exist on type '1'."
    ]


def test_an_importer_of_a_module_that_is_gone_fails_in_that_module(checker: TypeChecker) -> None:
    modules = {"report": 'import type { Row } from "csvTools";\nexport const rows: Row[] = [];'}

    errors = checker.check(program('import { rows } from "report"; rows.at(0);', modules))

    assert told(errors) == [
        "report.ts:1:26: TS2307: Cannot find module 'csvTools' or its corresponding type declarations."
    ]
    assert errors[0].source_line == 'import type { Row } from "csvTools";'


def test_an_importer_of_a_module_that_changed_fails_in_that_module(checker: TypeChecker) -> None:
    use = 'import { rows } from "report"; rows.at(0);'
    report = 'import { width } from "csvTools";\nexport const rows: number[] = [width];'

    before = program(use, {"report": report, "csvTools": "export const width = 1;"})
    after = program(use, {"report": report, "csvTools": "export const width = '1';"})

    assert told(checker.check(before)) == []
    assert told(checker.check(after)) == [
        "report.ts:2:32: TS2322: Type 'string' is not assignable to type 'number'."
    ]
    assert told(checker.check(after)) == [
        "report.ts:2:32: TS2322: Type 'string' is not assignable to type 'number'."
    ]


def test_a_module_that_is_not_imported_plays_no_part(checker: TypeChecker) -> None:
    modules = {"broken": "export const a: number = ''; declare global { var everywhere: 1 }"}

    assert told(checker.check(program("everywhere;", modules))) == [
        "program.ts:1:1: TS2304: Cannot find name 'everywhere'."
    ]


def test_a_module_is_checked_under_its_own_name(checker: TypeChecker) -> None:
    source = (
        'import { views } from "gg"; import { b } from "other"; views.openText(b);\nexport type A = typeof b;'
    )

    assert told(checker.check(module("csvTools", source, {"other": "export const b = 1;"}))) == [
        "csvTools.ts:1:62: TS2554: Expected 2 arguments, but got 1.\n"
        "  An argument for 'body' was not provided."
    ]


def test_an_on_use_script_has_every_family_in_scope(checker: TypeChecker) -> None:
    own = "export const label = 'a';"
    source = (
        'import { label } from "csvTools"; import { memories as m } from "gg";\n'
        "views.openText(label, memories.readMemory(m.readMemory('b')));\n"
        "views.openTxt(1);"
    )

    errors = checker.check(on_use("csvTools", source, own))

    assert told(errors) == [
        "csvTools.on-use.ts:3:7: TS2551: Property 'openTxt' does not exist on type"
        " 'typeof import(\"gg:views\")'. Did you mean 'openText'?"
    ]
    assert errors[0].source_line is None


def test_only_an_on_use_script_has_them(checker: TypeChecker) -> None:
    assert told(checker.check(on_use("csvTools", "views.current();", ""))) == []
    assert told(checker.check(program("views.current();"))) == [
        "program.ts:1:1: TS2304: Cannot find name 'views'."
    ]
    assert told(checker.check(module("csvTools", "views.current();"))) == [
        "csvTools.ts:1:1: TS2304: Cannot find name 'views'."
    ]


def test_every_set_of_declarations_is_checked_against_for_itself(checker: TypeChecker) -> None:
    def variant(number: int) -> str:
        return f'declare module "gg" {{ export const value: {number} }}'

    for number in [*range(FOLDERS + 2), 0]:
        source = 'import { value } from "gg"; value.x;'
        assert told(checker.check(program(source, declarations=variant(number)))) == [
            f"program.ts:1:35: TS2339: Property 'x' does not exist on type '{number}'."
        ]


def test_a_checker_that_did_enough_is_worn_out(checker: TypeChecker) -> None:
    done = checker.checks_done
    checker.check(program("1;"))
    assert (checker.checks_done, checker.worn_out) == (done + 1, False)

    checker.checks_done = 2_000
    assert checker.worn_out
    checker.checks_done = done


def test_declarations_may_be_written_with_any_line_breaks(checker: TypeChecker) -> None:
    declarations = DECLARATIONS.replace("\n", "\r\n")

    assert (
        told(
            checker.check(program('import { views } from "gg"; views.current();', declarations=declarations))
        )
        == []
    )


def test_modules_that_import_each_other_are_checked_with_the_text_that_is_new(checker: TypeChecker) -> None:
    loaded = {"b": 'import { a } from "a"; export const b: number = a;'}
    new = 'import { b } from "b"; export const a = %s; export const c: number = b;'

    assert told(checker.check(module("a", new % "1", loaded))) == []
    assert told(checker.check(module("a", new % "''", loaded))) == [
        "b.ts:1:37: TS2322: Type 'string' is not assignable to type 'number'."
    ]
