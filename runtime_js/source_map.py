"""Places in a guest's own text: what a bundle's source map says, and the frames of an engine stack.

A map is decoded once, at the first question: programs that run clean never pay for it.
"""

from runtime_js.places import Place

__all__ = ["Place", "SourceMap"]


class SourceMap:
    """The external source map of one bundle."""

    def __init__(self, text: str) -> None:
        self._text = text
