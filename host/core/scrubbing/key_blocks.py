"""Private keys as blocks of text: PEM and PGP, over many lines or escaped on one, whole or cut; PuTTY's."""

import re
from collections.abc import Iterator
from typing import Final

RULE: Final = "private_key"
_MOST: Final = 16_384
"""Characters that a block may have between its two lines."""

_BEGIN: Final = re.compile(r"-----BEGIN ([A-Z0-9 ]{0,40}?PRIVATE KEY(?: BLOCK)?)-----")
_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,40}?PRIVATE KEY(?: BLOCK)?-----")
_PUTTY: Final = re.compile(r"Private-Lines: ?\d{1,4}\r?\n")

# What stands between the lines of base64 where a block is quoted, a part of a diff or a string of a program.
_BETWEEN: Final = r"(?:[\s\"'`>|#*,+-]|\\{1,4}[nrt])"
_LINE: Final = r"(?:[A-Za-z0-9+/=]{4,}+|(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n]{0,80})"
_BODY: Final = re.compile(rf"(?:{_BETWEEN}{{0,64}}+{_LINE})+")
_ALL_BASE64: Final = re.compile(rf"(?:{_BETWEEN}|[A-Za-z0-9+/=])++")
_LONG_RUN: Final = re.compile(r"[A-Za-z0-9+/]{16}")
_LINES_BEFORE: Final = re.compile(r"(?:^[ \t>|+]{0,8}[A-Za-z0-9+/=]{1,80}\r?\n)+\Z", re.MULTILINE)


def key_blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and rule of each block."""
    done = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() >= done and (end := _end_of(text, begin)) is not None:
            yield begin.start(), end, RULE
            done = end
    yield from _without_beginning(text)
    for putty in _PUTTY.finditer(text):
        if body := _BODY.match(text, putty.end()):
            yield putty.end(), body.end(), RULE


def _end_of(text: str, begin: re.Match[str]) -> int | None:
    """`None` where the line is only spoken of."""
    limit = min(len(text), begin.end() + _MOST)
    end = _END.search(text, begin.end(), limit)
    other = _BEGIN.search(text, begin.end(), limit if end is None else end.start())
    if end is not None and other is None:
        body = text[begin.end() : end.start()]
        if _LONG_RUN.search(body) or (_ALL_BASE64.fullmatch(body) and any(map(str.isalnum, body))):
            return end.end()
    rest = _BODY.match(text, begin.end())
    return rest.end() if rest is not None and _LONG_RUN.search(text, begin.end(), rest.end()) else None


def _without_beginning(text: str) -> Iterator[tuple[int, int, str]]:
    """What is left of blocks whose beginning was cut off."""
    done = 0
    for end in _END.finditer(text):
        at = max(done, end.start() - _MOST)
        lines = _LINES_BEFORE.search(text[at : end.start()])
        if lines is not None and _LONG_RUN.search(lines[0]):
            yield at + lines.start(), end.end(), RULE
        done = end.end()
