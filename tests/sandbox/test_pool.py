"""Outcomes of programs, and what becomes of workers: kept, replaced, crashed, closed, left by their host."""

import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import psutil
import pytest

from runtime_js.globals import guest_globals
from sandbox import (
    Call,
    Ended,
    GuestError,
    GuestProgram,
    HitCeiling,
    Limits,
    LogLine,
    NeverSettled,
    PoolClosed,
    ProgramOutcome,
    SandboxPool,
    Threw,
    WorkerCrashed,
)
from sandbox.handle import PROGRAMS_PER_WORKER

LIMITS: Final = Limits(guest_s=5.0, memory_bytes=64 * 2**20)
# The handle that waits for the SDK serves a test as well.
CALL: Final = (
    'const { host } = globalThis[Symbol.for("gg.handle")]();'
    " const call = (name, ...args) => JSON.parse(host(name, JSON.stringify(args), new Error().stack)).ok;"
)
MIB: Final = 2**20
EXACT_LIMITS: Final = {
    "Max cpu time": ("60", "60"),
    "Max file size": ("65536", "65536"),
    "Max core file size": ("0", "0"),
    "Max processes": ("0", "0"),
    "Max open files": ("3", "3"),
    "Max stack size": ("8388608", "8388608"),
}
SPIN: Final = "for (;;);"
ROOT: Final = Path(__file__).parents[2]


@pytest.fixture
def pool() -> Iterator[SandboxPool]:
    with SandboxPool(globals=guest_globals(), limits=LIMITS) as pool:
        yield pool


def program(js: str) -> GuestProgram:
    return GuestProgram(js=js, seed=1)


def nothing(call: Call) -> str:
    return "{}"


def workers() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "launch.py" in " ".join(child.cmdline())]


def pids() -> set[int]:
    return {worker.pid for worker in workers()}


# ---- outcomes


def test_a_program_that_ends(pool: SandboxPool) -> None:
    outcome = pool.run(program("await null; console.log('a'); console.warn('b')"), nothing)

    assert isinstance(outcome, Ended)
    assert 0 < outcome.stats.guest_s < 5
    assert (outcome.stats.calls, outcome.stats.logs, outcome.stats.logs_dropped) == (
        0,
        (LogLine("log", "a"), LogLine("warn", "b")),
        0,
    )


def test_a_program_that_throws_is_located(pool: SandboxPool) -> None:
    outcome = pool.run(
        program("// one\nfunction f() {\n  throw new TypeError('no\\ud800');\n}\nf();"), nothing
    )

    assert isinstance(outcome, Threw)
    assert outcome.error == GuestError(
        name="TypeError",
        message="no\ud800",
        stack="    at f (program.js:3:13)\n    at <anonymous> (program.js:5:1)\n",
        code=None,
        operation=None,
        is_error=True,
    )


def test_text_that_is_evaluated_has_places_of_its_own(pool: SandboxPool) -> None:
    outcome = pool.run(program("\n\n(0, eval)('\\n\\nmissing');"), nothing)

    assert isinstance(outcome, Threw)
    assert outcome.error.stack == (
        "    at <eval> (<input>:3:1)\n    at eval (native)\n    at <anonymous> (program.js:3:5)\n"
    )


def test_a_program_that_does_not_parse(pool: SandboxPool) -> None:
    outcome = pool.run(program("let = = 1"), nothing)

    assert isinstance(outcome, Threw)
    assert (outcome.error.name, outcome.error.stack) == ("SyntaxError", "    at program.js:1:5\n")


THROWN: Final = [
    ("undefined", "undefined", "undefined"),
    ("null", "null", "null"),
    ("'text\\0\\ud800'", "string", "text\0\ud800"),
    ("7", "number", "7"),
    ("12n", "bigint", "12"),
    ("Symbol('s')", "symbol", "Symbol(s)"),
    ("{ a: 1, [Symbol('b')]: 2 }", "object", "own properties a, Symbol(b)"),
    ("{}", "object", "no own properties"),
    ("Object.freeze([1])", "object", "own properties 0, length"),
    ("() => 1", "function", "own properties length, name"),
    ("{ get a() { throw 1 } }", "object", "own properties a"),
    ("new Proxy({}, { ownKeys() { throw 1 } })", "object", "own properties that cannot be read"),
    (
        "Object.fromEntries([...Array(30).keys()].map((i) => [`k${i}`, i]))",
        "object",
        "own properties " + ", ".join(f"k{i}" for i in range(20)) + " and 10 more",
    ),
]


@pytest.mark.parametrize(("js", "kind", "message"), THROWN)
def test_what_is_thrown_without_being_an_error_is_described(
    js: str, kind: str, message: str, pool: SandboxPool
) -> None:
    outcome = pool.run(program(f"throw ({js});"), nothing)

    assert isinstance(outcome, Threw)
    assert outcome.error == GuestError(kind, message, "", None, None, False)


