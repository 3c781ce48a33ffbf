"""Secrets that the name before them tells: `password = '…'`, `--api-key …`, `the token is …`."""

import re
from collections.abc import Iterator
from typing import Final

from host.core.scrubbing.names import SecretName, secret_names
from host.core.scrubbing.value_shapes import (
    MOST_OF_A_NAME,
    Context,
    is_code_in_prose,
    is_quoted_secret,
    is_said,
    is_said_secret,
    is_secret,
    is_type,
)

RULE: Final = "named_value"
MOST_QUOTED: Final = 4096
"""Characters of what stands in quotes; what is longer is taken to its line's end."""

_CLOSED: Final = r"(?:\\{0,7}[\"'`]|\*{1,2}|__)?\s{0,3}[\])]?\s{0,3}"
_TYPE: Final = (
    r"(?:[?!]?:\s{0,8}[A-Za-z_&][\w.\[\]|<>?&' ]{0,60}?\s{0,8}"
    r"(?==(?:[ \t]{0,8}[bruf]{0,2}[\"'`]|[ \t]+[^\s=])))?"
)
_ASSIGNED: Final = re.compile(
    rf"{_CLOSED}[ \t]{{0,64}}{_TYPE}"
    r"(?P<sign>:=|=>|->|[=!]==?|\?\??=|\+=|\|\|=|=|%3[DdAa]|:(?!:))\*{0,2}(?P<space>[ \t]{0,64})"
)
_VALUE_BESIDE: Final = re.compile(
    r"\\{0,7}[\"']?[ \t]{0,8},?\s{1,64}(?:-\s)?\\{0,7}[\"']?(?:value|content|defaultValue)\\{0,7}[\"']?"
    r"\s{0,8}(?P<sign>[:=])(?P<space>[ \t]{0,8})",
    re.IGNORECASE,
)
_ELEMENT: Final = re.compile(r"(?:\s[^<>]{0,80})?>\s{0,64}([^<>\s][^<>]{0,4000})</")
_ATTRIBUTE: Final = re.compile(r"[\"'](?:\s[^<>]{0,80})?>\s{0,64}([^<>\s][^<>]{0,4000})</")
_CALLED: Final = re.compile(r"\(\s{0,8}")
_SECOND_ARGUMENT: Final = re.compile(r"\\{0,7}[\"']\s{0,3},\s{0,8}")
_OPENED: Final = re.compile(r"\(\s{0,8}\\{0,7}[\"']$")
_OPTION: Final = re.compile(r"[\"']?,?[ \t]{1,8}")
_CELL: Final = re.compile(r"[`*]{0,2}[ \t]{0,64}\|[ \t]{0,64}")
_ROW: Final = re.compile(r"[ \t>*]{0,16}\|")
_SAID: Final = re.compile(
    r"(?:\s{1,3}(?:for|of|to)\s[^\n.;:=]{1,40}?)?\s{1,3}(?:is|was|are|equals|be|becomes)"
    r"(?:\s(?:now|still|set to|called))?\s{0,3}:?\s{1,3}"
    r"|\s{1,3}(?:set to|changed to|as)\s{1,3}|[ \t]{1,3}",
    re.IGNORECASE,
)
_QUOTE: Final = re.compile(
    r"(?:(?:[\w.]{1,40}\.)?(?:SecretStr|Secret|String::from|String|str|bytes|from|b64decode|atob|of|new\s\w{1,40})\(\s{0,8})?"
    r"(?:[rRbBuUfF]{1,2}|@|\$)?(\\{0,7})(\"\"\"|'''|\"|'|`)"
)
_BARE: Final = re.compile(r"[^\s\"'`<>]+(?:[\"'`](?=[A-Za-z0-9])[^\s\"'`<>]+)*")
_BARE_AT_MOST: Final = re.compile(rf"[^\s\"'`<>]{{1,{MOST_OF_A_NAME + 1}}}")
_NEXT_PAIR: Final = re.compile(
    r"(?:[,;&]|%26)(?=\s*[\w.-]{1,64}(?:\s?[=:]|%3[Dd]))|\\[nrt](?![A-Za-z]*[A-Z0-9])|\\[nr]"
)
_SPACE: Final = re.compile(r"\s{0,64}")
_NEXT_WORD: Final = re.compile(r"[.,;]?[ \t]([A-Za-z]{1,20})")
_BLOCK_SCALAR: Final = re.compile(r"(?:!\S{1,40} )?[|>][+-]?\d?[+-]?[ \t]*\r?\n")
_ONE_OF: Final = re.compile(r"[\"'`]\s{0,64}\|\s{0,64}[\"'`]")
_LIST: Final = re.compile(r"[\[(]\s{0,64}(?=\\{0,7}[\"'])")
_LIST_GOES_ON: Final = re.compile(r"\s{0,64},\s{0,64}(?=\\{0,7}[\"'])")
_MOST_IN_LIST: Final = 64

