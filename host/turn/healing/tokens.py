"""Whether a line breaks the grammar of TypeScript wherever it stands, but within a literal.

Two operands side by side, a string without an end, a character that no token has: of a text with such a line
no compiler makes a program. The test reads from the left and gives up, without a verdict, where the meaning
of a character depends on what stands before the line.
"""

import re
import unicodedata
from typing import Final

_TOKEN: Final = re.compile(
    r"""
      (?P<space>[\s\ufeff\u200b]+)
    | (?P<unclear>[@\\]|//|/\*|`(?![^`\\$]*`))
    | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<template>`[^`]*`)
    | (?P<number>\.?\d[\w.]*)
    | (?P<word>\#?[\w$][\w$\u200c\u200d]*)
    | (?P<slash>/)
    | (?P<sign>[-+*%&|^!~?:;,.=<>(){}\[\]])
    | (?P<broken>["'\#])
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_SEPARATOR: Final = re.compile("[\r\n\u2028\u2029]")
# Words beside which another may stand, as keywords or as the modifiers and operators of types.
_KEYWORD: Final = re.compile(
    r"abstract|accessor|any|as|assert|asserts|async|await|bigint|boolean|break|case|catch|class|const|constructor"
    r"|continue|debugger|declare|default|defer|delete|do|else|enum|export|extends|false|finally|for|from|function"
    r"|get|global|if|implements|import|in|infer|instanceof|interface|intrinsic|is|keyof|let|module|namespace"
    r"|never|new|null|number|object|of|out|override|package|private|protected|public|readonly|require|return"
    r"|satisfies|set|source|static|string|super|switch|symbol|target|this|throw|true|try|type|typeof|undefined"
    r"|unique|unknown|using|var|void|while|with|yield"
)
_IN_WORDS: Final = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "No", "Mn", "Mc", "Nd", "Pc"))
_IN_WORDS_TOO: Final = frozenset("\u00b7\u0387\u2118\u212e\u309b\u309c\u30fb\uff65")


def is_no_code(line: str) -> bool:
    """Whether no program holds the line outside of its comments and templates. Linear in its length."""
    line = line.strip()
    if _SEPARATOR.search(line) or line.startswith("#!") or line.endswith("\\"):
        return False  # several lines to a compiler; the first of a script; a string that goes on
    operand_ends = False
    for token in _TOKEN.finditer(line):
        kind = token.lastgroup
        if kind == "unclear" or (kind == "slash" and not operand_ends):
            return False  # where no operand ends, a slash may open a regular expression
        if kind == "broken" or (kind == "other" and not _may_be_in_a_word(token[0])):
            return True
        if kind in ("string", "number") or (kind == "word" and not _KEYWORD.fullmatch(token[0])):
            if operand_ends:
                return True
            operand_ends = True
        elif kind == "template":
            operand_ends = True  # a tag may stand before it
        elif kind != "space":
            operand_ends = False
    return False


def _may_be_in_a_word(character: str) -> bool:
    return unicodedata.category(character) in _IN_WORDS or character in _IN_WORDS_TOO
