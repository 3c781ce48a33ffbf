"""Examines the installation by using each part once: what `gg doctor` prints.

Every examination really does what a run would do, and its finding says what was found or what to do about it.
"""

import json
import os
import platform
import resource
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

from host.app.environment import environment
from host.app.extras import told_extras
from host.app.record_home import keys_folder, open_store, store_path
from host.app.version import VERSION
from host.core.envelope import Refused
from host.core.errors import system_reason
from host.core.text import counted
from host.operations import OWN_FOLDER
from runtime_js import ToolchainError, find_toolchain, guest_globals, probe_compilers
from sandbox import (
    CommandNotStarted,
    Ended,
    GuestProgram,
    Limits,
    SandboxError,
    SandboxPool,
    confinement_report,
    run_command,
)
from sandbox.process import ResourceLimits, spawn

STATE_FOLDER: Final = Path(OWN_FOLDER)
_PROBED_LIMITS: Final = ResourceLimits(open_files=16, file_size_bytes=4096, cpu_s=5)
_HIDDEN: Final = "could be read"
_PRINT_LIMITS: Final = (
    "import json, resource as r; print(json.dumps([r.getrlimit(w) for w in (r.RLIMIT_NOFILE, r.RLIMIT_FSIZE,"
    " r.RLIMIT_CPU, r.RLIMIT_CORE)]))"
)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One part of the installation. `detail` is what was found, or what is wrong and how to mend it."""

    part: str
    ok: bool
    detail: str


class _Broken(Exception):
    """A part that cannot be used; the message is the finding's detail."""


def examine() -> tuple[Finding, ...]:
    """One finding for each part that a run needs, in the order in which a run needs them; then the extras."""
    parts: tuple[tuple[str, Callable[[], str]], ...] = (
        ("gg", _gg),
        ("compilers", _compilers),
        ("engine", _engine),
        ("confinement", _confinement),
        ("limits", _limits),
        ("records", _records),
        ("store", _store),
        ("extras", told_extras),
    )
    return tuple(_finding(part, look) for part, look in parts)


def _finding(part: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(part=part, ok=True, detail=look())
    except (_Broken, ToolchainError, SandboxError, OSError) as error:
        return Finding(part=part, ok=False, detail=str(error))


def _gg() -> str:
    return f"{VERSION} on Python {platform.python_version()}, {platform.system()} {platform.machine()}"


def _compilers() -> str:
    probes = probe_compilers(find_toolchain())
    problems = [probe.problem for probe in probes if probe.problem is not None]
    if problems:
        raise _Broken("; ".join(problems))
    return ", ".join(f"{probe.name} {probe.version}" for probe in probes)


def _engine() -> str:
    """One program in one worker, unconfined if need be: confinement is a finding of its own."""
    limits = Limits(guest_s=5.0)
    with SandboxPool(globals=guest_globals(), limits=limits, size=1, confine="best-effort") as pool:
        outcome = pool.run(GuestProgram(js="//\nglobalThis.URL;", seed=1), lambda call: "{}")
    if not isinstance(outcome, Ended):
        raise _Broken(f"a program that does nothing did not end: {outcome}")
    return f"QuickJS, quickjs-ng {version('quickjs-ng')}, ran a program in a worker"


def _confinement() -> str:
    report = confinement_report()
    if sys.platform != "linux":
        return f"{platform.system()} has no system-call filter; workers have limits and an empty environment"
    if not report.seccomp:
        remedy = 'programs run only where sandbox.confine is "best-effort"'
        raise _Broken(f"no system-call filter (seccomp) in a worker: {report.reason}; {remedy}")
    if not (report.no_new_privs and report.rlimits):
        raise _Broken(f"a worker could not give up its privileges: {report}")
    return "a worker has no_new_privs, its limits, and the system-call filter (seccomp)"


def _limits() -> str:
    """A child is started under limits and asked which it has."""
    wanted = _PROBED_LIMITS
    child = spawn([sys.executable, "-I", "-S", "-c", _PRINT_LIMITS], rlimits=wanted)
    try:
        with os.fdopen(os.dup(child.stdout_fd), "rb") as answers:
            answer = answers.read()
        status = child.wait(timeout_s=10)
    except TimeoutError as error:
        raise _Broken(str(error)) from error
    finally:
        child.close()
    if status != 0:
        raise _Broken(f"a child under limits ended with exit status {status}: {child.stderr_tail().strip()}")
    hard = [pair[1] for pair in json.loads(answer)]
    if hard != [wanted.open_files, wanted.file_size_bytes, wanted.cpu_s, 0]:
        raise _Broken(f"a child's limits are {hard}, not those it was given")
    return f"a child keeps its limits{_address_space_note()}"


def _address_space_note() -> str:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    return (
        ""
        if most == resource.RLIM_INFINITY
        else f"; this shell allows {most // 2**20:,} MiB of address space"
    )


def _records() -> str:
    place = STATE_FOLDER if STATE_FOLDER.exists() else Path()
    try:
        folder = Path.cwd() / STATE_FOLDER
    except FileNotFoundError as error:
        raise _Broken("this directory has been removed; run gg elsewhere") from error
    try:
        with tempfile.NamedTemporaryFile(prefix=".gg-", dir=place):
            pass
    except OSError as error:
        reason = system_reason(error)
        message = (
            f"{folder} cannot be written: {reason}; run gg elsewhere, or give gg run a directory with --out"
        )
        raise _Broken(message) from error
    return f"{folder} can be written"


def _store() -> str:
    """The record store is opened, if it is there; none is made."""
    environ = environment()
    path, keys = store_path(environ), keys_folder(environ)
    if not path.exists():
        return f"no record yet; they will be in {path}; {_hiding()}"
    try:
        with open_store(environ) as store:
            found = store.recall(limit=1)
    except Refused as error:
        raise _Broken(f"{path} cannot be used: {error.message}") from error
    if found.evidence:
        raise _Broken(f"{path}: {found.evidence[0].detail}; gg records verify says more")
    how = "by hash, which gg records init changes" if keys is None else f"under the key in {keys}"
    unreadable = f", {counted(found.unreadable, 'record')} unreadable" if found.unreadable else ""
    return f"{path}, {how}{unreadable}; {_hiding()}"


def _hiding() -> str:
    """Whether a command of an agent can be kept from a folder: one is run that would print a file of it."""
    with tempfile.TemporaryDirectory(prefix="gg-") as folder:
        file = Path(folder) / "hidden"
        file.write_text(_HIDDEN, encoding="ascii")
        try:
            ended = run_command(
                ["cat", str(file)],
                cwd=Path("/"),
                env={"PATH": os.defpath},
                timeout_s=10,
                keep_bytes=4096,
                hidden=[Path(folder)],
            )
        except CommandNotStarted as error:
            if error.step != "hide":
                raise
            return f"it cannot be hidden from the shell, whose commands are not run beside it: {error.reason}"
    if _HIDDEN in ended.output:
        raise _Broken("a command of the shell could read a folder that was to be hidden from it")
    return "hidden from the commands of the shell"