# A program, and the message of the rejection that ends it; None where it ends well.
REJECTIONS: Final = [
    ("(async () => { throw new Error('async'); })();", "async"),
    ("(async function* () { throw new Error('generator'); })().next();", "generator"),
    ("Promise.reject(new Error('first')); Promise.reject(new Error('second'));", "first"),
    ("new Promise(() => { throw new Error('executor'); });", "executor"),
    ("Promise.resolve().then(() => { throw new Error('then'); });", "then"),
    ("queueMicrotask(() => { throw new Error('job'); });", "job"),
    ("Promise.reject(new Error('elsewhere')); throw new Error('own');", "own"),
    ("Promise.reject(new Error('while waiting')); await new Promise(() => {});", "while waiting"),
    ("Promise.all([Promise.reject(new Error('one')), Promise.reject(new Error('other'))]);", "one"),
    ("const late = Promise.reject(new Error('x')); await null; await null; late.catch(() => 0);", None),
    ("(async () => { throw new Error('x'); })().catch(() => 0);", None),
    ("try { await (async () => { throw new Error('x'); })(); } catch {}", None),
    ("await Promise.allSettled([Promise.reject(new Error('x'))]);", None),
    ("const p = Promise.reject(new Error('x')); queueMicrotask(() => p.catch(() => 0));", None),
]


@pytest.mark.parametrize(("js", "message"), REJECTIONS)
def test_a_rejection_that_nobody_handles_ends_the_program(
    js: str, message: str | None, pool: SandboxPool
) -> None:
    outcome = pool.run(program(js), nothing)

    assert (outcome.error.message if isinstance(outcome, Threw) else None) == message
    assert isinstance(outcome, Ended | Threw)


def test_a_promise_that_nothing_settles(pool: SandboxPool) -> None:
    assert isinstance(pool.run(program("await new Promise(() => {})"), nothing), NeverSettled)


# ---- calls


def test_a_call_is_answered(pool: SandboxPool) -> None:
    calls: list[Call] = []

    def answer(call: Call) -> str:
        calls.append(call)
        return json.dumps({"ok": {"sum": sum(json.loads(call.arguments))}})

    outcome = pool.run(program(f"{CALL}\nconsole.log(call('math.add', 2, 3).sum)"), answer)

    assert [line.text for line in outcome.stats.logs] == ["5"]
    assert [(call.operation, call.arguments) for call in calls] == [("math.add", "[2,3]")]
    assert calls[0].stack.endswith("    at <anonymous> (program.js:2:13)\n")
    assert outcome.stats.calls == 1


def test_time_spent_answering_is_no_guest_time(pool: SandboxPool) -> None:
    # The answer waits for a program of another pool that takes longer than this one may.
    def answer(call: Call) -> str:
        with SandboxPool(globals=guest_globals(), limits=replace(LIMITS, guest_s=0.3)) as other:
            assert isinstance(other.run(program(SPIN), nothing), HitCeiling)
        return "{}"

    outcome = pool.run(program(f"{CALL} call('wait')"), answer, budget_s=0.2)

    assert isinstance(outcome, Ended)


def test_programs_that_wait_for_one_another_are_not_bounded() -> None:
    depths: list[int] = []
    with SandboxPool(globals=guest_globals(), limits=LIMITS, size=1) as pool:

        def answer(call: Call) -> str:
            (depth,) = json.loads(call.arguments)
            depths.append(depth)
            if depth < 6:
                assert isinstance(pool.run(program(f"{CALL} call('down', {depth + 1})"), answer), Ended)
            return "{}"

        assert isinstance(pool.run(program(f"{CALL} call('down', 1)"), answer), Ended)
        assert depths == [1, 2, 3, 4, 5, 6]
        assert len(pids()) == 1  # of six, the pool keeps its size


