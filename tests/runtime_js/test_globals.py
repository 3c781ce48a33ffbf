"""The globals of every guest: what is there, what it does, and what says that it is not there."""

import json
import os
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from runtime_js.globals import guest_globals
from runtime_js.globals_build import GENERATED, LAZY, PRELUDE, PRELUDE_BYTES, build
from runtime_js.toolchain import find_toolchain
from sandbox import GuestProgram, LogLine, SandboxPool, Threw
from sandbox.process import ResourceLimits, spawn

CASES: Final = tomllib.loads(Path(__file__).with_name("said.toml").read_text("utf-8"))["case"]
LEVELS: Final = ("log", "info", "warn", "error", "debug", "dir")


@pytest.fixture(scope="module")
def pool() -> Iterator[SandboxPool]:
    with SandboxPool(globals=guest_globals()) as pool:
        yield pool


def lines_of(pool: SandboxPool, js: str, *, seed: int = 1) -> tuple[LogLine, ...]:
    return pool.run(GuestProgram(js=js, seed=seed), lambda call: '{"ok": null}').stats.logs


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["js"].strip()[:60])
def test_a_program_says(case: dict[str, str], pool: SandboxPool) -> None:
    said = [line.text for line in lines_of(pool, case["js"])]

    assert said[-1:] == ([case["said"]] if "said" in case else [])


def test_a_lone_surrogate_is_logged_as_it_is(pool: SandboxPool) -> None:
    js = "console.log('a\\ud800'); console.log('\u00e9\\ud800' + '\u20ac'.repeat(1_000))"

    assert lines_of(pool, js) == (
        LogLine("log", "a\ud800"),
        LogLine("log", "\u00e9\ud800" + "\u20ac" * 680 + "…"),
    )


def test_each_method_of_the_console_is_a_level(pool: SandboxPool) -> None:
    js = (
        "".join(f"console.{level}('x');" for level in LEVELS)
        + "function here() { console.trace('x') } here()"
    )

    lines = lines_of(pool, js)

    assert lines[:-1] == tuple(LogLine(level, "x") for level in LEVELS)
    assert lines[-1].level == "trace"
    assert "at here (program.js:1:" in lines[-1].text


def test_an_error_is_logged_with_its_stack(pool: SandboxPool) -> None:
    (line,) = lines_of(pool, "\nconsole.error('oh', new TypeError('bad'))")

    assert line == LogLine("error", "oh TypeError: bad\n    at <anonymous> (program.js:2:25)")


DRAWS: Final = """
const bytes = crypto.getRandomValues(new Uint8Array(5));
console.log(Math.random(), Math.random(), crypto.randomUUID(), bytes.join());
"""


def test_draws_follow_the_seed(pool: SandboxPool) -> None:
    first, again, other = (lines_of(pool, DRAWS, seed=seed)[0].text for seed in (7, 7, 8))

    assert first == again
    assert first != other
    assert lines_of(pool, DRAWS, seed=7 + 2**40)[0].text != first  # a seed has 64 bits


def test_the_clock_is_that_of_the_machine(pool: SandboxPool) -> None:
    before = time.time()
    (line,) = lines_of(pool, "console.log(Date.now())")
    after = time.time()

    assert int(before * 1000) <= int(line.text) <= int(after * 1000) + 1


def test_draws_are_spread_evenly(pool: SandboxPool) -> None:
    js = """
const counts = new Array(10).fill(0);
for (let i = 0; i < 20_000; i++) counts[Math.floor(Math.random() * 10)]++;
console.log(Math.min(...counts) > 1_800, Math.max(...counts) < 2_200);
"""

    assert lines_of(pool, js)[0].text == "true true"


def test_a_lazy_global_needs_no_intact_library(pool: SandboxPool) -> None:
    outcome = pool.run(
        GuestProgram(js="Array.prototype.join = () => 'x'; console.log([1, 2]); setTimeout();", seed=1),
        lambda call: "",
    )

    assert isinstance(outcome, Threw)
    assert [line.text for line in outcome.stats.logs] == ["[1,2]"]


def test_the_generated_sources_are_those_of_the_typescript() -> None:
    generated = json.loads(GENERATED.read_text(encoding="utf-8"))

    assert generated == build(find_toolchain().esbuild), "run python -m runtime_js.globals_build"


def test_the_prelude_is_small_and_on_one_line() -> None:
    prelude = guest_globals().prelude

    assert len(prelude) <= PRELUDE_BYTES == 3_000
    assert "\n" not in prelude


def test_each_lazy_global_has_a_source() -> None:
    assert sorted(guest_globals().lazy) == sorted(name for names in LAZY.values() for name in names)


def test_the_guest_code_is_well_typed() -> None:
    toolchain = find_toolchain()
    child = spawn([str(toolchain.tsc), "--project", str(PRELUDE)], rlimits=ResourceLimits(cpu_s=60))
    said = b""
    while chunk := os.read(child.stdout_fd, 65_536):
        said += chunk

    assert (child.close(), said.decode()) == (0, "")
