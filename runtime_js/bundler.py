"""Bundles a unit, the SDK and the modules it imports into one script, with esbuild.

Nothing is prepended to a guest's text and one comment is appended to it, so every place esbuild names is a
place in the model's own text. The script's first line is a comment: the engine counts the prelude as line 1.
"""

import json
import posixpath
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from runtime_js.bundle_messages import BundleError, Cause, diagnostic_at, read_errors
from runtime_js.errors import CompilerLost
from runtime_js.esbuild_service import EsbuildService
from runtime_js.guest_sdk import GuestSdk
from runtime_js.places import SourceText
from runtime_js.source_map import SourceMap
from runtime_js.specifiers import NO_REQUIRE
from runtime_js.units import Unit
from runtime_js.virtual_modules import PLUGIN, VirtualModules
from runtime_js.wire import Value, WireError, field

__all__ = ["Bundle", "BundleRefused", "Bundler"]

_FLAGS: Final = (
    "--bundle",
    "--format=esm",
    "--platform=neutral",
    "--target=es2024",  # what the engine parses, and decorators and `using` lowered
    "--loader=ts",
    "--keep-names",  # a function keeps its `name` when bundling renames it
    "--tree-shaking=true",
    "--ignore-annotations",  # a comment of the guest's must not drop a call
    "--legal-comments=none",
    "--banner:js=// gg",
    "--outfile=program.js",
    "--sourcemap=external",
    "--sources-content=false",
    "--tsconfig-raw={}",  # otherwise it looks for files of that name
    "--log-level=silent",
    "--log-limit=0",
    "--supported:import-meta=false",
    "--log-override:commonjs-variable-in-esm=error",
    "--log-override:empty-glob=error",
    "--log-override:empty-import-meta=error",
    "--log-override:indirect-require=error",
    "--log-override:unsupported-dynamic-import=error",
    "--log-override:unsupported-require-call=error",
)

# What esbuild writes for forms that it accepts and gg refuses: `require.resolve`, and patterns of file names.
_HELPER: Final = re.compile(r"\b(?:__require|globRequire\w*|globImport\w*)(?=[.(])")
_CALL_BEFORE: Final = re.compile(r"\b(?:require|import)\s*\(\s*$")


_BUNDLES: Final = 10_000


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
        modules = VirtualModules(unit, self._sdk)
        response = self._service.request(_request(modules), modules.answer)
        try:
            if isinstance(response, dict) and "error" in response:
                raise WireError(f"{response['error']!r:.2000}")
            errors = read_errors(response, modules)
            return BundleRefused(errors) if errors else _read_output(response, modules)
        except WireError as error:
            raise self._service.lost(f"gave no result: {error}") from error

    def close(self) -> None:
        """Ends the process. Safe to call again."""
        self._service.close()


def _request(modules: VirtualModules) -> Value:
    return {
        "command": "build",
        "key": 0,
        "entries": [],
        "flags": [*_FLAGS, *modules.flags],
        "write": False,
        "stdinContents": modules.contents,
        "stdinResolveDir": None,
        "absWorkingDir": "",  # the process stands in its own empty directory
        "nodePaths": [],
        "context": False,
        "plugins": [PLUGIN],
    }


def _read_output(response: Value, modules: VirtualModules) -> Bundle | BundleRefused:
    files = {
        posixpath.basename(field(file, "path", str)): field(file, "contents", bytes)
        for file in field(response, "outputFiles", list)
    }
    if sorted(files) != ["program.js", "program.js.map"]:
        raise WireError(f"output files {sorted(files)}")
    try:
        js = files["program.js"].decode()
        source_map = json.loads(files["program.js.map"])
    except ValueError as error:
        raise WireError(f"unreadable output: {error}") from error
    names = [str(name) for name in field(source_map, "sources", list)]
    if js.startswith("#!"):  # of the guest's text; the engine gets no such line
        js = "//" + js[js.index("\n") :]
    sources = tuple(modules.texts.get(name) for name in names)
    bundle = Bundle(js, SourceMap(js, field(source_map, "mappings", str), sources))
    refused = _forbidden(bundle)
    strangers = [name for name in names if name not in modules.texts and not modules.is_sdk(name)]
    if strangers and not refused:
        raise CompilerLost(f"bundled {strangers[0]!r}, which gg did not give it", None, "")
    return BundleRefused(refused) if refused else bundle


def _forbidden(bundle: Bundle) -> tuple[BundleError, ...]:
    """Errors for the forms that esbuild bundled with a helper of its own, found where the helper is used."""
    errors = []
    for match in _HELPER.finditer(bundle.js):
        line = bundle.js.count("\n", 0, match.start()) + 1
        column = len(bundle.js[bundle.js.rfind("\n", 0, match.start()) + 1 : match.start()].encode()) + 1
        origin = bundle.source_map.origin(line, column)
        if origin is not None and _asks_for_helper(*origin):
            errors.append(BundleError(Cause.RULE, diagnostic_at(*origin, NO_REQUIRE)))
    return tuple(errors)


def _asks_for_helper(source: SourceText, offset: int) -> bool:
    """Tells a use of the helper from the same word in the guest's own text."""
    return source.text.startswith("require", offset) or bool(_CALL_BEFORE.search(source.text[:offset][-80:]))
