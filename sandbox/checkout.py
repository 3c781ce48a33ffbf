"""One exchange: a program runs in a worker while the host answers its calls and watches its time.

The watchdog is the wait itself. Guest time runs while the host waits for the worker; a wait that reaches the
limit ends in a kill. After any outcome but a regular end the worker's state is not trusted: it is not used
again.

However a program ends, the calls that it started are complete by then: those at work are awaited, and the
answerer is told of those that had not begun.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, assert_never

from sandbox import looking
from sandbox.errors import WorkerBrokeProtocol
from sandbox.frames import VALUE_DEPTH, Called, EndedRun, Fatal, Logged, Message, Ready, Waiting
from sandbox.handle import WorkerHandle
from sandbox.limits import (
    Limits,
    calls_sentence,
    guest_time_sentence,
    is_value_sentence,
    memory_sentence,
    stopped_sentence,
    value_sentence,
)
from sandbox.log_tail import LogTail
from sandbox.outcome import (
    Ceiling,
    Ended,
    GuestError,
    HitCeiling,
    NeverSettled,
    ProgramOutcome,
    RunStats,
    Threw,
)
from sandbox.pipe import PastDeadline, WorkerGone
from sandbox.program import Answerer, Background, Call, CallRefusal, GuestProgram
from sandbox.protocol import frame
from sandbox.started import StartedCalls
from sandbox.stop import Stop

__all__ = ["Exchange"]

_MAX_REFUSAL_CHARS: Final = 64 * 2**10  # far beyond any message; the limit of values is for results
_SEED_MASK: Final = 2**64 - 1


class Exchange:
    """One run of one program. `at_rest` tells afterwards whether the worker ended it regularly."""

    def __init__(
        self,
        worker: WorkerHandle,
        limits: Limits,
        answer: Answerer,
        *,
        budget_s: float | None = None,
        background: Background | None = None,
        stop: Stop | None = None,
    ) -> None:
        self.at_rest = False
        self._worker: Final = worker
        self._limits: Final = limits
        self._answer: Final = answer
        self._background: Final = background or Background()
        self._stop: Final = stop or Stop()
        self._limit_s: Final = limits.guest_s if budget_s is None else min(budget_s, limits.guest_s)
        self._used_s = 0.0
        self._calls = 0
        self._last_call: Call | None = None
        self._logs: Final = LogTail(limits)

    def run(self, program: GuestProgram) -> ProgramOutcome:
        """Runs `program` to its outcome. Raises what the answerer raises, or that the worker failed."""
        with (
            looking.exchange() as looks,
            self._stop.ending(self._worker.end_process),
            self._started_calls() as started,
        ):
            self._worker.look(looks)
            return self._run(_run_frame(program, looks=looks), started)

    @contextmanager
    def _started_calls(self) -> Iterator[StartedCalls]:
        """Those of this run; none is left when it is over."""
        with StartedCalls(
            self._limits,
            carry_out=self._carry_out,
            refuse=self._answer,
            on_failure=self._worker.end_process,
        ) as started:
            try:
                yield started
            finally:
                if not self.at_rest and started.open:
                    self._worker.end_process()  # it must not compute while calls are awaited
                    started.drop_queue()
                if started.are_at_work:
                    with self._background.while_waiting():
                        started.join()

    def _run(self, outgoing: bytes, started: StartedCalls) -> ProgramOutcome:
        try:
            while True:
                message = self._turn(outgoing)
                if isinstance(message, EndedRun):
                    return self._ended(message, started)
                if isinstance(message, Waiting):
                    outgoing = frame(self._completion(started))
                    continue
                self._calls += 1
                self._last_call = message.call
                if self._calls > self._limits.calls:
                    return self._one_call_too_many(message.call)
                outgoing = frame(self._reply(message, started))
        except PastDeadline:
            return self._ceiling("guest_time", guest_time_sentence(self._used_s, self._limit_s))
        except WorkerGone:
            if self._stop.is_asked:
                return self._ceiling("stopped", stopped_sentence(self._used_s))
            if self._worker.died_of_memory():
                return self._memory()
            raise self._worker.crashed("running a program") from None

    def _turn(self, outgoing: bytes) -> Called | Waiting | EndedRun:
        """Lets the guest go on until it calls, waits or ends, on its own time."""
        started = time.monotonic()
        deadline = started + self._limit_s - self._used_s
        try:
            self._worker.send(outgoing, deadline=deadline)
            while True:
                message = self._worker.receive(deadline=deadline)
                if not isinstance(message, Logged):
                    return _expected(message)
                self._logs.add(message.line)
        finally:
            self._used_s += time.monotonic() - started

    def _reply(self, message: Called, started: StartedCalls) -> bytes:
        """The answer to a call, or the ticket of one that is started."""
        call = message.call
        if message.oversize_bytes is not None:
            sentence = value_sentence(message.oversize_bytes, self._limits.value_bytes)
            return self._refused(call, CallRefusal("limit-exceeded", sentence), ceiling="value")
        if message.too_deep:
            deep = f"arguments nested deeper than {VALUE_DEPTH - 1}"
            return self._refused(call, CallRefusal("invalid-argument", deep))
        if not message.is_started:
            return self._carry_out(call)
        in_background = self._background.may(call.operation)
        no_room = started.no_room(call, in_background=in_background)
        if no_room is not None:
            return self._refused(call, CallRefusal("limit-exceeded", no_room))
        # Any other operation counts on being alone: it is carried out here whatever the program calls it by.
        ticket = started.start(call) if in_background else started.add(self._carry_out(call))
        return b"%d" % ticket

    def _carry_out(self, call: Call) -> bytes:
        """The envelope of a call, in whatever thread."""
        # A lone surrogate can stand only inside a string of the envelope, where its escape means the same.
        envelope = self._answer(call).encode("utf-8", "backslashreplace")
        limit = self._limits.value_bytes
        if len(envelope) > limit:
            over = CallRefusal("limit-exceeded", value_sentence(len(envelope), limit))
            return _refusal(call, over, ceiling="value")
        return envelope

    def _refused(self, call: Call, refusal: CallRefusal, *, ceiling: str | None = None) -> bytes:
        """Tells the answerer of a refused call; an error of its own, such as a missing grant, comes first."""
        envelope = self._answer(replace(call, arguments="", refusal=refusal))
        if envelope.startswith('{"error"') and len(envelope) <= _MAX_REFUSAL_CHARS:
            return envelope.encode("utf-8", "backslashreplace")
        return _refusal(call, refusal, ceiling=ceiling)

    def _completion(self, started: StartedCalls) -> bytes:
        """The next completion, which the worker waits for on no time of its own."""
        if not started.open:
            raise WorkerBrokeProtocol("it waits, and no call is open")
        if not started.has_result():
            with self._background.while_waiting():
                started.wait(lambda: self._worker.alive)
        completion = started.take()
        if completion is None:
            raise WorkerGone
        return b"%d\n%b" % completion

    def _one_call_too_many(self, call: Call) -> HitCeiling:
        sentence = calls_sentence(self._calls, self._limits.calls)
        self._answer(replace(call, arguments="", refusal=CallRefusal("limit-exceeded", sentence)))
        return self._ceiling("calls", sentence)

    def _ended(self, message: EndedRun, started: StartedCalls) -> ProgramOutcome:
        if started.open:
            raise WorkerBrokeProtocol("it ended, and a call is open")
        self.at_rest = True
        match message.verdict:
            case "ended":
                return Ended(self._stats())
            case "never-settled":
                return NeverSettled(self._stats())
            case "out-of-memory":
                return self._memory()
            case "threw":
                assert message.error is not None  # decoded with it
                return self._threw(message.error, message.ceiling)
            case _:
                assert_never(message.verdict)

    def _threw(self, error: GuestError, ceiling: str | None) -> ProgramOutcome:
        if ceiling == "value" and is_value_sentence(error.message):
            return self._ceiling("value", error.message)
        if ceiling == "memory" or self._says_out_of_memory(error):
            return self._memory()
        return Threw(error, self._stats())

    def _says_out_of_memory(self, error: GuestError) -> bool:
        """The engine's only word for it; where even that finds no memory, the engine throws null."""
        if error.is_error:
            return error.name == "InternalError" and error.message.startswith("out of memory")
        return error.name == "null" and self._worker.was_near_its_memory()

    def _memory(self) -> HitCeiling:
        return self._ceiling("memory", memory_sentence(self._limits.memory_bytes))

    def _ceiling(self, ceiling: Ceiling, sentence: str) -> HitCeiling:
        return HitCeiling(ceiling, sentence, self._last_call, self._stats())

    def _stats(self) -> RunStats:
        return RunStats(self._used_s, self._calls, self._logs.lines(), self._logs.dropped)


def _run_frame(program: GuestProgram, *, looks: bool) -> bytes:
    look = b"true" if looks else b"false"
    head = b'{"type":"run","seed":%d,"look":%b}' % (program.seed & _SEED_MASK, look)
    return frame(head, program.js.encode("utf-8", "backslashreplace"))


def _expected(message: Message) -> Called | Waiting | EndedRun:
    match message:
        case Called() | Waiting() | EndedRun():
            return message
        case Fatal(reason):
            raise WorkerBrokeProtocol(f"it gave up: {reason}")
        case Ready() | Logged():
            raise WorkerBrokeProtocol("a message out of turn")
        case _:
            assert_never(message)


def _refusal(call: Call, refusal: CallRefusal, *, ceiling: str | None = None) -> bytes:
    """An envelope of the sandbox's own; `ceiling` marks one that ends the program if it is not caught."""
    error = {"code": refusal.code, "operation": call.operation, "message": refusal.message}
    return json.dumps({"error": error if ceiling is None else {**error, "ceiling": ceiling}}).encode()
