"""The host against workers that lie: real processes that speak the protocol wrongly, or not at all."""

import sys
from typing import Final

import pytest

from sandbox import (
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

LIMITS: Final = Limits(guest_s=0.2, value_bytes=100_000)

# What a lying worker has: frames as the protocol has them, and a start like an honest one's.
START: Final = """
import json, os, sys, time
def send(body):
    os.write(1, len(body).to_bytes(4) + body)
def tell(**head):
    send(json.dumps(head).encode())
def call():
    send(b'{"type":"called","operation":"","stack":""}\\n[]')
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


def run(source: str, *, answer: str = "{}") -> ProgramOutcome:
    child = spawn([sys.executable, "-I", "-S", "-c", START + source], rlimits=ResourceLimits())
    worker = WorkerHandle(child, GuestGlobals(prelude="", lazy={}), LIMITS)
    try:
        worker.ensure_ready("required")
        exchange = Exchange(worker, LIMITS, lambda call: answer)
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
