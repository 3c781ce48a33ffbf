"""Generated programs against the bare engine: no worker crashes, none hangs, no host is harmed.

Half of `--fuzz-examples` are tried here, the others in `tests/e2e/test_hostile_programs.py`; `--fuzz-seed` is
what they are drawn from.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Final

import pytest

from runtime_js.globals import guest_globals
from sandbox import Background, Ended, GuestProgram, HitCeiling, Limits, NeverSettled, SandboxPool, Threw
from tests.helpers.guest_sdk import bundle_all
from tests.helpers.hostile import Hostile
from tests.helpers.processes import resident_bytes

SHARDS: Final = 4
BUNDLED_AT_ONCE: Final = 200
LIMITS: Final = Limits(guest_s=0.15, memory_bytes=24 * 2**20, calls=50)
EVERYTHING: Final = Background(may=lambda operation: True)
OVER_CEILING_S: Final = 1.0
HOST_GROWTH_BYTES: Final = 64 * 2**20
# The handle that waits for the SDK is there for whoever is first.
HANDLE: Final = """
const { host, start, onComplete } = globalThis[Symbol.for("gg.handle")]();
const raw = {
  call: (...values: any[]) => (host as any)(...values),
  start: (...values: any[]) => (start as any)(...values),
  onComplete: (...values: any[]) => (onComplete as any)(...values),
};
"""


@pytest.mark.parametrize("shard", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, SHARDS))])
def test_generated_programs_end_in_an_outcome(shard: int, fuzz_seed: int, fuzz_examples: int) -> None:
    grammar = Hostile(
        random.Random(f"{fuzz_seed}/{shard}"),
        start=HANDLE,
        calls=("raw.call", "raw.start", "raw.onComplete", "console.log"),
    )
    sources = [grammar.program() for _ in range(fuzz_examples // 2 // SHARDS)]
    before = resident_bytes()
    with SandboxPool(globals=guest_globals(), limits=LIMITS) as pool:
        for source, js in bundled(sources):
            outcome = pool.run(
                GuestProgram(js=js, seed=1), lambda call: '{"ok": null}', background=EVERYTHING
            )
            assert isinstance(outcome, Ended | Threw | NeverSettled | HitCeiling), source
            assert outcome.stats.guest_s <= LIMITS.guest_s + OVER_CEILING_S, source
        assert isinstance(pool.run(GuestProgram(js="1", seed=1), lambda call: "{}"), Ended)
    assert resident_bytes() - before < HOST_GROWTH_BYTES


def bundled(sources: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each program in TypeScript, and what it runs as."""
    for start in range(0, len(sources), BUNDLED_AT_ONCE):
        some = {f"program{n}": source for n, source in enumerate(sources[start : start + BUNDLED_AT_ONCE])}
        yield from ((some[name], js) for name, js in bundle_all(some).items())
