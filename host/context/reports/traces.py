"""Reads the frames of a traceback: of Python, of a JavaScript engine, of compilers. Never its source lines.

A log may have put something before each line, as a margin of an exception group does; that has as many words
in each line of one traceback. Source lines stand further in than the line of their frame, and are passed over
even if they look like one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from host.context.reports.script_traces import ScriptTrace
from host.core.scrubbing import mask_kept_text

_MOST_IN_LINE: Final = 8192
"""Characters of a line; longer ones are source or data."""

_TERMINAL: Final = re.compile(r"\x1b\[[0-?]*+[ -/]*+[@-~]|\x1b\][^\x07\x1b\n]*+(?:\x07|\x1b\\)?|\x1b[@-_]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff]")
_ESCAPED_LINES: Final = re.compile(r'\\n(?=\s*File \\+"|Traceback \(most|\s+at )')
_ESCAPED_HEADER: Final = re.compile(r"(?=Traceback \(most recent)")
_HEADER: Final = re.compile(r"(?:Exception Group )?Traceback \(most recent call last\):\s*$")
_GROUP_MEMBER: Final = re.compile(r"([^+]{0,256}?)\s{0,64}\+[-+]{1,64} (?:\d{1,9}|\.\.\.) -+\s*$")
_FRAME: Final = re.compile(
    r'(?P<before>[^"]{0,512}?)(?P<indent> {0,64})File "(?P<file>[^"\n]{1,4096})", line (?P<line>\d{1,9})'
    r"(?:, in (?P<function>[^\n]{1,256}?))?\s*$"
)
_WORD: Final = re.compile(r"\s*\S+")
_EXCEPTION: Final = re.compile(
    r"(?P<type>[A-Za-z_]\w{0,127}(?:\.[A-Za-z_<]\w{0,127}>?){0,16})"
    r"(?::(?: (?P<message>.*))?)?$"
)


@dataclass(frozen=True, kw_only=True)
class StackFrame:
    """A place in a program: its file, the line from 1, the function, "" where none is said."""

    file: str
    line: int
    function: str


@dataclass(frozen=True, kw_only=True)
class ExceptionLine:
    """An exception that a traceback names, with the first line of its message. `depth` is in how many groups
    it is.
    """

    type: str
    message: str
    depth: int


@dataclass(frozen=True, kw_only=True)
class StackTrace:
    """The frames and the exceptions in the order of the text."""

    frames: tuple[StackFrame, ...]
    exceptions: tuple[ExceptionLine, ...]

    @property
    def raised(self) -> ExceptionLine | None:
        """What was raised in the end: the last of those that are in no other."""
        least = min((each.depth for each in self.exceptions), default=0)
        return next((each for each in reversed(self.exceptions) if each.depth == least), None)


def sanitize_stack_trace(text: str) -> tuple[StackFrame, ...]:
    """The frames of a traceback, what is in them masked as by `mask_kept_text`. No source line or message."""
    return tuple(
        StackFrame(file=mask_kept_text(frame.file), line=frame.line, function=mask_kept_text(frame.function))
        for frame in read_trace(text).frames
    )


def read_trace(text: str) -> StackTrace:
    """The traceback as it stands in the text, nothing masked. Empty where there is none."""
    reader = _Reader()
    for line in _lines(text):
        reader.read(line)
    return StackTrace(frames=tuple(reader.frames), exceptions=tuple(reader.exceptions))


def _lines(text: str) -> Iterator[str]:
    plain = _CONTROLS.sub("", _TERMINAL.sub("", text).replace("\r\n", "\n").replace("\r", "\n"))
    for line in plain.split("\n"):
        if "\\n" in line and _ESCAPED_LINES.search(line):  # a traceback in a string of JSON
            unescaped = (
                _ESCAPED_HEADER.sub("\n", line).replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")
            )
            yield from (part for part in unescaped.split("\n") if len(part) <= _MOST_IN_LINE)
        elif len(line) <= _MOST_IN_LINE:
            yield line


@dataclass(kw_only=True)
class _Reader:
    frames: list[StackFrame] = field(default_factory=list)
    exceptions: list[ExceptionLine] = field(default_factory=list)
    _script: ScriptTrace = field(default_factory=ScriptTrace)
    _words: int | None = None  # before each line of the traceback that is read
    _indent: int | None = None  # of the lines of its frames
    _is_open: bool = True  # whether a frame may follow: no exception has ended the traceback
    _is_member: bool = False  # whether an exception of a group may follow, which may have no frames

    def read(self, line: str) -> None:
        if header := _HEADER.search(line):
            self._begin(line[: header.start()])
        elif member := _GROUP_MEMBER.match(line):
            self._begin(f"{member[1]} |")
            self._is_member = True
        elif not (self._read_frame(line) or self._read_exception(line)) and self._indent is None:
            self._read_script(line)

    def _begin(self, before: str) -> None:
        self._words, self._indent = len(before.split()), None
        self._is_open, self._is_member = True, False

    def _read_frame(self, line: str) -> bool:
        found = _FRAME.match(line) if 'File "' in line else None
        if found is None:
            return False
        words, indent = len(found["before"].split()), len(found["indent"])
        is_other = self._words not in (None, words) and (words > 0 or self._indent is not None)
        if is_other or not self._is_open:
            return True  # of a message or a source line
        if self._indent not in (None, indent):
            return True  # a source line
        self._words, self._indent, self._is_member = words, indent, False
        self.frames.append(
            StackFrame(file=found["file"], line=int(found["line"]), function=found["function"] or "")
        )
        return True

    def _read_exception(self, line: str) -> bool:
        if self._words is None or (self._indent is None and not self._is_member):
            return False
        rest = _without_words(line, self._words)
        if rest is None or (self._is_member and not line[: len(line) - len(rest)].endswith("|")):
            return False
        text = rest.lstrip(" ")
        indent = len(rest) - len(text)
        if self._indent is not None and indent != max(self._indent - 2, 0):
            return False
        found = _EXCEPTION.match(text.rstrip())
        if found is None:
            return False
        depth = _depth(line[: len(line) - len(rest)])
        self.exceptions.append(ExceptionLine(type=found["type"], message=found["message"] or "", depth=depth))
        self._words, self._indent, self._is_open, self._is_member = None, None, False, False
        return True

    def _read_script(self, line: str) -> None:
        place, exception = self._script.read(line)
        if place is not None:
            self.frames.append(StackFrame(file=place[0], line=place[1], function=place[2]))
        if exception is not None:
            self.exceptions.append(ExceptionLine(type=exception[0], message=exception[1], depth=0))


def _depth(before: str) -> int:
    """In how many groups what stands behind `before` is: each has its margin two further in."""
    if not before.endswith("|"):
        return 0
    margin = before[:-1]
    return max(0, len(margin) - len(margin.rstrip()) - 2) // 2


def _without_words(line: str, count: int) -> str | None:
    """What follows the first `count` words of the line, with the spaces before it."""
    at = 0
    for _ in range(count):
        word = _WORD.match(line, at)
        if word is None:
            return None
        at = word.end()
    return line[at:]
