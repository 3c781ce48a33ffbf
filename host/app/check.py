"""Compiles and type-checks programs that stand in files, as a run would: what `gg check` prints."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from host.app.session import DECLARATIONS
from host.core.errors import HostError
from runtime_js import Compiler, CompileRejected, Diagnostic, Unit, UnitKind

_PROCESSES: Final = 2


class SourceUnreadable(HostError):
    """A file that was to be checked holds no text that can be read."""


@dataclass(frozen=True, kw_only=True)
class CheckedFile:
    """A file and what the compilers say of it; the diagnostics name it by the path that was given."""

    path: Path
    errors: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()


def check_paths(paths: Sequence[Path], *, compiler: Compiler | None = None) -> Iterator[CheckedFile]:
    """Checks each file as a program, in the order given, against the SDK as it is now.

    Raises `SourceUnreadable`, `ToolchainError`, and `CompilerBroken` when a compiler cannot finish.
    """
    with ExitStack() as stack:
        compiler = compiler or stack.enter_context(Compiler(processes=_PROCESSES))
        threads = stack.enter_context(ThreadPoolExecutor(_PROCESSES))
        yield from threads.map(partial(_check, compiler, DECLARATIONS), paths)


def _check(compiler: Compiler, declarations: str, path: Path) -> CheckedFile:
    unit = Unit(kind=UnitKind.PROGRAM, source=_read(path), declarations=declarations)
    try:
        compiled = compiler.compile(unit)
    except CompileRejected as rejected:
        return CheckedFile(path=path, errors=_placed(rejected.diagnostics, unit, path))
    return CheckedFile(path=path, warnings=_placed(compiled.warnings, unit, path))


def _placed(diagnostics: tuple[Diagnostic, ...], unit: Unit, path: Path) -> tuple[Diagnostic, ...]:
    return tuple(
        replace(found, file=str(path)) if found.file == unit.file_name else found for found in diagnostics
    )


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SourceUnreadable(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SourceUnreadable(
            f"{path}: byte {error.start + 1} is no UTF-8; save the file as UTF-8"
        ) from error
