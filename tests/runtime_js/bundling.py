"""Units to bundle, and what is said of them, in one line each."""

from collections.abc import Iterable, Mapping

from runtime_js.bundle_messages import BundleError
from runtime_js.bundler import Bundle, Bundler, BundleRefused
from runtime_js.guest_sdk import FRONT, GuestSdk
from runtime_js.units import ModuleSource, Unit, UnitKind

# The shape of the real one, small and without a host: a call answers its operation.
SDK = GuestSdk(
    {
        FRONT: (
            'export { ApiError } from "./core";\n'
            'export * as files from "./files";\n'
            'export * as memories from "./memories";\n'
            'export * as views from "./views";\n'
        ),
        "sdk/core": (
            "export class ApiError extends Error {}\nexport function call(name: string) { return name; }\n"
        ),
        "sdk/files": (
            'import { call } from "./core";\nexport function readFile() { return call("files.read"); }\n'
        ),
        "sdk/memories": (
            'import { call } from "./core";\nexport function readMemory() { return call("memories.read"); }\n'
        ),
        "sdk/views": (
            'import { call } from "./core";\nexport function openText() { return call("views.open"); }\n'
        ),
    }
)
IMPORTABLE = 'Importable are "gg", "gg:<family>" (files, memories, views)'
NOTHING_LOADED = 'Importable are "gg" and "gg:<family>" (files, memories, views); no module is loaded.'


def unit(
    source: str, modules: Mapping[str, str] | None = None, *, kind: UnitKind = UnitKind.PROGRAM, key: str = ""
) -> Unit:
    loaded = tuple(ModuleSource(name, text) for name, text in (modules or {}).items())
    return Unit(kind=kind, key=key, source=source, modules=loaded, declarations="", typecheck="off")


def errors_of(bundler: Bundler, compiled: Unit) -> list[str]:
    """`CAUSE file:line:column: message`; nothing for a unit that is bundled."""
    result = bundler.bundle(compiled)
    return told(result.errors) if isinstance(result, BundleRefused) else []


def told(errors: Iterable[BundleError]) -> list[str]:
    return [
        f"{error.cause.name} {found.file}:{found.line}:{found.column}: {found.message}"
        for error in errors
        for found in (error.diagnostic,)
    ]


def bundled(bundler: Bundler, compiled: Unit) -> Bundle:
    result = bundler.bundle(compiled)
    assert isinstance(result, Bundle), told(result.errors)
    return result


def own_part(js: str) -> str:
    """A bundle without its first line, the helpers and the names of files."""
    return js[js.index("// program.mts\n") + len("// program.mts\n") :] if "// program.mts" in js else ""
