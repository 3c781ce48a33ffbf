"""The host against workers that lie: real processes that speak the protocol wrongly, or not at all."""

import sys
from typing import Final

import pytest

from sandbox import (
    Answerer,
    Background,
    Call,
    ConfinementUnavailable,
    Ended,
    GuestGlobals,
    GuestProgram,
    HitCeiling,
    Limits,
    ProgramOutcome,
    SpawnFailed,
    WorkerBrokeProtocol,
    WorkerCrashed,
)
from sandbox.checkout import Exchange
from sandbox.handle import WorkerHandle
from sandbox.process import ResourceLimits, spawn

LIMITS: Final = Limits(guest_s=0.2, value_bytes=100_000, backlog_bytes=150_000, calls=50, started_at_once=4)
TOOLS: Final = Background(may=lambda operation: operation == "tool.a")

# What a lying worker has: frames as the protocol has them, and a start like an honest one's.
START: Final = """
import json, os, sys, time
def send(body):
    os.write(1, len(body).to_bytes(4) + body)
def tell(**head):
    send(json.dumps(head).encode())
def call():
    send(b'{"type":"called","operation":"","stack":""}\\n[]')
def begin(operation="tool.a", arguments=b"[]"):
    send(json.dumps({"type": "started", "operation": operation, "stack": ""}).encode() + b"\\n" + arguments)
    return read()
def complete():
    tell(type="waiting")
    return read()
def read():
    length = int.from_bytes(os.read(0, 4))
    body = b""
    while len(body) < length:
        body += os.read(0, length - len(body))
    return body
CONFINED = {"seccomp": True, "no_new_privs": True, "rlimits": True, "reason": ""}
def start(**confinement):
    read()
    tell(type="ready", confinement=CONFINED | confinement)
    read()
def forever():
    while True:
        time.sleep(600)
"""


def run(source: str, *, answer: str | Answerer = "{}") -> ProgramOutcome:
    answerer = (lambda call: answer) if isinstance(answer, str) else answer
    child = spawn([sys.executable, "-I", "-S", "-c", START + source], rlimits=ResourceLimits())
    worker = WorkerHandle(child, GuestGlobals(prelude="", lazy={}), LIMITS)
    try:
        worker.ensure_ready("required")
        exchange = Exchange(worker, LIMITS, answerer, background=TOOLS)
        return exchange.run(GuestProgram(js="", seed=1))
    finally:
        worker.close()


def test_one_that_is_honest() -> None:
    outcome = run("""
start()
tell(type="logged", level="log", text="line")
send(b'{"type":"called","operation":"a.b","stack":"s"}\\n[1]')
assert read() == b"{}"
tell(type="ended", outcome={"kind": "ended"})
""")

    assert isinstance(outcome, Ended)
    assert (outcome.stats.calls, [line.text for line in outcome.stats.logs]) == (1, ["line"])


