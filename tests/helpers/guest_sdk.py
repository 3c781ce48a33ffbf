"""Programs that import the SDK, bundled with it by the real esbuild, without the compiler around it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from runtime_js.toolchain import find_toolchain
from sandbox.process import ResourceLimits, spawn

SDK: Final = Path(__file__).parents[2] / "runtime_js" / "sdk"
_OPTIONS: Final = ("--bundle", "--format=esm", "--target=esnext", "--log-level=error")
_LIMITS: Final = ResourceLimits(data_bytes=2**30, cpu_s=60)


def bundle(source: str) -> str:
    """One program, as one module; `gg` is the SDK, `gg/core` its guest end of a call."""
    return bundle_all({"program": source})["program"]


def bundle_all(sources: Mapping[str, str]) -> dict[str, str]:
    """Many programs in one run of esbuild, by the same names."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{name}.ts" for name in sources]
        for path, source in zip(paths, sources.values(), strict=True):
            path.write_text(source, encoding="utf-8")
        return bundle_files(paths)


def bundle_files(paths: Sequence[Path]) -> dict[str, str]:
    """Many programs in one run of esbuild, by the stems of their files."""
    esbuild = find_toolchain().esbuild
    with TemporaryDirectory() as folder:
        aliases = [f"--alias:gg={SDK}/gg.ts", f"--alias:gg/core={SDK}/core.ts"]
        argv = [str(esbuild), *map(str, paths), *_OPTIONS, *aliases, f"--outdir={folder}"]
        child = spawn(argv, rlimits=_LIMITS)
        status = child.wait()
        child.close()
        assert status == 0, child.stderr_tail()
        return {path.stem: path.read_text(encoding="utf-8") for path in Path(folder).glob("*.js")}
