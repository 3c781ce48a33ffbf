"""Pieces of TypeScript types, put together with the parentheses and line ends that they need."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

_ONE_LINE_CHARS: Final = 80
MAX_ARMS: Final = 500
"""Members that an intersection of unions may come to. A checker works out each of them."""


@dataclass(frozen=True)
class TypeText:
    """A type. `parts` are what it is a union or an intersection of, `operator` which of the two.

    `members` are the lines of an object type; `arms` how many members a union has at most.
    """

    text: str
    operator: str = ""
    parts: tuple["TypeText", ...] = ()
    members: tuple["Member", ...] = ()
    arms: int = 1

    @property
    def within(self) -> str:
        """As an operand of another operator."""
        return f"({self.text})" if self.operator else self.text


@dataclass(frozen=True)
class Member:
    """A member of an object type, with the comment before it. `is_index`: it is for names of any kind."""

    text: str
    comment: str = ""
    is_index: bool = False


UNKNOWN: Final = TypeText("unknown")
NEVER: Final = TypeText("never")


def union(types: Iterable[TypeText]) -> TypeText:
    parts = _flat(types, "|", nothing=NEVER)
    if UNKNOWN in parts:
        return UNKNOWN
    return _joined(parts, "|", sum(part.arms for part in parts)) if parts else NEVER


def intersection(types: Iterable[TypeText]) -> TypeText:
    """Of what would come to too many members, the largest unions are left out: it admits more then."""
    parts = _flat(types, "&", nothing=UNKNOWN)
    if NEVER in parts:
        return NEVER
    while prod(part.arms for part in parts) > MAX_ARMS and len(parts) > 1:
        largest = max(parts, key=lambda part: part.arms)
        parts = [part for part in parts if part is not largest]
    return _joined(parts, "&", prod(part.arms for part in parts)) if parts else UNKNOWN


def array(element: TypeText) -> TypeText:
    return TypeText(f"{element.within}[]")


def tuple_type(elements: Sequence[TypeText], *, least: int, rest: TypeText | None) -> TypeText:
    """`least` elements are there; what comes after all of them has the type `rest`."""
    listed = [
        element.text if place < least else f"{element.within}?" for place, element in enumerate(elements)
    ]
    if rest is not None:
        listed.append(f"...{array(rest).text}")
    return TypeText(f"[{', '.join(listed)}]")


def object_type(members: Sequence[Member]) -> TypeText:
    """An object; on one line where it is short and nothing is told of its members."""
    line = f"{{ {' '.join(member.text for member in members)}".removesuffix(";") + " }"
    fits = len(line) <= _ONE_LINE_CHARS and "\n" not in line and not any(m.comment for m in members)
    return TypeText(line if fits else body(members), members=tuple(members))


def body(members: Sequence[Member]) -> str:
    """The members in braces, each on lines of its own."""
    lines = [line for member in members for line in (member.comment, member.text) if line]
    return "\n".join(["{", *(textwrap.indent(line, "  ") for line in lines), "}"])


def _flat(types: Iterable[TypeText], operator: str, *, nothing: TypeText) -> list[TypeText]:
    found: dict[str, TypeText] = {}
    for given in types:
        for part in given.parts if given.operator == operator else (given,):
            if part != nothing:
                found.setdefault(part.text, part)
    return list(found.values())


def _joined(parts: Sequence[TypeText], operator: str, arms: int) -> TypeText:
    if len(parts) == 1:
        return parts[0]
    text = f" {operator} ".join(part.within for part in parts)
    return TypeText(text, operator=operator, parts=tuple(parts), arms=arms)
