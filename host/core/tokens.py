"""Tokens: about how many a text takes, and whether the extra by which they are counted exactly is there.

Nothing of the extra is imported for that: a configuration is checked in no time.
"""

from importlib.util import find_spec
from typing import Final

CHARACTERS_PER_TOKEN: Final = 4
ENCODINGS: Final = ("o200k_base", "cl100k_base")
"""What the extra counts by: OpenAI's models since GPT-4o, and those from GPT-3.5 to GPT-4."""

_EXTRA: Final = "tokens"
_PACKAGE: Final = "bpe_openai"


def estimate_tokens(text: str) -> int:
    """A quarter of the characters, rounded up; 0 for an empty text."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def encodings_missing() -> str | None:
    """What is not there and how it comes to be; `None` where tokens can be counted by `ENCODINGS`."""
    if find_spec(_PACKAGE) is not None:
        return None
    return (
        f"needs the extra `{_EXTRA}`, whose package {_PACKAGE} is not installed: pip install 'gg[{_EXTRA}]'"
    )
