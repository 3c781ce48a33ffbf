"""Halves of surrogate pairs, which a Python text can hold and UTF-8 cannot carry."""

from host.core.text import has_lone_surrogate


def sendable(text: str) -> str:
    """The text as it can be sent: two halves that meet become their character, any other one U+FFFD."""
    if not has_lone_surrogate(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
