"""One QuickJS engine for one program. The only importer of the engine's binding.

Runs in the worker: standard library only. No time limit is set in the engine, because it would forbid
calls to the host; the parent's watchdog is the limit. Nothing here lets a program's exception reach the
binding: exceptions stay in the guest, which tells them as text (`runtime_js/prelude/outcome.ts`).
"""

from __future__ import annotations

import _quickjs

from sandbox.native import Native, load_library

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

__all__ = ["PROGRAM_FILE", "Engine", "EngineUnfit", "Host", "check_engine", "compile_prelude"]

# How a place in the program reads in a stack: `at f (program.js:12:3)`.
PROGRAM_FILE: Final = b"program.js"

ENGINE_VERSION: Final = b"0.17.0"

# Lent to gg's own guest code where the program has left nothing.
_SPARE_MEMORY_BYTES: Final = 2**20
_SPARE_STACK_BYTES: Final = 128 * 2**10

_TRACK, _FAIL, _JUDGE, _COMPLETE = range(4)

_LIBRARY: Final = load_library(_quickjs.__file__)

NO_MEMORY: Final = (
    '{"error":{"code":"limit-exceeded","operation":"","message":"out of memory","ceiling":"memory"}}'
)
OUT_OF_MEMORY: Final = '{"kind":"out-of-memory"}'
_NEVER_SETTLED: Final = '{"kind":"never-settled"}'
_THREW_NULL: Final = '{"kind":"threw","error":{"name":"null"'


class EngineUnfit(Exception):
    """The engine is not the one gg was built for; the message says what it did."""


class Host:
    """What a guest reaches: four callables over JSON text, none of which ever raises.

    `wait` is the engine's: it blocks until a call that was started is complete and gives its ticket and its
    envelope in UTF-8; None where no ticket is open.
    """

    def __init__(
        self,
        *,
        call: Callable[[str | None, str | None, str | None, int], str],
        start: Callable[[str | None, str | None, str | None, int], str],
        log: Callable[[str | None, str | None], None],
        source: Callable[[str | None], str],
        wait: Callable[[], tuple[int, bytes] | None],
    ) -> None:
        self.call: Final = call
        self.start: Final = start
        self.log: Final = log
        self.source: Final = source
        self.wait: Final = wait


def compile_prelude(source: str) -> bytes:
    """What `Engine` takes as its prelude. `source` is an expression whose value is the boot function."""
    context = _quickjs.Context()
    return Native(_LIBRARY, context).compile_script(f"globalThis.ggBoot={source}".encode())


class Engine:
    """Made fresh, used for one program, then closed."""

    def __init__(
        self,
        host: Host,
        *,
        prelude: bytes,
        lazy_names: str,
        seed: int,
        memory_bytes: int,
        stack_bytes: int,
        value_bytes: int,
    ) -> None:
        self._memory_bytes: Final = memory_bytes
        self._stack_bytes: Final = stack_bytes
        context = _quickjs.Context()
        context.set_memory_limit(memory_bytes)
        context.set_max_stack_size(stack_bytes)
        context.add_callable("ggCall", host.call)
        context.add_callable("ggStart", host.start)
        context.add_callable("ggLog", host.log)
        context.add_callable("ggSource", host.source)
        self._native: Final = Native(_LIBRARY, context)
        self._native.run_compiled(prelude)
        boot = context.get("ggBoot")
        hooks = boot(lazy_names, seed & 0xFFFF_FFFF, seed >> 32 & 0xFFFF_FFFF, value_bytes)
        self._context = context
        self._host: Final = host
        self._hooks = (hooks(_TRACK), hooks(_FAIL), hooks(_JUDGE), hooks(_COMPLETE))
        self._native.track_rejections(self._hooks[_TRACK], spare=self._spare)

    def run(self, source: bytes) -> str:
        """Runs the module `source` until no job and no started call is left; gives its outcome, JSON text."""
        fail = self._hooks[_FAIL]
        promise = self._native.evaluate_module(source, PROGRAM_FILE)
        if promise is None:
            self._native.pass_exception(fail)
        self._run_jobs()
        while (completion := self._host.wait()) is not None:
            self._complete(*completion)
            self._run_jobs()
        finished = promise is not None and self._native.settle(promise, fail)
        if promise is not None:
            self._native.release(promise)
        self._spare(True)
        verdict: str = self._hooks[_JUDGE](finished)
        while self._host.wait() is not None:
            pass  # started by a getter of what was thrown: nobody waits for it
        # Without memory the engine throws null instead of an error, or cannot even reject the promise.
        suspicious = not verdict or verdict == _NEVER_SETTLED or verdict.startswith(_THREW_NULL)
        return OUT_OF_MEMORY if suspicious and self._memory_is_full() else verdict or OUT_OF_MEMORY

    def close(self) -> None:
        """Frees everything the program made."""
        del self._hooks, self._context
        self._native.close()

    def _run_jobs(self) -> None:
        self._native.run_jobs(lambda: self._native.pass_exception(self._hooks[_FAIL]))

    def _complete(self, ticket: int, envelope: bytes) -> None:
        """Has the guest settle the promise of a started call."""
        complete = self._hooks[_COMPLETE]
        if self._native.tell(complete, ticket, envelope):
            return
        # No memory is left for the envelope; what says so is short.
        self._native.drop_exception()
        self._spare(True)
        if not self._native.tell(complete, ticket, NO_MEMORY.encode()):
            self._native.pass_exception(self._hooks[_FAIL])
        self._spare(False)

    def _spare(self, lend: bool) -> None:
        self._native.set_limits(
            memory_bytes=self._memory_bytes + (_SPARE_MEMORY_BYTES if lend else 0),
            stack_bytes=self._stack_bytes + (_SPARE_STACK_BYTES if lend else 0),
        )

    def _memory_is_full(self) -> bool:
        return bool(self._context.memory()["malloc_size"] > self._memory_bytes - _SPARE_MEMORY_BYTES)


