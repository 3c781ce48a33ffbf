"""An error report: what may be told of a traceback to someone who is not to see the caller's work."""

import builtins
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from host.context.reports.traces import ExceptionLine, StackFrame, read_trace
from host.core.scrubbing import KEPT_TEXT_MASKS, scrub

MOST_FRAMES: Final = 1000
"""Of a longer traceback the first and the last half of as many are told."""
CALLER: Final = "<caller>"
EXCEPTION: Final = "<exception>"

_BUILT_IN: Final = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)
_OF_ENGINES: Final = frozenset(
    {
        "AggregateError",
        "Error",
        "EvalError",
        "InternalError",
        "RangeError",
        "ReferenceError",
        "SyntaxError",
        "TypeError",
        "URIError",
        "esbuild",
    }
)


class OwnCode(Protocol):
    """What is gg's own, and so is told in any case."""

    def file(self, path: str) -> str | None:
        """The path below gg's packages, with slashes, of the file that `path` names; `None` for any other."""
        ...

    def has_function(self, file: str, name: str) -> bool:
        """Whether gg's own `file` has a function of the name."""
        ...

    def has_exception(self, name: str) -> bool:
        """Whether the dotted `name` is of a class of gg's own."""
        ...


@dataclass(frozen=True, kw_only=True)
class _Told:
    own: OwnCode
    mask: Callable[[str], str] | None

    def frame(self, frame: StackFrame) -> dict[str, Any]:
        file = self.own.file(frame.file)
        if file is not None:
            known = not frame.function or self.own.has_function(file, frame.function)
            function = frame.function if known else self.caller(frame.function, CALLER)
            return {"file": file, "line": frame.line, "function": function, "own": True}
        return {
            "file": self.caller(frame.file, CALLER),
            "line": frame.line,
            "function": self.caller(frame.function, CALLER) if self.mask is None or frame.function else "",
            "own": False,
        }

    def exception(self, exception: ExceptionLine) -> dict[str, str]:
        told: dict[str, str] = {"type": self.type(exception.type)}
        if self.mask is not None:
            told["message"] = self.mask(exception.message)
        return told

    def type(self, name: str) -> str:
        is_code = name.startswith("TS") and name[2:].isdigit()
        if name in _BUILT_IN | _OF_ENGINES or is_code or self.own.has_exception(name):
            return name
        return self.caller(name, EXCEPTION)

    def caller(self, text: str, placeholder: str) -> str:
        return placeholder if self.mask is None else self.mask(text)


def build_error_report(
    text: str,
    *,
    own: OwnCode,
    versions: Mapping[str, str],
    platform: str,
    mask: Callable[[str], str] | None = None,
) -> dict[str, Any] | None:
    """The report as a JSON object; `None` where the text has no traceback.

    Source lines are never in it. Messages, names and paths that are not gg's own are in it only as `mask`
    leaves them, and without `mask` not at all.
    """
    # A secret of several lines is whole in the text alone.
    trace = read_trace(text if mask is None else scrub(text))
    raised = trace.raised
    if not trace.frames and raised is None:
        return None
    told = _Told(own=own, mask=mask)
    half = MOST_FRAMES // 2
    is_long = len(trace.frames) > MOST_FRAMES
    frames = (*trace.frames[:half], *trace.frames[-half:]) if is_long else trace.frames
    exception = None
    if raised is not None:
        others = [told.exception(each) for each in trace.exceptions if each is not raised][-MOST_FRAMES:]
        exception = {**told.exception(raised), **({"others": others} if others else {})}
    report: dict[str, Any] = {
        "versions": dict(versions),
        "platform": platform,
        "exception": exception,
        "frames": [told.frame(frame) for frame in frames],
    }
    if is_long:
        report["frames_left_out"] = len(trace.frames) - MOST_FRAMES
    return {**report, "masks": _masks([exception, report["frames"]])}


def _masks(parts: object) -> dict[str, int]:
    """How often each placeholder stands in the report."""
    placeholders = (CALLER, EXCEPTION, *(mask.placeholder for mask in KEPT_TEXT_MASKS))
    found = Counter(
        {placeholder: sum(text.count(placeholder) for text in _texts(parts)) for placeholder in placeholders}
    )
    return {placeholder: count for placeholder, count in found.items() if count}


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
