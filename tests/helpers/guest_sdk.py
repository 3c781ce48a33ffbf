"""Programs that import the SDK, bundled with it by the real esbuild, without the compiler around it."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from host.app.bench.bundles import bundle_files

SDK: Final = Path(__file__).parents[2] / "runtime_js" / "sdk"


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
