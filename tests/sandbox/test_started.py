"""Calls that a program starts and does not wait for: at once, in order, to their end whatever it does."""

import contextvars
import json
import os
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
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
    Limits,
    NeverSettled,
    PoolClosed,
    ProgramOutcome,
    SandboxPool,
    SpawnFailed,
    Threw,
    WorkerCrashed,
)
from sandbox.started import StartedCalls

LIMITS: Final = Limits(guest_s=20.0, memory_bytes=64 * 2**20)
WAIT_S: Final = 20
# What the SDK does with the handle, in short: `later` gives a promise, `call` an answer.
SDK: Final = """\
const { host, start, onComplete } = globalThis[Symbol.for("gg.handle")]();
const open = new Map();
const failure = (reply) => Object.assign(new Error(reply.error.message), { code: reply.error.code });
onComplete((ticket, envelope) => {
  const [resolve, reject] = open.get(ticket);
  open.delete(ticket);
  const reply = JSON.parse(envelope);
  reply.error ? reject(failure(reply)) : resolve(reply.ok);
});
const call = (name, ...args) => JSON.parse(host(name, JSON.stringify(args), new Error().stack)).ok;
const later = (name, ...args) => new Promise((resolve, reject) => {
  const reply = JSON.parse(start(name, JSON.stringify(args), new Error().stack));
  typeof reply == "number" ? open.set(reply, [resolve, reject]) : reject(failure(reply));
});
const log = (...values) => console.log(values.map((value) => JSON.stringify(value)).join(" "));
const range = (count) => Array.from({ length: count }, (_, index) => index);
"""
SPIN: Final = "for (;;);"
TOOLS: Final = Background(may=lambda operation: operation.startswith("tool."))


@pytest.fixture
def pool() -> Iterator[SandboxPool]:
    with SandboxPool(globals=guest_globals(), limits=LIMITS) as pool:
        yield pool
        assert threads() == []


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "gg-started-call"]


def run(
    pool: SandboxPool,
    js: str,
    answer: Answerer,
    *,
    budget_s: float | None = None,
    background: Background = TOOLS,
) -> ProgramOutcome:
    return pool.run(GuestProgram(js=SDK + js, seed=1), answer, budget_s=budget_s, background=background)


def logged(outcome: ProgramOutcome) -> list[str]:
    return [line.text for line in outcome.stats.logs]


