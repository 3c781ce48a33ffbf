"""The guest's end of a call that is not waited for: what crosses, what its promise becomes, its place."""

import json
from collections.abc import Iterator
from typing import Final

import pytest

from runtime_js.globals import guest_globals
from sandbox import (
    Answerer,
    Background,
    Call,
    Ended,
    GuestProgram,
    HitCeiling,
    ProgramOutcome,
    SandboxPool,
    Threw,
)
from tests.helpers.guest_sdk import bundle, bundle_all

BACKGROUND: Final = Background(may=lambda operation: operation.startswith("t."))
IMPORTS: Final = 'import { ApiError, call, later } from "gg/core";\n'
FAILURE: Final = '{"error": {"code": "refused", "operation": "t.t", "message": "no"}}'

# What a program passes, and the arguments' text or why there is none.
CROSSES: Final = {
    "json": ("{ a: [1, 'é\\0', null, true] }, undefined", '[{"a":[1,"é\\u0000",null,true]}]'),
    "nothing": ("", "[]"),
    "bigint": ("2n ** 70n", "[1180591620717411303424]"),
    "bigints": ("{ a: [-1n, 0n] }, 5n", '[{"a":[-1,0]},5]'),
    "own proto": ("JSON.parse('{\"__proto__\": 1}')", '[{"__proto__":1}]'),
    "half a megabyte": ("'x'.repeat(500_000)", json.dumps(["x" * 500_000])),
    "boxed bigint": ("Object(1n)", '"argument 1 is a bigint; pass a number or a string"'),
    "function": ("[() => 1]", '"argument 1[0] is a function"'),
    "cycle": ("cyclic", '"argument 1.a is a cycle: it contains itself"'),
}
CYCLIC: Final = "const cyclic: any = {}; cyclic.a = cyclic;"


@pytest.fixture(scope="module")
def pool() -> Iterator[SandboxPool]:
    with SandboxPool(globals=guest_globals()) as pool:
        yield pool


def run(pool: SandboxPool, js: str, answer: Answerer) -> ProgramOutcome:
    return pool.run(GuestProgram(js=js, seed=1), answer, background=BACKGROUND)


def lines(outcome: ProgramOutcome) -> list[str]:
    return [line.text for line in outcome.stats.logs]


@pytest.fixture(scope="module")
def programs() -> dict[str, str]:
    sources = {name.replace(" ", "-"): case[0] for name, case in CROSSES.items()}
    return bundle_all(
        {name: f"{IMPORTS}{CYCLIC}\nawait later('t.t', [{given}]);" for name, given in sources.items()}
    )


@pytest.mark.parametrize("name", CROSSES)
def test_arguments(name: str, pool: SandboxPool, programs: dict[str, str]) -> None:
    calls: list[Call] = []
    expected = CROSSES[name][1]

    def answer(call: Call) -> str:
        calls.append(call)
        return "{}"

    outcome = run(pool, programs[name.replace(" ", "-")], answer)

    assert [call.arguments for call in calls] == [expected]
    if expected.startswith('"'):  # the host learns of it, and the promise is rejected
        assert isinstance(outcome, Threw)
        assert (outcome.error.name, outcome.error.code, outcome.error.operation, outcome.error.message) == (
            "ApiError",
            "invalid-argument",
            "t.t",
            json.loads(expected),
        )
    else:
        assert isinstance(outcome, Ended)


def test_a_call_that_is_waited_for_takes_no_bigint(pool: SandboxPool) -> None:
    outcome = run(pool, bundle(f"{IMPORTS}call('t.t', [1n]);"), lambda call: "{}")

    assert isinstance(outcome, Threw)
    assert outcome.error.message == "argument 1 is a bigint; pass a number or a string"


# What a host answers, and what the promise gives, as the program shows it.
ANSWERS: Final = {
    "value": ('{"ok": {"a": [1, null]}}', '{"a":[1,null]}'),
    "null": ('{"ok": null}', "null"),
    "nothing": ("{}", "undefined"),
    "proto": ('{"ok": {"__proto__": {"p": 1}}}', '{"__proto__":{"p":1}}'),
    "then": ('{"ok": {"then": 1}}', '{"then":1}'),
    "strange text": ('{"ok": "a\\u0000b\\ud800"}', '"a\\u0000b\\ud800"'),
    "lone surrogate": ('{"ok": "\ud800"}', '"\\ud800"'),
    "a bigint": ('{"ok": "12345678901234567890", "bigints": [[]]}', "12345678901234567890n"),
    "bigints": (
        '{"ok": {"a": ["1", "2", {"b": "-3"}], "c": "4"}, "bigints": [["a", 1], ["a", 2, "b"]]}',
        '{"a":["1",2n,{"b":-3n}],"c":"4"}',
    ),
    "bigint of a strange name": (
        '{"ok": {"__proto__": "9007199254740993", "length": "2"}, "bigints": [["__proto__"], ["length"]]}',
        '{"__proto__":9007199254740993n,"length":2n}',
    ),
    "no bigints": ('{"ok": ["1"], "bigints": []}', '["1"]'),
    "failure": (FAILURE, 'ApiError true refused t.t "no"'),
    "value of half a megabyte": (json.dumps({"ok": "x" * 500_000}), "500000"),
}
SHOW: Final = """
const show = (value: unknown): any =>
  typeof value == "bigint" ? value + "n"
  : typeof value == "string" ? (value.length > 1_000 ? value.length : JSON.stringify(value))
  : Array.isArray(value) ? "[" + value.map(show) + "]"
  : value && typeof value == "object"
    ? "{" + Object.keys(value).map((key) => JSON.stringify(key) + ":" + show((value as any)[key])) + "}"
  : String(value);
await later("t.t", []).then(
  (value) => console.log(show(value)),
  (error) => console.log(
    error.name, error instanceof ApiError, error.code, error.operation, JSON.stringify(error.message)
  ),
);
"""


