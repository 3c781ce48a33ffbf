"""Pure text helpers: counting, escaping, near names, sizes."""

import difflib
import re
from collections.abc import Iterable
from typing import Final

_CONTROL: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_NOT_IN_LINES: Final = re.compile(rf"[\t\n]|{_CONTROL.pattern}")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_TICKS: Final = re.compile("`+")
_BACKTICKS: Final = re.compile("`{3,}")
_UNITS: Final = ("KiB", "MiB", "GiB")
_NEAR: Final = 0.6


def escape_controls(text: str) -> str:
    """Spells control characters, bidirectional marks and lone surrogates as `\\uXXXX`; tab and line feed
    stay.
    """
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def quoted(text: str, *, max_chars: int = 120) -> str:
    """The text in backticks on one line, escaped, and cut where it is too long for a message. There are more
    backticks around it than in any run of them within, so that it does not end before its end.
    """
    line = escape_line(shortened(text, max_chars))
    if "`" not in line:
        return f"`{line}`"
    mark = "`" * (max(map(len, _TICKS.findall(line))) + 1)
    return f"{mark} {line} {mark}"


def fenced(text: str) -> str:
    """The text, verbatim, between fences that are longer than any run of backticks in it."""
    longest = max(map(len, _BACKTICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text}\n{fence}"


def shortened(text: str, max_chars: int) -> str:
    """The text, or its beginning with a mark where it is too long. A secret is not cut through."""
    if len(text) <= max_chars:
        return text
    from host.core.scrubbing.cuts import last_cut  # it brings in every rule, and few texts are cut

    return f"{text[: last_cut(text, max_chars)]}…"


def escape_line(text: str) -> str:
    """As `escape_controls`, with tab and line feed spelled as well."""
    return escape_controls(text).replace("\t", "\\u0009").replace("\n", "\\u000a")


def place_of_control(text: str) -> int | None:
    """Where the first character stands that `escape_line` spells, which one line of text does not hold."""
    found = _NOT_IN_LINES.search(text)
    return None if found is None else found.start()


def has_lone_surrogate(text: str) -> bool:
    """Whether the text holds half of a surrogate pair, which UTF-8 cannot carry."""
    return _SURROGATE.search(text) is not None


def count_lines(text: str) -> int:
    """Number of lines, at least 1. A line ends at a line feed; one at the end does not begin another line."""
    return text.count("\n") + (not text.endswith("\n"))


def utf8_length(text: str) -> int:
    """Length in bytes of UTF-8; a lone surrogate counts three."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def format_size(size_bytes: int) -> str:
    """`812 bytes`, `1.5 KiB`, `9.2 MiB`: one decimal, dropped when it is zero."""
    if size_bytes < 1024:
        return f"{size_bytes} byte{'' if size_bytes == 1 else 's'}"
    value = float(size_bytes)
    for unit in _UNITS:
        value /= 1024
        if round(value, 1) < 1024 or unit == _UNITS[-1]:
            return f"{value:.1f}".removesuffix(".0") + f" {unit}"
    raise AssertionError("the last unit always serves")


def format_over(size_bytes: int, limit_bytes: int) -> str:
    """`9.2 MiB, limit 8 MiB`; in bytes where the rounded sizes would look alike."""
    size, limit = format_size(size_bytes), format_size(limit_bytes)
    if size == limit:
        return f"{size_bytes:,} bytes, limit {limit_bytes:,} bytes"
    return f"{size}, limit {limit}"


def nearest(name: str, known: Iterable[str], *, count: int = 3) -> tuple[str, ...]:
    """The known names that a misspelt one most likely meant, best first; case is ignored."""
    by_folded: dict[str, str] = {}
    for candidate in known:
        by_folded.setdefault(candidate.casefold(), candidate)
    wanted = name.casefold()
    # Of such different lengths no two names are near, and a guest's name may be megabytes long.
    if len(wanted) * _NEAR > 2 * max(map(len, by_folded), default=0):
        return ()
    close = difflib.get_close_matches(wanted, by_folded, n=count, cutoff=_NEAR)
    return tuple(by_folded[folded] for folded in close)


def path_parts(path: str) -> list[str]:
    """The parts of a relative path; a part `.` says nothing."""
    return [part for part in path.split("/") if part != "."]


def join_words(words: Iterable[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`; `last` is the word before the last one."""
    listed = list(words)
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} {last} {listed[-1]}"


def counted(count: int, noun: str) -> str:
    """`1 turn`, `2,000 turns`, `2 memories`, `3 days`."""
    if count == 1:
        return f"1 {noun}"
    changes = noun.endswith("y") and noun[-2] not in "aeiou"
    return f"{count:,} {noun[:-1]}ies" if changes else f"{count:,} {noun}s"
