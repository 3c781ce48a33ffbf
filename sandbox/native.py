"""The engine's C functions that its Python binding does not offer, called through ctypes.

Needed because the binding (a) turns an exception that leaves a job into text by running the program's own
`toString` in a state where a call of the host aborts the process, (b) names every source `<input>`, so that
a place in `eval`ed text looks like a place in the program, (c) has no tracker for rejections that nobody
handles, and (d) gives no bytecode. The binding's objects are read by their layout, so
`sandbox.engine.check_engine` tries all of this at start-up against the pinned version.
"""

from __future__ import annotations

import ctypes

TYPE_CHECKING = False  # what only annotations name takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

__all__ = ["Native", "load_library"]

_FULFILLED: Final = 1
_REJECTED: Final = 2
_EVAL_AS_MODULE: Final = 1
_EVAL_COMPILE_ONLY: Final = 1 << 5
_READ_BYTECODE: Final = 1
_WRITE_BYTECODE: Final = 1 | 1 << 4  # without its source
_GG_FILE: Final = b"gg.js"
_TAG_INT: Final = 0
_TAG_BOOL: Final = 1
_TAG_UNDEFINED: Final = 3
_TAG_EXCEPTION: Final = 6

# Offsets in the binding's two structures, after PyObject_HEAD.
_CONTEXT_RUNTIME: Final = 16
_CONTEXT_CONTEXT: Final = 24
_CONTEXT_THREAD_STATE: Final = 48
_OBJECT_VALUE: Final = 24


class JSValue(ctypes.Structure):
    """A value of the engine: 16 bytes, passed by value, counted by reference."""

    _fields_ = (("payload", ctypes.c_uint64), ("tag", ctypes.c_int64))


_UNDEFINED: Final = JSValue(0, _TAG_UNDEFINED)
_FALSE: Final = JSValue(0, _TAG_BOOL)
_TRUE: Final = JSValue(1, _TAG_BOOL)
_RejectionCallback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, JSValue, JSValue, ctypes.c_bool, ctypes.c_void_p)


class Native:
    """One engine, by its pointers. Everything here must be called from the thread that made the engine."""

    def __init__(self, library: ctypes.CDLL, context: object) -> None:
        self._library: Final = library
        self._context: Final = ctypes.c_void_p.from_address(id(context) + _CONTEXT_CONTEXT).value
        self._runtime: Final = ctypes.c_void_p.from_address(id(context) + _CONTEXT_RUNTIME).value
        self._thread_state: Final = ctypes.c_void_p.from_address(id(context) + _CONTEXT_THREAD_STATE)
        self._job_context: Final = ctypes.c_void_p()
        self._callback: object = None

    def evaluate_module(self, source: bytes, name: bytes) -> JSValue | None:
        """Starts the UTF-8 `source` as a module; gives its promise, or None with an exception pending."""
        with self._inside():
            value = self._library.JS_Eval(self._context, source, len(source), name, _EVAL_AS_MODULE)
        return None if value.tag == _TAG_EXCEPTION else value

    def compile_script(self, source: bytes) -> bytes:
        """The bytecode of the UTF-8 `source`, for `run_compiled` in any engine of this process."""
        size = ctypes.c_size_t()
        with self._inside():
            script = self._library.JS_Eval(self._context, source, len(source), _GG_FILE, _EVAL_COMPILE_ONLY)
        buffer = self._library.JS_WriteObject(self._context, ctypes.byref(size), script, _WRITE_BYTECODE)
        if buffer is None:
            raise ValueError("the engine cannot compile gg's own code")
        code = ctypes.string_at(buffer, size.value)
        self._library.js_free(self._context, buffer)
        self._library.JS_FreeValue(self._context, script)
        return code

    def run_compiled(self, code: bytes) -> None:
        """Runs a script that `compile_script` compiled, about four times as fast as from source."""
        with self._inside():
            script = self._library.JS_ReadObject(self._context, code, len(code), _READ_BYTECODE)
            # Takes the script over.
            result = self._library.JS_EvalFunction(self._context, script)
        self._library.JS_FreeValue(self._context, result)

    def run_jobs(self, on_exception: Callable[[], None]) -> None:
        """Runs jobs until none is left, which may be never. `on_exception` is called with one pending."""
        run_job, runtime = self._library.JS_ExecutePendingJob, self._runtime
        job_context = ctypes.byref(self._job_context)
        while True:
            with self._inside():
                while (ran := run_job(runtime, job_context)) > 0:
                    pass
            if ran == 0:
                return
            on_exception()

    def pass_exception(self, function: object) -> None:
        """Takes the pending exception and calls the guest's `function` with it."""
        reason = self._library.JS_GetException(self._context)
        self._call(function, reason)
        self._library.JS_FreeValue(self._context, reason)

    def tell(self, function: object, number: int, text: bytes) -> bool:
        """Calls the guest's `function(number, text)`; False with an exception pending.

        `number` has at most 31 bits, `text` is UTF-8.
        """
        library, context = self._library, self._context
        with self._inside():
            string = library.JS_NewStringLen(context, text, len(text))
            if string.tag == _TAG_EXCEPTION:
                return False
            arguments = (JSValue * 2)(JSValue(number, _TAG_INT), string)
            result = library.JS_Call(context, _value_of(function), _UNDEFINED, 2, arguments)
        library.JS_FreeValue(context, string)
        library.JS_FreeValue(context, result)
        return bool(result.tag != _TAG_EXCEPTION)

    def drop_exception(self) -> None:
        """Takes the pending exception."""
        self._library.JS_FreeValue(self._context, self._library.JS_GetException(self._context))

    def settle(self, promise: JSValue, on_rejected: object) -> bool:
        """Whether `promise` is fulfilled; where it is rejected, calls the guest's `on_rejected`."""
        state = self._library.JS_PromiseState(self._context, promise)
        if state == _REJECTED:
            reason = self._library.JS_PromiseResult(self._context, promise)
            self._call(on_rejected, reason)
            self._library.JS_FreeValue(self._context, reason)
        return bool(state == _FULFILLED)

    def release(self, value: JSValue) -> None:
        """Gives up a value that `evaluate_module` returned."""
        self._library.JS_FreeValue(self._context, value)

    def track_rejections(self, function: object, *, spare: Callable[[bool], None]) -> None:
        """Has the guest's `function(promise, reason, handled)` called for a rejection nobody handles (yet).

        The engine may report one when its stack or memory is used up: `spare(True)` is called before
        and `spare(False)` after, to lend the tracker some.
        """
        library, context, tracker = self._library, self._context, _value_of(function)

        def report(_: int, promise: JSValue, reason: JSValue, handled: bool, __: int) -> None:
            spare(True)
            arguments = (JSValue * 3)(promise, reason, _TRUE if handled else _FALSE)
            result = library.JS_Call(context, tracker, _UNDEFINED, 3, arguments)
            library.JS_FreeValue(context, result)
            spare(False)

        self._callback = _RejectionCallback(report)
        library.JS_SetHostPromiseRejectionTracker(self._runtime, self._callback, None)

    def close(self) -> None:
        """Lets go of the tracker; the engine must be gone."""
        self._callback = None

    def set_limits(self, *, memory_bytes: int, stack_bytes: int) -> None:
        """Sets both limits, in mid-run as well."""
        self._library.JS_SetMemoryLimit(self._runtime, memory_bytes)
        self._library.JS_SetMaxStackSize(self._runtime, stack_bytes)

    def _call(self, function: object, argument: JSValue) -> None:
        with self._inside():
            result = self._library.JS_Call(
                self._context, _value_of(function), _UNDEFINED, 1, ctypes.byref(argument)
            )
        self._library.JS_FreeValue(self._context, result)

    def _inside(self) -> _Inside:
        """As the binding prepares for running guest code: a call to the host finds its thread state."""
        self._library.JS_UpdateStackTop(self._runtime)
        return _Inside(self._thread_state)


