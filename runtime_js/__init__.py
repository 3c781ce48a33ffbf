"""What a program is compiled to and runs against: two compilers, the guest SDK, the prelude."""

from runtime_js.compiler import Compiler
from runtime_js.diagnostics import Severity, render_diagnostics
from runtime_js.errors import CompileError, CompilerBroken, CompileRejected
from runtime_js.global_names import GLOBAL_NAMES
from runtime_js.globals import guest_globals
from runtime_js.places import Place, SourceText
from runtime_js.preflight import PROGRAM_BYTES
from runtime_js.probe import probe_compilers
from runtime_js.scan import BRACKET_LIMIT, bracket_depth, is_left_open, literal_lines
from runtime_js.source_map import Frame, SourceMap, locate_stack, relocate_frames
from runtime_js.toolchain import Toolchain, ToolchainError, ToolchainMissing, ToolchainStale, find_toolchain
from runtime_js.units import (
    Compiled,
    Diagnostic,
    ExportDoc,
    ModuleSource,
    ToolNamespace,
    TypeCheck,
    Unit,
    UnitKind,
)

__all__ = [
    "BRACKET_LIMIT",
    "GLOBAL_NAMES",
    "PROGRAM_BYTES",
    "CompileError",
    "CompileRejected",
    "Compiled",
    "Compiler",
    "CompilerBroken",
    "Diagnostic",
    "ExportDoc",
    "Frame",
    "ModuleSource",
    "Place",
    "Severity",
    "SourceMap",
    "SourceText",
    "ToolNamespace",
    "Toolchain",
    "ToolchainError",
    "ToolchainMissing",
    "ToolchainStale",
    "TypeCheck",
    "Unit",
    "UnitKind",
    "bracket_depth",
    "find_toolchain",
    "guest_globals",
    "is_left_open",
    "literal_lines",
    "locate_stack",
    "probe_compilers",
    "relocate_frames",
    "render_diagnostics",
]
