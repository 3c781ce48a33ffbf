"""The arguments of a call of a server's tool, checked with its schema, and what is wrong with them."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from jsonschema.exceptions import ValidationError
from referencing.exceptions import Unresolvable

from host.core.errors import Refusal
from host.core.refusals import refuse_lone_surrogate
from host.core.text import escape_line, join_words, nearest, quoted, shortened
from host.core.value_words import SHOWN_CHARS, what
from host.tools.servers.bounds import MAX_DEPTH
from host.tools.servers.schemas import Form, TooManySteps, other_names

_SHOWN_CHOICES: Final = 12
_OPEN: Final = (
    "$ref",
    "$dynamicRef",
    "allOf",
    "anyOf",
    "oneOf",
    "if",
    "dependentSchemas",
    "unevaluatedProperties",
)


class ArgumentsForm:
    """What the one object of arguments of a tool may be; `spelling` is the tool as messages name it."""

    def __init__(self, spelling: str, schema: Mapping[str, Any]) -> None:
        """Raises `SchemaUnusable`."""
        self._spelling: Final = spelling
        self._form: Final = Form(schema)
        self._names: Final = _closed_names(schema)

    def bind(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """The arguments as they are sent; raises `Refusal`."""
        bound = dict(arguments)
        self._check_texts(bound)
        if self._names is not None:
            for name in bound:
                if name not in self._names:
                    raise self._unknown(name, self._names)
        try:
            mistake = self._form.mistake(bound)
        except (RecursionError, Unresolvable) as error:
            raise self._refused(
                f"cannot be checked: its schema has no end ({type(error).__name__})."
            ) from error
        except TooManySteps as error:
            told = f"{self._spelling} cannot be checked: with its schema that takes too long."
            raise Refusal("limit-exceeded", told, kind="arguments") from error
        if mistake is not None:
            raise self._refusal(mistake)
        return bound

    def _check_texts(self, arguments: dict[str, object]) -> None:
        """Refuses what no message carries. Not recursive, for arguments may be nested in any depth."""
        pending: list[tuple[str, object, int]] = [("", arguments, 0)]
        while pending:
            place, value, depth = pending.pop()
            if depth > MAX_DEPTH:
                raise self._refused(f"takes arguments that are nested {MAX_DEPTH} deep at most.")
            if isinstance(value, str):
                refuse_lone_surrogate(value, f"{self._spelling}: {place}")
            elif isinstance(value, dict):
                for name, member in value.items():
                    inner = place_of(place, name)
                    refuse_lone_surrogate(name, f"{self._spelling}: the name {inner}")
                    pending.append((inner, member, depth + 1))
            elif isinstance(value, list):
                pending += [(f"{place}[{index}]", item, depth + 1) for index, item in enumerate(value)]

    def _refusal(self, mistake: ValidationError) -> Refusal:
        place = place_of_path(mistake.absolute_path)
        value = mistake.instance
        match mistake.validator:
            case "required":
                missing = next(name for name in mistake.validator_value if name not in value)
                return self._refused(f"needs {place_of(place, missing)}, and it is missing.")
            case "additionalProperties" if mistake.validator_value is False:
                known = list(mistake.schema.get("properties", {}))
                return self._unknown(next(other_names(value, mistake.schema)), known, place)
            case _:
                subject = f"{place} wants" if place else "wants arguments that are"
                return self._refused(
                    f"{subject} {wanted(mistake)} and got {got(mistake)}.", colon=bool(place)
                )

    def _unknown(self, name: str, known: Iterable[str], place: str = "") -> Refusal:
        names = list(known)
        near = nearest(name, names)
        told = [place_of(place, one) for one in (near[:1] or names[:_SHOWN_CHOICES])]
        more = "" if near or len(names) <= _SHOWN_CHOICES else " and more"
        hint = f"Did you mean {told[0]}?" if near else f"It knows {', '.join(told)}{more}."
        if not names:
            hint = f"{place} takes no member." if place else "It takes no argument."
        return self._refused(f"does not know {_unknown_name(place, name)}. {hint}")

    def _refused(self, message: str, *, colon: bool = False) -> Refusal:
        return Refusal(
            "invalid-argument", f"{self._spelling}{':' if colon else ''} {message}", kind="arguments"
        )


def _closed_names(schema: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The arguments that there are; `None` where the schema says that there may be others.

    A schema that says nothing of others allows them, but a name that it does not have is a misspelt one.
    """
    says_more = schema.get("additionalProperties", False) is not False or schema.get("patternProperties")
    if says_more or any(keyword in schema for keyword in _OPEN):
        return None
    return tuple(schema.get("properties", {}))


def _unknown_name(place: str, name: str) -> str:
    return quoted(place_of(place, name) if place else name, max_chars=SHOWN_CHARS)


def place_of(place: str, name: str) -> str:
    """A member within a place, as a program writes it."""
    told = escape_line(shortened(name, SHOWN_CHARS))
    return f"{place}.{told}" if place else told


def place_of_path(path: Iterable[str | int]) -> str:
    """`options.modules[0]`"""
    place = ""
    for step in path:
        place = f"{place}[{step}]" if isinstance(step, int) else place_of(place, step)
    return place


def got(mistake: ValidationError) -> str:
    """What was got, or how much of it where that is what is wrong."""
    value = mistake.instance
    return str(len(value)) if mistake.validator in _LENGTHS else what(value)


def wanted(mistake: ValidationError) -> str:
    """What the schema wants there."""
    value = mistake.validator_value
    match mistake.validator:
        case "type":
            kinds = [value] if isinstance(value, str) else list(value)
            return join_words((_TYPES.get(kind, kind) for kind in kinds), "or")
        case "enum":
            more = " or another of its values" if len(value) > _SHOWN_CHOICES else ""
            return join_words((_constant(one) for one in value[:_SHOWN_CHOICES]), "or") + more
        case "const":
            return _constant(value)
        case "pattern":
            return f"a string that matches {quoted(value)}"
        case str(keyword) if keyword in _BOUNDS:
            return _BOUNDS[keyword].format(value)
        case _:
            return _OTHERS.get(mistake.validator, "something else")


def _constant(value: object) -> str:
    told = what(value)
    for kind in ("the string ", "the number "):
        told = told.removeprefix(kind)
    return told


_LENGTHS: Final = frozenset(
    {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}
)
_TYPES: Final[Mapping[str, str]] = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
}
_BOUNDS: Final[Mapping[str, str]] = {
    "minimum": "a number of {} or more",
    "maximum": "a number of {} or less",
    "exclusiveMinimum": "a number above {}",
    "exclusiveMaximum": "a number below {}",
    "multipleOf": "a multiple of {}",
    "minLength": "a string of {} characters or more",
    "maxLength": "a string of {} characters at most",
    "minItems": "an array of {} or more",
    "maxItems": "an array of {} at most",
    "minProperties": "an object of {} members or more",
    "maxProperties": "an object of {} members at most",
}
_OTHERS: Final[Mapping[str, str]] = {
    "uniqueItems": "an array without the same item twice",
    "contains": "an array that holds a certain item",
    "anyOf": "one of the forms that its schema has",
    "oneOf": "exactly one of the forms that its schema has",
    "not": "something that its schema does not rule out",
    "dependentRequired": "the members that belong to one that is there",
    "unevaluatedProperties": "no member but those that its schema has",
    "unevaluatedItems": "no item but those that its schema has",
    "items": "no more items",
    "additionalItems": "no more items",
    "propertyNames": "other names of members",
}
