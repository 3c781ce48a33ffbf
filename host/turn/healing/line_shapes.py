"""What one line of a reply is, told from its shape. Every test is severe: many a line is none of these.

No line is certainly code and certainly prose. An ornament says nothing by itself and goes with prose. What
may be code is not deleted with a fence: that is all but the lines that plainly are none.
"""

import re
from typing import Final

from host.turn.healing.tokens import is_no_code

_LONGEST_CHARS: Final = 10_000  # nobody writes a longer sentence

_CODE: Final = re.compile(
    r"""
      import\b[\w$*{,}\s]*\bfrom\s*["']
    | import\s*(?:type\s+)?["'{*]
    | export\s+(?:default\b|const\b|let\b|async\b|function\b|class\b|type\b|interface\b|enum\b|[{*])
    | (?:const|let|var)\s+(?:[\w$]+\s*(?::[^=]*)?=(?!=)|[\[{])
    | (?:async\s+)?function\b\s*(?:\*\s*)?(?:[\w$]+\s*)?[(<]
    | (?:abstract\s+)?(?:class|interface|enum)\s+[\w$]+.*\{$
    | type\s+[\w$]+\s*(?:<.*>\s*)?=
    | (?:if|for|while|switch|catch)\s*(?:await\s*)?\(.*[{};)]$
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
# What opens a line of prose: a list's mark, a heading's, a quotation's, a pictogram.
_MARK: Final = re.compile(
    "(?:#{1,6}|[-*+>•]|\\d+[.)])\\s+(?:\\[[ xX]\\]\\s+)?"
    "|[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]+\\s*"
)
_INLINE: Final = re.compile(r"`[^`]+`|\[[^\[\]]+\]\([^()\s]*\)")  # code, a link
_ASIDE: Final = re.compile(
    r"(?<!\S)\([^(){}\[\];=<>$\\|&`]*\)(?![\w(\[]|\.\w)"
)  # in parentheses, and no call
_NO_PROSE: Final = re.compile(r"[;{}()\[\]=<>$\\|&`]|/\*|\*/|^//|^#!|[\r\u2028\u2029]")
_COMMAND: Final = re.compile(r"\s--?\w")
_WORD: Final = re.compile(r"[^\W\d_]+")
_WIDE: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]")  # scripts that part no words by spaces
_SENTENCE_END: Final = re.compile("[.:!?…\u3002\uff01\uff1a\uff1f\u061f\u0964]$")
_WRAPPING: Final = "*_\"'“”„«»() "
# What a sentence in small letters opens with only where it might be a statement.
_STATEMENT: Final = re.compile(
    r"(?:abstract|async|await|break|case|catch|class|const|continue|debugger|declare|def|default|delete|do|elif"
    r"|else|enum|except|export|finally|for|from|function|if|import|in|interface|let|module|namespace|new|raise"
    r"|return|static|super|switch|this|throw|try|type|typeof|using|var|void|while|with|yield)\b"
)
_ORNAMENT: Final = re.compile(
    r"""
      [-*_=]{3,}                                     # a rule
    | [*_]*[^\W\d_a-z][\w' -]{0,40}[.:!?…]+[*_]*     # a caption: "Sure!", "**Plan:**"
    | \*\*[^*`/]{1,60}\*\*:?                         # one in bold
    | \|[^`/]*\|                                     # a row of a table
    | </?(?:think|thinking|thought|reasoning|analysis)>
    | <!--[^`>/]*-->
    """,
    re.VERBOSE,
)
_VALUE: Final = r"""(?:[\w$]+(?:\.[\w$]+)*|"[^"\\]*"|'[^'\\]*'|`[^`\\$]*`)"""
_IDLE: Final = re.compile(
    rf"(?:[-*+>]\s+|\d+[.)]\s+)?(?!{_STATEMENT.pattern})(?:\w+:\s*)?{_VALUE}(?:\s*,\s*{_VALUE})*\s*[.,:]?"
    r"|//.*|</?[A-Za-z][\w-]*>(?:[^<>`{}()]*</[\w-]+>)?"
)


def is_certainly_code(line: str) -> bool:
    """Whether no sentence looks like this line: a declaration, an import, a call, the end of a block."""
    return len(line) <= _LONGEST_CHARS and _CODE.match(line.strip()) is not None


def is_certainly_prose(line: str) -> bool:
    """Whether the line reads as a sentence, a list item or a heading, and can be no line of a program."""
    text = line.strip()
    mark = _MARK.match(text)
    body = _ASIDE.sub("", _INLINE.sub("code", text[mark.end() :] if mark else text))
    if len(text) > _LONGEST_CHARS or _NO_PROSE.search(body) or body.count('"') % 2 or is_certainly_code(text):
        return False
    words = len(_WORD.findall(body)) + len(_WIDE.findall(body)) // 2
    return _reads_as_prose(body.strip(_WRAPPING), words, mark[0] if mark else "") and is_no_code(text)


def is_ornament(line: str) -> bool:
    """Whether the line is what stands between sentences: a rule, a caption, a row of a table."""
    text = line.strip()
    if len(text) > _LONGEST_CHARS:
        return False
    mark = _MARK.match(text)
    if mark and mark[0][0] > "\x7f":  # a pictogram, with a caption or without
        text = text[mark.end() :]
        return not text or _ORNAMENT.fullmatch(text) is not None
    return _ORNAMENT.fullmatch(text) is not None


def is_idle(line: str) -> bool:
    """Whether the line does nothing: values that nothing is done with, a comment, a tag."""
    return len(line) <= _LONGEST_CHARS and _IDLE.fullmatch(line.strip()) is not None


def ends_a_sentence(line: str) -> bool:
    """Whether what stands at the end of the line closes a sentence or announces the next."""
    return _SENTENCE_END.search(line.strip().rstrip(_WRAPPING)) is not None


def may_be_code(line: str) -> bool:
    """Whether a program may be less without the line. A line that does nothing can go."""
    text = line.strip()
    if not text:
        return False
    if len(text) > _LONGEST_CHARS or is_certainly_code(text) or "*/" in text:
        return True
    if is_ornament(text) or is_certainly_prose(text) or is_idle(text):
        return False
    return not is_no_code(text) or _reads_as_broken_code(text)


def _reads_as_prose(body: str, words: int, mark: str) -> bool:
    """`body` is the line without its mark and without what wraps it, `words` how many it has."""
    ends = ends_a_sentence(body)
    if not words:
        return False
    if mark.startswith("#"):
        return True
    if mark:
        return words >= 3 or (words == 2 and (ends or not body[0].islower()))
    if body[:1].islower():
        is_long = words >= 6 and not _COMMAND.search(body)
        return ((words >= 4 and ends) or is_long) and not _STATEMENT.match(body)
    return (words >= 2 and ends) or (words >= 4 and not body.split()[0][1:].isupper())


def _reads_as_broken_code(text: str) -> bool:
    """Whether a line that no program holds is one with a mistake in it."""
    if text[-1] in ";{}":
        return True
    ends = ends_a_sentence(text)
    is_marked = text[0].islower() and _NO_PROSE.search(_INLINE.sub("code", text)) is not None
    return is_marked and (not ends or _STATEMENT.match(text) is not None)
