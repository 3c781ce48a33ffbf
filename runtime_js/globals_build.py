"""Makes `prelude/generated.json` from the TypeScript of the prelude: `python -m runtime_js.globals_build`.

The file is checked in, so that nothing is compiled at start; a test makes it again and compares. Each
source becomes one expression.
"""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from runtime_js.toolchain import find_toolchain
from sandbox.process import ResourceLimits, spawn

__all__ = ["GENERATED", "PRELUDE_BYTES", "build"]

PRELUDE: Final = Path(__file__).with_name("prelude")
GENERATED: Final = PRELUDE / "generated.json"

# Every engine evaluates the prelude before a program.
PRELUDE_BYTES: Final = 3_000

# Which globals a source in `prelude/lazy/` makes.
LAZY: Final[Mapping[str, tuple[str, ...]]] = {
    "absent": (
        "setTimeout",
        "setInterval",
        "clearTimeout",
        "clearInterval",
        "requestAnimationFrame",
        "fetch",
        "require",
        "process",
        "Intl",
    ),
    "clone": ("structuredClone",),
    "console": ("console",),
    "crypto": ("crypto",),
    "encoding": ("TextEncoder", "TextDecoder"),
    "jobs": ("queueMicrotask", "FinalizationRegistry"),
    "url": ("URL", "URLSearchParams"),
}

_OPTIONS: Final = ("--bundle", "--minify", "--format=esm", "--target=esnext", "--legal-comments=none")
_DEFAULT_EXPORT: Final = re.compile(r"export\{([\w$]+) as default\};\s*$")
_LIMITS: Final = ResourceLimits(data_bytes=2**30, cpu_s=60)


def build(esbuild: Path) -> dict[str, object]:
    """The content of `generated.json`."""
    prelude = _bundle(esbuild, "boot.ts")
    if len(prelude) > PRELUDE_BYTES:
        raise ValueError(
            f"the prelude has {len(prelude):,} bytes, limit {PRELUDE_BYTES:,}; make a part of it lazy"
        )
    return {
        "prelude": prelude,
        "globals": {name: group for group, names in LAZY.items() for name in names},
        "groups": {group: _bundle(esbuild, f"lazy/{group}.ts") for group in LAZY},
    }


def _bundle(esbuild: Path, entry: str) -> str:
    """`entry` and what it imports as one expression: the value of its default export."""
    child = spawn([str(esbuild), entry, *_OPTIONS], rlimits=_LIMITS, cwd=PRELUDE)
    chunks = []
    try:
        while chunk := os.read(child.stdout_fd, 65_536):
            chunks.append(chunk)
    finally:
        status = child.close()
    if status != 0:
        raise ValueError(f"esbuild could not bundle {entry}: {child.stderr_tail()}")
    text = b"".join(chunks).decode().strip()
    exported = _DEFAULT_EXPORT.search(text)
    if exported is None:
        raise ValueError(f"{entry} did not become a script that ends in a default export")
    return f"(()=>{{{text[: exported.start()]}return {exported[1]}}})()"


if __name__ == "__main__":
    GENERATED.write_text(json.dumps(build(find_toolchain().esbuild), indent=1) + "\n", encoding="utf-8")
