"""Runs each compiler once to see that it starts here and is the version it was installed as.

A look at the files cannot tell: a binary for another processor, or one that the system refuses to execute, is
there all the same. For `gg doctor`; a run does not pay for it.
"""

import os
import select
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from runtime_js.toolchain import Toolchain, install_command
from sandbox.process import Child, ResourceLimits, spawn

_TIMEOUT_S: Final = 10.0
_LIMITS: Final = ResourceLimits(data_bytes=2**30, cpu_s=10)
_ANSWER_BYTES: Final = 4096


@dataclass(frozen=True, kw_only=True)
class CompilerProbe:
    """One compiler as found. `problem` is None when it answered with `version`, else a sentence."""

    name: str
    path: Path
    version: str
    problem: str | None


def probe_compilers(toolchain: Toolchain, *, timeout_s: float = _TIMEOUT_S) -> tuple[CompilerProbe, ...]:
    """Starts both compilers, confined as for a run, one after the other; takes some 50 ms."""
    compilers = (
        ("esbuild", toolchain.esbuild, toolchain.esbuild_version),
        ("TypeScript", toolchain.tsc, toolchain.typescript_version),
    )
    return tuple(
        CompilerProbe(name=name, path=path, version=version, problem=_problem(path, version, timeout_s))
        for name, path, version in compilers
    )


def _problem(path: Path, version: str, timeout_s: float) -> str | None:
    child = spawn([str(path), "--version"], rlimits=_LIMITS)
    try:
        answer = _read_to_end(child, time.monotonic() + timeout_s)
        # A program that closed its output has ended or is about to; the limit covers one that does not.
        exit_status = child.wait(timeout_s)
    except TimeoutError:
        return f"{path} --version gave no answer within {timeout_s:g} s; run: {install_command()}"
    finally:
        child.close()
    if exit_status != 0:
        detail = child.stderr_tail().strip() or "it printed nothing"
        return f"{path} ended with exit status {exit_status}: {detail}; run: {install_command()}"
    if answer.split()[-1:] != [version]:
        return f"{path} says {answer.strip()!r}, expected {version}; run: {install_command()}"
    return None


def _read_to_end(child: Child, deadline: float) -> str:
    answer = b""
    while len(answer) < _ANSWER_BYTES:
        remaining_s = max(0.0, deadline - time.monotonic())
        if not select.select([child.stdout_fd], [], [], remaining_s)[0]:
            raise TimeoutError
        part = os.read(child.stdout_fd, _ANSWER_BYTES)
        if not part:
            break
        answer += part
    return answer.decode(errors="replace")
