"""Texts of others in comments: they never close the comment, hide text or direct the checker."""

import inspect
import re
from typing import Final

from host.core.scrubbing.cuts import last_cut
from host.core.text import escape_controls

_LINE_END: Final = re.compile(r"\r\n?")
_BLANK_LINES: Final = re.compile(r"\n{3,}")
_TRAILING: Final = re.compile(r"[^\S\n]+$", re.MULTILINE)


def plain_text(text: str, max_chars: int) -> str:
    """The text without odd indentation, escaped, and cut with a count where it is too long."""
    beyond = len(text) - 4 * max_chars
    lines = inspect.cleandoc(_LINE_END.sub("\n", text[: 4 * max_chars]))
    told = _BLANK_LINES.sub("\n\n", _TRAILING.sub("", lines)).strip()
    if beyond > 0 or len(told) > max_chars:
        kept = told[: last_cut(told, max_chars)].rstrip()
        told = f"{kept}… ({len(told) - len(kept) + max(0, beyond):,} more characters)"
    return escape_controls(told)


def comment(text: str) -> str:
    """The text, as `plain_text` gives it, as a comment; empty where it is."""
    if not text:
        return ""
    safe = text.replace("*/", "*\\/")
    # The checker obeys directives, such as @ts-expect-error, on the last line of a comment.
    if "\n" not in safe and "@" not in safe:
        return f"/** {safe} */"
    return "\n".join(["/**", *(f" * {line}".rstrip() for line in safe.split("\n")), " */"])
