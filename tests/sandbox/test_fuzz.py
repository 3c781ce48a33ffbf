"""Generated programs that misuse whatever the global object holds: no worker crashes, no host is harmed."""

import random
from typing import Final

import pytest

from runtime_js.globals import guest_globals
from sandbox import Ended, GuestProgram, HitCeiling, Limits, NeverSettled, SandboxPool, Threw

PROGRAMS: Final = 1_000
LIMITS: Final = Limits(guest_s=0.15, memory_bytes=24 * 2**20, calls=50)

OBJECTS: Final = [
    "Object",
    "Object.prototype",
    "Array.prototype",
    "String.prototype",
    "Promise",
    "Promise.prototype",
    "Map.prototype",
    "Error",
    "Error.prototype",
    "JSON",
    "Reflect",
    "Symbol",
    "Function.prototype",
    "globalThis",
    "console",
    "Math",
    "RegExp.prototype",
    "Date.prototype",
    "Uint8Array.prototype",
    "Iterator.prototype",
    "crypto",
    "URL",
    "WeakMap.prototype",
    "performance",
    "BigInt.prototype",
    "FinalizationRegistry.prototype",
    "DataView.prototype",
    "Number.prototype",
    "URLSearchParams.prototype",
    "ArrayBuffer.prototype",
]

VALUES: Final = [
    "null",
    "undefined",
    "1",
    "-0",
    "1e400",
    "10n ** 40n",
    "'x'.repeat(1e5)",
    "'\\ud800\\0'",
    "{}",
    "[[]]",
    "() => 1",
    "new Proxy({}, { get: (t, k) => k, ownKeys: () => ['a', 'a'] })",
    "new Proxy([], { get() { throw 1 } })",
    "Symbol.iterator",
    "new Error('e')",
    "Promise.reject(2)",
    "new Map([[1, 2]])",
    "new Uint8Array(9)",
    "/(a+)+$/",
    "globalThis",
    "async () => { throw 3 }",
    "function* () { yield* this }",
    "new Date(NaN)",
    "class extends Array {}",
    "new WeakRef({})",
    "(() => { const a = []; a[0] = a; return a })()",
    "new Array(2 ** 32 - 1)",
    "Object.create(null)",
    "new (class extends Promise { constructor(f) { super(f) } })(() => {})",
    "{ then(resolve) { resolve({ then() { throw 4 } }) } }",
    "{ toString() { return host('t', '[]', '') }, get stack() { return host('t', '[]', '') } }",
]

STATEMENTS: Final = [
    "attempt(() => pick(OBJECT, NUMBER, (o, k) => { o[k] = (VALUE); }));",
    "attempt(() => pick(OBJECT, NUMBER, (o, k) => o[k].call((VALUE), (VALUE), (VALUE))));",
    "attempt(() => pick(OBJECT, NUMBER, (o, k) => new o[k]((VALUE), (VALUE))));",
    "attempt(() => host((VALUE), (VALUE), (VALUE)));",
    "try { console.log((VALUE), seen); } catch {}",
    "Promise.resolve((VALUE)).then((VALUE), (VALUE));",
    "try { await Promise.race([(VALUE), (VALUE), 1]); } catch (e) { seen.push(e); }",
    "queueMicrotask(() => seen.push((VALUE)));",
    "queueMicrotask(() => { throw (VALUE); });",
    "Error.prepareStackTrace = (VALUE);",
    "attempt(() => structuredClone((VALUE)));",
    "attempt(() => JSON.stringify((VALUE), (VALUE), (VALUE)));",
    "attempt(() => (0, eval)((VALUE)) && new Function((VALUE), (VALUE)));",
    "throw (VALUE);",
]

START: Final = """
const seen = [];
const { host } = globalThis[Symbol.for("gg.handle")]();
const attempt = (act) => {
  try {
    seen.push(act());
  } catch (error) {
    seen.push(error);
  }
};
const pick = (object, number, use) => {
  const keys = Reflect.ownKeys(object);
  use(object, keys[number % keys.length]);
};
"""


def generated(chance: random.Random) -> str:
    lines = []
    for _ in range(chance.randrange(3, 25)):
        line = chance.choice(STATEMENTS)
        while "(VALUE)" in line:
            line = line.replace("(VALUE)", f"({chance.choice(VALUES)})", 1)
        line = line.replace("OBJECT", chance.choice(OBJECTS)).replace("NUMBER", str(chance.randrange(60)))
        lines.append(line)
    return START + "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_generated_programs_end_in_an_outcome(seed: int) -> None:
    chance = random.Random(seed)
    with SandboxPool(globals=guest_globals(), limits=LIMITS) as pool:
        for _ in range(PROGRAMS // 4):
            js = generated(chance)
            outcome = pool.run(GuestProgram(js=js, seed=1), lambda call: '{"ok": null}')
            assert isinstance(outcome, Ended | Threw | NeverSettled | HitCeiling), js
        assert isinstance(pool.run(GuestProgram(js="1", seed=1), lambda call: "{}"), Ended)
