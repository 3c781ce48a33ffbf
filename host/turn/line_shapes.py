"""What one line of a reply certainly is. Both tests are severe: many a line is neither code nor prose."""

import re
from typing import Final

_CODE: Final = re.compile(
    r"""
      import\b[\w$*{,}\s]*\bfrom\s*["']
    | import\s*(?:type\s+)?["'{*]
    | export\s+(?:default\b|const\b|let\b|async\b|function\b|class\b|type\b|interface\b|enum\b|[{*])
    | (?:const|let|var)\s+(?:[\w$]+\s*(?::[^=]*)?=(?!=)|[\[{])
    | (?:async\s+)?function\b\s*(?:\*\s*)?(?:[\w$]+\s*)?[(<]
    | (?:abstract\s+)?(?:class|interface|enum)\s+[\w$]+.*\{$
    | type\s+[\w$]+\s*(?:<.*>\s*)?=
    | (?:if|for|while|switch|catch)\s*(?:await\s*)?\(.*[{;)]$
    | (?:try|else|finally|do)\s*\{
    | \}\s*(?:else|catch|finally|while)\b
    | (?:return|throw)\b.*;$
    | await\s+[\w$.]+\(
    # A call, or the first line of one. A sentence that opens with a call goes on after it.
    | [\w$]+(?:\.[\w$]+)*(?:<[^>]*>)?\((?:.*(?:[(\[{,;`)]|=>))?$
    | [\w$.]+(?:\[[^\]]*\])*\s*(?:[-+*/%&|^?]|\*\*|\?\?|&&|\|\|)?=(?![=>]).*;$
    | .*=>\s*[{(]?$
    | .*\)\s*\{$
    | (?=[^)]*\))[\]})`]+[;,]?$
    | [\]}]+;$
    | .*[)\]}"'`];$
    """,
    re.VERBOSE,
)
_INLINE_CODE: Final = re.compile(r"`[^`]+`")
_CODE_MARKS: Final = re.compile(r"[;{}()\[\]=<>$\\|&`]")
_LIST_MARK: Final = re.compile(r"(?:#{1,6}|[-*+>]|\d+[.)])\s+")
_WORD: Final = re.compile(r"[^\W\d_]+")
_SENTENCE_ENDS: Final = (".", ":", "!", "?", "…", "\u3002", "\uff01", "\uff1a", "\uff1f")


def is_certainly_code(line: str) -> bool:
    """Whether no sentence looks like this line: a declaration, an import, a call, the end of a block."""
    return _CODE.match(line.strip()) is not None


def is_certainly_prose(line: str) -> bool:
    """Whether the line reads as a sentence, a list item or a title, and holds no mark of code."""
    stripped = line.strip()
    marked = _LIST_MARK.match(stripped)
    text = _INLINE_CODE.sub("code", stripped[marked.end() :] if marked else stripped)
    words = _WORD.findall(text)
    if not words or _CODE_MARKS.search(text) or is_certainly_code(line):
        return False
    ends = text.rstrip("*_").endswith(_SENTENCE_ENDS)
    return len(words) >= 4 or (ends and (len(words) > 1 or not text[0].islower())) or stripped.startswith("#")
