"""What a call, an engine and a worker cost."""

import time
from collections.abc import Iterator

from host.app.bench.figures import Figure, Tell, middle
from host.app.bench.sessions import events_of
from host.events import CodeExecution
from runtime_js import guest_globals
from sandbox import Call, Ended, GuestProgram, SandboxPool, read_usage

_TIMES = 7  # that each is measured
_CALLS = 5_000
_ENGINES = 30
_READS = 4_000
# What the prelude leaves for the SDK; this program takes it in the SDK's place.
_RAW = """\
const { host } = globalThis[Symbol.for("gg.handle")]();
for (let i = 0; i < COUNT; i++) host("bench.nothing", "[]", "");
"""
_SDK = """\
import { memories } from "gg";
for (let i = 0; i < COUNT; i++) memories.readMemory("note");
"""
_CREATE = """\
import { memories } from "gg";
memories.createMemory({ name: "note", description: "A note.", body: "One line, read again and again." });
"""


def sandbox_figures(tell: Tell, *, times: int = _TIMES) -> Iterator[Figure]:
    """Measures in turn; some ten seconds."""
    tell("workers are started")
    yield _cold_start(times)
    with SandboxPool(globals=guest_globals(), size=1) as pool:
        tell("calls, engines and a worker")
        yield _raw_call(pool, times)
        yield _fresh_engine(pool, times * _ENGINES)
        yield _resident(pool)
    tell("calls of the SDK in a recorded session")
    yield _sdk_call(times)


def _cold_start(times: int) -> Figure:
    def start() -> float:
        began = time.perf_counter()
        with SandboxPool(globals=guest_globals(), size=1) as pool:
            _run(pool, "1 + 1;")
            return time.perf_counter() - began

    value = middle(start() for _ in range(times))
    how = f"new pool to the first result, median of {times}"
    return Figure(name="cold start of the first worker", value=value * 1e3, unit="ms", goal=60, how=how)


def _raw_call(pool: SandboxPool, times: int) -> Figure:
    def cost() -> float:
        return (_run(pool, _raw(_CALLS)) - _run(pool, _raw(0))) / _CALLS

    value = middle(cost() for _ in range(times))
    how = f"{_CALLS:,} calls in a program less none, median of {times}"
    return Figure(name="one call to the host and back", value=value * 1e6, unit="µs", goal=25, how=how)


def _fresh_engine(pool: SandboxPool, engines: int) -> Figure:
    value = middle(_run(pool, "1 + 1;") for _ in range(engines))
    how = f"1 + 1 in a fresh engine of a warm worker, median of {engines}"
    return Figure(name="fresh engine with the prelude", value=value * 1e3, unit="ms", goal=0.6, how=how)


def _resident(pool: SandboxPool) -> Figure:
    usages = map(read_usage, pool.worker_pids)
    value = max(usage.resident_bytes for usage in usages if usage is not None)
    how = "resident set of an idle worker that has run programs"
    return Figure(name="idle worker", value=value / 2**20, unit="MiB", goal=25, how=how)


def _sdk_call(times: int) -> Figure:
    many, none = _SDK.replace("COUNT", str(_READS)), _SDK.replace("COUNT", "0")
    programs = [_CREATE, *(program for _ in range(times) for program in (many, none))]
    runs = [e.event.run_ms for e in events_of(programs) if isinstance(e.event, CodeExecution)][1:]
    value = middle((runs[at] - runs[at + 1]) / _READS for at in range(0, len(runs), 2))
    how = f"{_READS:,} readMemory in a recorded session less none, median of {times}"
    return Figure(name="one SDK call through the bracket", value=value * 1e3, unit="µs", goal=60, how=how)


def _run(pool: SandboxPool, source: str) -> float:
    began = time.perf_counter()
    outcome = pool.run(GuestProgram(js=f"// benchmark\n{source}\n", seed=1), _answer)
    took = time.perf_counter() - began
    if not isinstance(outcome, Ended):
        raise RuntimeError(f"the benchmark's program did not end: {outcome}")
    return took


def _answer(call: Call) -> str:
    return '{"ok":null}'


def _raw(count: int) -> str:
    return _RAW.replace("COUNT", str(count))
