"""JSON Schema as TypeScript types.

A type admits every value that its schema admits, and more where TypeScript has no word for a rule: `not`,
`if`, patterns, limits, a reference to another document. An object that lists properties and does not say
whether it may have others is taken to have none: so the checker can tell a misspelt name.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from host.tools.doc_comments import comment
from host.tools.schema_document import (
    KINDS,
    CannotBeTyped,
    Kind,
    Pointer,
    Schema,
    SchemaDocument,
    alternatives,
    kind_of,
    kinds_of_keywords,
    own_kinds,
    own_values,
    parts_of,
)
from host.tools.schema_notes import notes
from host.tools.schema_objects import members_of
from host.tools.spelling import literal, type_name
from host.tools.type_text import (
    NEVER,
    UNKNOWN,
    TypeText,
    array,
    intersection,
    object_type,
    tuple_type,
    union,
)

MAX_TYPES_CHARS: Final = 2**16
"""Of the declarations of one schema."""
_MAX_INLINE_CHARS: Final = 60
_MAX_NAME_CHARS: Final = 60
_EXACT: Final = 2**53 - 1
_WIDE_FORMATS: Final = frozenset({"int64", "uint64", "int128", "uint128"})
_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_SECTIONS: Final = frozenset({"$defs", "definitions", "properties", "anyOf", "oneOf", "allOf"})
_NOT_OF_TYPES: Final = frozenset({"$ref", "$defs", "definitions", "$schema", "$id", "$comment", "title"})
_OBJECT: Final = frozenset[Kind]({"object"})
_PLAIN: Final[Mapping[Kind, TypeText]] = {  # in the order in which a union has them
    "string": TypeText("string"),
    "number": TypeText("number"),
    "boolean": TypeText("boolean"),
    "array": TypeText("unknown[]"),
    "object": TypeText("{ [key: string]: unknown }"),
    "null": TypeText("null"),
}
_WIDE: Final = union([TypeText("number"), TypeText("bigint")])


@dataclass(frozen=True)
class SchemaType:
    """A type as it is named, and the declarations of the `names` in it.

    Of arguments `text` is empty where a call takes none, and `is_optional` says whether all may be left out.
    """

    text: str
    declarations: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    is_optional: bool = False


def type_of_arguments(schema: object, *, name: str, taken: Collection[str]) -> SchemaType:
    """Declares the one object of arguments as `name`; further types get names that begin so, none `taken`.

    Raises `CannotBeTyped`.
    """
    document = SchemaDocument(schema)
    if "object" not in document.shape(schema).kinds:
        raise CannotBeTyped("is not for an object")
    typer = _Typer(document, name, taken, kinds=_OBJECT)
    found = typer.type_of(typer.root, _OBJECT)
    if _takes_none(typer.root, found):
        return SchemaType("")
    is_optional = not document.shape(typer.root).needs_some
    return SchemaType(name, typer.declarations(found), typer.names, is_optional)


def type_of_value(schema: object, *, name: str, taken: Collection[str]) -> SchemaType:
    """The type of a result, declared as `name` where it is long. Raises `CannotBeTyped`."""
    document = SchemaDocument(schema)
    document.shape(schema)
    typer = _Typer(document, name, taken, kinds=KINDS)
    found = typer.type_of(typer.root, KINDS)
    is_short = "\n" not in found.text and len(found.text) <= _MAX_INLINE_CHARS
    lists = any(not member.is_index for member in found.members)
    if is_short and not lists and not typer.is_recursive:
        return SchemaType(found.text, typer.declarations(None), typer.names)
    return SchemaType(name, typer.declarations(found), typer.names)


class _Typer:
    """Makes the types of one document; `root` is its top, less references that say nothing else.

    Each part that is referred to becomes a declaration. `kinds` are those that the top is wanted for.
    """

    def __init__(
        self, document: SchemaDocument, name: str, taken: Collection[str], *, kinds: frozenset[Kind]
    ) -> None:
        self._document: Final = document
        self._name: Final = name
        self._taken: Final = {*taken, name}
        self._names: Final[dict[Pointer, str]] = {}
        self._referred: Final[list[Pointer]] = []
        self.is_recursive = False
        way, self.root = _unwrapped(document)
        if document.shape(self.root).kinds <= kinds:
            self._names.update(dict.fromkeys(way, name))

    @property
    def names(self) -> frozenset[str]:
        return frozenset((self._name, *self._names.values()))

    def type_of(self, part: object, allowed: frozenset[Kind]) -> TypeText:
        """The type of those values of a part that are of kinds that are allowed."""
        if part is False:
            return NEVER
        if not isinstance(part, Mapping):
            return _any_of(allowed)
        kinds = own_kinds(part) & allowed
        others = [self._reference(pointer) for pointer in self._document.references(part)]
        for members in alternatives(part):
            others.append(union(self.type_of(member, kinds) for member in members))
        others += [self.type_of(member, kinds) for member in parts_of(part, "allOf")]
        found = intersection([self._own(part, kinds, is_alone=not others), *others])
        if part.get("nullable") is True and "null" in allowed:
            found = union([found, _PLAIN["null"]])
        return found

    def declarations(self, top: TypeText | None) -> tuple[str, ...]:
        """Of the top, where it is given, and of all that is referred to, in the order of reference."""
        found = [] if top is None else [_declaration(self._name, top, self.root)]
        size = sum(map(len, found))
        for pointer in self._referred:  # grows meanwhile
            part = self._document.at(pointer)
            found.append(_declaration(self._names[pointer], self.type_of(part, KINDS), part))
            size += len(found[-1])
            if size > MAX_TYPES_CHARS:
                break
        if size > MAX_TYPES_CHARS:
            raise CannotBeTyped(f"needs types of more than {MAX_TYPES_CHARS:,} characters")
        return tuple(found)

    def _own(self, schema: Schema, kinds: frozenset[Kind], *, is_alone: bool) -> TypeText:
        """What a part says itself. `is_alone`: it has no parts that the value is passed on to."""
        values = own_values(schema)
        if values is not None:
            return union(TypeText(literal(value)) for value in values if kind_of(value) in kinds)
        if not is_alone and not kinds_of_keywords(schema):
            return _filter_of(kinds) if self._admits_others(schema, kinds) else UNKNOWN
        if kinds == KINDS:
            return UNKNOWN
        return union(self._of_kind(kind, schema) for kind in _PLAIN if kind in kinds)

    def _admits_others(self, schema: Schema, kinds: frozenset[Kind]) -> bool:
        """Whether a reference in the parts that the value is passed on to admits other kinds of values."""
        referred = map(self._document.at, self._document.references(schema))
        if any(not self._document.shape(part).kinds <= kinds for part in referred):
            return True
        inline = [member for members in alternatives(schema) for member in members]
        inline += parts_of(schema, "allOf")
        return any(self._admits_others(part, kinds) for part in inline if isinstance(part, Mapping))

    def _of_kind(self, kind: Kind, schema: Schema) -> TypeText:
        match kind:
            case "object":
                names = schema.get("propertyNames")
                return object_type(members_of(schema, self._any_type_of, self._values_of(names)))
            case "array":
                return self._array(schema)
            case "number" if _is_wide(schema):
                return _WIDE
            case _:
                return _PLAIN[kind]

    def _any_type_of(self, part: object) -> TypeText:
        return self.type_of(part, KINDS)

    def _array(self, schema: Schema) -> TypeText:
        listed = parts_of(schema, "prefixItems")
        others = schema.get("items", True)
        if isinstance(others, list):  # as older drafts have it
            listed, others = others, schema.get("additionalItems", True)
        most = schema.get("maxItems")
        if isinstance(most, int) and most <= len(listed):
            listed, others = listed[:most], False
        least = schema.get("minItems")
        if not listed and others is not False:
            return array(self._any_type_of(others))
        return tuple_type(
            [self._any_type_of(part) for part in listed],
            least=least if isinstance(least, int) else 0,
            rest=None if others is False else self._any_type_of(others),
        )

    def _values_of(self, names: object) -> object:
        """The schema of the names of properties, without references."""
        for _ in range(_MAX_NAME_CHARS):
            pointers = list(self._document.references(names)) if isinstance(names, Mapping) else []
            if not pointers:
                break
            names = self._document.at(pointers[0])
        return names

    def _reference(self, pointer: Pointer) -> TypeText:
        if pointer not in self._names:
            self._names[pointer] = self._new_name(pointer)
            self._referred.append(pointer)
        name = self._names[pointer]
        self.is_recursive |= name == self._name
        return TypeText(name, arms=self._document.shape(self._document.at(pointer)).arms)

    def _new_name(self, pointer: Pointer) -> str:
        told = type_name(" ".join(step for step in pointer if step not in _SECTIONS))[:_MAX_NAME_CHARS]
        wanted = f"{self._name}{told or 'Root'}"
        names = (f"{wanted}{number}" if number > 1 else wanted for number in range(1, 10**6))
        name = next(name for name in names if name not in self._taken)
        self._taken.add(name)
        return name


def _unwrapped(document: SchemaDocument) -> tuple[list[Pointer], object]:
    """The top of a document or what it refers to, if it does nothing else, and the pointers to that."""
    way: list[Pointer] = [()]
    part = document.root
    while isinstance(part, Mapping) and part.keys() <= _NOT_OF_TYPES and "$ref" in part:
        pointers = list(document.references(part))
        if not pointers:
            break
        way += pointers
        part = document.at(pointers[0])
    return way, part


def _takes_none(schema: object, found: TypeText) -> bool:
    if isinstance(schema, Mapping):
        others = schema.get("additionalProperties", schema.get("patternProperties"))
        if others is True or (isinstance(others, Mapping) and others):
            return False
    return found.text in {_PLAIN["object"].text, "{ [key: string]: never }"}


def _any_of(kinds: frozenset[Kind]) -> TypeText:
    return UNKNOWN if kinds == KINDS else union(found for kind, found in _PLAIN.items() if kind in kinds)


def _filter_of(kinds: frozenset[Kind]) -> TypeText:
    """What a type is intersected with to leave these kinds."""
    return union(TypeText("object") if kind == "object" else _PLAIN[kind] for kind in _PLAIN if kind in kinds)


def _is_wide(schema: Schema) -> bool:
    """Whether whole numbers are meant that a number of JavaScript may not hold exactly."""
    bounds = [schema.get(keyword) for keyword in _BOUNDS]
    return schema.get("format") in _WIDE_FORMATS or any(
        isinstance(bound, int) and abs(bound) > _EXACT for bound in bounds
    )


def _declaration(name: str, found: TypeText, part: object) -> str:
    # Not an interface: one could not be passed on as an object of any properties.
    declared = f"type {name} = {found.text};"
    return "\n".join(line for line in (comment(notes(part)), declared) if line)
