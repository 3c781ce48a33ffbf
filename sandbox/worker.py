"""A worker: confines itself, then runs one program at a time in a fresh engine.

Runs in the child: standard library only, everything imported before the confinement. Its life is
`configure`, then `run` after `run`, then the end of its input (see `sandbox.protocol`).
"""

from __future__ import annotations

import os
import select
import sys
import time

from sandbox.confine import ConfineError, apply_rlimits
from sandbox.engine import NO_MEMORY, Engine, EngineUnfit, Host, check_engine, compile_prelude
from sandbox.light_json import parse, quote
from sandbox.patience import LOOK_S, Patience
from sandbox.protocol import EXIT_OUT_OF_MEMORY, LENGTH_BYTES, frame
from sandbox.seccomp import load_filter

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final, NoReturn

__all__ = ["serve"]

_INPUT: Final = 0
_READABLE: Final = select.poll()
_READABLE.register(_INPUT, select.POLLIN)
_OUTPUT: Final = 1
_EXIT_DEFECT: Final = 70
_CUT: Final = "…"
_CHUNK_BYTES: Final = 65_536


def serve(spec: Mapping[str, Any]) -> NoReturn:
    """Serves the host until it closes the pipe. `spec` is that of `launch.py`."""
    try:
        _use_utc()
        head, _, prelude = _read_frame().partition(b"\n")
        check_engine()
        worker = _Worker(parse(head.decode()), prelude.decode())
        _send(f'{{"type":"ready","confinement":{_confine(spec["worker"])}}}')
        worker.run_programs()
    except EngineUnfit as unfit:
        _send(f'{{"type":"fatal","reason":{quote(str(unfit))}}}')
        os._exit(_EXIT_DEFECT)
    except BaseException as error:
        _give_up(error)


class _Worker:
    def __init__(self, settings: Mapping[str, Any], prelude: str) -> None:
        self._settings: Final = settings
        self._prelude: Final = compile_prelude(prelude)
        self._lazy: Final[Mapping[str, str]] = settings["lazy"]
        self._lazy_names: Final = ",".join(self._lazy)
        self._looks = False
        self._patience: Final = Patience()
        self._open = 0  # calls that were started and are not completed
        self._host: Final = Host(
            call=self._call, start=self._start, log=self._log, source=self._source, wait=self._wait
        )

    def run_programs(self) -> NoReturn:
        while True:
            head, _, source = _read_frame().partition(b"\n")
            run = parse(head.decode())
            self._looks = run["look"]
            outcome = self._run(source, run["seed"])
            _write(frame(b'{"type":"ended","outcome":%b}' % outcome.encode()))

    def _run(self, source: bytes, seed: int) -> str:
        engine = Engine(
            self._host,
            prelude=self._prelude,
            lazy_names=self._lazy_names,
            seed=seed,
            memory_bytes=self._settings["memory_bytes"],
            stack_bytes=self._settings["stack_bytes"],
            value_bytes=self._settings["value_bytes"],
        )
        outcome = engine.run(source)
        # Freeing what the program made is part of the program: before its end is told.
        engine.close()
        return outcome

    # What follows is called by the engine. An exception that left one would be lost in the binding, and None
    # for a string means that the engine had no memory to hand it over.

    def _call(
        self,
        operation: str | None,
        arguments: str | None,
        stack: str | None,
        size: int,
        kind: str = "called",
    ) -> str:
        """One call of the host: two JSON literals, the arguments' JSON text, and its length in characters."""
        try:
            if operation is None or arguments is None or stack is None:
                return NO_MEMORY
            limit = self._settings["value_bytes"]
            value = arguments.encode()
            size = max(size, len(value))
            if size > limit:
                head = f'{{"type":"{kind}","operation":{operation},"stack":{stack},"bytes":{size}}}'
                _write(frame(head.encode()))
            else:
                head = f'{{"type":"{kind}","operation":{operation},"stack":{stack}}}'
                _write(frame(head.encode(), value))
            if self._looks:
                self._look()
            return _read_frame().decode()
        except BaseException as error:
            _give_up(error)

    def _start(self, operation: str | None, arguments: str | None, stack: str | None, size: int) -> str:
        """Starts a call: gives its ticket, in digits, or the envelope of an error."""
        answer = self._call(operation, arguments, stack, size, "started")
        if answer[:1].isdigit():
            self._open += 1
        return answer

    def _wait(self) -> tuple[int, bytes] | None:
        """The next completion; None where no ticket is open."""
        if self._open == 0:
            return None
        _send('{"type":"waiting"}')
        ticket, _, envelope = _read_frame().partition(b"\n")
        self._open -= 1
        return int(ticket), envelope

    def _look(self) -> None:
        """Waits for input for a moment without going to sleep."""
        now = time.monotonic()
        end = now + LOOK_S
        while now < end and not _READABLE.poll(0):
            os.sched_yield()
            began, now = now, time.monotonic()
            if self._patience.is_spent(now - began):
                self._looks = False  # for the rest of the program

    def _log(self, level: str | None, text: str | None) -> None:
        """One line for the operator; `text` is a JSON literal."""
        try:
            if level is None or text is None:
                return
            limit = self._settings["log_line_bytes"]
            if len(text) > limit or not text.isascii():
                text = quote(_cut(parse(text), limit))
            _write(frame(b'{"type":"logged","level":"%b","text":%b}' % (level.encode(), text.encode())))
        except BaseException as error:
            _give_up(error)

    def _source(self, name: str | None) -> str:
        """The source of a lazily evaluated global."""
        return self._lazy.get(name or "", "")


