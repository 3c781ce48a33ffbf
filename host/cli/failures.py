"""Errors as a person at a shell reads them, and the exit code each has.

Wrong use is 2, and one line that names the remedy. What cannot be run is 1, with every defect. Anything that
gg did not expect is 1 as well: a short message, and the whole traceback in a file. All of it is masked.
"""

import errno
import tempfile
import traceback
from collections.abc import Callable
from typing import Final

import click

from host.app import CheckRefused, NotThere, masker_from_environment
from host.cli.exit_codes import FAILED, INTERRUPTED, WRONG_USE
from host.cli.lines import Line, Span, block, line, styled
from host.cli.wrong_use import wrong_use
from host.core.errors import HostDefect, HostError
from host.core.text import escape_line
from host.launch import ConfigurationNotFound
from runtime_js import ToolchainError
from sandbox import SandboxError

WRONG_USES: Final = (CheckRefused, ConfigurationNotFound, NotThere)  # of gg's own errors


def report(error: BaseException, write: Callable[[list[Line]], None]) -> int:
    """Writes what an error has to say, masked; returns the exit code."""
    mask = masker_from_environment().mask
    match error:
        case click.exceptions.Exit():
            return error.exit_code
        case click.ClickException():
            write([_wrong_use(error, mask)])
            return error.exit_code
        case _ if isinstance(error, WRONG_USES):
            write([_told(mask(str(error)))])
            return WRONG_USE
        case KeyboardInterrupt() | click.Abort():
            write([_told("interrupted")])
            return INTERRUPTED
        case OSError(errno=errno.ENOSPC, strerror=str(reason)):
            write([_told(reason.lower())])
            return FAILED
        case HostDefect():
            pass
        case HostError() | ToolchainError() | SandboxError():
            write(_told_in_rows(mask(str(error))))
            return FAILED
    write(_unexpected(error, mask))
    return FAILED


def _told_in_rows(message: str) -> list[Line]:
    head, *rows = message.split("\n")
    return [_told(head), *(Line((Span(escape_line(row)),)) for row in rows)]


def _told(message: str) -> Line:
    return line(Span("gg: ", "bad"), message)


def _wrong_use(error: click.ClickException, mask: Callable[[str], str]) -> Line:
    path, message = wrong_use(error)
    return line(styled(f"{path}: ", "bad"), mask(message))


def _unexpected(error: BaseException, mask: Callable[[str], str]) -> list[Line]:
    summary = mask(f"{type(error).__name__}: {error}".rstrip(": "))
    trace = mask("".join(traceback.format_exception(error)))
    told = [_told("a fault of gg's own ended this command"), *block(summary, most=10, may_crop=False)]
    try:
        return [*told, line(f"the whole traceback is in {_kept(trace)}", indent=2)]
    except OSError as lost:
        return [*told, line(f"the traceback cannot be kept: {lost}", indent=2), *block(trace, may_crop=False)]


def _kept(trace: str) -> str:
    with tempfile.NamedTemporaryFile(
        "w", prefix="gg-error-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
    ) as file:
        file.write(trace)
    return file.name
