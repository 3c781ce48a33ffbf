"""Where the two pinned compilers stand, and whether they are the pinned ones.

Both stand under `node_modules` beside this file: in a checkout the build hook puts them there with npm, in an
installed wheel they are shipped at the same relative paths. A stamp beside them records the pins and the
platform they were installed from; whoever pulls a new lock file is told to install again, not served by the
old ones.

The build hook loads this file by its path before any dependency is there, so it imports the standard library
only.
"""

import hashlib
import json
import os
import platform
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
PINS: Final = ("package.json", "package-lock.json")

_SYSTEMS: Final = {"linux": "linux", "darwin": "darwin", "win32": "win32"}
_PROCESSORS: Final = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


class ToolchainError(Exception):
    """The compilers cannot be used. The operator's: the message ends with the command to run."""


class ToolchainMissing(ToolchainError):
    """A compiler or one of its files is not there, or there is none for this platform."""


class ToolchainStale(ToolchainError):
    """The compilers are there, but were installed from other pins than those of this gg."""


@dataclass(frozen=True, kw_only=True)
class Toolchain:
    """The compilers of this installation. Versions are those of the installed packages, not of the pins."""

    esbuild: Path
    tsc: Path
    library: Path  # the directory of TypeScript's own lib*.d.ts, beside tsc
    guest_library: Path  # the library that programs are checked with, generated from it
    esbuild_version: str
    typescript_version: str


@dataclass(frozen=True)
class Layout:
    """Paths under one `runtime_js` folder, whether or not anything stands there."""

    folder: Path
    platform: str  # npm's name of it: "linux-x64"

    @property
    def node_modules(self) -> Path:
        return self.folder / "node_modules"

    @property
    def stamp(self) -> Path:
        return self.node_modules / ".gg-stamp"

    @property
    def esbuild_package(self) -> Path:
        return self.node_modules / "@esbuild" / self.platform

    @property
    def typescript_package(self) -> Path:
        return self.node_modules / "@typescript" / f"typescript-{self.platform}"

    @property
    def esbuild(self) -> Path:
        windows = self.platform.startswith("win32-")
        return self.esbuild_package / ("esbuild.exe" if windows else "bin/esbuild")

    @property
    def library(self) -> Path:
        return self.typescript_package / "lib"

    @property
    def tsc(self) -> Path:
        return self.library / ("tsc.exe" if self.platform.startswith("win32-") else "tsc")

    @property
    def files(self) -> tuple[Path, ...]:
        """What has to be there for both compilers to run; tsc panics unless `lib.d.ts` stands beside it."""
        manifests = (self.esbuild_package / "package.json", self.typescript_package / "package.json")
        return (self.esbuild, self.tsc, self.library / "lib.d.ts", *manifests)

    @property
    def guest_library(self) -> Path:
        return self.node_modules / "gg-lib" / "lib.d.ts"

    def missing(self, *more: Path) -> tuple[Path, ...]:
        """Those of `files` and `more` that are not there."""
        return tuple(path for path in (*self.files, *more) if not path.is_file())

    def is_fresh(self) -> bool:
        """Whether the stamp names the pins that stand beside it now."""
        return self.stamp.is_file() and self.stamp.read_text() == self.stamp_text()

    def stamp_text(self) -> str:
        """The platform, and one digest over the pins: names, sizes and contents."""
        digest = hashlib.sha256()
        for name in PINS:
            content = (self.folder / name).read_bytes()
            digest.update(f"{name} {len(content)}\n".encode() + content)
        return f"{self.platform} {digest.hexdigest()}\n"


def find_toolchain(folder: Path = HERE) -> Toolchain:
    """Looks up the compilers under `folder`; starts none. Raises `ToolchainMissing` or `ToolchainStale`."""
    layout = Layout(folder, platform_name())
    for path in layout.missing(layout.guest_library):
        raise ToolchainMissing(f"no {path.name} at {path}; run: {install_command(folder)}")
    for path in (layout.esbuild, layout.tsc):
        if not os.access(path, os.X_OK):
            raise ToolchainMissing(f"{path} is not executable; run: {install_command(folder)}")
    if not layout.is_fresh():
        raise ToolchainStale(
            f"the compilers in {layout.node_modules} were installed from other pins than those in {folder};"
            f" run: {install_command(folder)}"
        )
    return Toolchain(
        esbuild=layout.esbuild,
        tsc=layout.tsc,
        library=layout.library,
        guest_library=layout.guest_library,
        esbuild_version=_version(layout.esbuild_package),
        typescript_version=_version(layout.typescript_package),
    )


def platform_name(system: str = sys.platform, processor: str | None = None) -> str:
    """npm's name of this platform. Raises `ToolchainMissing` where gg ships no compilers."""
    machine = (processor or platform.machine()).lower()
    if system not in _SYSTEMS or machine not in _PROCESSORS:
        raise ToolchainMissing(
            f"no compilers for {system!r} on {machine!r}; they come for Linux, macOS and Windows"
            " on x86-64 and arm64"
        )
    return f"{_SYSTEMS[system]}-{_PROCESSORS[machine]}"


def install_command(folder: Path = HERE) -> str:
    """The command that installs the compilers: in a checkout the editable install, else the wheel again."""
    root = folder.parent
    if (root / "pyproject.toml").is_file():
        return f"cd {shlex.quote(str(root))} && pip install -e '.[test]'"
    return "pip install --force-reinstall --no-deps gg-*.whl"


def _version(package: Path) -> str:
    manifest = json.loads((package / "package.json").read_text())
    return str(manifest["version"])