def test_many_programs_run_at_once(pool: SandboxPool) -> None:
    together = threading.Barrier(5)
    outcomes: list[ProgramOutcome] = []

    def answer(call: Call) -> str:
        together.wait(20)
        return "{}"

    def run() -> None:
        outcomes.append(pool.run(program(f"{CALL} call('meet')"), answer))

    threads = [threading.Thread(target=run) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [type(outcome) for outcome in outcomes] == [Ended] * 5


def test_an_answer_that_raises_ends_the_worker_and_leaves_run(pool: SandboxPool) -> None:
    def answer(call: Call) -> str:
        raise KeyError(call.operation)

    before = pids_after_a_program(pool)
    with pytest.raises(KeyError, match=r"some\.call"):
        pool.run(program(f"{CALL} call('some.call')"), answer)

    assert not before & pids()
    assert isinstance(pool.run(program("1"), nothing), Ended)


# ---- ceilings


def test_the_ceiling_of_guest_time_names_the_last_call(pool: SandboxPool) -> None:
    outcome = pool.run(program(f"{CALL}\ncall('a.first');\ncall('a.last');\n{SPIN}"), nothing, budget_s=0.2)

    assert isinstance(outcome, HitCeiling)
    assert (outcome.ceiling, outcome.sentence) == ("guest_time", "Guest time: 0.2 s used, limit 0.2 s.")
    assert outcome.last_call is not None
    assert outcome.last_call.operation == "a.last"
    assert outcome.last_call.stack.endswith("    at <anonymous> (program.js:3:1)\n")
    assert outcome.stats.calls == 2


def test_a_budget_only_lowers_the_limit() -> None:
    with SandboxPool(globals=guest_globals(), limits=replace(LIMITS, guest_s=0.2)) as pool:
        outcome = pool.run(program(SPIN), nothing, budget_s=60.0)

    assert isinstance(outcome, HitCeiling)
    assert outcome.sentence == "Guest time: 0.2 s used, limit 0.2 s."


def test_a_spent_budget_runs_nothing(pool: SandboxPool) -> None:
    outcome = pool.run(program("1"), nothing, budget_s=0.0)

    assert isinstance(outcome, HitCeiling)
    assert outcome.ceiling == "guest_time"


def test_the_ceiling_of_memory(pool: SandboxPool) -> None:
    outcome = pool.run(program("const a = []; for (;;) a.push('x'.repeat(1e6) + a.length);"), nothing)

    assert isinstance(outcome, HitCeiling)
    assert (outcome.ceiling, outcome.sentence) == ("memory", "Memory: limit 64 MiB reached.")


def test_the_ceiling_of_calls_cannot_be_caught() -> None:
    with SandboxPool(globals=guest_globals(), limits=replace(LIMITS, calls=3)) as pool:
        loop = f"{CALL} for (let i = 0; ; i++) {{ try {{ call('c', i); }} catch {{}} }}"
        outcome = pool.run(program(loop), nothing)

        assert isinstance(outcome, HitCeiling)
        assert (outcome.ceiling, outcome.sentence) == ("calls", "SDK calls: 4th call, limit 3.")
        assert outcome.last_call is not None
        assert outcome.last_call.arguments == "[3]"
        assert isinstance(pool.run(program("1"), nothing), Ended)


def test_the_log_keeps_its_tail() -> None:
    limits = replace(LIMITS, log_lines=3, log_bytes=10, log_line_bytes=6)
    with SandboxPool(globals=guest_globals(), limits=limits) as pool:
        many = pool.run(program("for (let i = 0; i < 9; i++) console.log(i)"), nothing).stats
        long = pool.run(program("console.log('abcdefgh'); console.log('€€€')"), nothing).stats

    assert ([line.text for line in many.logs], many.logs_dropped) == (["6", "7", "8"], 6)
    assert ([line.text for line in long.logs], long.logs_dropped) == (["€…"], 1)


def test_a_line_is_cut_at_its_limit_with_a_mark(pool: SandboxPool) -> None:
    js = "console.log('x'.repeat(2048)); console.log('x'.repeat(2049)); console.log('é'.repeat(2000))"
    logs = pool.run(program(js), nothing).stats.logs

    assert [line.text for line in logs] == ["x" * 2048, "x" * 2045 + "…", "é" * 1022 + "…"]


def test_a_killed_program_keeps_its_log(pool: SandboxPool) -> None:
    outcome = pool.run(program(f"console.error('before'); {SPIN}"), nothing, budget_s=0.2)

    assert outcome.stats.logs == (LogLine("error", "before"),)


# ---- workers


def pids_after_a_program(pool: SandboxPool) -> set[int]:
    assert isinstance(pool.run(program("1"), nothing), Ended)
    return pids()


def test_a_worker_is_kept_and_each_program_has_a_fresh_engine(pool: SandboxPool) -> None:
    before = pids_after_a_program(pool)
    pool.run(program("globalThis.left = 1; Array.prototype.map = null;"), nothing)
    outcome = pool.run(program("console.log(typeof left, typeof [].map)"), nothing)

    assert [line.text for line in outcome.stats.logs] == ["undefined function"]
    assert pids() == before


def test_a_worker_that_left_a_program_unfinished_is_replaced(pool: SandboxPool) -> None:
    before = pids_after_a_program(pool)
    pool.run(program(SPIN), nothing, budget_s=0.1)
    after = pids_after_a_program(pool)  # the other one is started while nobody waits

    assert len(after) == 1
    assert not before & after


def test_a_worker_is_retired_after_its_programs(pool: SandboxPool) -> None:
    before = pids_after_a_program(pool)
    for _ in range(PROGRAMS_PER_WORKER - 2):
        pool.run(program("1"), nothing)
    assert pids() == before
    pool.run(program("1"), nothing)
    after = pids_after_a_program(pool)

    assert len(after) == 1
    assert not before & after


def test_a_worker_killed_in_mid_run_is_a_crash_and_is_replaced(pool: SandboxPool) -> None:
    def kill(call: Call) -> str:
        for pid in pids():
            os.kill(pid, signal.SIGKILL)
        return "{}"

    with pytest.raises(WorkerCrashed) as caught:
        pool.run(program(f"{CALL} call('x')"), kill)

    assert (caught.value.exit_status, caught.value.doing) == (-9, "running a program")
    assert str(caught.value) == (
        "the worker died while running a program: signal 9; the pool has replaced it"
    )
    assert isinstance(pool.run(program("1"), nothing), Ended)


def test_a_worker_killed_while_idle_is_not_noticed(pool: SandboxPool) -> None:
    (pid,) = pids_after_a_program(pool)
    os.kill(pid, signal.SIGKILL)
    psutil.Process(pid).wait(10)

    assert isinstance(pool.run(program("1"), nothing), Ended)


def test_a_worker_has_no_environment_and_two_pipes(pool: SandboxPool) -> None:
    pids_after_a_program(pool)
    (worker,) = workers()
    links = {
        fd: os.readlink(f"/proc/{worker.pid}/fd/{fd}").split(":")[0]
        for fd in os.listdir(f"/proc/{worker.pid}/fd")
    }

    assert worker.environ() == {}
    assert links == {"0": "pipe", "1": "pipe", "2": "/memfd"}
    status = dict(line.split(":\t") for line in Path(f"/proc/{worker.pid}/status").read_text().splitlines())
    assert (status["NoNewPrivs"], status["Seccomp"], status["Threads"]) == ("1", "2", "1")


def test_a_worker_has_its_limits(pool: SandboxPool) -> None:
    pids_after_a_program(pool)
    (worker,) = workers()
    lines = Path(f"/proc/{worker.pid}/limits").read_text().splitlines()[1:]
    limits = {line[:26].strip(): tuple(line[26:].split()[:2]) for line in lines}

    assert {name: limits[name] for name in EXACT_LIMITS} == EXACT_LIMITS
    assert 128 * MIB <= int(limits["Max address space"][0]) <= 192 * MIB


def test_a_spare_worker_that_cannot_be_started_spoils_no_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(call: Call) -> str:
        monkeypatch.setattr(sys, "executable", "")
        return "{}"

    with SandboxPool(globals=guest_globals(), limits=LIMITS, keep_warm=2) as pool:
        outcome = pool.run(program(f"{CALL} call('a.b');"), answer)

        assert isinstance(outcome, Ended)
        assert len(pids()) == 1


def test_closing_leaves_no_process_and_runs_nothing_more() -> None:
    pool = SandboxPool(globals=guest_globals(), limits=LIMITS)
    pool.run(program("1"), nothing)
    pool.close()

    assert workers() == []
    with pytest.raises(PoolClosed):
        pool.run(program("1"), nothing)
    pool.close()


def test_closing_ends_what_runs() -> None:
    pool = SandboxPool(globals=guest_globals(), limits=LIMITS)
    running = threading.Event()
    errors: list[BaseException] = []

    def answer(call: Call) -> str:
        running.set()
        return "{}"

    def run() -> None:
        try:
            pool.run(program(f"{CALL} call('x'); {SPIN}"), answer)
        except PoolClosed as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert running.wait(20)
    pool.close()
    assert workers() == []
    thread.join()
    assert [str(error) for error in errors] == ["the sandbox pool is closed; no program runs in it any more"]


def test_no_descriptor_is_left(pool: SandboxPool) -> None:
    pids_after_a_program(pool)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        pool.run(program(SPIN), nothing, budget_s=0.05)

    assert len(os.listdir("/proc/self/fd")) == before


# Tells its workers' pids once the program runs, which then spins.
HOST: Final = """
import psutil
from runtime_js.globals import guest_globals
from sandbox import GuestProgram, SandboxPool

def answer(call):
    print(*(child.pid for child in psutil.Process().children()), flush=True)
    return "{}"

SandboxPool(globals=guest_globals()).run(GuestProgram(js=JS, seed=1), answer)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal is Linux's")
def test_a_spinning_worker_dies_with_a_killed_host() -> None:
    js = f"{CALL} call('x'); {SPIN}"
    source = f"JS = {js!r}\n{HOST}"
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, cwd=ROOT) as host:
        assert host.stdout is not None
        watched = [os.pidfd_open(int(pid)) for pid in host.stdout.readline().split()]
        host.kill()

    assert len(watched) == 1
    for pidfd in watched:
        # Readable when the process has ended.
        assert select.select([pidfd], [], [], 10)[0] == [pidfd]
        os.close(pidfd)
