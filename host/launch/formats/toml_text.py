"""TOML, read by the standard library."""

import re
import tomllib
from typing import Final

from host.launch.formats.toml_lines import toml_lines
from host.launch.formats.values import MAX_DIGITS, Parsed, SyntaxFault, TooDeep, to_float, to_values

_POSITION: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_LONG_NUMBER: Final = re.compile(rf"[0-9_]{{{MAX_DIGITS},}}")
_TWICE: Final = re.compile(r"Cannot (?:overwrite|declare|mutate|redefine)|Duplicate inline table key")


def parse_toml(text: str) -> Parsed:
    """The document. Raises `SyntaxFault`, `TooDeep`."""
    try:
        raw = tomllib.loads(text, parse_float=to_float)
    except tomllib.TOMLDecodeError as err:
        raise _fault(str(err), text) from err
    except RecursionError as err:
        raise TooDeep from err
    except ValueError as err:  # a number of more digits than Python reads
        longest = max(_LONG_NUMBER.finditer(text), key=lambda match: len(match[0]))
        raise SyntaxFault.at("a number larger than any key takes", text, longest.start()) from err
    value, problems = to_values(raw)
    return Parsed(value, problems, toml_lines(text))


def _fault(told: str, text: str) -> SyntaxFault:
    match = _POSITION.search(told)
    message = told[: match.start()] if match else told
    if _TWICE.match(message):
        message = "a key or a table that is written already; keep one"
    message = f"no TOML: {message[:1].lower()}{message[1:]}"
    if match and match[1]:
        return SyntaxFault(message, int(match[1]), int(match[2]))
    return SyntaxFault.at(message, text, len(text.rstrip()))
