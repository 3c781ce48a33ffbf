"""Bundles a unit, the SDK and the modules it imports into one script, with esbuild.

Nothing is prepended to a guest's text and one comment is appended to it, so every place esbuild names is a
place in the model's own text. The script's first line is the SDK's (`guest_sdk`).
"""

import json
import posixpath
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from runtime_js.bundle_messages import BundleError, read_errors
from runtime_js.bundle_traces import TRACE_FLAGS, find_forbidden
from runtime_js.esbuild_service import EsbuildService
from runtime_js.guest_sdk import SDK_OBJECT, GuestSdk
from runtime_js.source_map import SourceMap
from runtime_js.unit_texts import UnitTexts
from runtime_js.units import Unit
from runtime_js.virtual_modules import PLUGIN, SdkModules, VirtualModules, is_sdk
from runtime_js.wire import Value, WireError, field

__all__ = ["Bundle", "BundleRefused", "Bundler"]

_FLAGS: Final = (
    "--bundle",
    "--platform=neutral",
    "--target=es2024",  # what the engine parses, and decorators and `using` lowered
    "--loader=ts",
    "--tree-shaking=true",
    "--legal-comments=none",
    "--outfile=program.js",
    "--tsconfig-raw={}",  # otherwise it looks for files of that name
    "--log-level=silent",
    "--log-limit=0",
)
_SDK_FLAGS: Final = (
    "--minify-whitespace",
    "--minify-syntax",
    f"--global-name={SDK_OBJECT}",
    "--format=iife",
    "--sourcefile=gg.ts",
)
_GUEST_FLAGS: Final = (
    "--format=esm",
    "--keep-names",  # a function keeps its `name` when bundling renames it
    "--ignore-annotations",  # a comment of the guest's must not drop a call
    "--sourcemap=external",
    "--sources-content=false",
    "--supported:import-meta=false",
    "--log-override:empty-glob=error",
    "--log-override:empty-import-meta=error",
    "--log-override:indirect-require=error",
    "--log-override:unsupported-dynamic-import=error",
    "--log-override:unsupported-require-call=error",
    *TRACE_FLAGS,
)

_BUNDLES: Final = 10_000  # of one process


@dataclass(frozen=True)
class Bundle:
    js: str
    source_map: SourceMap


@dataclass(frozen=True)
class BundleRefused:
    """At least one error."""

    errors: tuple[BundleError, ...]


class Bundler:
    """One esbuild process. A failure of it ends it and raises `CompilerLost`."""

    def __init__(self, executable: Path, sdk: GuestSdk, *, timeout_s: float, memory_bytes: int) -> None:
        self._sdk: Final = sdk
        self._bundles = 0
        self._sdk_lines: Final[dict[frozenset[str], str]] = {}
        self._service: Final = EsbuildService(executable, timeout_s=timeout_s, memory_bytes=memory_bytes)

    @property
    def pid(self) -> int:
        return self._service.pid

    @property
    def worn_out(self) -> bool:
        """Whether a fresh process would do better."""
        return self._bundles >= _BUNDLES

    def bundle(self, unit: Unit) -> Bundle | BundleRefused:
        self._bundles += 1
        texts = UnitTexts(unit, self._sdk)
        needed = self._needed(texts)
        modules = VirtualModules(unit, texts, self._sdk, needed)
        first_line = self._first_line(needed)
        response = self._build(modules, *_GUEST_FLAGS, f"--banner:js={first_line}", *modules.flags)
        try:
            errors = read_errors(response, texts)
            return BundleRefused(errors) if errors else _read_bundle(response, texts)
        except WireError as error:
            raise self._service.lost(f"gave no result: {error}") from error

    def close(self) -> None:
        """Ends the process. Safe to call again."""
        self._service.close()

    def _needed(self, texts: UnitTexts) -> frozenset[str] | None:
        needed = self._sdk.needed_by(texts.reachable())
        injected = texts.injected
        return needed if not injected else (needed or frozenset()).union(injected)

    def _first_line(self, families: frozenset[str] | None) -> str:
        """The SDK with these families, made once for each set of them; a comment without any."""
        if families is None:
            return "// gg"
        if families not in self._sdk_lines:
            response = self._build(SdkModules(self._sdk, families), *_SDK_FLAGS)
            try:
                errors = field(response, "errors", list)
                if errors:
                    raise WireError(f"the SDK has errors: {errors[0]!r:.2000}")
                (line,) = _read_files(response, "program.js")[0].splitlines()
            except ValueError as error:
                raise self._service.lost(f"gave no result: {error}") from error
            self._sdk_lines[families] = line
        return self._sdk_lines[families]

    def _build(self, modules: SdkModules | VirtualModules, *flags: str) -> Value:
        request: Value = {
            "command": "build",
            "key": 0,
            "entries": [],
            "flags": [*_FLAGS, *flags],
            "write": False,
            "stdinContents": modules.contents,
            "stdinResolveDir": None,
            "absWorkingDir": "",  # the process stands in its own empty directory
            "nodePaths": [],
            "context": False,
            "plugins": [PLUGIN],
        }
        response = self._service.request(request, modules.answer)
        if isinstance(response, dict) and "error" in response:
            raise self._service.lost(f"refused a request: {response['error']!r:.2000}")
        return response


def _read_bundle(response: Value, texts: UnitTexts) -> Bundle | BundleRefused:
    js, map_json = _read_files(response, "program.js", "program.js.map")
    try:
        source_map = json.loads(map_json)
    except ValueError as error:
        raise WireError(f"unreadable source map: {error}") from error
    names = [str(name) for name in field(source_map, "sources", list)]
    if js.startswith("#!"):  # of the guest's text, and the first line is not the guest's
        _, first_line, rest = js.split("\n", 2)
        js = f"{first_line}\n\n{rest}"
    sources = tuple(texts.sources.get(name) for name in names)
    bundle = Bundle(js, SourceMap(js, field(source_map, "mappings", str), sources))
    refused = find_forbidden(js, bundle.source_map)
    strangers = [name for name in names if name not in texts.sources and not is_sdk(name)]
    if strangers and not refused:
        raise WireError(f"it bundled {strangers[0]!r}, which gg did not give it")
    return BundleRefused(refused) if refused else bundle


def _read_files(response: Value, *names: str) -> list[str]:
    """The texts of the output files of these names, which must be all there are."""
    files = {
        posixpath.basename(field(file, "path", str)): field(file, "contents", bytes)
        for file in field(response, "outputFiles", list)
    }
    if set(files) != set(names):
        raise WireError(f"output files {sorted(files)}, expected {sorted(names)}")
    try:
        return [files[name].decode() for name in names]
    except UnicodeDecodeError as error:
        raise WireError(f"unreadable output: {error}") from error
