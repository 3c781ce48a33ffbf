"""Units to check, and what is said of them, in one line each."""

from collections.abc import Iterable, Mapping

from runtime_js.units import Diagnostic, ModuleSource, Unit, UnitKind

DECLARATIONS = """\
declare module "gg:views" {
  export interface View { label: string; bytes: number }
  /** Opens a text as a view. */
  export function openText(label: string, body: string): void;
  export function current(): View[];
}
declare module "gg:memories" {
  export interface MemoryUsage { name: string; count: number }
  export interface MemoryWrite { name: string; description: string; body: string; code?: string }
  export function readMemory(name: string): string;
  export function writeMemory(memory: MemoryWrite): MemoryUsage;
}
declare module "gg" {
  export class ApiError extends Error { readonly operation: string }
  export * as views from "gg:views";
  export * as memories from "gg:memories";
}
"""


def program(
    source: str, modules: Mapping[str, str] | None = None, *, declarations: str = DECLARATIONS
) -> Unit:
    return Unit(
        kind=UnitKind.PROGRAM, source=source, modules=sources(modules or {}), declarations=declarations
    )


def module(key: str, source: str, modules: Mapping[str, str] | None = None) -> Unit:
    return Unit(
        kind=UnitKind.MODULE,
        key=key,
        source=source,
        modules=sources(modules or {}),
        declarations=DECLARATIONS,
    )


def on_use(key: str, source: str, own: str) -> Unit:
    return Unit(
        kind=UnitKind.ON_USE,
        key=key,
        source=source,
        modules=sources({key: own}),
        declarations=DECLARATIONS,
    )


def sources(modules: Mapping[str, str]) -> tuple[ModuleSource, ...]:
    return tuple(ModuleSource(key, source) for key, source in modules.items())


def told(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """`file:line:column: code: message`."""
    return [f"{d.file}:{d.line}:{d.column}: {d.code}: {d.message}" for d in diagnostics]
