"""Searches the lines of one file for a regular expression.

The expressions are RE2's: a line is searched in time that grows with its length alone, whatever a guest's
pattern is. A file is read in pieces of whole lines, so that a large one is never held whole.
"""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

import re2

from host.core.errors import Refusal
from host.core.scrubbing.cuts import first_cut, last_cut
from host.core.text import counted, has_lone_surrogate, quoted

MAX_QUERY_CHARS: Final = 1000
MAX_LINE_BYTES: Final = 2**16  # of a longer line its beginning is searched
MAX_SHOWN_CHARS: Final = 200

_PIECE_BYTES: Final = 2**16
_MAX_PROGRAM: Final = 2000  # instructions; the worst of them takes 1.5 s for 64 KiB
_SHOWN_BEFORE: Final = 40
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_ANCHORS: Final = {"A": "^", "z": "$"}
_BRACKETS: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]", re.DOTALL)
_HINTS: Final = (
    (re.compile(r".*: \(\?<?[=!]"), "RE2 has no look-ahead and no look-behind"),
    (re.compile(r".*: \\[1-9k]"), "RE2 has no back-references"),
    (re.compile(r".*: \\u"), r"a character by its number is \x{e9}"),
    (re.compile(r"missing \)|unexpected \)"), r"the character itself is \( or \)"),
    (re.compile(r"no argument"), "the character itself has a backslash before it"),
)


@dataclass(frozen=True)
class LineMatch:
    """A line that matches, counted from 1, without its line end; cut around the match where it is long."""

    line: int
    text: str


class NotText(Exception):
    """The file holds a NUL or is no UTF-8."""


class LinePattern:
    """A regular expression that is looked for in each line by itself; `^` and `$` are the line's ends.

    Raises `Refusal` `invalid-argument` for a query that is blank, too long, or no expression of RE2.
    """

    def __init__(self, query: str) -> None:
        self._compiled: Final = _compile(query)

    def find(self, piece: bytes, start: int) -> tuple[int, int] | None:
        """The first match in whole lines of text, from `start` on."""
        found = self._compiled.search(piece, start)
        return None if found is None else found.span()


def search_lines(
    file: BinaryIO, size_bytes: int, pattern: LinePattern, most: int, go_on: Callable[[int], None]
) -> list[LineMatch]:
    """The first `most` lines that match in the first `size_bytes` of a file.

    `go_on` is told of the bytes of each piece and raises where the search has to end. Raises `NotText`,
    also where that is seen only after the last match.
    """
    found: list[LineMatch] = []
    for first_line, lines in _blocks(_pieces(file, size_bytes, go_on)):
        if len(found) < most:
            found += _matches(first_line, lines, pattern, most - len(found))
    return found


def _compile(query: str) -> Any:  # noqa: ANN401  (the library has no types)
    if not query.strip():
        raise _refused("the query is blank; give a regular expression")
    if len(query) > MAX_QUERY_CHARS:
        raise _refused(f"the query has {len(query):,} of {MAX_QUERY_CHARS:,} characters")
    if has_lone_surrogate(query):
        raise _refused("the query holds a lone surrogate")
    try:
        _re2(query)  # by itself, so that places in it are right
        compiled = _re2(_ESCAPE.sub(lambda escape: _ANCHORS.get(escape[1], escape[0]), query))
    except re2.error as err:
        raise _no_pattern(query, err) from None
    finally:
        re2.purge()  # the library would keep them
    if compiled.programsize > _MAX_PROGRAM:
        raise _refused(f"the query is too large; repeat less in {quoted(query)}")
    return compiled


def _re2(pattern: str) -> Any:  # noqa: ANN401  (the library has no types)
    options = re2.Options()
    options.never_nl = True  # so that several lines are searched at once, and each by itself
    options.one_line = False
    options.never_capture = True
    options.log_errors = False
    return re2.compile(f"(?m){pattern}", options)