class _Inside:
    def __init__(self, thread_state: ctypes.c_void_p) -> None:
        self._thread_state: Final = thread_state

    def __enter__(self) -> None:
        self._thread_state.value = ctypes.pythonapi.PyThreadState_Get()

    def __exit__(self, *raised: object) -> None:
        self._thread_state.value = None


def _value_of(guest_object: object) -> JSValue:
    """The value inside a `_quickjs.Object`; the object keeps owning it."""
    return JSValue.from_address(id(guest_object) + _OBJECT_VALUE)


def load_library(path: str) -> ctypes.CDLL:
    """The engine's library with the signatures used here."""
    library = ctypes.CDLL(path)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    for name, result, arguments in (
        ("JS_Eval", JSValue, [pointer, ctypes.c_char_p, size, ctypes.c_char_p, ctypes.c_int]),
        ("JS_Call", JSValue, [pointer, JSValue, JSValue, ctypes.c_int, pointer]),
        ("JS_EvalFunction", JSValue, [pointer, JSValue]),
        ("JS_ExecutePendingJob", ctypes.c_int, [pointer, pointer]),
        ("JS_FreeValue", None, [pointer, JSValue]),
        ("JS_GetException", JSValue, [pointer]),
        ("JS_GetVersion", ctypes.c_char_p, []),
        ("JS_NewStringLen", JSValue, [pointer, ctypes.c_char_p, size]),
        ("JS_PromiseResult", JSValue, [pointer, JSValue]),
        ("JS_PromiseState", ctypes.c_int, [pointer, JSValue]),
        ("JS_ReadObject", JSValue, [pointer, ctypes.c_char_p, size, ctypes.c_int]),
        ("JS_SetHostPromiseRejectionTracker", None, [pointer, _RejectionCallback, pointer]),
        ("JS_SetMaxStackSize", None, [pointer, size]),
        ("JS_SetMemoryLimit", None, [pointer, size]),
        ("JS_UpdateStackTop", None, [pointer]),
        ("JS_WriteObject", pointer, [pointer, pointer, JSValue, ctypes.c_int]),
        ("js_free", None, [pointer, pointer]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    ctypes.pythonapi.PyThreadState_Get.restype = pointer
    return library
