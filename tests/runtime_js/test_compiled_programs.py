"""Compiled programs in a real engine: what they import works, what they throw has a place in their text."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from runtime_js import (
    Compiled,
    Compiler,
    Frame,
    ModuleSource,
    Unit,
    UnitKind,
    guest_globals,
    locate_stack,
)
from sandbox import Call, Ended, GuestProgram, ProgramOutcome, SandboxPool, Threw

DECLARATIONS = (Path(__file__).parents[2] / "runtime_js" / "sdk" / "gg.d.ts").read_text(encoding="utf-8")

MODULES = (
    ModuleSource(
        "csvTools",
        "export function parseCsv(text: string): string[] {\n"
        '  if (!text) throw new RangeError("empty");\n'
        '  return text.split(",");\n'
        "}\n"
        "export const loaded: string = await Promise.resolve('late');\n",
    ),
    ModuleSource("counter", "let count = 0;\nexport function run() { return ++count; }\n"),
    ModuleSource(
        "twice", 'import { run } from "counter";\nexport function close() { return run() + run(); }\n'
    ),
)

# What a program tells through a view, one value each.
TELLS = {
    "a module": ('import { parseCsv } from "csvTools"; tell(parseCsv("a,b"));', ["a", "b"]),
    "a module's export after await": ('import { loaded } from "csvTools"; tell(loaded);', "late"),
    "a dynamic import": ('const { parseCsv } = await import("csvTools"); tell(parseCsv("a"));', ["a"]),
    "a dynamic import of gg": (
        'const gg = await import("gg"); tell(gg.views.openText === (await import("gg:views")).openText);',
        True,
    ),
    "one state for all importers": (
        'import { run } from "counter"; import { close } from "twice"; tell([close(), run()]);',
        [3, 3],
    ),
    "the same instances by either name": (
        'import { ApiError, memories, views as v } from "gg"; import * as w from "gg:views";'
        " tell([v.openText === w.openText, new ApiError('a', 'other', 'b') instanceof Error, !!memories]);",
        [True, True, True],
    ),
    "names that collide keep their names": (
        'import { close as other } from "twice"; function close() {} class run {}'
        " tell([close.name, other.name, run.name]);",
        ["close", "close", "run"],
    ),
    "a name of the SDK's object": (
        "const keys = 1, call = 2, host = 3; tell([keys, call, host]);",
        [1, 2, 3],
    ),
    "this at the top": ("tell(typeof this);", "undefined"),
    "enum, namespace and decorators": (
        "enum A { B = 2 } namespace N { export const c = A.B } const log: string[] = [];"
        " function mark(_: unknown, context: DecoratorContext) { log.push(String(context.name)); }"
        " @mark class D { @mark m() {} } new D(); tell([N.c, log]);",
        [2, ["m", "D"]],
    ),
    "using": (
        "const log: string[] = []; { using a = { [Symbol.dispose]() { log.push('end'); } }; void a; }"
        " tell(log);",
        ["end"],
    ),
    "characters of every kind": (
        "const é = 'é😀\\u2028'; tell([é, `字${é}`, String.raw`\\n😀`]);",
        ["é😀\u2028", "字é😀\u2028", "\\n😀"],
    ),
    "a hashbang": ("#!/usr/bin/env gg\ntell(1);", 1),
}

PRELUDE = 'import { views } from "gg";\n'
TELL = "\nfunction tell(value: unknown) { views.openText('told', JSON.stringify(value)); }\n"

# What is thrown where: the source, and its frames.
THROWN = {
    "on line 3": ("const a = 1;\n\nthrow new Error(`${a}`);\n", [Frame("", "program.ts", 3, 20)]),
    "in a function": (
        "function outer() {\n  inner();\n}\nfunction inner() {\n\tthrow new Error('é');\n}\nouter();\n",
        [
            Frame("inner", "program.ts", 5, 12),
            Frame("outer", "program.ts", 2, 3),
            Frame("", "program.ts", 7, 1),
        ],
    ),
    "in a module": (
        'import { parseCsv } from "csvTools";\n\nconst rows = () => parseCsv("");\nrows();\n',
        [
            Frame("parseCsv", "csvTools.ts", 2, 24),
            Frame("rows", "program.ts", 3, 20),
            Frame("", "program.ts", 4, 1),
        ],
    ),
    "after wide characters": ("/* 😀字 */ null!.a;\n", [Frame("", "program.ts", 1, 10)]),
    "after a template that is kept": (
        "const s = String.raw`é😀\u2028`; s;\nthrow new Error('a');\n",
        [Frame("", "program.ts", 2, 11)],
    ),
    "in code made at run time": (
        "eval('\\n\\nfunction f() { nope() }\\nf()');\n",
        [Frame("", "program.ts", 1, 1)],
    ),
    "in a call": (
        'import { views } from "gg";\n\nviews.openText("refuse", "it");\n',
        [Frame("", "program.ts", 3, 7)],
    ),
    "with CRLF": ("const a = 1;\r\n\r\n  throw new Error(`${a}`);\r\n", [Frame("", "program.ts", 3, 22)]),
}


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    with Compiler(processes=1, timeout_s=60) as compiler:
        yield compiler


@pytest.fixture(scope="module")
def pool() -> Iterator[SandboxPool]:
    with SandboxPool(globals=guest_globals(), size=1) as pool:
        yield pool


@pytest.mark.parametrize(("source", "expected"), TELLS.values(), ids=TELLS)
def test_a_program_tells(compiler: Compiler, pool: SandboxPool, source: str, expected: object) -> None:
    head, rest = ("", source) if not source.startswith("#!") else source.split("\n", 1)
    text = f"{head}\n{PRELUDE}{rest}{TELL}" if head else f"{PRELUDE}{rest}{TELL}"

    outcome, calls, _ = run(compiler, pool, text)

    assert isinstance(outcome, Ended), outcome
    assert [json.loads(json.loads(call.arguments)[1]) for call in calls] == [expected]


@pytest.mark.parametrize(("source", "expected"), THROWN.values(), ids=THROWN)
def test_what_is_thrown_is_located(
    compiler: Compiler, pool: SandboxPool, source: str, expected: list[Frame]
) -> None:
    outcome, _, compiled = run(compiler, pool, source)

    assert isinstance(outcome, Threw), outcome
    assert list(locate_stack(outcome.error.stack, compiled.source_map)) == expected


def test_a_call_is_located_where_the_program_makes_it(compiler: Compiler, pool: SandboxPool) -> None:
    source = 'import { views } from "gg";\nfunction show() {\n  views.openText("a", "b");\n}\nshow();\n'

    _, (call,), compiled = run(compiler, pool, source)

    assert locate_stack(call.stack, compiled.source_map) == (
        Frame("show", "program.ts", 3, 9),
        Frame("", "program.ts", 5, 1),
    )


def test_an_on_use_script_runs_with_the_sdk_in_scope(compiler: Compiler, pool: SandboxPool) -> None:
    unit = Unit(
        kind=UnitKind.ON_USE,
        key="csvTools",
        source=(
            'import { parseCsv } from "csvTools";\n'
            'views.openText("told", parseCsv("a,b").join(" "));\n'
            'parseCsv("");\n'
        ),
        modules=MODULES,
        declarations=DECLARATIONS,
    )

    outcome, (call,), compiled = run_unit(compiler, pool, unit)

    assert json.loads(call.arguments) == ["told", "a b"]
    assert isinstance(outcome, Threw)
    assert locate_stack(outcome.error.stack, compiled.source_map) == (
        Frame("parseCsv", "csvTools.ts", 2, 24),
        Frame("", "csvTools.on-use.ts", 3, 1),
    )


def run(compiler: Compiler, pool: SandboxPool, source: str) -> tuple[ProgramOutcome, list[Call], Compiled]:
    return run_unit(
        compiler,
        pool,
        Unit(
            kind=UnitKind.PROGRAM,
            source=source,
            modules=MODULES,
            declarations=DECLARATIONS,
            typecheck="off",
        ),
    )


def run_unit(
    compiler: Compiler, pool: SandboxPool, unit: Unit
) -> tuple[ProgramOutcome, list[Call], Compiled]:
    calls: list[Call] = []

    def answer(call: Call) -> str:
        calls.append(call)
        if call.arguments.startswith('["refuse"'):
            return '{"error": {"code": "refused", "operation": "views.open_text", "message": "no"}}'
        return '{"ok": null}'

    compiled = compiler.compile(unit)
    outcome = pool.run(GuestProgram(js=compiled.js, seed=1), answer)
    return outcome, calls, compiled
