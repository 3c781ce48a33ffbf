"""A lexical scan of TypeScript: how deep its brackets nest, and a few forms no program may use.

Both compilers take time exponential in the nesting of brackets, so the depth is known before they are asked.
The scan knows strings, templates, comments and regular expressions, but has no grammar: whether a slash
divides or opens a regular expression is told from what stands before it. As that can be wrong, the brackets
of a regular expression count as well.
"""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from runtime_js.places import Place, SourceText

__all__ = ["BRACKET_LIMIT", "Fault", "Form", "Scan", "bracket_depth", "is_left_open", "literal_lines", "scan"]

BRACKET_LIMIT: Final = 100


class Form(Enum):
    """What no program may contain, and no compiler refuses by itself."""

    NO_CHECK = "@ts-nocheck"
    COMPUTED_IMPORT = "import() of anything but one string literal"
    EXPORT_ASSIGNMENT = "export ="


@dataclass(frozen=True)
class Fault:
    form: Form
    offset: int


@dataclass(frozen=True)
class Scan:
    """`depth` is the deepest nesting, `deepest` the offset of the first bracket there, 0 without brackets.

    `too_deep` is the offset of the first bracket beyond `BRACKET_LIMIT`. Faults come in order. `literals` are
    the starts and ends of comments and texts of templates that cross a line. `is_open` says that the text
    ends within one of these or within a bracket.
    """

    depth: int
    deepest: int
    too_deep: int | None
    faults: tuple[Fault, ...]
    literals: tuple[tuple[int, int], ...]
    is_open: bool


def scan(source: str) -> Scan:
    """Scans the whole text, whatever it is; linear in its length."""
    scanner = _Scanner(source)
    scanner.run()
    faults = tuple(sorted(scanner.faults, key=lambda fault: fault.offset))
    return Scan(
        scanner.depth,
        scanner.deepest,
        scanner.too_deep,
        faults,
        literals=tuple(scanner.literals),
        is_open=scanner.is_open,
    )


def bracket_depth(source: str, file: str = "program.ts") -> tuple[int, Place]:
    """The deepest nesting of (), [], {} and ${}, and the place of the first bracket there."""
    found = scan(source)
    return found.depth, SourceText(file, source).place(found.deepest)


def literal_lines(source: str) -> frozenset[int]:
    """The lines, from 0 and parted by line feeds, that begin within a comment or the text of a template."""
    found: set[int] = set()
    line = at = 0
    for start, end in scan(source).literals:
        line += source.count("\n", at, start)
        crossed = source.count("\n", start, end)
        found.update(range(line + 1, line + crossed + 1))
        line, at = line + crossed, end
    return frozenset(found)


def is_left_open(source: str) -> bool:
    """Whether the text ends within a comment, a template or a bracket; if so, it is no whole program."""
    return scan(source).is_open


def needs_scan(source: str) -> bool:
    """False where a scan could find neither a fault nor a nesting beyond the limit; cheap."""
    brackets = source.count("(") + source.count("[") + source.count("{")
    return brackets > BRACKET_LIMIT or _SUSPICIOUS.search(source) is not None


_STRING: Final = (
    r'"[^"\\\n\r]*+(?:\\(?:\r\n|[\s\S])[^"\\\n\r]*+)*+"?'
    r"|'[^'\\\n\r]*+(?:\\(?:\r\n|[\s\S])[^'\\\n\r]*+)*+'?"
)
_LINE_COMMENT: Final = r"//[^\n\r\u2028\u2029]*+"
_BLOCK_COMMENT: Final = r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
_INTEREST: Final = re.compile(
    rf"""(?P<comment>{_LINE_COMMENT}|{_BLOCK_COMMENT})|(?P<string>{_STRING})|(?P<template>`)|(?P<slash>/)"""
    r"""|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<word>(?<![\w$#\\])(?:import|export)(?![\w$\\]))"""
)
_HASHBANG: Final = re.compile(r"#![^\n\r\u2028\u2029]*")
_LITERAL: Final = re.compile(_STRING)
_BLANK: Final = re.compile(rf"(?:[\s\ufeff]|{_LINE_COMMENT}|{_BLOCK_COMMENT})*+")
_TEMPLATE_TEXT: Final = re.compile(r"[^`\\$]*+(?:(?:\\[\s\S]|\$(?!\{))[^`\\$]*+)*+")
_REGEX: Final = re.compile(
    r"/(?![*/])(?:[^/\\\[\n\r\u2028\u2029]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*+\])++/[\w$]*+"
)
_SUSPICIOUS: Final = re.compile(
    r"@ts-nocheck|\bimport[\s\ufeff]*+[(/]|\bexport[\s\ufeff]*+[=/]", re.IGNORECASE
)
_NO_CHECK: Final = re.compile(r"///?\s*@ts-nocheck(?![\w-])", re.IGNORECASE)

