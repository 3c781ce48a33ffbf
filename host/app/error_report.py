"""The error report of `gg doctor --report`: what may be told of a traceback, made on this machine."""

import ast
import importlib.util
import json
import os
import platform
import re
import secrets
import stat
import tempfile
from collections import deque
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any, Final

from host.app.record_home import g6_home
from host.app.version import VERSION
from host.context import build_error_report, decode_trace
from host.core.clock import SystemClock
from host.core.errors import HostError, system_reason
from host.core.scrubbing import mask_kept_text, secrets_from

PACKAGES: Final = ("host", "sandbox", "runtime_js", "g6")
"""What lies under these is gg's own."""
FOLDER: Final = "diagnostics"
MOST_BYTES: Final = 64 * 2**20
"""Of a longer file the end is read, where the newest traceback is."""
_CHUNK_BYTES: Final = 2**20
_LIBRARIES: Final = ("pydantic", "quickjs-ng")
_WORD: Final = re.compile(r"[A-Za-z_$][\w$]*")
_FUNCTIONS: Final = frozenset({"<module>", "<lambda>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


class ReportNotWritten(HostError):
    """The folder of reports cannot be used; the message says why."""


def newest_bytes(source: IO[bytes]) -> bytes:
    """What is read to the end of a file, of more than `MOST_BYTES` the last of them."""
    chunks: deque[bytes] = deque()
    size = 0
    while chunk := source.read(_CHUNK_BYTES):
        chunks.append(chunk)
        size += len(chunk)
        while size - len(chunks[0]) >= MOST_BYTES:
            size -= len(chunks.popleft())
    return b"".join(chunks)[-MOST_BYTES:]


def error_report(data: bytes, *, keep_caller_text: bool = False) -> dict[str, Any] | None:
    """The report on the traceback in a file's bytes, as a JSON object; `None` where there is none.

    With `keep_caller_text` it has messages, names and paths that are not gg's own, masked: also the values of
    the secret variables of the environment, and the roots of this machine.
    """

    def mask(text: str) -> str:
        homes = [home for home in (os.environ.get("HOME", ""), os.path.expanduser("~")) if len(home) > 1]
        known = secrets_from(os.environ).values()
        return mask_kept_text(text, known, temporary=[tempfile.gettempdir()], homes=homes)

    return build_error_report(
        decode_trace(data),
        own=InstalledCode(),
        versions=_versions(),
        platform=f"{platform.system()} {platform.machine()}",
        mask=mask if keep_caller_text else None,
    )


def write_error_report(report: dict[str, Any]) -> Path:
    """Writes it as a new file, 0600, into `$G6_HOME/diagnostics`. Raises `ReportNotWritten`."""
    home = g6_home(os.environ)
    folder = home / FOLDER
    path = folder / f"report-{SystemClock().now():%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}.json"
    text = json.dumps(report, indent=2) + "\n"
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if not stat.S_ISDIR(folder.lstat().st_mode):
            raise ReportNotWritten(f"{folder} is a link; a report is written into a folder alone")
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with open(fd, "w", encoding="ascii") as file:
            file.write(text)
    except OSError as error:
        raise ReportNotWritten(f"{path} cannot be written: {system_reason(error)}") from error
    return path


class InstalledCode:
    """What is gg's own, by the files that are installed: a name that is in none of them is the caller's,
    whatever a traceback says of its place.
    """

    def __init__(self) -> None:
        self._roots: Final = {package: _root(package) for package in PACKAGES}

    def file(self, path: str) -> str | None:
        """The path below the packages; the part that is a file of theirs begins as late as it can."""
        parts = path.replace("\\", "/").split("/")
        for at in range(len(parts) - 2, -1, -1):
            root = self._roots.get(parts[at])
            below = parts[at + 1 :]
            if root is not None and not {"", ".", ".."} & set(below) and _is_file(root.joinpath(*below)):
                return "/".join(parts[at:])
        return None

    def has_function(self, file: str, name: str) -> bool:
        package, _, below = file.partition("/")
        root = self._roots[package]
        return name in _FUNCTIONS or (root is not None and name.rpartition(".")[2] in _names(root / below))

    def has_exception(self, name: str) -> bool:
        module, _, last = name.rpartition(".")
        package, *below = module.split(".")
        root = self._roots.get(package)
        if root is None:
            return False
        place = root.joinpath(*below)
        return any(
            _is_file(file) and last in _names(file)
            for file in (place.with_name(f"{place.name}.py"), place / "__init__.py")
        )


def _root(package: str) -> Path | None:
    found = importlib.util.find_spec(package)
    return Path(found.origin).parent if found is not None and found.origin is not None else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long, or has a NUL
        return False


@lru_cache(maxsize=256)
def _names(file: Path) -> frozenset[str]:
    """The functions and classes of a module, wherever in it they stand; of a script every word."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        return frozenset(_WORD.findall(text))
    tree = ast.parse(text)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, kinds))


def _versions() -> dict[str, str]:
    found = {"gg": VERSION, "python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found