Found = tuple[int, int]


def _is_signature(match: re.Match[str]) -> bool:
    """Whether the name is the last parameter of a function, whose type or body follows."""
    return match["sign"] in ("->", "=>") and ")" in match[0]


class NamedValues:
    """Finds them in a text. `data` is the text as as many bytes of ASCII."""

    def __init__(self, text: str, data: bytes) -> None:
        self._text: Final = text
        self._data: Final = data
        self._ascii: Final = data.decode("ascii")

    def find(self) -> Iterator[tuple[int, int, str]]:
        """Start, end and rule of each value. What lies in one is not looked at again."""
        done = 0
        for name in secret_names(self._data, self._ascii):
            if name.start < done <= name.end or name.end <= done:
                continue
            for start, end in self._values(name):
                yield start, end, RULE
                done = max(done, end)

    def _values(self, name: SecretName) -> Iterator[Found]:
        text = self._ascii
        match = _VALUE_BESIDE.match(text, name.end) or _ASSIGNED.match(text, name.end)
        if match is not None and not _is_signature(match):
            yield from self._assigned(name, match)
        elif name.is_plural:
            return
        elif element := self._element(name):
            if is_quoted_secret(self._text[slice(*element.span(1))].strip(), self._context(name)):
                yield element.span(1)
        elif (match := _CALLED.match(text, name.end)) or (match := _SECOND_ARGUMENT.match(text, name.end)):
            yield from self._argument(name, match)
        elif name.text.lower() == "pass" or (
            name.text.lower() == "identified by" and not name.text.isupper()
        ):
            return  # a verb
        elif (cell := _CELL.match(text, name.end)) and self._is_in_row(name):
            yield from self._said(name, cell.end())
        elif self._is_option(name) and (match := _OPTION.match(text, name.end)):
            yield from self._after_option(name, match.end())
        elif said := _SAID.match(text, name.end):
            yield from self._said(name, said.end(), has_verb=not said[0].isspace())

    def _is_in_row(self, name: SecretName) -> bool:
        """Whether its line is the row of a table: alternatives have bars between them as well."""
        begin = self._ascii.rfind("\n", max(0, name.start - 1024), name.start) + 1
        return _ROW.match(self._ascii, begin) is not None

    def _context(self, name: SecretName, *, is_variable: bool = False, goes_on: bool = False) -> Context:
        is_common = name.text.lower().strip("_$-") == "token"
        return Context(
            is_password=name.is_password, is_common=is_common, is_variable=is_variable, goes_on=goes_on
        )

    def _element(self, name: SecretName) -> re.Match[str] | None:
        """`<password>…</password>`, and `<entry key="password">…</entry>`."""
        before = self._ascii[max(0, name.start - 1) : name.start]
        return (_ELEMENT if before == "<" else _ATTRIBUTE).match(self._ascii, name.end)

    def _assigned(self, name: SecretName, match: re.Match[str]) -> Iterator[Found]:
        at = match.end()
        if name.is_plural and name.text.lower().endswith("tokens"):
            return
        if listed := _LIST.match(self._ascii, at):
            yield from self._listed(name, listed.end())
        elif quoted := self._quoted(self._skip_lines(at)):
            is_compared = match["sign"] in ("==", "!=", "===", "!==")
            value = self._text[slice(*quoted)]
            is_code = self._ascii[quoted[0] - 1] == "`" and is_code_in_prose(value, self._context(name))
            is_word = is_compared and not name.is_password and value.isalpha()
            is_one_of = _ONE_OF.match(self._ascii, quoted[1]) is not None
            if is_quoted_secret(value, self._context(name)) and not (is_code or is_word or is_one_of):
                yield quoted
        elif block := _BLOCK_SCALAR.match(self._ascii, at):
            yield from self._block(name, block.end())
        elif bare := self._bare(at, name):
            value, space = self._text[slice(*bare)], match["space"]
            is_variable = self._is_variable(name, match)
            goes_on = (bool(space) or match["sign"] == ":") and self._next_word(bare[1]) != ""
            context = self._context(name, is_variable=is_variable, goes_on=goes_on)
            is_typed = match["sign"] == ":" and is_type(
                value, context, after=self._ascii[bare[1] : bare[1] + 2]
            )
            if is_secret(value, context) and not is_typed:
                yield bare[0], self._whole(*bare)

    def _is_variable(self, name: SecretName, match: re.Match[str]) -> bool:
        """Whether it is a line of a file of settings, or a parameter of a URL: no variable stands there."""
        if name.text.upper() == name.text:
            return match["sign"] == ":" or not match["space"]
        before = self._ascii[max(0, name.start - 1) : name.start]
        return match["sign"] == "=" and not match["space"] and before in ("", "\n", "?", "&", ";", ":", "/")

    def _listed(self, name: SecretName, at: int) -> Iterator[Found]:
        for _ in range(_MOST_IN_LIST):
            quoted = self._quoted(at)
            if quoted is None:
                return
            if is_quoted_secret(self._text[slice(*quoted)], self._context(name)):
                yield quoted
            closed = _QUOTE.match(self._ascii, quoted[1])
            after = _LIST_GOES_ON.match(self._ascii, closed.end() if closed else quoted[1])
            if after is None:
                return
            at = after.end()

    def _argument(self, name: SecretName, match: re.Match[str]) -> Iterator[Found]:
        """`setPassword("…")`, and `set("password", "…")` where no word stands there."""
        quoted = self._quoted(match.end())
        if quoted is None:
            return
        value = self._text[slice(*quoted)]
        is_second = match.re is _SECOND_ARGUMENT
        if is_second and not _OPENED.search(self._ascii, max(0, name.start - 16), name.start):
            return  # of a list
        if is_quoted_secret(value, self._context(name)) and (
            any(map(str.isdigit, value)) and "_" not in value
            if is_second
            else not value.isidentifier() or name.is_password
        ):
            yield quoted

    def _is_option(self, name: SecretName) -> bool:
        """Whether it follows `--`, or is what `ENV` sets."""
        before = self._ascii[max(0, name.start - 5) : name.end]
        return name.text.startswith("-") or before.startswith(("ENV ", "\nENV "))

    def _after_option(self, name: SecretName, at: int) -> Iterator[Found]:
        quoted = self._quoted(at)
        if quoted is not None:
            if is_quoted_secret(self._text[slice(*quoted)], self._context(name)):
                yield quoted
        elif bare := self._bare(at, name):
            value = self._text[slice(*bare)]
            context = self._context(name, is_variable=True)
            if not value.startswith(("-", "[", "|")) and not is_said(value) and is_secret(value, context):
                yield bare[0], self._whole(*bare)

    def _said(self, name: SecretName, at: int, *, has_verb: bool = False) -> Iterator[Found]:
        quoted = self._quoted(at)
        if quoted is not None:
            value = self._text[slice(*quoted)]
            is_named = name.text.isupper() or has_verb or len(value.split()) == 1
            context = Context(is_password=name.is_password and is_named)
            if is_said_secret(value, context, is_quoted=True):
                yield quoted
        elif bare := self._bare(at, name):
            start = bare[0]
            value = self._text[start : bare[1]].rstrip(".,;:!?*_")
            after = self._next_word(start + len(value))
            if value and is_said_secret(value, self._context(name), is_quoted=False, next_word=after):
                yield start, self._whole(start, start + len(value))

    def _skip_lines(self, at: int) -> int:
        """Past line ends, for a value in quotes on the next line, where no string of documentation stands."""
        after = _SPACE.match(self._ascii, at)
        assert after is not None, "it matches nothing as well"
        is_docs = self._ascii.startswith(('"""', "'''"), after.end()) and "\n" in after[0]
        return at if is_docs else after.end()

    def _quoted(self, at: int) -> Found | None:
        """What stands in the quotes that open at `at`, however often these are escaped."""
        opening = _QUOTE.match(self._ascii, at)
        if opening is None:
            return None
        start, mark = opening.end(), opening[1] + opening[2]
        limit = min(len(self._ascii), start + MOST_QUOTED)
        end = self._ascii.find(mark, start, limit)
        while end >= 0 and self._escapes_before(end) % (2 * len(opening[1]) + 2):
            end = self._ascii.find(mark, end + 1, limit)
        line_end = self._ascii.find("\n", start, limit)
        is_one_line = len(opening[2]) == 1 and opening[2] != "`"
        if end < 0 or (is_one_line and 0 <= line_end < end):
            end = line_end if line_end >= 0 else self._line_end(start)
        return (start, end) if end > start else None

    def _escapes_before(self, at: int) -> int:
        count = 0
        while count < 64 and self._ascii[at - 1 - count : at - count] == "\\":
            count += 1
        return count

    def _line_end(self, at: int) -> int:
        end = self._ascii.find("\n", at)
        return end if end >= 0 else len(self._ascii)

    def _bare(self, at: int, name: SecretName) -> Found | None:
        """What stands at `at` without quotes, as far as it may be a name."""
        match = _BARE_AT_MOST.match(self._ascii, at)
        if match is None:
            return None
        end = self._cut(match.start(), match.end(), in_query=self._is_in_query(name))
        return (at, end) if end > at else None

    def _is_in_query(self, name: SecretName) -> bool:
        return self._ascii[max(0, name.start - 1) : name.start] in ("?", "&", ";")

    def _cut(self, start: int, end: int, *, in_query: bool = False) -> int:
        """Where the value ends of which no more than `start` to `end` is: before the next pair, a closing
        bracket that it has not opened, and commas.
        """
        value = self._ascii[start:end]
        if in_query:
            value = re.split("[&#]", value, maxsplit=1)[0]
        if pair := _NEXT_PAIR.search(value):
            value = value[: pair.start()]
        depth = 0
        for at, char in enumerate(value):
            depth += (char in "([{") - (char in ")]}")
            if depth < 0:
                value = value[:at]
                break
        return start + len(value.rstrip(",;:\\"))

    def _whole(self, start: int, end: int) -> int:
        """The end of a value that may be longer than a name is."""
        if end - start < MOST_OF_A_NAME:
            is_cut_by_quote = _BARE.match(self._ascii, start)
            if is_cut_by_quote is not None and self._ascii[end : end + 1] in ('"', "'", "`"):
                return max(end, is_cut_by_quote.end())
            return end
        whole = _BARE.match(self._ascii, start)
        return whole.end() if whole is not None else end

    def _next_word(self, end: int) -> str:
        after = _NEXT_WORD.match(self._ascii, end)
        return after[1] if after is not None else ""

    def _block(self, name: SecretName, at: int) -> Iterator[Found]:
        """The lines of a block scalar of YAML, which stand further in than the line of its name."""
        begin = self._ascii.rfind("\n", max(0, name.start - 256), name.start) + 1
        line = self._ascii[begin : name.start]
        indent = len(line) - len(line.lstrip(" "))
        start, end = at, at
        while end < min(len(self._ascii), at + 4 * MOST_QUOTED):
            stop = self._line_end(end)
            row = self._ascii[end:stop]
            if row.strip() and len(row) - len(row.lstrip(" ")) <= indent:
                break
            end = stop + 1
        body = self._ascii[start:end]
        if is_quoted_secret(body.strip(), self._context(name)) and body.strip():
            yield start + len(body) - len(body.lstrip()), start + len(body.rstrip())