# After these a slash opens a regular expression; after any other word it divides.
_BEFORE_OPERAND: Final = frozenset(
    {"await", "case", "default", "delete", "do", "else", "in", "instanceof", "new", "of", "return", "throw"}
    | {"typeof", "void", "yield"}
)
_HEADS: Final = frozenset({"if", "while", "for", "with"})  # `if (…) /x/.test(y)`
_BEFORE_OBJECT: Final = "=(,[?+-*%&|^!~<"
_MEMBER_BEGINS: Final = "{;},*"
_MEMBER_MODIFIERS: Final = frozenset(
    {"abstract", "async", "get", "override", "private", "protected", "public", "set", "static"}
)


class _Scanner:
    """One pass over a text. `_stack` holds the offsets of the open brackets."""

    def __init__(self, text: str) -> None:
        self.depth = 0
        self.deepest = 0
        self.too_deep: int | None = None
        self.faults: list[Fault] = []
        self.literals: Final[list[tuple[int, int]]] = []
        self.is_open = False
        self._text: Final = text
        self._stack: Final[list[int]] = []
        self._regex_budget = 4 * len(text)  # keeps the scan linear
        self._last_open = 0  # the bracket that the last closing one closed
        self._comments: Final[dict[int, int]] = {}  # end to start
        self._imports: Final[dict[int, int]] = {}  # open parenthesis of a computed import() to its `import`
        self._after_bracket: Final[dict[tuple[int, str], bool]] = {}  # whether a slash there opens a regex

    def run(self) -> None:
        hashbang = _HASHBANG.match(self._text)
        at = hashbang.end() if hashbang else 0
        while match := _INTEREST.search(self._text, at):
            at = self._take(match)
        self.is_open = self.is_open or bool(self._stack)

    def _take(self, match: re.Match[str]) -> int:
        start, end = match.span()
        match match.lastgroup:
            case "comment":
                self._comments[end] = start
                is_block = match[0].startswith("/*")
                self._note_literal(
                    start, end, is_closed=not is_block or (end - start > 3 and match[0].endswith("*/"))
                )
                if _NO_CHECK.match(match[0]):
                    self.faults.append(Fault(Form.NO_CHECK, start))
            case "template":
                return self._take_template(end)
            case "slash":
                return self._take_slash(start)
            case "open":
                self._open(start)
            case "close":
                return self._take_close(start)
            case "word":
                self._take_word(match[0], start, end)
        return end

    def _open(self, offset: int) -> None:
        self._stack.append(offset)
        self._note_depth(len(self._stack), offset)

    def _note_depth(self, depth: int, offset: int) -> None:
        if depth > self.depth:
            self.depth, self.deepest = depth, offset
        if depth > BRACKET_LIMIT and self.too_deep is None:
            self.too_deep = offset

    def _take_close(self, offset: int) -> int:
        after = offset + 1
        if not self._stack:
            return after
        in_template = self._text[self._stack[-1]] == "$"
        if in_template and self._text[offset] != "}":
            return after
        self._last_open = self._stack.pop()
        if self._last_open in self._imports:
            self._settle_import(self._imports.pop(self._last_open), after)
        return self._take_template(after) if in_template else after

    def _take_template(self, at: int) -> int:
        """`at` is within the text of a template; gives the offset after it or after the `${` in it."""
        match = _TEMPLATE_TEXT.match(self._text, at)
        end = match.end() if match else at
        self._note_literal(at, end, is_closed=end < len(self._text))
        if self._text.startswith("${", end):
            self._open(end)
            return end + 2
        return end + 1

    def _note_literal(self, start: int, end: int, *, is_closed: bool) -> None:
        self.is_open = self.is_open or not is_closed
        if self._text.find("\n", start, end) >= 0:
            self.literals.append((start, end))

    def _take_slash(self, at: int) -> int:
        before = self._before(at)
        if self._regex_budget < 0 or not self._opens_regex(before):
            return at + 1
        match = _REGEX.match(self._text, at)
        if match is None:  # it looked as far as the line goes
            line_end = self._text.find("\n", at)
            self._regex_budget -= (len(self._text) if line_end < 0 else line_end) - at
            return at + 1
        self._count_within(match[0], at)
        return match.end()

    def _count_within(self, text: str, offset: int) -> None:
        depth = len(self._stack)
        for position, character in enumerate(text):
            if character in "([{":
                depth += 1
                self._note_depth(depth, offset + position)
            elif character in ")]}":
                depth -= 1

    def _opens_regex(self, before: int) -> bool:
        """Whether a slash opens a regular expression; `before` is the last significant character's offset."""
        text = self._text
        if before < 0:
            return True
        character = text[before]
        if character in ")}":
            # Kept, as any number of slashes can stand after one bracket, and any number of blanks before it.
            bracket = (self._last_open, character)
            if bracket not in self._after_bracket:
                decide = self._is_head if character == ")" else self._is_block
                self._after_bracket[bracket] = decide(self._last_open)
            return self._after_bracket[bracket]
        if character in "]\"'`":
            return False
        if _is_word(character):
            word, owner = self._word_before(before)
            return word in _BEFORE_OPERAND and owner != "."
        previous = text[before - 1] if before else ""
        if character in "+-":
            return previous != character
        if character == "!":  # `a! / b` asserts that a is not null
            return not (_is_word(previous) or previous in (")", "]"))
        return not (character == "." and previous.isdigit())

    def _is_head(self, open_parenthesis: int) -> bool:
        word, owner = self._word_before(self._before(open_parenthesis))
        return word in _HEADS and owner != "."

    def _is_block(self, open_brace: int) -> bool:
        before = self._before(open_brace)
        if before < 0:
            return True
        character = self._text[before]
        if _is_word(character):
            word, _ = self._word_before(before)
            return word not in _BEFORE_OPERAND or word in {"do", "else"}
        return character not in _BEFORE_OBJECT

    def _take_word(self, word: str, start: int, end: int) -> None:
        following = self._skip_blank(end)
        character = self._text[following : following + 1]
        if word == "export":
            is_assignment = character == "=" and self._text[following + 1 : following + 2] not in ("=", ">")
            if is_assignment and not self._stack:
                self.faults.append(Fault(Form.EXPORT_ASSIGNMENT, start))
        elif character == "(" and not self._takes_literal(following) and not self._is_property(start):
            self._imports[following] = start

    def _takes_literal(self, parenthesis: int) -> bool:
        argument = _LITERAL.match(self._text, self._skip_blank(parenthesis + 1))
        if argument is None:
            return False
        return self._text[self._skip_blank(argument.end()) :][:1] in (")", ",")

    def _is_property(self, start: int) -> bool:
        before = self._before(start)
        return before >= 0 and self._text[before] == "."

    def _settle_import(self, start: int, after: int) -> None:
        """The parentheses after `import` closed: a call, unless this declares a method of that name."""
        before = self._before(start)
        begins_member = before >= 0 and (
            self._text[before] in _MEMBER_BEGINS or self._word_before(before)[0] in _MEMBER_MODIFIERS
        )
        following = self._skip_blank(after)
        character = self._text[following : following + 1]
        same_line = "\n" not in self._text[after:following]
        if begins_member and (character == ":" or (character == "{" and same_line)):
            return
        self.faults.append(Fault(Form.COMPUTED_IMPORT, start))

    def _skip_blank(self, at: int) -> int:
        match = _BLANK.match(self._text, at)
        return match.end() if match else at

    def _before(self, at: int) -> int:
        """The offset of the last character before `at` that is no white space or comment; -1 for none."""
        at -= 1
        while at >= 0:
            if at + 1 in self._comments:
                at = self._comments[at + 1] - 1
            elif self._text[at].isspace() or self._text[at] == "\ufeff":
                at -= 1
            else:
                break
        return at

    def _word_before(self, last: int) -> tuple[str, str]:
        """The word whose last character is at `last`, and the character right before it."""
        start = last + 1
        while start > 0 and _is_word(self._text[start - 1]):
            start -= 1
        return self._text[start : last + 1], self._text[start - 1 : start] if start else ""


def _is_word(character: str) -> bool:
    return character.isalnum() or character in ("_", "$") or character > "\x7f"
