"""Bundles guest programs with the SDK by esbuild alone, without what the compiler refuses and adds."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from runtime_js import find_toolchain
from sandbox.process import ResourceLimits, spawn

_OPTIONS: Final = ("--bundle", "--format=esm", "--target=esnext", "--log-level=error")
_LIMITS: Final = ResourceLimits(data_bytes=2**30, cpu_s=60)


def bundle_files(paths: Sequence[Path]) -> dict[str, str]:
    """Many TypeScript files in one run of esbuild, each as one module, by the stems of their names.

    In them `gg` is the SDK and `gg/core` its guest end of a call. Raises `RuntimeError` with what esbuild
    says of a file that it refuses.
    """
    sdk = Path(str(files("runtime_js") / "sdk"))
    aliases = (f"--alias:gg={sdk}/gg.ts", f"--alias:gg/core={sdk}/core.ts")
    with TemporaryDirectory(prefix="gg-bench-") as folder:
        argv = [str(find_toolchain().esbuild), *map(str, paths), *_OPTIONS, *aliases, f"--outdir={folder}"]
        child = spawn(argv, rlimits=_LIMITS)
        status = child.wait()
        child.close()
        if status != 0:
            raise RuntimeError(f"esbuild did not bundle the programs: {child.stderr_tail().strip()}")
        return {path.stem: path.read_text(encoding="utf-8") for path in Path(folder).glob("*.js")}
