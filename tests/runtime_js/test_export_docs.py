"""What is said of a module's exports, asked of the real checker."""

import pytest

from runtime_js.checker import TypeChecker
from runtime_js.export_docs import COMMENT_CHARS, EXPORTS, SIGNATURE_CHARS
from runtime_js.units import ExportDoc, ModuleSource
from tests.runtime_js.checking import DECLARATIONS, program, told

# (module, name, kind, signature)
SIGNATURES = [
    pytest.param(
        "export function parseCsv(text: string): string[][] { return [[text]]; }",
        "parseCsv",
        "function",
        "function parseCsv(text: string): string[][]",
        id="function",
    ),
    pytest.param(
        "export function over(a: string): string;\nexport function over(a: number, b?: boolean): number;\n"
        "export function over(a: any): any { return a; }",
        "over",
        "function",
        "function over(a: string): string\nfunction over(a: number, b?: boolean): number",
        id="overloads",
    ),
    pytest.param(
        "export const map = async <T, U = T>(xs: readonly T[], f: (x: T) => U, n = 1): Promise<U[]> =>"
        " xs.map(f);",
        "map",
        "function",
        "const map: <T, U = T>(xs: readonly T[], f: (x: T) => U, n?: number) => Promise<U[]>",
        id="arrow function",
    ),
    pytest.param(
        "type Parser = { (text: string): string; (text: number): number };"
        "export const parse: Parser = (text: any) => text;",
        "parse",
        "function",
        "function parse(text: string): string\nfunction parse(text: number): number",
        id="a type that is not exported",
    ),
    pytest.param(
        "export async function* lines(text: string) { yield* text.split('\\n'); }",
        "lines",
        "function",
        "function lines(text: string): AsyncGenerator<string, void, unknown>",
        id="generator",
    ),
    pytest.param(
        "export function isText(value: unknown): value is string { return true; }",
        "isText",
        "function",
        "function isText(value: unknown): value is string",
        id="guard",
    ),
    pytest.param(
        "export class Table<T> implements Iterable<T> {\n"
        "  #hidden = 1; private secret = this.#hidden; static readonly empty = new Table([]);\n"
        "  constructor(readonly rows: T[], protected width = 1) { void this.secret; }\n"
        "  get first(): T | undefined { return this.rows[0]; }\n"
        "  add(row: T): this { this.rows.push(row); return this; }\n"
        "  *[Symbol.iterator](): Generator<T> { yield* this.rows; }\n}",
        "Table",
        "class",
        "class Table<T> implements Iterable<T> {\n"
        "    static readonly empty: Table<never>;\n"
        "    constructor(readonly rows: T[], protected width?: number);\n"
        "    readonly rows: T[];\n"
        "    protected width: number;\n"
        "    get first(): T | undefined;\n"
        "    add(row: T): this;\n"
        "    [Symbol.iterator](): Generator<T>;\n"
        "}",
        id="class",
    ),
    pytest.param(
        "export interface Row { name: string; readonly price?: number; tags: { all: string[] } }",
        "Row",
        "type",
        "interface Row {\n    name: string;\n    readonly price?: number;\n    tags: {\n"
        "        all: string[];\n    };\n}",
        id="interface",
    ),
    pytest.param(
        "export type Cell<T = string> = { value: T } | null;",
        "Cell",
        "type",
        "type Cell<T = string> = {\n    value: T;\n} | null",
        id="alias",
    ),
    pytest.param("export const LIMIT = 10;", "LIMIT", "constant", "const LIMIT: 10", id="constant"),
    pytest.param("export let count = 0;", "count", "constant", "let count: number", id="variable"),
    pytest.param(
        "export const maybe: ((a: string) => void) | null = null;",
        "maybe",
        "constant",
        "const maybe: ((a: string) => void) | null",
        id="not always callable",
    ),
    pytest.param(
        "export enum Color { Red, Green = 'g' }",
        "Color",
        "constant",
        "enum Color {\n    Red = 0,\n    Green = 'g'\n}",
        id="enum",
    ),
    pytest.param(
        "export namespace shapes { export const sides = 4; export function area(a: number) { return a; } }",
        "shapes",
        "constant",
        "namespace shapes {\n    let sides: 4;\n    function area(a: number): number;\n}",
        id="namespace",
    ),
    pytest.param(
        "function original(a: number) { return a; } export { original as renamed };",
        "renamed",
        "function",
        "function renamed(a: number): number",
        id="renamed",
    ),
    pytest.param(
        "interface Original { a: 1 } export type { Original as Renamed };",
        "Renamed",
        "type",
        "interface Renamed {\n    a: 1;\n}",
        id="renamed type",
    ),
    pytest.param(
        "export default function main(a: number) { return a; }",
        "default",
        "function",
        "function main(a: number): number",
        id="default",
    ),
    pytest.param(
        "export default (a: number) => a;",
        "default",
        "function",
        "const default: (a: number) => number",
        id="default without a name",
    ),
    pytest.param(
        "export default abstract class { abstract a: number }",
        "default",
        "class",
        "abstract class default {\n    abstract a: number;\n}",
        id="default class",
    ),
    pytest.param(
        "export { help } from 'other';", "help", "function", "function help(): number", id="exported again"
    ),
    pytest.param(
        "export * from 'other';", "help", "function", "function help(): number", id="all exported again"
    ),
    pytest.param(
        "export * as other from 'other';",
        "other",
        "constant",
        "namespace other {\n    function help(): number;\n}",
        id="exported as a namespace",
    ),
    pytest.param(
        "import { help } from 'other'; export const all: typeof import('other') = { help };",
        "all",
        "constant",
        'const all: typeof import("other")',
        id="types of another module",
    ),
    pytest.param(
        "export { gone } from 'nowhere';",
        "gone",
        "constant",
        "const gone: any",
        id="of a module that is gone",
    ),
]