def _cut(text: str, limit: int) -> str:
    """At most `limit` bytes of UTF-8, whole characters, and a mark where something is missing."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= limit:
        return text
    data = data[: limit - len(_CUT.encode())]
    while True:
        try:
            return data.decode("utf-8", "surrogatepass") + _CUT
        except UnicodeDecodeError as error:
            data = data[: error.start]  # the character that the cut went through


def _use_utc() -> None:
    os.putenv("TZ", "UTC0")  # needs no file of the system's
    time.tzset()


def _confine(limits: Mapping[str, Any]) -> str:
    """Confines this process; says in JSON how far."""
    apply_rlimits({**limits["rlimits"], **_address_space(limits["memory_bytes"])})
    reason = ""
    if sys.platform == "linux":
        try:
            load_filter()
        except ConfineError as error:
            reason = str(error.strerror)
    else:
        reason = f"{sys.platform} has no system-call filter"
    seccomp, no_new_privs = (_truth(found) for found in (not reason, sys.platform == "linux"))
    told = f'"seccomp":{seccomp},"no_new_privs":{no_new_privs},"rlimits":true'
    return f'{{{told},"reason":{quote(reason)}}}'


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _address_space(more_bytes: int) -> dict[str, int]:
    """What the process has now and `more_bytes`. Only Linux tells, and enforces it."""
    if sys.platform != "linux":
        return {}
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[0])
    return {"address_space_bytes": pages * os.sysconf("SC_PAGE_SIZE") + more_bytes}


def _read_frame() -> bytes:
    """The body of the next frame; at the end of input the worker ends."""
    chunk = os.read(_INPUT, _CHUNK_BYTES)
    while len(chunk) < LENGTH_BYTES:
        chunk += _read_more()
    length = int.from_bytes(chunk[:LENGTH_BYTES])
    missing = length + LENGTH_BYTES - len(chunk)
    if missing == 0:
        return chunk[LENGTH_BYTES:]
    chunks = [chunk[LENGTH_BYTES:]]
    while missing > 0:
        chunks.append(_read_more())
        missing -= len(chunks[-1])
    return b"".join(chunks)


def _read_more() -> bytes:
    chunk = os.read(_INPUT, _CHUNK_BYTES)
    if not chunk:
        os._exit(0)
    return chunk


def _send(head: str) -> None:
    _write(frame(head.encode()))


def _write(data: bytes) -> None:
    written = os.write(_OUTPUT, data)
    while written < len(data):
        written += os.write(_OUTPUT, data[written:])


def _give_up(error: BaseException) -> NoReturn:
    """Ends the process at once, in the middle of whatever it does."""
    if isinstance(error, BrokenPipeError):
        os._exit(0)  # the host is gone
    # The binding turns a MemoryError of its own into a SystemError that has it as its cause.
    if isinstance(error, MemoryError) or isinstance(error.__cause__ or error.__context__, MemoryError):
        os._exit(EXIT_OUT_OF_MEMORY)
    sys.excepthook(type(error), error, error.__traceback__)
    sys.stderr.flush()
    os._exit(_EXIT_DEFECT)
