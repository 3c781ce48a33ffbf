"""What a scalar of YAML means: the core schema of version 1.2, by which `no` and `2026-11-30` are text."""

import re
from collections.abc import Mapping
from typing import Final

from host.launch.formats.values import Unreadable, to_float, to_int

_CONSTANTS: Final[Mapping[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DECIMAL: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_OTHER_BASE: Final = re.compile(r"0(?:o[0-7]+|x[0-9a-fA-F]+)")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NO_FINITE: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_LEADING_0: Final = re.compile(r"[-+]?0[0-9]+")


def plain_value(text: str) -> object:
    """The value of a scalar that stands without quotes and in no block."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _DECIMAL.fullmatch(text):
        return to_int(text)
    if _OTHER_BASE.fullmatch(text):
        return to_int(text, 0)
    if _FLOAT.fullmatch(text):
        return to_float(text)
    if _NO_FINITE.fullmatch(text):
        return Unreadable(text, "not a finite number")
    if _LEADING_0.fullmatch(text):  # 17 by the schema, 15 to whoever reads version 1.1
        return Unreadable(text, "a number with a leading 0; leave the 0 out, or set the value in quotes")
    return text


def joined(text: str) -> str:
    """The text with each pair of surrogate escapes as the one character it is in JSON."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
