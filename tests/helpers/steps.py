"""Counts the work that a pure function does, so that its growth can be compared without a clock."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(work: Callable[[], object]) -> int:
    """How many lines of Python were executed. What runs within one call of C counts as one."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:  # noqa: ANN401 - as sys.settrace wants it
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
