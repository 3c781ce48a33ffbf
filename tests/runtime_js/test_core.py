"""The guest's end of a call: what crosses, what is refused and where, and what an answer becomes."""

import json
from collections.abc import Iterator
from typing import Final

import pytest

from runtime_js.globals import guest_globals
from sandbox import Answerer, Call, Ended, GuestProgram, SandboxPool, Threw
from tests.helpers.guest_sdk import bundle, bundle_all

# What a program passes, and the arguments the host receives.
CROSSES: Final = {
    "nothing": ("", []),
    "scalars": ("'text', 1, -2.5, true, null", ["text", 1, -2.5, True, None]),
    "numbers": ("[0, -0, 1e21, 1e-7, 2 ** 53]", [[0, 0, 1e21, 1e-7, 2**53]]),
    "undefined_at_the_end": ("1, undefined, undefined", [1]),
    "undefined_property": ("{ a: undefined, b: 1 }", [{"b": 1}]),
    "nested": ("{ a: [{ b: [] }, {}] }", [{"a": [{"b": []}, {}]}]),
    "own_proto": ('JSON.parse(\'{"__proto__": {"p": 1}}\')', [{"__proto__": {"p": 1}}]),
    "null_prototype": ("Object.assign(Object.create(null), { a: 1 })", [{"a": 1}]),
    "class_instance": ("new (class { a = 1; get b() { return 2; } })()", [{"a": 1}]),
    "inherited_and_symbol_keys": (
        "Object.assign(Object.create({ a: 1 }), { b: 2, [Symbol()]: 3 })",
        [{"b": 2}],
    ),
    "strings": ("'\\0a\\u2028\"\\\\', '\\ud800', '😀'", ['\0a\u2028"\\', "\ud800", "😀"]),
    "key_of_a_strange_string": ("{ '\\ud800\\0': 1 }", [{"\ud800\0": 1}]),
    "to_json": ("{ toJSON: () => ({ a: 1 }) }", [{"a": 1}]),
    "to_json_of_a_scalar": ("{ toJSON: () => 'text' }", ["text"]),
    "to_json_gets_the_key": ("{ a: { toJSON: (key: string) => key } }", [{"a": "a"}]),
    "to_json_once": ("{ toJSON() { return { ...this, a: 1, toJSON: undefined }; } }", [{"a": 1}]),
    "to_json_of_itself": ("{ a: 1, toJSON() { return this; } }", "argument 1.toJSON is a function"),
    "url": ("new URL('https://example.com/a b')", ["https://example.com/a%20b"]),
    "api_error": (
        "new ApiError('a.b', 'refused', 'no')",
        [{"name": "ApiError", "operation": "a.b", "code": "refused", "message": "no"}],
    ),
    "same_object_twice": ("[shared, shared]", [[{}, {}]]),
    "proxy": ("new Proxy([1, 2], {})", [[1, 2]]),
    "at_the_deepest": ("nest(64)", [json.loads("[" * 64 + "]" * 64)]),
    "undefined_between": ("1, undefined, 2", "argument 2 is undefined"),
    "undefined_in_an_array": ("[1, undefined]", "argument 1[1] is undefined"),
    "hole": ("[1, , 2]", "argument 1[1] is undefined"),
    "function": ("{ a: { f: () => 1 } }", "argument 1.a.f is a function"),
    "symbol": ("[Symbol('s')]", "argument 1[0] is a symbol"),
    "bigint": ("{ n: 1n }", "argument 1.n is a bigint; pass a number or a string"),
    "nan": ("[[NaN]]", "argument 1[0][0] is NaN, which JSON cannot hold"),
    "infinity": ("{ n: -Infinity }", "argument 1.n is -Infinity, which JSON cannot hold"),
    "date": ("'x', { at: new Date(0) }", "argument 2.at is a Date; pass its toISOString() or getTime()"),
    "map": ("new Map()", "argument 1 is a Map; pass an object or an array of pairs"),
    "set": ("{ s: new Set() }", "argument 1.s is a Set; pass an array"),
    "typed_array": ("new Uint8Array(2)", "argument 1 is a typed array; pass an array of numbers"),
    "buffer": ("new ArrayBuffer(2)", "argument 1 is an ArrayBuffer; pass text or an array of numbers"),
    "promise": ("{ p: Promise.resolve(1) }", "argument 1.p is a Promise; await it first"),
    "error": ("new TypeError('x')", "argument 1 is an Error; pass its message"),
    "regexp": ("/x/", "argument 1 is a RegExp; pass its source"),
    "boxed": ("new String('x')", "argument 1 is a String object; pass the string itself"),
    "cycle": ("cyclic", "argument 1.a[0] is a cycle: it contains itself"),
    "too_deep": ("nest(65)", "argument 1 is nested deeper than 64 levels"),
    "far_too_deep": ("nest(200_000)", "argument 1 is nested deeper than 64 levels"),
}
HELPERS: Final = """
import { ApiError, call } from "gg/core";
const shared = {};
const cyclic: any = { a: [] };
cyclic.a.push(cyclic);
const nest = (levels: number): unknown => {
  let nested: unknown[] = [];
  for (let i = 1; i < levels; i++) nested = [nested];
  return nested;
};
"""


@pytest.fixture(scope="module")
def pool() -> Iterator[SandboxPool]:
    with SandboxPool(globals=guest_globals()) as pool:
        yield pool


@pytest.fixture(scope="module")
def programs() -> dict[str, str]:
    return bundle_all({name: f"{HELPERS} call('t.t', [{case[0]}]);" for name, case in CROSSES.items()})


