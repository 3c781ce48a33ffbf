"""About how many tokens a text takes, where no tokenizer is asked."""

from typing import Final

CHARACTERS_PER_TOKEN: Final = 4


def estimate_tokens(text: str) -> int:
    """A quarter of the characters, rounded up; 0 for an empty text."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)
