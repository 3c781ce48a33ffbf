"""Where a text may be cut so that nothing of a secret stays, which in part is not known for one any more."""

from typing import Final

from host.core.scrubbing.scrub import scrub_report

REACH: Final = 4_096
"""Characters on each side of a cut that are looked at, and of the longest secret that is seen there."""


def last_cut(text: str, at: int) -> int:
    """The latest place, not after `at`, that lies in no secret: where a beginning of the text ends."""
    return min((start for start, _ in _over(text, at)), default=at)


def first_cut(text: str, at: int) -> int:
    """The first place, not before `at`, that lies in no secret: where an end of the text begins."""
    return max((end for _, end in _over(text, at)), default=at)


def _over(text: str, at: int) -> list[tuple[int, int]]:
    """The secret that reaches over the place, if one does."""
    if not 0 < at < len(text):
        return []
    begin = max(0, at - REACH)
    found = scrub_report(text[begin : at + REACH])
    return [
        (begin + span.start, begin + span.end) for span in found if begin + span.start < at < begin + span.end
    ]
