"""What can go wrong in a compilation, by whose fault it is.

    CompileError
    ├── CompileRejected(diagnostics)     the unit's author: shown, nothing ran
    ├── CompilerLost(detail)             one compiler process is gone; the same input is tried once more
    └── CompilerBroken(compiler, detail) gg's: the fresh process failed as well

Only `CompileRejected` and `CompilerBroken` leave `Compiler`.
"""

from runtime_js.units import Diagnostic


class CompileError(Exception):
    """Root of the errors of this package."""


class CompileRejected(CompileError):
    """A compiler read the unit and refused it, in these seconds. The compilers are unharmed."""

    def __init__(
        self, diagnostics: tuple[Diagnostic, ...], *, bundle_s: float = 0.0, check_s: float = 0.0
    ) -> None:
        first = diagnostics[0]
        super().__init__(f"{first.file}:{first.line}:{first.column}: {first.message}")
        self.diagnostics = diagnostics
        self.bundle_s = bundle_s
        self.check_s = check_s


class CompilerLost(CompileError):
    """One compiler process crashed, hung past its limit or answered what cannot be read; it has been killed.

    `exit_status` is negative for a signal, None when the process could not be started.
    """

    def __init__(self, detail: str, exit_status: int | None, stderr_tail: str) -> None:
        super().__init__(detail)
        self.detail = detail
        self.exit_status = exit_status
        self.stderr_tail = stderr_tail


class CompilerBroken(CompileError):
    """A compiler could not finish an input, on a fresh process either. The model is not told.

    `input` is the text the model wrote, `input_sha256` the hash of its UTF-8.
    """

    def __init__(
        self,
        *,
        compiler: str,
        detail: str,
        exit_status: int | None,
        stderr_tail: str,
        input_sha256: str,
        input: str,
    ) -> None:
        super().__init__(f"{compiler}: {detail}")
        self.compiler = compiler
        self.detail = detail
        self.exit_status = exit_status
        self.stderr_tail = stderr_tail
        self.input_sha256 = input_sha256
        self.input = input
