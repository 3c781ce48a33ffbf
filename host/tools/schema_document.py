"""One JSON Schema as a document: what its references lead to, and what kinds of values its parts admit.

Some keywords pass a value on as a whole to another part: `$ref`, `anyOf`, `oneOf`, `allOf`. A part that
reaches itself through these alone admits nothing that could be told.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final, Literal, get_args

Kind = Literal["null", "boolean", "number", "string", "array", "object"]
Schema = Mapping[str, object]
Pointer = tuple[str, ...]

KINDS: Final[frozenset[Kind]] = frozenset(get_args(Kind))
MAX_PARTS: Final = 20_000
"""Values in one schema, those within others counted as well."""
MAX_DEPTH: Final = 60
"""Of values within one another; each level of an object takes two."""

_ESCAPED: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_MAX_CHAIN: Final = 100
_MOST_ARMS: Final = 10**6
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_IN_OBJECTS: Final = frozenset(
    {
        "properties",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
        "required",
        "minProperties",
        "maxProperties",
        "dependentRequired",
        "dependentSchemas",
        "dependencies",
    }
)
_IN_ARRAYS: Final = frozenset(
    {
        "items",
        "prefixItems",
        "additionalItems",
        "unevaluatedItems",
        "contains",
        "minItems",
        "maxItems",
        "uniqueItems",
    }
)


class CannotBeTyped(Exception):
    """No type can be made of a schema. The message goes on after "its schema"."""


@dataclass(frozen=True)
class Shape:
    """The kinds of values that a part admits at most, and how many members a union of them has.

    `needs_some`: an object without properties is wrong.
    """

    kinds: frozenset[Kind]
    arms: int = 1
    needs_some: bool = False


class SchemaDocument:
    """A schema, of which parts can be asked for.

    Raises `CannotBeTyped` for one that is too large, and in any method for one that contradicts itself.
    """

    def __init__(self, root: object) -> None:
        self.root: Final = root
        _measure(root)
        self._anchors: Final = dict(_anchors(root, ()))
        self._shapes: Final[dict[int, Shape]] = {}
        self._underway: Final[set[int]] = set()

    def references(self, schema: Schema) -> Iterator[Pointer]:
        """Where the references of a part lead; those to other documents are left out."""
        for keyword in _REFERENCES:
            reference = schema.get(keyword)
            if isinstance(reference, str) and (found := self._pointer(reference)) is not None:
                yield found

    def at(self, pointer: Pointer) -> object:
        """The part that a pointer leads to."""
        found = self.root
        for step in pointer:
            if isinstance(found, Mapping) and step in found:
                found = found[step]
            elif isinstance(found, list) and step.isdecimal() and int(step) < len(found):
                found = found[int(step)]
            else:
                raise CannotBeTyped(f"refers to #/{'/'.join(pointer)}, which it does not have")
        return found

    def shape(self, part: object) -> Shape:
        """What values a part admits at most."""
        if not isinstance(part, Mapping):
            return Shape(frozenset() if part is False else KINDS)
        key = id(part)
        if key not in self._shapes:
            if key in self._underway or len(self._underway) >= _MAX_CHAIN:
                raise CannotBeTyped("has references that lead to one another and to nothing else")
            self._underway.add(key)
            self._shapes[key] = self._shape(part)
            self._underway.remove(key)
        return self._shapes[key]

    def _shape(self, schema: Schema) -> Shape:
        shapes = [_own_shape(schema)]
        shapes += [self.shape(self.at(pointer)) for pointer in self.references(schema)]
        shapes += [self.shape(member) for member in parts_of(schema, "allOf")]
        for members in alternatives(schema):
            shapes.append(_either([self.shape(member) for member in members]))
        kinds = shapes[0].kinds.intersection(*(shape.kinds for shape in shapes))
        return Shape(
            kinds | {"null"} if schema.get("nullable") is True else kinds,
            min(_MOST_ARMS, max(1, prod(shape.arms for shape in shapes))),
            any(shape.needs_some for shape in shapes),
        )

    def _pointer(self, reference: str) -> Pointer | None:
        address, _, fragment = reference.partition("#")
        own = self.root.get("$id", self.root.get("id")) if isinstance(self.root, Mapping) else None
        if address and address != str(own).rstrip("#"):
            return None
        fragment = _ESCAPED.sub(_decoded, fragment)
        if fragment and not fragment.startswith("/"):
            if fragment not in self._anchors:
                raise CannotBeTyped(f"refers to #{fragment}, which it does not have")
            return self._anchors[fragment]
        steps = fragment.split("/")[1:]
        return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)


def own_kinds(schema: Schema) -> frozenset[Kind]:
    """The kinds that a part's own `type` admits; without one, those that its keywords are for."""
    declared = schema.get("type")
    if declared is None:
        return kinds_of_keywords(schema) or KINDS
    names = declared if isinstance(declared, list) else [declared]
    # A name that means nothing here, such as "any", says nothing.
    return frozenset(kind for name in names for kind in KINDS if name in _names_of(kind)) or KINDS