BROKEN: Final = {
    "garbage": ("start(); os.write(1, b'Traceback (most recent')", "a frame of 1,416,782,179 bytes"),
    "no_json": ("start(); send(b'nonsense')", "a head that is no JSON"),
    "unknown": ("start(); tell(type='done')", "a message of type 'done'"),
    "ready_twice": ("start(); tell(type='ready', confinement=CONFINED)", "a message out of turn"),
    "gives_up": ("start(); tell(type='fatal', reason='no more')", "it gave up: no more"),
    "long_line": ("start(); tell(type='logged', level='log', text='x' * 2_049)", "a log line of 2,049 bytes"),
    "deep": ("start(); send(b'[' * 100_000)", "a head nested deeper than 4"),
    "waits_for_nothing": ("start(); tell(type='waiting')", "it waits, and no call is open"),
    "waits_once_too_often": ("start(); begin(); complete(); complete()", "it waits, and no call is open"),
    "waits_for_a_refused_one": (
        "start(); begin(arguments=b'[' * 99); complete()",
        "it waits, and no call is open",
    ),
    "ends_with_an_open_call": (
        "start(); begin(); tell(type='ended', outcome={'kind': 'ended'})",
        "it ended, and a call is open",
    ),
    "waits_with_a_value": (
        'start(); begin(); send(b\'{"type":"waiting"}\\n1\')',
        "a value after a 'waiting'",
    ),
    "starts_nothing": (
        "start(); tell(type='started', operation='a', stack='')",
        "a call without arguments and without their size",
    ),
    "too_early": ("read(); tell(type='ended', outcome={'kind': 'ended'})", "a message before it was ready"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_one_that_breaks_the_protocol(name: str) -> None:
    source, detail = BROKEN[name]

    with pytest.raises(WorkerBrokeProtocol) as caught:
        run(source)

    assert caught.value.detail.startswith(detail)


STALLING: Final = {
    "silent": "start(); forever()",
    "half_a_length": "start(); os.write(1, b'\\0\\0'); forever()",
    "half_a_frame": "start(); os.write(1, b'\\0\\0\\0\\x09{}'); forever()",
    "logs_for_ever": "start()\nwhile True: tell(type='logged', level='log', text='x')",
    "calls_for_ever": "start()\nwhile True: call(); read(); time.sleep(0.01)",
    "reads_no_answer": "start(); call(); forever()",
    "starts_and_does_no_more": "start(); begin(); begin(); forever()",
    "reads_no_completion": "start(); begin(); tell(type='waiting'); forever()",
    "starts_what_is_too_large_for_ever": "start()\nwhile True: begin(arguments=b'[' * 99); time.sleep(0.01)",
}


@pytest.mark.parametrize("name", STALLING)
def test_one_that_stalls_runs_into_the_ceiling(name: str) -> None:
    outcome = run(STALLING[name], answer='{"ok": "' + "x" * 90_000 + '"}')

    assert isinstance(outcome, HitCeiling)
    assert outcome.sentence == "Guest time: 0.2 s used, limit 0.2 s."


def test_one_that_dies() -> None:
    with pytest.raises(WorkerCrashed) as caught:
        run("start(); print('last words', file=sys.stderr); sys.exit(3)")

    assert (caught.value.exit_status, caught.value.stderr_tail) == (3, "last words\n")


@pytest.mark.slow
def test_one_that_only_closes_its_pipe() -> None:
    with pytest.raises(WorkerCrashed) as caught:
        run("start(); os.close(1); forever()")

    assert caught.value.exit_status == -9


def test_one_that_ran_out_of_memory() -> None:
    outcome = run("start(); os._exit(71)")

    assert isinstance(outcome, HitCeiling)
    assert outcome.sentence == "Memory: limit 256 MiB reached."


def test_one_that_dies_before_it_is_ready() -> None:
    with pytest.raises(SpawnFailed) as caught:
        run("sys.exit('no engine here')")

    assert str(caught.value) == ("cannot start a worker: it ended with exit status 1: no engine here")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no filter to require")
def test_one_that_cannot_be_confined() -> None:
    with pytest.raises(ConfinementUnavailable) as caught:
        run("start(seccomp=False, reason='Operation not permitted'); forever()")

    assert str(caught.value) == (
        "a worker cannot be confined on this machine: Operation not permitted; "
        'set sandbox.confine to "best-effort" to run programs with less isolation'
    )


CALLS: Final = {
    "too_deep": (b"[" * 66 + b"]" * 66, "invalid-argument"),
    "at_the_deepest": (b"[" * 65 + b"]" * 65, "answered"),
}


@pytest.mark.parametrize("name", CALLS)
def test_arguments_too_deep_are_refused_before_anybody_reads_them(name: str) -> None:
    arguments, found = CALLS[name]
    outcome = run(
        f"""
start()
send(b'{{"type":"called","operation":"a.b","stack":""}}\\n' + {arguments!r})
envelope = json.loads(read())
tell(type="logged", level="log", text=envelope.get("error", {{}}).get("code", "answered"))
tell(type="ended", outcome={{"kind": "ended"}})
"""
    )

    assert [line.text for line in outcome.stats.logs] == [found]


def test_a_started_call_is_answered_with_a_ticket_and_completed_once() -> None:
    outcome = run(
        """
start()
tickets = [begin(), begin("other"), begin()]
completions = dict(complete().split(b"\\n") for _ in tickets)
tell(type="logged", level="log", text=repr((tickets, sorted(completions.items()))))
tell(type="ended", outcome={"kind": "ended"})
"""
    )

    assert isinstance(outcome, Ended)
    assert [line.text for line in outcome.stats.logs] == [
        "([b'1', b'2', b'3'], [(b'1', b'{}'), (b'2', b'{}'), (b'3', b'{}')])"
    ]


# What a worker starts, what it is answered, and what the answerer is told.
STARTED: Final = {
    "too deep": ("begin(arguments=b'[' * 66)", "invalid-argument: arguments nested deeper than 64"),
    "too large": (
        "tell(type='started', operation='tool.a', stack='', bytes=100_001); found = read()",
        "limit-exceeded: Value: 100,001 bytes, limit 100,000 bytes.",
    ),
    "another operation, too deep": (
        "begin('other', b'[' * 66)",
        "invalid-argument: arguments nested deeper than 64",
    ),
}


@pytest.mark.parametrize("name", STARTED)
def test_a_call_that_cannot_be_started_is_refused_and_told(name: str) -> None:
    source, refusal = STARTED[name]
    told: list[Call] = []

    def answer(call: Call) -> str:
        told.append(call)
        return "{}"

    source = source if "found" in source else f"found = {source}"
    outcome = run(
        f"""
start()
{source}
error = json.loads(found)["error"]
tell(type="logged", level="log", text=error["code"] + ": " + error["message"])
tell(type="ended", outcome={{"kind": "ended"}})
""",
        answer=answer,
    )

    assert [line.text for line in outcome.stats.logs] == [refusal]
    assert [(call.arguments, call.refusal and call.refusal.message) for call in told] == [
        ("", refusal.partition(": ")[2])
    ]


FLOODS: Final = {
    "of calls": "begin(arguments=b'[' + b'1,' * 25_000 + b'1]')",
    "of calls that stay in the thread": "begin('other', b'[]')",
    "of small calls": "begin()",
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_of_started_calls_is_bounded(name: str) -> None:
    held: list[int] = []

    def answer(call: Call) -> str:
        held.append(len(call.arguments))
        return '{"ok": "' + "x" * 40_000 + '"}' if call.operation == "other" else "{}"

    outcome = run(f"start()\nwhile True: {FLOODS[name]}", answer=answer)

    assert isinstance(outcome, HitCeiling)
    assert outcome.ceiling in ("calls", "guest_time")
    assert len(held) == outcome.stats.calls  # each is told of, carried out or refused


def test_a_worker_that_starts_calls_and_dies_leaves_none_of_them_at_work() -> None:
    told: list[str] = []

    def answer(call: Call) -> str:
        told.append(call.refusal.message if call.refusal else "done")
        return "{}"

    with pytest.raises(WorkerCrashed):
        run("start()\nfor _ in range(9): begin()\nsys.exit(3)", answer=answer)

    assert len(told) == 9
    assert set(told) <= {"done", "the program ended before this call began"}
