"""What goes into a compiler and what comes out, as plain values.

A unit is one text the model wrote together with everything its compilation depends on; equal units compile
to equal results. File names are those a model reads in a diagnostic: `program.ts`, `<key>.ts`,
`<key>.on-use.ts`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, assert_never

from runtime_js.source_map import SourceMap

PROGRAM_FILE = "program.ts"

TypeCheck = Literal["error", "warn", "off"]
ExportKind = Literal["function", "class", "constant", "type"]


class UnitKind(StrEnum):
    PROGRAM = "program"
    MODULE = "module"
    ON_USE = "on-use"


@dataclass(frozen=True)
class ModuleSource:
    """A loaded module: the key programs import it by, and its TypeScript."""

    key: str
    source: str

    @property
    def file_name(self) -> str:
        return f"{self.key}.ts"


@dataclass(frozen=True)
class ToolNamespace:
    """Tools under one name of `gg:tools`: by what name programs call each, and its operation."""

    name: str
    members: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Unit:
    """One compilation.

    `modules` are importable as `<key>` and `lib:<key>`; for an on-use unit only its own module is.
    `declarations` is the text of `gg.d.ts` for this agent, `tools` is what its `gg:tools` exports. `key` is
    empty for a program.
    """

    kind: UnitKind
    source: str
    declarations: str
    key: str = ""
    modules: tuple[ModuleSource, ...] = ()
    tools: tuple[ToolNamespace, ...] = ()
    typecheck: TypeCheck = "error"

    @property
    def file_name(self) -> str:
        match self.kind:
            case UnitKind.PROGRAM:
                return PROGRAM_FILE
            case UnitKind.MODULE:
                return f"{self.key}.ts"
            case UnitKind.ON_USE:
                return f"{self.key}.on-use.ts"
            case _:
                assert_never(self.kind)


@dataclass(frozen=True, kw_only=True)
class Diagnostic:
    """One located error. `line` and `column` count from 1, `column` and `length` in characters (code points).

    `code` is TypeScript's ("TS2551") or empty. `source_line` is the line it stands on, without its line
    break; None where the source is not shown.
    """

    file: str
    line: int
    column: int
    message: str
    code: str = ""
    source_line: str | None = None
    length: int = 1


@dataclass(frozen=True, kw_only=True)
class Compiled:
    """A unit that compiled: one ES module and its source map. Times are 0 for a result from the cache."""

    js: str
    source_map: SourceMap
    warnings: tuple[Diagnostic, ...]
    bundle_s: float
    check_s: float
    cached: bool


@dataclass(frozen=True, kw_only=True)
class ExportDoc:
    """One export of a module, as the checker describes it. `signature` is TypeScript text."""

    name: str
    kind: ExportKind
    signature: str
    comment: str
