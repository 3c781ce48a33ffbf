"""Compiles units with two compilers: esbuild bundles, TypeScript checks.

Both are child processes that may be lost without harm. A lost one is tried again once, on a fresh process;
what fails twice is a defect of gg's and raises `CompilerBroken`, whatever the input was. Everything else that
is wrong is the author's and raises `CompileRejected`.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Final, Self, TypeVar

from runtime_js.bundler import Bundle, Bundler, BundleRefused
from runtime_js.checker import TypeChecker
from runtime_js.errors import CompilerBroken, CompileRejected, CompilerLost
from runtime_js.guest_sdk import load_sdk
from runtime_js.pool import Pool, Process
from runtime_js.preflight import preflight
from runtime_js.result_cache import ResultCache, content_key
from runtime_js.toolchain import Toolchain, find_toolchain
from runtime_js.units import Compiled, Diagnostic, ExportDoc, ModuleSource, Unit, UnitKind
from runtime_js.verdict import explain, is_unparsed, merge

__all__ = ["Compiler"]

_CACHE_BYTES: Final = 64 * 2**20
_BYTE_ORDER_MARK: Final = "\ufeff"
_WARM_UP: Final = "export const warm = [1].map((item) => `${item}`);\n"

P = TypeVar("P", bound=Process)
R = TypeVar("R")


class Compiler:
    """Compiles for any number of threads. Processes are started when first needed and kept.

    `processes` is how many of each compiler there may be, `timeout_s` the limit of one request to one of
    them, `memory_bytes` what a process may allocate. Raises `ToolchainError` if one is missing or stale.
    """

    def __init__(
        self,
        *,
        processes: int = 2,
        timeout_s: float = 10.0,
        memory_bytes: int = 2**30,
        toolchain: Toolchain | None = None,
    ) -> None:
        tools = toolchain or find_toolchain()
        sdk = load_sdk()
        self._sdk: Final = sdk
        self._versions: Final = (tools.esbuild_version, tools.typescript_version, sdk.digest)
        self._cache: Final = ResultCache(max_bytes=_CACHE_BYTES)
        self._bundlers: Final = Pool(
            lambda: Bundler(tools.esbuild, sdk, timeout_s=timeout_s, memory_bytes=memory_bytes),
            size=processes,
        )
        self._checkers: Final = Pool(
            lambda: TypeChecker(tools, timeout_s=timeout_s, memory_bytes=memory_bytes), size=processes
        )

    def warm(self, declarations: str) -> None:
        """Starts one process of each compiler and makes it do what the first program would wait for."""
        self.compile(Unit(kind=UnitKind.PROGRAM, source=_WARM_UP, declarations=declarations))

    def forget(self) -> None:
        """Lets every unit be compiled anew, for who measures what that takes; the processes stay."""
        self._cache.clear()

    def compile(self, unit: Unit) -> Compiled:
        """Raises `CompileRejected` or `CompilerBroken`. An equal unit gets its result from the cache."""
        unit = _without_marks(unit)
        refused = preflight(unit, self._sdk)
        if refused:
            raise CompileRejected(refused)
        key = content_key(unit, self._versions)
        known = self._cache.find(key)
        result, bundle_s, check_s = self._compile(unit) if known is None else (known, 0.0, 0.0)
        if known is None:
            self._cache.put(key, result)
        if not isinstance(result, Compiled):
            raise CompileRejected(result, bundle_s=bundle_s, check_s=check_s)
        return result if known is None else replace(result, bundle_s=0.0, check_s=0.0, cached=True)

    def describe(
        self, module: ModuleSource, *, modules: tuple[ModuleSource, ...], declarations: str
    ) -> tuple[ExportDoc, ...]:
        """What a module exports, as the checker describes it. Raises `CompilerBroken`."""
        return _retried(
            self._checkers,
            "TypeScript",
            module.source,
            lambda checker: checker.describe(module, modules=modules, declarations=declarations),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends all processes; those at work when they are done."""
        self._bundlers.close()
        self._checkers.close()

    def _compile(self, unit: Unit) -> tuple[Compiled | tuple[Diagnostic, ...], float, float]:
        """The result, and how long bundling and checking took."""
        started = time.perf_counter()
        bundle = _retried(self._bundlers, "esbuild", unit.source, lambda bundler: bundler.bundle(unit))
        bundled = checked = time.perf_counter()
        errors = bundle.errors if isinstance(bundle, BundleRefused) else ()
        type_errors: tuple[Diagnostic, ...] = ()
        if unit.typecheck != "off" and not is_unparsed(errors):
            type_errors = _retried(
                self._checkers, "TypeScript", unit.source, lambda checker: checker.check(unit)
            )
            checked = time.perf_counter()
        bundle_s, check_s = bundled - started, checked - bundled
        counted = type_errors if unit.typecheck == "error" else ()
        if not isinstance(bundle, Bundle) or counted:
            return merge(unit, self._sdk, errors, counted), bundle_s, check_s
        compiled = Compiled(
            js=bundle.js,
            source_map=bundle.source_map,
            warnings=explain(unit, self._sdk, type_errors),
            bundle_s=bundle_s,
            check_s=check_s,
            cached=False,
        )
        return compiled, bundle_s, check_s


def _without_marks(unit: Unit) -> Unit:
    """A byte order mark is no part of a text, so no column counts it."""
    texts = (unit.source, *(module.source for module in unit.modules))
    if not any(text.startswith(_BYTE_ORDER_MARK) for text in texts):
        return unit
    modules = (
        ModuleSource(module.key, module.source.removeprefix(_BYTE_ORDER_MARK)) for module in unit.modules
    )
    return replace(unit, source=unit.source.removeprefix(_BYTE_ORDER_MARK), modules=tuple(modules))


def _retried(pool: Pool[P], compiler: str, text: str, work: Callable[[P], R]) -> R:
    try:
        with pool.lease() as process:
            return work(process)
    except CompilerLost as lost:
        first = lost.detail
    try:
        with pool.lease(fresh=True) as process:
            return work(process)
    except CompilerLost as lost:
        raise CompilerBroken(
            compiler=compiler,
            detail=f"{lost.detail}; before that, on another process: {first}",
            exit_status=lost.exit_status,
            stderr_tail=lost.stderr_tail,
            input_sha256=hashlib.sha256(text.encode()).hexdigest(),
            input=text,
        ) from lost
