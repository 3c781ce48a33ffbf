"""One exchange: a program runs in a worker while the host answers its calls and watches its time.

The watchdog is the wait itself. Guest time runs while the host waits for the worker; a wait that reaches the
limit ends in a kill. After any outcome but a regular end the worker's state is not trusted: it is not used
again.
"""

import json
import time
from collections import deque
from dataclasses import replace
from typing import Final, assert_never

from sandbox import looking
from sandbox.errors import WorkerBrokeProtocol
from sandbox.frames import VALUE_DEPTH, Called, EndedRun, Fatal, Logged, Message, Ready
from sandbox.handle import WorkerHandle
from sandbox.limits import (
    Limits,
    calls_sentence,
    guest_time_sentence,
    is_value_sentence,
    memory_sentence,
    value_sentence,
)
from sandbox.outcome import (
    Ceiling,
    Ended,
    GuestError,
    HitCeiling,
    LogLine,
    NeverSettled,
    ProgramOutcome,
    RunStats,
    Threw,
)
from sandbox.pipe import PastDeadline, WorkerGone
from sandbox.program import Answerer, Call, CallRefusal, GuestProgram
from sandbox.protocol import frame

__all__ = ["Exchange"]

_MAX_REFUSAL_CHARS: Final = 64 * 2**10  # far beyond any message; the limit of values is for results
_SEED_MASK: Final = 2**64 - 1


class Exchange:
    """One run of one program. `at_rest` tells afterwards whether the worker ended it regularly."""

    def __init__(self, worker: WorkerHandle, limits: Limits, *, budget_s: float | None) -> None:
        self.at_rest = False
        self._worker: Final = worker
        self._limits: Final = limits
        self._limit_s: Final = limits.guest_s if budget_s is None else min(budget_s, limits.guest_s)
        self._used_s = 0.0
        self._calls = 0
        self._last_call: Call | None = None
        self._logs: Final = LogTail(limits)

    def run(self, program: GuestProgram, answer: Answerer) -> ProgramOutcome:
        """Runs `program` to its outcome. Raises what `answer` raises, or that the worker failed."""
        with looking.exchange() as looks:
            self._worker.look(looks)
            return self._run(_run_frame(program, looks=looks), answer)

    def _run(self, outgoing: bytes, answer: Answerer) -> ProgramOutcome:
        try:
            while True:
                message = self._turn(outgoing)
                if isinstance(message, EndedRun):
                    self.at_rest = True
                    return self._ended(message)
                self._calls += 1
                self._last_call = message.call
                if self._calls > self._limits.calls:
                    sentence = calls_sentence(self._calls, self._limits.calls)
                    answer(
                        replace(message.call, arguments="", refusal=CallRefusal("limit-exceeded", sentence))
                    )
                    return self._ceiling("calls", sentence)
                outgoing = frame(self._answer(message, answer))
        except PastDeadline:
            return self._ceiling("guest_time", guest_time_sentence(self._used_s, self._limit_s))
        except WorkerGone:
            if self._worker.died_of_memory():
                return self._memory()
            raise self._worker.crashed("running a program") from None

    def _turn(self, outgoing: bytes) -> Called | EndedRun:
        """Lets the guest go on until it calls or ends, on its own time."""
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

    def _answer(self, message: Called, answer: Answerer) -> bytes:
        call, limit = message.call, self._limits.value_bytes
        if message.oversize_bytes is not None:
            sentence = value_sentence(message.oversize_bytes, limit)
            return _refused(call, CallRefusal("limit-exceeded", sentence), answer, ceiling="value")
        if message.too_deep:
            deep = CallRefusal("invalid-argument", f"arguments nested deeper than {VALUE_DEPTH - 1}")
            return _refused(call, deep, answer)
        # A lone surrogate can stand only inside a string of the envelope, where its escape means the same.
        envelope = answer(call).encode("utf-8", "backslashreplace")
        if len(envelope) > limit:
            over = CallRefusal("limit-exceeded", value_sentence(len(envelope), limit))
            return _refusal(call, over, ceiling="value")
        return envelope

    def _ended(self, message: EndedRun) -> ProgramOutcome:
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


class LogTail:
    """The last lines of a program's log, within the limits."""

    def __init__(self, limits: Limits) -> None:
        self.dropped = 0
        self._limits: Final = limits
        self._kept: Final[deque[tuple[LogLine, int]]] = deque()
        self._bytes = 0

    def add(self, line: LogLine) -> None:
        size = len(line.text.encode("utf-8", "surrogatepass"))
        if size > self._limits.log_line_bytes:
            raise WorkerBrokeProtocol(f"a log line of {size:,} bytes, limit {self._limits.log_line_bytes:,}")
        self._kept.append((line, size))
        self._bytes += size
        while len(self._kept) > self._limits.log_lines or self._bytes > self._limits.log_bytes:
            _, gone = self._kept.popleft()
            self._bytes -= gone
            self.dropped += 1

    def lines(self) -> tuple[LogLine, ...]:
        return tuple(line for line, _ in self._kept)


def _run_frame(program: GuestProgram, *, looks: bool) -> bytes:
    look = b"true" if looks else b"false"
    head = b'{"type":"run","seed":%d,"look":%b}' % (program.seed & _SEED_MASK, look)
    return frame(head, program.js.encode("utf-8", "backslashreplace"))


def _expected(message: Message) -> Called | EndedRun:
    match message:
        case Called() | EndedRun():
            return message
        case Fatal(reason):
            raise WorkerBrokeProtocol(f"it gave up: {reason}")
        case Ready() | Logged():
            raise WorkerBrokeProtocol("a message out of turn")
        case _:
            assert_never(message)


def _refused(call: Call, refusal: CallRefusal, answer: Answerer, *, ceiling: str | None = None) -> bytes:
    """Tells the answerer of a refused call; an error of its own, such as a missing grant, comes first."""
    envelope = answer(replace(call, arguments="", refusal=refusal))
    if envelope.startswith('{"error"') and len(envelope) <= _MAX_REFUSAL_CHARS:
        return envelope.encode("utf-8", "backslashreplace")
    return _refusal(call, refusal, ceiling=ceiling)


def _refusal(call: Call, refusal: CallRefusal, *, ceiling: str | None = None) -> bytes:
    """An envelope of the sandbox's own; `ceiling` marks one that ends the program if it is not caught."""
    error = {"code": refusal.code, "operation": call.operation, "message": refusal.message}
    return json.dumps({"error": error if ceiling is None else {**error, "ceiling": ceiling}}).encode()
