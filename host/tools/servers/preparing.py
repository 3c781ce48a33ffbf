"""What a server is started with: its program, its environment, the headers of its requests."""

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from host.core.text import join_words
from host.tools.servers.spec import ServerSpec

_BASE_VARIABLES: Final = (
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
)
"""What every program gets of the environment; nothing else is there unless it is named."""


class CannotStart(Exception):
    """What a server needs is not there. `reason` completes a sentence about it, `remedy` is a whole one."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.reason: Final = reason
        self.remedy: Final = remedy


@dataclass(frozen=True)
class Launch:
    """A program that is there: its path and arguments, its environment and where it runs."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: Path | None


def launch_of(spec: ServerSpec, environ: Mapping[str, str]) -> Launch:
    """How the command is started; raises `CannotStart`."""
    env = {name: environ[name] for name in _BASE_VARIABLES if name in environ}
    env |= _values(spec.env, environ)
    if spec.cwd is not None and not spec.cwd.is_dir():
        raise CannotStart(f"cannot run in {spec.cwd}, which is no folder", "Make it, or name another.")
    program, *arguments = spec.command or ("",)
    return Launch((_path_of(program, env.get("PATH", ""), spec.cwd), *arguments), env, spec.cwd)


def headers_of(spec: ServerSpec, environ: Mapping[str, str]) -> dict[str, str]:
    """The headers of each request; raises `CannotStart`."""
    values = _values(spec.headers_env.values(), environ)
    headers = {header: values[variable].strip() for header, variable in spec.headers_env.items()}
    for header, value in headers.items():
        if not (value.isascii() and value.isprintable()):
            raise CannotStart(
                f"cannot be sent the header {header}: {spec.headers_env[header]} holds what no header can",
                "A value is one line of printable ASCII characters.",
            )
    return headers


def _values(names: Iterable[str], environ: Mapping[str, str]) -> dict[str, str]:
    names = list(dict.fromkeys(names))
    missing = [name for name in names if name not in environ]
    if missing:
        raise CannotStart(
            f"needs environment variables that are not set: {join_words(missing)}",
            "Set them before gg starts, or take their names out of the configuration.",
        )
    return {name: environ[name] for name in names}


def _path_of(program: str, search: str, cwd: Path | None) -> str:
    if os.sep in program:
        path = (cwd or Path()).absolute() / program
        if not path.is_file():
            raise CannotStart(f"cannot be started: there is no file {path}", "Write where the program is.")
        if not os.access(path, os.X_OK):
            raise CannotStart(f"cannot be started: {path} is not executable", f"Run: chmod +x {path}")
        return str(path)
    found = shutil.which(program, path=search)
    if found is None:
        raise CannotStart(
            f"cannot be started: there is no program `{program}` in PATH, which is {search or 'empty'}",
            "Install it, or write its whole path.",
        )
    return str(Path(found).absolute())