# Each of these ways to reject is caught, and each of these ways to handle is seen.
_UNHANDLED: Final = (
    "(async () => { throw 1; })()",
    "(async function* () { throw 1; })().next()",
    "Promise.reject(1)",
    "const late = Promise.reject(1); late.then(() => 0)",
    "queueMicrotask(() => { throw { toString() { ggTest(); return ''; } }; })",
    "const p = Promise.resolve();"
    "p.constructor = { [Symbol.species]: function (f) { f(() => { throw 1; }, () => 0); } };"
    "p.then(() => 1)",
)
_HANDLED: Final = (
    "(async () => { throw 1; })().catch(() => 0)",
    "const late = (async () => { throw 1; })(); Promise.resolve().then(() => late.catch(() => 0))",
    "try { await (async () => { throw 1; })(); } catch {}",
    # A call that was started and is completed with `_COMPLETION`.
    "await new Promise((settle) => {"
    " globalThis.ggSettle = (ticket, text) => { if (ticket === 7 && text === '\u20ac') settle(); }; });",
)
_COMPLETION: Final = (7, b"\xe2\x82\xac")
_CHECK_PRELUDE: Final = """
(names, low, high) => {
  let found = 0; const open = new Map();
  return (which) => [
    (promise, reason, handled) => { handled ? open.delete(promise) : open.set(promise, reason); },
    () => { found++; },
    (finished) => JSON.stringify([finished, found + open.size]),
    (ticket, text) => globalThis.ggSettle(ticket, text),
  ][which];
}
"""


def check_engine() -> None:
    """Tries what `sandbox.native` relies on; raises `EngineUnfit`. Takes about a millisecond."""
    version = _LIBRARY.JS_GetVersion()
    if version != ENGINE_VERSION:
        raise EngineUnfit(f"quickjs-ng {version.decode()}, expected {ENGINE_VERSION.decode()}")
    prelude = compile_prelude(_CHECK_PRELUDE)
    for sources, expected in ((_UNHANDLED, "[true,1]"), (_HANDLED, "[true,0]")):
        for source in sources:
            found = _run_check(prelude, source)
            if found != expected:
                raise EngineUnfit(f"the engine reports {found} instead of {expected} for: {source}")


def _run_check(prelude: bytes, source: str) -> str:
    completions = [_COMPLETION] if "ggSettle" in source else []
    host = Host(
        call=lambda *_: "",
        start=lambda *_: "",
        log=lambda *_: None,
        source=lambda _: "",
        wait=lambda: completions.pop() if completions else None,
    )
    engine = Engine(
        host,
        prelude=prelude,
        lazy_names="",
        seed=0,
        memory_bytes=16 * 2**20,
        stack_bytes=256 * 2**10,
        value_bytes=0,
    )
    try:
        return engine.run(f"globalThis.ggTest = ggCall; {source}".encode())
    finally:
        engine.close()