# (JSDoc, comment)
COMMENTS = [
    pytest.param("/** One line. */", "One line.", id="one line"),
    pytest.param("/**\n * Two\n * lines.\n *\n * More.\n */", "Two\nlines.\n\nMore.", id="paragraphs"),
    pytest.param(
        "/**\n * Parses.\n * @param a the text\n * @param b - the separator\n * @returns rows\n"
        " * @throws {TypeError} when it cannot\n * @deprecated use {@link f}, or `g`\n */",
        "Parses.\n@param a - the text\n@param b - the separator\n@returns rows\n"
        "@throws {TypeError} when it cannot\n@deprecated use f, or `g`",
        id="tags",
    ),
    pytest.param(
        "/**\n * Parses.\n * @example\n * f(1);\n * f(2);\n * @returns rows\n */",
        "Parses.\n@example\nf(1);\nf(2);\n@returns rows",
        id="example",
    ),
    pytest.param("/** See {@link https://a.b/c the page}. */", "See [the page](https://a.b/c).", id="link"),
    pytest.param("/** *a* _b_ <c> \\* [d](e) {f} `g` */", "*a* _b_ <c> \\* [d](e) {f} `g`", id="mark-up"),
    pytest.param("// no comment of its own\n", "", id="none"),
    pytest.param("/* no JSDoc */", "", id="ordinary"),
]

OTHER = "export function help() { return 1; }"


@pytest.mark.parametrize(("source", "name", "kind", "signature"), SIGNATURES)
def test_signatures(checker: TypeChecker, source: str, name: str, kind: str, signature: str) -> None:
    (doc,) = [doc for doc in describe(checker, source) if doc.name == name]

    assert (doc.kind, doc.signature) == (kind, signature)


@pytest.mark.parametrize(("comment", "expected"), COMMENTS)
def test_comments(checker: TypeChecker, comment: str, expected: str) -> None:
    source = f"{comment}\nexport function f(a: string, b: string): number {{ return a.length + b.length; }}"

    assert describe(checker, source) == (
        ExportDoc(
            name="f", kind="function", signature="function f(a: string, b: string): number", comment=expected
        ),
    )


def test_exports_come_by_name_and_nothing_else_does(checker: TypeChecker) -> None:
    source = (
        "const inner = 1; export const b = inner; export type a = 1; export { b as 'no identifier', b as B };"
        "import { views } from 'gg'; export const ä$ = () => views.current();"
    )

    assert [(doc.name, doc.kind) for doc in describe(checker, source)] == [
        ("B", "constant"),
        ("a", "type"),
        ("b", "constant"),
        ("ä$", "function"),
    ]


@pytest.mark.parametrize("source", ["", "const a = 1;", "export {};", "syntax error ("])
def test_a_module_that_exports_nothing(checker: TypeChecker, source: str) -> None:
    assert describe(checker, source) == ()


def test_what_is_said_is_bounded(checker: TypeChecker) -> None:
    fields = "; ".join(f"field{n}: '{'x' * 50}'" for n in range(300))
    docs = describe(
        checker,
        f"/** {'word ' * 2_000} */ export type Wide = {{ {fields} }};"
        + "".join(f"export const c{n} = {n};" for n in range(EXPORTS + 10)),
    )

    assert len(docs) == EXPORTS
    assert (docs[0].name, len(docs[0].comment)) == ("Wide", COMMENT_CHARS)
    assert max(len(doc.signature) for doc in docs) <= SIGNATURE_CHARS


def test_describing_changes_nothing_for_the_next_check(checker: TypeChecker) -> None:
    unit = program("import { help } from 'other'; help(1);", {"other": OTHER})
    before = told(checker.check(unit))

    describe(checker, "export const a = 1;")

    assert (
        told(checker.check(unit)) == before == ["program.ts:1:36: TS2554: Expected 0 arguments, but got 1."]
    )


def describe(checker: TypeChecker, source: str) -> tuple[ExportDoc, ...]:
    return checker.describe(
        ModuleSource("csvTools", source),
        modules=(ModuleSource("other", OTHER), ModuleSource("csvTools", "export const old = 1;")),
        declarations=DECLARATIONS,
    )