@pytest.mark.parametrize("name", CROSSES)
def test_arguments(name: str, pool: SandboxPool, programs: dict[str, str]) -> None:
    calls: list[Call] = []
    expected = CROSSES[name][1]

    outcome = pool.run(GuestProgram(js=programs[name], seed=1), recording(calls))

    if isinstance(expected, str):
        assert isinstance(outcome, Threw)
        error = outcome.error
        assert (error.name, error.code, error.operation, error.message) == (
            "ApiError",
            "invalid-argument",
            "t.t",
            expected,
        )
        assert [json.loads(call.arguments) for call in calls] == [expected]
    else:
        assert isinstance(outcome, Ended)
        assert [json.loads(call.arguments) for call in calls] == [expected]


def test_a_call_within_to_json_does_not_colour_the_call_around_it(pool: SandboxPool) -> None:
    calls: list[Call] = []
    program = bundle(
        """
import { call } from "gg/core";
call("outer.call", [{ toJSON() { try { call("inner.call", [() => 1]); } catch {} return 5; } }]);
"""
    )

    outcome = pool.run(GuestProgram(js=program, seed=1), recording(calls))

    assert isinstance(outcome, Ended)
    assert [(call.operation, json.loads(call.arguments)) for call in calls] == [
        ("inner.call", "argument 1 is a function"),
        ("outer.call", [5]),
    ]


def test_what_the_host_says_of_arguments_that_cannot_be_encoded_is_thrown(pool: SandboxPool) -> None:
    program = bundle('import { call } from "gg/core";\ncall("t.t", [1n]);')
    envelope = '{"error": {"code": "unavailable", "operation": "t.t", "message": "no"}}'

    outcome = pool.run(GuestProgram(js=program, seed=1), lambda call: envelope)

    assert isinstance(outcome, Threw)
    assert (outcome.error.code, outcome.error.message) == ("unavailable", "no")


SPELLINGS: Final = {
    "t.open_docs_view": "t.openDocsView",
    "t.t": "t.t",
    "t.openText": "t.openText",
    "t.x_1": "t.x_1",
}


@pytest.mark.parametrize("operation", SPELLINGS)
def test_an_error_names_the_call_as_a_program_writes_it(operation: str, pool: SandboxPool) -> None:
    program = bundle(f'import {{ call }} from "gg/core";\ncall("{operation}", [1n]);')

    outcome = pool.run(GuestProgram(js=program, seed=1), lambda call: "{}")

    assert isinstance(outcome, Threw)
    assert outcome.error.operation == SPELLINGS[operation]


# What a host answers, and what the program then prints of it.
ANSWERS: Final = {
    "value": ('{"ok": {"a": [1, null]}}', '{"a":[1,null]}'),
    "null": ('{"ok": null}', "null"),
    "nothing": ("{}", "undefined"),
    "proto": ('{"ok": {"__proto__": {"p": 1}}}', '{"__proto__":{"p":1}}'),
    "strange_text": ('{"ok": "a\\u0000b\\ud800"}', '"a\\u0000b\\ud800"'),
    "lone_surrogate_unescaped": ('{"ok": "\ud800"}', '"\\ud800"'),
    "error": (
        '{"error": {"code": "refused", "operation": "t.t", "message": "no"}}',
        'ApiError true Error true refused t.t "no"',
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers(name: str, pool: SandboxPool, answers_program: str) -> None:
    envelope, expected = ANSWERS[name]

    outcome = pool.run(GuestProgram(js=answers_program, seed=1), lambda call: envelope)

    assert [line.text for line in outcome.stats.logs] == [expected]


@pytest.fixture(scope="module")
def answers_program() -> str:
    return bundle(
        """
import { ApiError, call } from "gg/core";
try {
  console.log(JSON.stringify(call("t.t", [])));
} catch (error: any) {
  console.log(
    error.name, error instanceof ApiError, "Error", error instanceof Error,
    error.code, error.operation, JSON.stringify(error.message),
  );
}
"""
    )


def test_a_call_carries_the_place_it_was_made_at(pool: SandboxPool) -> None:
    calls: list[Call] = []
    program = bundle('import { call } from "gg/core";\nfunction inner() {\n  call("t.t", []);\n}\ninner();')

    pool.run(GuestProgram(js=program, seed=1), recording(calls))

    line = program.splitlines().index('  call("t.t", []);') + 1
    assert f"    at inner (program.js:{line}:3)\n" in calls[0].stack


def test_an_api_error_keeps_the_frames_of_the_program(pool: SandboxPool) -> None:
    program = bundle(
        'import { call } from "gg/core";\nfunction inner() {\n  call("t.t", [{ a: [[1n]] }]);\n}\ninner();'
    )

    outcome = pool.run(GuestProgram(js=program, seed=1), recording([]))

    assert isinstance(outcome, Threw)
    frames = [frame.split(" (")[0].strip() for frame in outcome.error.stack.splitlines()]
    assert frames == ["at ApiError", "at call", "at inner", "at <anonymous>"]


def test_an_error_of_the_programs_own_passes_through_the_encoder(pool: SandboxPool) -> None:
    program = bundle("""
import { call } from "gg/core";
call("t.t", [{ get a() { throw new RangeError("mine"); } }]);
""")

    outcome = pool.run(GuestProgram(js=program, seed=1), recording([]))

    assert isinstance(outcome, Threw)
    assert (outcome.error.name, outcome.error.message, outcome.error.code) == ("RangeError", "mine", None)


def recording(calls: list[Call]) -> Answerer:
    def answer(call: Call) -> str:
        calls.append(call)
        return '{"ok": null}'

    return answer