def kinds_of_keywords(schema: Schema) -> frozenset[Kind]:
    """The kinds of values that a part has rules for what they hold."""
    found: set[Kind] = set()
    if not _IN_OBJECTS.isdisjoint(schema):
        found.add("object")
    if not _IN_ARRAYS.isdisjoint(schema):
        found.add("array")
    return frozenset(found)


def own_values(schema: Schema) -> Sequence[object] | None:
    """The values that a part lists, if it lists them."""
    if "const" in schema:
        return [schema["const"]]
    listed = schema.get("enum")
    return listed if isinstance(listed, list) else None


def kind_of(value: object) -> Kind:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
        case list() | tuple():
            return "array"
        case _:
            return "object"


def parts_of(schema: Schema, keyword: str) -> list[object]:
    """The list that a keyword has; empty where it has none."""
    found = schema.get(keyword)
    return found if isinstance(found, list) else []


def alternatives(schema: Schema) -> list[list[object]]:
    """The members of each union of a part."""
    return [members for keyword in ("anyOf", "oneOf") if (members := parts_of(schema, keyword))]


def _own_shape(schema: Schema) -> Shape:
    kinds, values = own_kinds(schema), own_values(schema)
    if values is not None:
        return Shape(kinds & frozenset(map(kind_of, values)), len(values), needs_some=True)
    return Shape(kinds, 1 if kinds == KINDS else len(kinds), bool(parts_of(schema, "required")))


def _either(shapes: Sequence[Shape]) -> Shape:
    return Shape(
        frozenset[Kind]().union(*(shape.kinds for shape in shapes)),
        sum(shape.arms for shape in shapes),
        all(shape.needs_some for shape in shapes),
    )


def _decoded(escaped: re.Match[str]) -> str:
    return bytes.fromhex(escaped[0].replace("%", "")).decode("utf-8", "replace")


def _names_of(kind: Kind) -> tuple[str, ...]:
    return ("number", "integer") if kind == "number" else (kind,)


def _measure(root: object) -> None:
    level, count = [root], 0
    for _ in range(MAX_DEPTH):
        count += len(level)
        if count > MAX_PARTS:
            raise CannotBeTyped(f"has more than {MAX_PARTS:,} parts")
        inner: list[object] = []
        for value in level:
            if isinstance(value, Mapping):
                inner += value.values()
            elif isinstance(value, list | tuple):
                inner += value
        if not inner:
            return
        level = inner
    raise CannotBeTyped(f"is nested more than {MAX_DEPTH} levels deep")


def _anchors(value: object, way: Pointer) -> Iterator[tuple[str, Pointer]]:
    if isinstance(value, Mapping):
        for keyword in ("$anchor", "$dynamicAnchor"):
            if isinstance(name := value.get(keyword), str):
                yield name, way
        for key, item in value.items():
            yield from _anchors(item, (*way, str(key)))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _anchors(item, (*way, str(place)))
