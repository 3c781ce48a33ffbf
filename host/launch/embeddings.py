"""The extra by which records are searched by meaning as well, and whether it is there.

Nothing of it is imported for that: a configuration is checked in no time.
"""

from importlib.util import find_spec
from typing import Final

EXTRA: Final = "embeddings"
_PACKAGES: Final = ("numpy", "tokenizers", "wordllama")


def embeddings_missing() -> str | None:
    """What is not there and how it comes to be; `None` where everything is."""
    missing = next((package for package in _PACKAGES if find_spec(package) is None), None)
    if missing is None:
        return None
    return f"needs the extra `{EXTRA}`, whose package {missing} is not installed: pip install 'gg[{EXTRA}]'"
