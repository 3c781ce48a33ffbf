"""A program is ended from outside, at once and for as long as it is asked for."""

import threading
from typing import Final

from runtime_js.globals import guest_globals
from sandbox import Call, Ended, GuestProgram, HitCeiling, Limits, ProgramOutcome, SandboxPool, Stop

CALLS: Final = (
    'const { host } = globalThis[Symbol.for("gg.handle")]();'
    ' host("views.open_text", "[]", new Error().stack); for (;;);'
)


def run(pool: SandboxPool, js: str, stop: Stop, answer: object = None) -> ProgramOutcome:
    called = answer if callable(answer) else (lambda call: '{"ok":null}')
    return pool.run(GuestProgram(js=js, seed=1), called, stop=stop)


def test_a_program_that_runs_is_stopped() -> None:
    stop, running = Stop(), threading.Event()

    def answer(call: Call) -> str:
        running.set()
        return '{"ok":null}'

    with SandboxPool(globals=guest_globals(), limits=Limits()) as pool:
        asker = threading.Thread(target=lambda: (running.wait(), stop.ask()))
        asker.start()
        outcome = run(pool, CALLS, stop, answer)
        asker.join()

    assert isinstance(outcome, HitCeiling)
    assert outcome.ceiling == "stopped"
    assert outcome.sentence.startswith("Stopped from outside: ")
    assert outcome.last_call is not None
    assert outcome.last_call.operation == "views.open_text"


def test_a_call_that_is_under_way_is_completed() -> None:
    stop, ended = Stop(), []

    def answer(call: Call) -> str:
        stop.ask()
        ended.append(call.operation)
        return '{"ok":null}'

    with SandboxPool(globals=guest_globals(), limits=Limits()) as pool:
        outcome = run(pool, CALLS, stop, answer)

    assert isinstance(outcome, HitCeiling)
    assert ended == ["views.open_text"]


def test_what_begins_is_stopped_until_it_is_reset() -> None:
    stop = Stop()
    stop.ask()

    with SandboxPool(globals=guest_globals(), limits=Limits()) as pool:
        first = run(pool, "1;", stop)
        stop.reset()
        second = run(pool, "1;", stop)

    assert isinstance(first, HitCeiling)
    assert first.sentence == "Stopped from outside: 0.0 s of guest time used."
    assert isinstance(second, Ended)


def test_another_program_of_the_pool_goes_on() -> None:
    stop = Stop()
    stop.ask()

    with SandboxPool(globals=guest_globals(), limits=Limits()) as pool:
        assert isinstance(run(pool, "1;", Stop()), Ended)
