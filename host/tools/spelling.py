"""How TypeScript spells what comes from outside: identifiers, names of types and members, literals."""

import json
import math
import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from host.core.text import escape_controls

_PLAIN: Final = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_MOST_BITS: Final = 4_000
"""Of a whole number that is spelled out. Python refuses to write one of thousands of digits."""


def camel_case(name: str) -> str:
    """`get-user`, `get_user`, `GetUser` and `Get User` are `getUser`; empty where nothing can be made of it.

    Leading underscores stay, other characters that no identifier has separate words. An identifier that
    would begin with a digit gets an underscore.
    """
    composed = unicodedata.normalize("NFC", name)
    words = _words(composed)
    if not words:
        return ""
    leading = "_" * (len(composed) - len(composed.lstrip("_")))
    made = leading + _decapitalized(words[0]) + "".join(map(capitalized, words[1:]))
    return made if is_identifier(made) else f"_{made}"


def type_name(name: str) -> str:
    """The words of a name, each with a capital: `get_user` is `GetUser`. Empty where it has none."""
    return "".join(map(capitalized, _words(unicodedata.normalize("NFC", name))))


def capitalized(word: str) -> str:
    """With a capital first, where that is a letter of identifiers."""
    capital = word[:1].upper()
    return (capital if is_identifier(f"a{capital}") else word[:1]) + word[1:]


def is_identifier(name: str) -> bool:
    """Whether TypeScript takes it for an identifier, reserved words aside."""
    plain = name.replace("$", "_")
    return plain.isidentifier() and all(map(_is_long_known, plain))


def member_name(name: str) -> str:
    """The name of a member of an object type, in quotes where it is no plain identifier."""
    return name if _PLAIN.fullmatch(name) else string_literal(name)


def string_literal(text: str) -> str:
    return escape_controls(json.dumps(text, ensure_ascii=False))


def literal(value: object) -> str:
    """The type that has a JSON value alone; a number that cannot be spelled out is any number."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return _whole(value)
        case float():
            return _float(value)
        case str():
            return string_literal(value)
        case list() | tuple():
            return f"[{', '.join(map(literal, value))}]"
        case Mapping():
            members = [f"{member_name(str(key))}: {literal(item)}" for key, item in value.items()]
            return f"{{ {'; '.join(members)} }}" if members else "{ [key: string]: never }"
        case _:
            return "unknown"


def _whole(value: int) -> str:
    if value.bit_length() > _MOST_BITS:
        return "bigint"
    # A whole number that no number of JavaScript holds exactly reaches a program as a bigint.
    return f"{value}n" if abs(value) >= 2**53 else str(value)


def _float(value: float) -> str:
    if not math.isfinite(value):
        return "number"
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


def _words(name: str) -> list[str]:
    """What other characters, and underscores, separate; all in small letters where no letter is small."""
    parts = "".join(char if _is_in_words(char) else " " for char in name).split()
    shouts = not any(char.islower() for part in parts for char in part)
    return [part.lower() for part in parts] if shouts else parts


def _is_in_words(char: str) -> bool:
    return char != "_" and is_identifier(f"a{char}")


def _is_long_known(char: str) -> bool:
    """Whether every version of Unicode that a compiler may have been made with knows the character."""
    return unicodedata.ucd_3_2_0.category(char) != "Cn"


def _decapitalized(word: str) -> str:
    """`getUser` for `GetUser`, `httpGet` for `HTTPGet`."""
    capitals = next((place for place, char in enumerate(word) if not char.isupper()), len(word))
    if 1 < capitals < len(word) and word[capitals].islower():
        capitals -= 1  # the last one begins the next word
    return word[:capitals].lower() + word[capitals:]
