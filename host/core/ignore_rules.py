"""What ignore-files say of the entries of a directory and below it.

The rules are those of git, for its `.gitignore` and for `.ignore`, which search tools read besides: the last
rule that matches decides, a deeper file over a higher one, and what lies in an ignored directory stays
ignored. Each rule is translated for RE2, so that no rule of a guest's can take long to match.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

import re2

IGNORE_FILES: Final = (".gitignore", ".ignore")  # the later one is the stronger
MAX_IGNORE_BYTES: Final = 2**16

_MAX_RULE_BYTES: Final = 1024  # as long as a path can be
_TOKEN: Final = re.compile(
    r"\[(?P<negated>[!^])?(?P<items>\]?(?:\\.|\[:[a-z]+:\]|[^\]\\])*)\]"
    r"|\\(?P<escaped>.)|(?P<stars>\*+)|(?P<any>\?)|(?P<plain>[^\[\\])",
    re.DOTALL,
)
_FOLDERS: Final = "(?:.*/)?"
_ITEM: Final = re.compile(r"\[:(?P<name>[a-z]+):\]|\\?(?P<low>.)(?:-\\?(?P<high>.))?", re.DOTALL)
_NAMED: Final = {
    **{name: f"[:{name}:]" for name in ("alnum", "alpha", "blank", "cntrl", "digit", "lower")},
    **{name: f"[:{name}:]" for name in ("space", "upper", "xdigit")},
    "punct": r"!-.:-@\[-`{-~",  # these three without the slash, which no class matches
    "graph": "!-.0-~",
    "print": " -.0-~",
}


@dataclass(frozen=True)
class _Rules:
    """Consecutive rules of one file that all ignore, or all take back; `depth` is that of the file."""

    depth: int
    ignores: bool
    matcher: Any


@dataclass(frozen=True)
class IgnoreRules:
    """The rules of the ignore-files from the root down to one directory."""

    _groups: tuple[_Rules, ...] = ()

    def ignores(self, parts: Sequence[str], *, is_directory: bool) -> bool:
        """Whether an entry is ignored whose directory is not. `parts` are those of its path from the root."""
        for group in reversed(self._groups):
            path = "/".join(parts[group.depth :]) + ("/" if is_directory else "")
            if group.matcher.fullmatch(path.encode("utf-8")):
                return group.ignores
        return False

    def with_file(self, data: bytes, depth: int) -> "IgnoreRules":
        """These and the rules of an ignore-file in a directory so many parts below the root.

        A line that is no rule, or no UTF-8, is passed over, as git does.
        """
        rules = [rule for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n") if (rule := _rule(line))]
        added: list[_Rules] = []
        for ignores, group in groupby(rules, key=lambda rule: rule[0]):
            matchers = _matchers([pattern for _, pattern in group])
            added += [_Rules(depth, ignores, matcher) for matcher in matchers]
        return IgnoreRules((*self._groups, *added))


def _rule(line: bytes) -> tuple[bool, str] | None:
    """Whether the rule ignores, and its pattern for RE2: over a path in which a directory ends with `/`."""
    if len(line) > _MAX_RULE_BYTES:
        return None
    try:
        text = _without_spaces(line.removesuffix(b"\r").decode("utf-8"))
    except UnicodeDecodeError:
        return None
    if text.startswith("#"):
        return None
    ignores = not text.startswith("!")
    text = text.removeprefix("!")
    pattern = _translated(text.removesuffix("/"))
    return None if pattern is None else (ignores, pattern + ("/" if text.endswith("/") else "/?"))


def _without_spaces(text: str) -> str:
    """The rule without spaces at its end, but for one that a backslash keeps."""
    bare = text.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return text[: len(bare) + 1] if backslashes % 2 else bare


def _translated(text: str) -> str | None:
    """A rule as a pattern, `None` for one that matches nothing. One with a `/` starts where its file lies."""
    anywhere = "/" not in text
    text = text.removeprefix("/")
    if not text:
        return None
    parts = [_FOLDERS] if anywhere else []
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        part = None if token is None else _part(token, text, anywhere=anywhere)
        if token is None or part is None:
            return None
        parts.append(part)
        # Between slashes, stars stand for the slash after them as well.
        at = token.end() + (part == _FOLDERS)
    return "".join(parts)


def _part(token: re.Match[str], text: str, *, anywhere: bool) -> str | None:
    if token["stars"]:
        before, after = text[: token.start()], text[token.end() :]
        alone = before[-1:] in ("", "/") and after[:1] in ("", "/")
        if not alone:
            return "[^/]*"
        if len(token["stars"]) == 1 or anywhere:
            return "[^/]+"
        return _FOLDERS if after else ".+"
    if token["any"]:
        return "[^/]"
    if token["items"] is not None:
        return _class(token["items"], negated=token["negated"] is not None)
    return _code(token["escaped"] or token["plain"])


def _class(items: str, *, negated: bool) -> str | None:
    ranges: list[str] = []
    for item in _ITEM.finditer(items):
        if item["name"]:
            if item["name"] not in _NAMED:
                return None
            ranges.append(_NAMED[item["name"]])
        else:
            low = ord(item["low"])  # matches also where the range is upside down
            ranges += [*_ranges(low, low), *_ranges(low, ord(item["high"] or item["low"]))]
    if negated:
        return f"[^/{''.join(ranges)}]"
    return f"[{''.join(ranges)}]" if ranges else None


def _ranges(low: int, high: int) -> list[str]:
    """A range without the slash; none where it is upside down."""
    slash = ord("/")
    parts = [(low, high)]
    if low <= slash <= high:
        parts = [(low, slash - 1), (slash + 1, high)]
    return [f"{_code(chr(first))}-{_code(chr(last))}" for first, last in parts if first <= last]


def _code(character: str) -> str:
    return f"\\x{{{ord(character):x}}}"


def _matchers(patterns: list[str]) -> list[Any]:
    """As few expressions as can hold all the patterns; one that is too large by itself is left out."""
    options = re2.Options()
    options.never_capture = True
    options.log_errors = False
    try:
        return [re2.compile("|".join(patterns), options)]
    except re2.error:
        half = len(patterns) // 2
        return [*_matchers(patterns[:half]), *_matchers(patterns[half:])] if half else []
    finally:
        re2.purge()  # the library would keep them