@pytest.fixture(scope="module")
def show() -> str:
    return bundle(IMPORTS + SHOW)


@pytest.mark.parametrize("name", ANSWERS)
def test_answers(name: str, pool: SandboxPool, show: str) -> None:
    envelope, expected = ANSWERS[name]

    assert lines(run(pool, show, lambda call: envelope)) == [expected]


def test_a_failure_that_nobody_handles_is_located_where_the_call_was_made(pool: SandboxPool) -> None:
    program = bundle(f"{IMPORTS}async function inner() {{\n  await later('t.t', []);\n}}\nawait inner();")

    outcome = run(pool, program, lambda call: FAILURE)

    assert isinstance(outcome, Threw)
    assert (outcome.error.name, outcome.error.code, outcome.error.message) == ("ApiError", "refused", "no")
    line = program.splitlines().index('  await later("t.t", []);') + 1
    assert f"    at inner (program.js:{line}:9)\n" in outcome.error.stack


def test_the_host_is_told_the_place_as_well(pool: SandboxPool) -> None:
    program = bundle(f"{IMPORTS}function inner() {{\n  later('t.t', []);\n}}\ninner();")
    stacks: list[str] = []

    run(pool, program, lambda call: stacks.append(call.stack) or "{}")  # type: ignore[func-returns-value]

    line = program.splitlines().index('  later("t.t", []);') + 1
    assert f"    at inner (program.js:{line}:3)\n" in stacks[0]


def test_a_failure_of_refused_arguments_is_located_as_well(pool: SandboxPool) -> None:
    program = bundle(f"{IMPORTS}function inner() {{\n  later('t.t', [() => 1]);\n}}\ninner();")

    outcome = run(pool, program, lambda call: "{}")

    assert isinstance(outcome, Threw)
    assert "    at inner (program.js:" in outcome.error.stack


def test_what_the_host_says_of_arguments_that_cannot_be_encoded_comes_first(pool: SandboxPool) -> None:
    outcome = run(pool, bundle(f"{IMPORTS}later('t.t', [() => 1]);"), lambda call: FAILURE)

    assert isinstance(outcome, Threw)
    assert outcome.error.message == "no"


def test_an_error_of_the_programs_own_rejects_the_promise(pool: SandboxPool) -> None:
    program = bundle(
        IMPORTS
        + "const made = later('t.t', [{ get a() { throw new RangeError('mine'); } }]);\n"
        + "await made.catch((error) => console.log(error.name, error.message));"
    )
    calls: list[Call] = []

    outcome = run(pool, program, lambda call: calls.append(call) or "{}")  # type: ignore[func-returns-value]

    assert (lines(outcome), calls) == (["RangeError mine"], [])


def test_a_call_within_to_json_does_not_colour_the_call_around_it(pool: SandboxPool) -> None:
    program = bundle(
        IMPORTS
        + "later('t.outer', [{ toJSON() { later('t.inner', [() => 1]).catch(() => 0); return 5; } }]);"
    )
    calls: dict[str, object] = {}

    def answer(call: Call) -> str:
        calls[call.operation] = json.loads(call.arguments)
        return "{}"

    assert isinstance(run(pool, program, answer), Ended)
    assert calls == {"t.inner": "argument 1 is a function", "t.outer": [5]}


def test_a_result_over_the_limit_is_the_ceiling_where_nobody_catches_it(pool: SandboxPool) -> None:
    large = json.dumps({"ok": "x" * 9 * 2**20})

    outcome = run(pool, bundle(f"{IMPORTS}await later('t.t', []);"), lambda call: large)
    caught = run(
        pool,
        bundle(f"{IMPORTS}await later('t.t', []).catch((error) => console.log(error.code));"),
        lambda call: large,
    )

    assert isinstance(outcome, HitCeiling)
    assert outcome.sentence == "Value: 9.0 MiB, limit 8 MiB."
    assert (type(caught), lines(caught)) == (Ended, ["limit-exceeded"])


SPOILED: Final = """
const then = Promise.prototype.then, apply = Reflect.apply, log = console.log;
const spoil = () => { throw new Error("spoiled"); };
const { ownKeys } = Reflect;
const all = [Object, JSON, Promise, Promise.prototype, Map.prototype, Array.prototype, Error.prototype];
for (let i = 0; i < all.length; i++) {
  const keys = ownKeys(all[i]!);
  for (let j = 0; j < keys.length; j++)
    if (keys[j] != "constructor") try { (all[i] as any)[keys[j]!] = spoil; } catch {}
}
Object.defineProperty = Reflect.apply = String.prototype.slice = spoil as any;
globalThis.Promise = globalThis.BigInt = globalThis.Error = undefined as any;
apply(then, later("t.t", [{ a: 1n }]), [(found: any) => log(typeof found.a, "" + found.a)]);
apply(then, later("t.fail", []), [undefined, (error: any) => log(error.code, typeof error.stack)]);
"""


def test_what_a_program_replaces_spoils_nothing(pool: SandboxPool) -> None:
    def answer(call: Call) -> str:
        return FAILURE if call.operation == "t.fail" else '{"ok": {"a": "7"}, "bigints": [["a"]]}'

    assert sorted(lines(run(pool, bundle(IMPORTS + SPOILED), answer))) == ["bigint 7", "refused string"]
