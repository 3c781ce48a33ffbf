"""The names that every program has without an import: the language's own, and those that gg puts there."""

from typing import Final

__all__ = ["GLOBAL_NAMES"]

_NAMES: Final = """
    AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error
    EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array
    Int32Array Int8Array Intl JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError
    Reflect RegExp Set String Symbol SyntaxError TextDecoder TextEncoder TypeError URIError URL
    URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet atob
    btoa clearInterval clearTimeout console crypto decodeURI decodeURIComponent encodeURI
    encodeURIComponent escape eval fetch globalThis isFinite isNaN parseFloat parseInt performance
    process queueMicrotask requestAnimationFrame require setInterval setTimeout structuredClone
    undefined unescape
"""
GLOBAL_NAMES: Final = frozenset(_NAMES.split())
"""As the library of the type checker declares them, and the engine's prelude."""