class Echo:
    """Answers with the arguments, or fails, and keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, call: Call) -> str:
        self.asked.append(call.operation)
        if call.refusal is not None:
            return "{}"
        if call.operation == "tool.fail":
            return '{"error": {"code": "refused", "operation": "tool.fail", "message": "no"}}'
        return json.dumps({"ok": json.loads(call.arguments)})


# ---- what a program makes of them

# A program, what it logs, and the message it ends with, where it does not end well.
PROGRAMS: Final = {
    "awaited": ("log(await later('tool.echo', 1, null, 'é\\0'));", ['[1,null,"é\\u0000"]'], None),
    "never awaited": ("later('tool.echo', 1); log('end');", ['"end"'], None),
    "all": (
        "log(await Promise.all(range(100).map((n) => later('tool.echo', n))));",
        [json.dumps([[n] for n in range(100)], separators=(",", ":"))],
        None,
    ),
    "all settled": (
        "const found = await Promise.allSettled([later('tool.echo', 1), later('tool.fail')]);"
        " log(found.map(({ status }) => status));",
        ['["fulfilled","rejected"]'],
        None,
    ),
    "race": ("log(await Promise.race([new Promise(() => {}), later('tool.echo', 1)]));", ["[1]"], None),
    "any": ("log(await Promise.any([later('tool.fail'), later('tool.echo', 2)]));", ["[2]"], None),
    "a caught failure": (
        "try { await later('tool.fail'); } catch (error) { log(error.message, error.code); }",
        ['"no" "refused"'],
        None,
    ),
    "a failure that is handled later": (
        "const failed = later('tool.fail'); failed.then(() => {}, () => {}); await later('tool.echo');"
        " await later('tool.echo'); failed.catch((error) => log(error.message));",
        ['"no"'],
        None,
    ),
    "a failure that nobody handles": ("later('tool.fail'); log('on');", ['"on"'], "no"),
    "one of two that nobody handles": ("await later('tool.echo'); later('tool.fail');", [], "no"),
    "one after another": (
        "later('tool.echo', 1).then((found) => later('tool.echo', ...found, 2)).then(log);",
        ["[1,2]"],
        None,
    ),
    "started when the program had ended": (
        "queueMicrotask(() => { later('tool.echo', 1).then((found) => { log(found);"
        " queueMicrotask(() => later('tool.echo', 2).then(log)); }); }); log('end');",
        ['"end"', "[1]", "[2]"],
        None,
    ),
    "an asynchronous generator": (
        "async function* found() { for (const n of range(3)) yield await later('tool.echo', n); }"
        " for await (const one of found()) log(one);",
        ["[0]", "[1]", "[2]"],
        None,
    ),
    "promises in a loop": (
        "for await (const one of range(3).map((n) => later('tool.echo', n))) log(one);",
        ["[0]", "[1]", "[2]"],
        None,
    ),
    "complete after the program threw": (
        "later('tool.echo', 1).then(log); throw new Error('top');",
        ["[1]"],
        "top",
    ),
    "begun after the program threw": (
        "later('tool.echo', 1).then(() => later('tool.echo', 2)).then(log); throw new Error('top');",
        ["[2]"],
        "top",
    ),
    "started by a getter of what was thrown": (
        "throw Object.defineProperty(new Error(), 'message', { get: () => (later('tool.echo'), 'read') });",
        [],
        "read",
    ),
    "beside calls that are waited for": (
        "const first = later('tool.echo', 1); log(call('other', 2)); log(await first);",
        ["[2]", "[1]"],
        None,
    ),
    "a listener that throws": (
        "onComplete(() => { throw new Error('mine'); }); later('tool.echo');",
        [],
        "mine",
    ),
    "no listener": ("onComplete(undefined); later('tool.echo'); log('end');", ['"end"'], None),
    "an answer that is nothing": ("onComplete((_, found) => log(found)); later('other');", ['"{}"'], None),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, pool: SandboxPool) -> None:
    js, lines, message = PROGRAMS[name]
    echo = Echo()

    outcome = run(pool, js, lambda call: "{}" if js.endswith("later('other');") else echo(call))

    assert logged(outcome) == lines
    assert (outcome.error.message if isinstance(outcome, Threw) else None) == message
    assert isinstance(outcome, Ended | Threw)


def test_each_is_answered_whatever_becomes_of_its_program(pool: SandboxPool) -> None:
    echo = Echo()

    outcome = run(pool, "for (const n of range(40)) later('tool.echo', n); throw new Error('top');", echo)

    assert isinstance(outcome, Threw)
    assert outcome.stats.calls == 40
    assert echo.asked == ["tool.echo"] * 40


def test_a_promise_that_no_call_can_settle_is_still_found(pool: SandboxPool) -> None:
    outcome = run(pool, "await later('tool.echo'); await new Promise(() => {});", Echo())

    assert isinstance(outcome, NeverSettled)


def test_the_worker_serves_the_next_program(pool: SandboxPool) -> None:
    run(pool, "later('tool.echo');", Echo())
    before = pool.worker_pids
    outcome = run(pool, "log(await later('tool.echo', 1));", Echo())

    assert (logged(outcome), pool.worker_pids) == (["[1]"], before)


# ---- at once, and in order


def test_two_are_at_work_at_the_same_time(pool: SandboxPool) -> None:
    both = threading.Barrier(2)

    def answer(call: Call) -> str:
        both.wait(WAIT_S)
        return "{}"

    outcome = run(pool, "await Promise.all([later('tool.a'), later('tool.b')]);", answer)

    assert isinstance(outcome, Ended)


def test_of_seventeen_the_last_waits_for_a_thread(pool: SandboxPool) -> None:
    begun: list[int] = []
    begun_by_sixteen: list[list[int]] = []
    sixteen = threading.Barrier(16, action=lambda: begun_by_sixteen.append(sorted(begun)))

    def answer(call: Call) -> str:
        (number,) = json.loads(call.arguments)
        begun.append(number)
        if number < 16:
            sixteen.wait(WAIT_S)
        return "{}"

    outcome = run(pool, "for (const n of range(17)) later('tool.a', n);", answer)

    assert isinstance(outcome, Ended)
    assert begun_by_sixteen == [list(range(16))]
    assert begun[16:] == [16]


def test_those_that_wait_begin_in_the_order_of_their_start() -> None:
    begun: list[int] = []

    def answer(call: Call) -> str:
        begun.extend(json.loads(call.arguments))
        return "{}"

    with SandboxPool(globals=guest_globals(), limits=replace(LIMITS, started_at_once=1)) as pool:
        run(pool, "for (const n of range(50)) later('tool.a', n);", answer)

    assert begun == list(range(50))


def test_a_program_goes_on_while_a_call_is_at_work(pool: SandboxPool) -> None:
    released = threading.Event()

    def answer(call: Call) -> str:
        if call.operation == "release":
            released.set()
        elif not released.wait(WAIT_S):
            return "{}"
        return '{"ok": "done"}'

    outcome = run(pool, "const slow = later('tool.slow'); call('release'); log(await slow);", answer)

    assert logged(outcome) == ['"done"']


def test_one_that_may_not_run_in_the_background_is_carried_out_alone(pool: SandboxPool) -> None:
    found: list[tuple[str, bool]] = []

    def answer(call: Call) -> str:
        found.append((call.operation, threading.current_thread() is threading.main_thread()))
        return json.dumps({"ok": call.operation})

    js = "log(await Promise.all(['files.read', 'tool.a', 'views.open'].map((name) => later(name))));"
    outcome = run(pool, js, answer)

    assert logged(outcome) == ['["files.read","tool.a","views.open"]']
    assert sorted(found) == [("files.read", True), ("tool.a", False), ("views.open", True)]


def test_without_a_background_none_runs_there(pool: SandboxPool) -> None:
    names: list[str] = []

    def answer(call: Call) -> str:
        names.append(threading.current_thread().name)
        return "{}"

    pool.run(GuestProgram(js=SDK + "await later('tool.a');", seed=1), answer)

    assert names == [threading.current_thread().name]


WHO: Final = contextvars.ContextVar("WHO", default="nobody")


def test_each_has_the_context_of_the_thread_that_runs_the_program(pool: SandboxPool) -> None:
    found: list[str] = []

    def answer(call: Call) -> str:
        found.append(WHO.get())
        WHO.set(call.operation)
        return "{}"

    reset = WHO.set("somebody")
    run(pool, "await later('tool.a'); await later('tool.b');", answer)
    WHO.reset(reset)

    assert found == ["somebody", "somebody"]


def test_the_host_is_told_when_it_does_nothing_but_wait(pool: SandboxPool) -> None:
    told: list[str] = []
    waits = threading.Event()

    @contextmanager
    def while_waiting() -> Iterator[None]:
        told.append("waits")
        waits.set()
        yield
        told.append("goes on")

    def answer(call: Call) -> str:
        if call.operation == "tool.slow":
            waits.wait(WAIT_S)
        told.append(call.operation)
        return "{}"

    background = replace(TOOLS, while_waiting=while_waiting)
    run(
        pool,
        "const slow = later('tool.slow'); call('first'); await slow; call('last');",
        answer,
        background=background,
    )

    assert told == ["first", "waits", "tool.slow", "goes on", "last"]


def test_a_wait_that_is_broken_off_ends_the_run(pool: SandboxPool) -> None:
    released = threading.Event()

    @contextmanager
    def while_waiting() -> Iterator[None]:
        released.set()
        raise KeyError("no slot")
        yield

    def answer(call: Call) -> str:
        released.wait(WAIT_S)
        return "{}"

    with pytest.raises(KeyError, match="no slot"):
        run(pool, "await later('tool.a');", answer, background=replace(TOOLS, while_waiting=while_waiting))


# ---- ceilings and ends


@contextmanager
def _released(event: threading.Event) -> Iterator[None]:
    event.set()
    yield


def test_a_loop_while_a_call_is_at_work_ends_in_the_ceiling_and_the_call_is_awaited(
    pool: SandboxPool,
) -> None:
    released, begun = threading.Event(), threading.Event()
    done: list[str] = []

    def answer(call: Call) -> str:
        if call.operation == "look":
            assert begun.wait(WAIT_S)
            return "{}"
        begun.set()
        released.wait(WAIT_S)
        done.append(call.operation)
        return "{}"

    # Whoever awaits the call lets it go: so the ceiling came first.
    background = replace(TOOLS, while_waiting=lambda: _released(released))
    js = f"later('tool.slow'); call('look'); {SPIN}"
    outcome = run(pool, js, answer, budget_s=0.2, background=background)

    assert isinstance(outcome, HitCeiling)
    assert outcome.ceiling == "guest_time"
    assert done == ["tool.slow"]


def test_time_that_a_program_waits_for_its_calls_is_no_guest_time(pool: SandboxPool) -> None:
    # The answer takes longer than the program may.
    def answer(call: Call) -> str:
        with SandboxPool(globals=guest_globals(), limits=replace(LIMITS, guest_s=0.4)) as other:
            assert isinstance(other.run(GuestProgram(js=SPIN, seed=1), Echo()), HitCeiling)
        return "{}"

    outcome = run(pool, "await later('tool.slow');", answer, budget_s=0.3)

    assert isinstance(outcome, Ended)
    assert outcome.stats.guest_s < 0.3


def test_those_that_had_not_begun_when_a_ceiling_ended_the_program_are_refused() -> None:
    released, begun = threading.Event(), threading.Event()
    found: list[tuple[str, str]] = []

    def answer(call: Call) -> str:
        if call.operation == "look":
            begun.wait(WAIT_S)
        elif call.refusal is None:
            begun.set()
            released.wait(WAIT_S)
        found.append(
            (call.operation, f"{call.refusal.code}: {call.refusal.message}" if call.refusal else "done")
        )
        return "{}"

    background = replace(TOOLS, while_waiting=lambda: _released(released))
    with SandboxPool(globals=guest_globals(), limits=replace(LIMITS, started_at_once=1)) as pool:
        js = f"later('tool.a'); later('tool.b'); later('tool.c'); call('look'); {SPIN}"
        outcome = run(pool, js, answer, budget_s=0.2, background=background)

    assert isinstance(outcome, HitCeiling)
    assert found == [
        ("look", "done"),
        ("tool.b", "unavailable: the program ended before this call began"),
        ("tool.c", "unavailable: the program ended before this call began"),
        ("tool.a", "done"),
    ]


def test_they_count_as_calls() -> None:
    echo = Echo()
    with SandboxPool(globals=guest_globals(), limits=replace(LIMITS, calls=3)) as pool:
        outcome = run(pool, "later('tool.a'); call('b'); later('tool.c'); later('tool.d', 4);", echo)

    assert isinstance(outcome, HitCeiling)
    assert (outcome.sentence, outcome.stats.calls) == ("SDK calls: 4th call, limit 3.", 4)
    assert outcome.last_call is not None
    assert (outcome.last_call.operation, outcome.last_call.arguments) == ("tool.d", "[4]")


def test_one_that_is_refused_is_refused_at_once(pool: SandboxPool) -> None:
    calls: list[Call] = []

    def answer(call: Call) -> str:
        calls.append(call)
        return "{}"

    js = (
        "for (const value of ['x'.repeat(8 * 2 ** 20), JSON.parse('['.repeat(70) + ']'.repeat(70))])"
        " try { await later('tool.a', value); } catch (error) { log(error.code, error.message); }"
    )
    outcome = run(pool, js, answer)

    assert logged(outcome) == [
        '"limit-exceeded" "Value: 8,388,612 bytes, limit 8,388,608 bytes."',
        '"invalid-argument" "arguments nested deeper than 64"',
    ]
    assert [call.refusal.code for call in calls if call.refusal] == ["limit-exceeded", "invalid-argument"]


def test_a_result_over_the_limit_is_a_failure(pool: SandboxPool) -> None:
    js = "try { await later('tool.a'); } catch (error) { log(error.code, error.message); }"
    outcome = run(pool, js, lambda call: json.dumps({"ok": "x" * 9 * 2**20}))

    assert logged(outcome) == ['"limit-exceeded" "Value: 9.0 MiB, limit 8 MiB."']


def test_a_result_at_the_limit_crosses(pool: SandboxPool) -> None:
    text = "x" * (8 * 2**20 - len('{"ok": ""}'))

    outcome = run(pool, "log((await later('tool.a')).length);", lambda call: json.dumps({"ok": text}))

    assert logged(outcome) == [str(len(text))]


def test_a_result_that_the_memory_cannot_take_is_a_failure_that_can_be_caught(pool: SandboxPool) -> None:
    js = (
        "const found = later('tool.a'); let full = [];"
        " try { for (;;) full.push(new Uint8Array(2 ** 20)); } catch {}"
        " try { await found; } catch (error) { full = []; log(error.code, error.message); }"
    )
    outcome = run(pool, js, lambda call: json.dumps({"ok": "x" * 7 * 2**20}))

    assert logged(outcome) == ['"limit-exceeded" "out of memory"']
    assert isinstance(outcome, Ended)


def test_calls_that_would_not_find_room_are_refused() -> None:
    released, begun = threading.Event(), threading.Event()

    def answer(call: Call) -> str:
        if call.operation == "look":
            begun.wait(WAIT_S)
        elif call.operation == "release":
            released.set()
        elif call.refusal is None:
            begun.set()
            released.wait(WAIT_S)
        return "{}"

    limits = replace(LIMITS, started_at_once=1, backlog_bytes=100_000)
    js = """