def _no_pattern(query: str, err: re2.error) -> Refusal:
    """Says where: the library names the piece that it stumbled over, not its place."""
    what, _, piece = err.args[0].decode("utf-8", "replace").partition(": ")
    piece = piece.removeprefix("(?m)")
    hint = next((f" ({hint})" for found, hint in _HINTS if found.match(f"{what}: {piece}")), "")
    shown = f" {quoted(piece)}" if piece and piece != query else ""
    place = f"at character {_place(query, what, piece, err)}"
    return _refused(f"the query {quoted(query)} is no regular expression, {place}: {what}{shown}{hint}")


def _place(query: str, what: str, piece: str, err: re2.error) -> int:
    """The character, from 1, at which what is wrong begins."""
    if what in ("missing )", "unexpected )"):
        return _unpaired(query) + 1
    at = query.find(piece)
    while at > 0 and not _fails_alike(query[: at + len(piece)], err):
        at = query.find(piece, at + 1)
    return max(at, 0) + 1


def _unpaired(query: str) -> int:
    """Where the bracket stands that has no other one."""
    opened: list[int] = []
    for token in _BRACKETS.finditer(query):
        if token[0] == "(":
            opened.append(token.start())
        elif token[0] == ")" and opened:
            opened.pop()
        elif token[0] == ")":
            return token.start()
    return opened[-1] if opened else 0


def _fails_alike(beginning: str, err: re2.error) -> bool:
    try:
        _re2(beginning)
    except re2.error as found:
        return bool(found.args == err.args)
    return False


def _refused(reason: str) -> Refusal:
    return Refusal("invalid-argument", f"Cannot search: {reason}.", kind="query")


def _pieces(file: BinaryIO, size_bytes: int, go_on: Callable[[int], None]) -> Iterator[bytes]:
    """The file in pieces, each of them checked."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    remaining = size_bytes
    try:
        while remaining and (piece := file.read(min(_PIECE_BYTES, remaining))):
            remaining -= len(piece)
            go_on(len(piece))
            if b"\0" in piece:
                raise NotText
            decoder.decode(piece)
            yield piece
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise NotText from None


def _blocks(pieces: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Whole lines without the last line end, and the number of the first; a long line without its rest."""
    number, begun = 1, b""
    for piece in pieces:
        ended, end, rest = piece.rpartition(b"\n")
        if not end:
            begun = (begun + rest)[:MAX_LINE_BYTES]
            continue
        first, separator, others = ended.partition(b"\n")
        yield number, (begun + first)[:MAX_LINE_BYTES] + separator + others
        number += ended.count(b"\n") + 1
        begun = rest
    if begun:
        yield number, begun


def _matches(number: int, lines: bytes, pattern: LinePattern, most: int) -> list[LineMatch]:
    lines = lines.replace(b"\r\n", b"\n").removesuffix(b"\r")
    found: list[LineMatch] = []
    start = 0
    while len(found) < most and (span := pattern.find(lines, start)):
        begin = lines.rfind(b"\n", 0, span[0]) + 1
        end = lines.find(b"\n", span[0])
        number += lines.count(b"\n", start, begin)
        line = lines[begin:] if end < 0 else lines[begin:end]
        found.append(LineMatch(number, _shown(line, span[0] - begin)))
        if end < 0:
            break
        start = end + 1
        number += 1
    return found


def _shown(line: bytes, match_at: int) -> str:
    """The line, or what stands around the match in it, with a count of what was left out."""
    text = line.decode("utf-8", "ignore")  # only a line that was cut can end within a character
    if len(text) <= MAX_SHOWN_CHARS:
        return text
    at = len(line[:match_at].decode("utf-8", "ignore"))
    begin = max(0, min(at - _SHOWN_BEFORE, len(text) - MAX_SHOWN_CHARS))
    end = last_cut(text, begin + MAX_SHOWN_CHARS)
    begin = min(first_cut(text, begin), end)
    more = len(text) - end
    least = "at least " if len(line) >= MAX_LINE_BYTES else ""
    before = f"({begin:,} characters) …" if begin else ""
    after = f"… ({least}{counted(more, 'more character')})" if more or least else ""
    return f"{before}{text[begin:end]}{after}"
