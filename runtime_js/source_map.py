"""Places in a guest's own text: what a bundle's source map says, and the frames of an engine stack.

A map is decoded once, at the first question: programs that run clean never pay for it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A position in a source the model wrote. Line and column count from 1, the column in characters."""

    file: str
    line: int
    column: int


class SourceMap:
    """The external source map of one bundle."""

    def __init__(self, text: str) -> None:
        self._text = text