later("tool.a"); call("look");
const all = [later("tool.b", "x".repeat(60_000)), later("tool.c", "x".repeat(60_000)), later("tool.d")];
call("release");
log((await Promise.allSettled(all)).map(({ reason }) => reason?.code + " " + reason?.message));
"""
    with SandboxPool(globals=guest_globals(), limits=limits) as pool:
        outcome = run(pool, js, answer)

    (line,) = logged(outcome)
    first, refused, last = json.loads(line)
    assert (first, last) == ("undefined undefined", "undefined undefined")
    assert re.fullmatch(r"limit-exceeded Calls that wait: 117\.\d KiB, limit 97\.7 KiB\.", refused)


def test_results_that_would_not_find_room_are_refused() -> None:
    echo = Echo()
    js = """
const all = range(4).map((n) => later("alone", "x".repeat(60_000)));
log((await Promise.allSettled(all)).map(({ reason }) => reason && reason.message));
log((await later("alone", 1)));
"""
    with SandboxPool(globals=guest_globals(), limits=replace(LIMITS, backlog_bytes=100_000)) as pool:
        outcome = run(pool, js, echo)

    sentence = '"Results that wait: 117.2 KiB, limit 97.7 KiB."'
    assert logged(outcome) == [f"[null,null,{sentence},{sentence}]", "[1]"]
    assert echo.asked == ["alone"] * 5  # of the refused ones it is told as well


def test_no_call_begins_while_results_wait_beyond_their_size() -> None:
    found_waiting: list[bool] = []

    def carry_out(call: Call) -> bytes:
        found_waiting.append(calls.has_result())
        return b"x" * 11

    limits = replace(LIMITS, backlog_bytes=10, started_at_once=1)
    calls = StartedCalls(limits, carry_out=carry_out, refuse=Echo(), on_failure=lambda: None)
    with calls:
        tickets = [calls.start(Call("tool.a", "[]", "")) for _ in range(20)]
        for ticket in tickets:
            calls.wait(lambda: True)
            assert calls.take() == (ticket, b"x" * 11)

    assert found_waiting == [False] * 20


# ---- failures


def test_an_answer_that_raises_ends_the_worker_and_leaves_run(pool: SandboxPool) -> None:
    echo = Echo()

    def answer(call: Call) -> str:
        echo(call)
        raise KeyError(call.operation)

    with pytest.raises(KeyError, match=r"tool\.a"):
        run(pool, f"later('tool.a'); {SPIN}", answer)

    assert echo.asked == ["tool.a"]
    assert isinstance(run(pool, "1", Echo()), Ended)


def test_after_an_answer_that_raised_the_answerer_is_told_nothing_more() -> None:
    begun, release = threading.Event(), threading.Event()
    echo = Echo()

    def answer(call: Call) -> str:
        echo(call)
        if call.operation == "release":
            begun.wait(WAIT_S)
            release.set()
            return "{}"
        begun.set()
        release.wait(WAIT_S)
        raise KeyError(call.operation)

    js = f"for (const name of ['a', 'b', 'c']) later('tool.' + name); call('release'); {SPIN}"
    one_at_once = SandboxPool(globals=guest_globals(), limits=replace(LIMITS, started_at_once=1))
    with one_at_once, pytest.raises(KeyError, match=r"tool\.a"):
        run(one_at_once, js, answer)

    assert sorted(echo.asked) == ["release", "tool.a"]


def test_an_answer_that_raises_for_a_call_that_was_dropped_leaves_run() -> None:
    released, begun = threading.Event(), threading.Event()

    def answer(call: Call) -> str:
        if call.refusal is not None:
            released.set()
            raise KeyError(call.operation)
        if call.operation == "look":
            begun.wait(WAIT_S)
        else:
            begun.set()
            released.wait(WAIT_S)
        return "{}"

    js = f"later('tool.a'); later('tool.b'); later('tool.c'); call('look'); {SPIN}"
    one_at_once = SandboxPool(globals=guest_globals(), limits=replace(LIMITS, started_at_once=1))
    with one_at_once, pytest.raises(KeyError, match=r"tool\.b"):
        run(one_at_once, js, answer, budget_s=0.2)


def test_a_worker_killed_while_calls_are_open_is_a_crash_and_they_are_answered(pool: SandboxPool) -> None:
    all_begun, released = threading.Barrier(17), threading.Event()
    found: list[tuple[str, bool]] = []

    def answer(call: Call) -> str:
        if call.operation == "kill":
            all_begun.wait(WAIT_S)
            for pid in pool.worker_pids:
                os.kill(pid, signal.SIGKILL)
        elif call.refusal is None:
            all_begun.wait(WAIT_S)
            released.wait(WAIT_S)
        found.append((call.operation, call.refusal is None))
        return "{}"

    js = "for (const n of range(20)) later('tool.' + n); call('kill');"
    with pytest.raises(WorkerCrashed, match="signal 9"):
        run(pool, js, answer, background=replace(TOOLS, while_waiting=lambda: _released(released)))

    assert sorted(found) == sorted([("kill", True), *((f"tool.{n}", n < 16) for n in range(20))])
    assert isinstance(run(pool, "1", Echo()), Ended)


def test_closing_the_pool_ends_a_program_that_waits(pool: SandboxPool) -> None:
    waits, released = threading.Event(), threading.Event()
    errors: list[BaseException] = []
    found: list[tuple[str, bool]] = []

    def answer(call: Call) -> str:
        if call.refusal is None:
            released.wait(WAIT_S)
        found.append((call.operation, call.refusal is None))
        if call.refusal is not None and len(found) == 4:
            released.set()
        return "{}"

    def run_it() -> None:
        js = "await Promise.all(range(20).map((n) => later('tool.' + n)));"
        try:
            run(pool, js, answer, background=replace(TOOLS, while_waiting=lambda: _released(waits)))
        except PoolClosed as error:
            errors.append(error)

    thread = threading.Thread(target=run_it)
    thread.start()
    assert waits.wait(WAIT_S)
    pool.close()
    thread.join()

    assert [str(error) for error in errors] == ["the sandbox pool is closed; no program runs in it any more"]
    assert found[:4] == [(f"tool.{n}", False) for n in range(16, 20)]
    assert sorted(found[4:]) == sorted((f"tool.{n}", True) for n in range(16))


def test_a_thread_that_cannot_be_started(pool: SandboxPool, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(SpawnFailed) as caught:
        run(pool, "later('tool.a');", Echo())
    monkeypatch.undo()

    assert str(caught.value) == "cannot start a thread for a started call: can't start new thread"
    assert isinstance(run(pool, "1", Echo()), Ended)


# ---- many


@pytest.mark.slow
def test_ten_thousand(pool: SandboxPool) -> None:
    at_work: set[int] = set()
    most = 0
    lock = threading.Lock()

    def answer(call: Call) -> str:
        nonlocal most
        (number,) = json.loads(call.arguments)
        with lock:
            at_work.add(number)
            most = max(most, len(at_work))
        with lock:
            at_work.discard(number)
        return json.dumps({"ok": number})

    js = """
const found = await Promise.all(range(10_000).map((n) => later("tool.a", n)));
log(found.every((value, n) => value === n));
"""
    outcome = run(pool, js, answer)

    assert logged(outcome) == ["true"]
    assert outcome.stats.calls == 10_000
    assert most <= 16
