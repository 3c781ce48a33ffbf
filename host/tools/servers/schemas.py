"""JSON Schemas of servers, made ready to check values with.

Nothing is ever fetched, a check has so many steps at most, and no pattern can take long: those that the
library of linear time does not know are left to the server, which checks its arguments itself.
"""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, Protocol

import re2
from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from jsonschema.protocols import Validator
from jsonschema.validators import extend, validator_for
from referencing import Registry, Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import specification_with

from host.core.text import escape_line, shortened

MAX_SCHEMA_CHARS: Final = 2**18
_MOST_STEPS: Final = 2_000_000
_STEPS_FOR_ANY: Final = 30_000
_STEPS_FOR_PART: Final = 20  # of a value, so that a large one may be checked
_REASON_CHARS: Final = 200
_NOTHING_ELSE: Final[Registry[Any]] = Registry()  # it fetches nothing


class SchemaUnusable(Exception):
    """A schema that no value can be checked with. The message completes a sentence about the schema."""


class TooManySteps(Exception):
    """To check a value with a schema would take too long."""


class Form:
    """A schema that is known to be sound."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        """Raises `SchemaUnusable`."""
        text = json.dumps(schema, ensure_ascii=False)
        if len(text) > MAX_SCHEMA_CHARS:
            raise SchemaUnusable(f"has {len(text):,} characters, {MAX_SCHEMA_CHARS:,} at most")
        dialect = _dialect(schema)
        _check_references(schema, dialect)
        keywords = {**dialect.VALIDATORS, **_FAST_KEYWORDS}
        if "patternProperties" in text:
            keywords["unevaluatedProperties"] = (
                _unchecked  # the library is slow to tell what patterns describe
            )
        counted = {keyword: _counted(check) for keyword, check in keywords.items()}
        self._validator: Final[Validator] = extend(dialect, counted)(schema, registry=_NOTHING_ELSE)

    def mistake(self, value: object) -> ValidationError | None:
        """The one most to the point.

        Raises `RecursionError` for a schema or a value without end, `TooManySteps` for a schema of
        alternatives within alternatives, each of which doubles the work.
        """
        _STEPS.left = min(_MOST_STEPS, _STEPS_FOR_ANY + _STEPS_FOR_PART * _parts(value))
        found: ValidationError | None = best_match(self._validator.iter_errors(value))
        return found


class _Steps(threading.local):
    """How many keywords the check that is under way in this thread may still look at."""

    left = 0


_STEPS: Final = _Steps()


def _counted(check: Callable[..., Any]) -> Callable[..., Any]:
    def counting(validator: Validator, wanted: object, value: object, schema: object) -> object:
        _STEPS.left -= 1
        if _STEPS.left < 0:
            raise TooManySteps
        return check(validator, wanted, value, schema)

    return counting


def _parts(value: object) -> int:
    """How many values there are within one another."""
    count, pending = 0, [value]
    while pending:
        found = pending.pop()
        count += 1
        if isinstance(found, dict):
            pending += found.values()
        elif isinstance(found, list):
            pending += found
    return count


def _dialect(schema: Mapping[str, Any]) -> type[Validator]:
    """The one that the schema names, else the newest under which it is sound: older servers name none."""
    named = schema.get("$schema")
    known = validator_for(schema, default=None) if isinstance(named, str) else None
    error: SchemaError | None = None
    for dialect in (Draft202012Validator, Draft7Validator) if known is None else (known,):
        try:
            # No format is checked, for a pattern is one, and not of the kind that Python has.
            dialect.check_schema(schema, format_checker=FormatChecker(()))
        except SchemaError as found:
            error = error or found
        except RecursionError as found:
            raise SchemaUnusable("is nested too deeply") from found
        else:
            sound: type[Validator] = dialect
            return sound
    if error is None:
        raise AssertionError("a dialect was tried")
    place = "".join(f"/{part}" for part in error.absolute_path)
    told = escape_line(shortened(error.message, _REASON_CHARS))
    raise SchemaUnusable(f"is no JSON Schema at `{escape_line(place) or '/'}`: {told}") from error


def _check_references(schema: Mapping[str, Any], dialect: type[Validator]) -> None:
    """Raises `SchemaUnusable` for a reference that leads nowhere within the schema."""
    root: Resource[Any] = specification_with(dialect.META_SCHEMA["$schema"]).create_resource(schema)
    pending = [(_NOTHING_ELSE.resolver_with_root(root), root)]
    try:
        while pending:
            resolver, resource = pending.pop()
            contents = resource.contents
            if isinstance(contents, Mapping) and isinstance(reference := contents.get("$ref"), str):
                resolver.lookup(reference)
            pending += [(resolver.in_subresource(part), part) for part in resource.subresources()]
    except Unresolvable as error:
        told = escape_line(shortened(error.ref, _REASON_CHARS))
        raise SchemaUnusable(f"refers to `{told}`, which is not within it") from error


class Pattern(Protocol):
    """What the library compiles a pattern to."""

    def search(self, text: str) -> object:
        """A match, or nothing."""


def pattern_of(text: str) -> Pattern | None:
    """A pattern that takes linear time; `None` where there is none of that meaning."""
    options = re2.Options()
    options.log_errors = False
    try:
        compiled: Pattern = re2.compile(text, options)
        return compiled
    except re2.error:
        return None
    finally:
        re2.purge()  # the library would keep them


def other_names(value: Mapping[str, object], schema: Mapping[str, Any]) -> Iterator[str]:
    """The names of members that the schema describes neither by name nor by a pattern."""
    patterns = [pattern_of(text) for text in schema.get("patternProperties", {})]
    if None in patterns:
        return
    for name in value:
        if name not in schema.get("properties", {}) and not any(one.search(name) for one in patterns if one):
            yield name


Errors = Iterable[ValidationError]


def _pattern(validator: Validator, pattern: str, value: object, schema: object) -> Errors:
    compiled = pattern_of(pattern) if isinstance(value, str) else None
    if compiled is not None and not compiled.search(str(value)):
        yield ValidationError(f"does not match {pattern}")


def _pattern_properties(
    validator: Validator, patterns: Mapping[str, Any], value: object, schema: object
) -> Errors:
    if not isinstance(value, dict):
        return
    for pattern, subschema in patterns.items():
        compiled = pattern_of(pattern)
        for name, member in value.items():
            if compiled is not None and compiled.search(name):
                yield from validator.descend(member, subschema, path=name, schema_path=pattern)


def _additional_properties(
    validator: Validator, wanted: object, value: object, schema: Mapping[str, Any]
) -> Errors:
    if not isinstance(value, dict):
        return
    for name in other_names(value, schema):
        if wanted is False:
            yield ValidationError(f"{name} is not known")
            return
        yield from validator.descend(value[name], wanted, path=name)


def _unchecked(validator: Validator, wanted: object, value: object, schema: object) -> Errors:
    return ()


def _unique_items(validator: Validator, wanted: object, value: object, schema: object) -> Errors:
    if wanted and isinstance(value, list):
        seen = {json.dumps(_comparable(item), sort_keys=True) for item in value}
        if len(seen) < len(value):
            yield ValidationError("holds an item twice")


def _multiple_of(validator: Validator, divisor: float, value: object, schema: object) -> Errors:
    """In the decimals that both are written in; whole numbers may be of any size."""
    if isinstance(value, int | float) and not isinstance(value, bool) and _exact(value) % _exact(divisor):
        yield ValidationError(f"is no multiple of {divisor}")


def _exact(number: float) -> Fraction:
    return Fraction(number if isinstance(number, int) else repr(number))


def _comparable(value: object) -> object:
    """A number that is whole is the same number however it is written."""
    match value:
        case float() if value.is_integer():
            return int(value)
        case list():
            return [_comparable(item) for item in value]
        case dict():
            return {name: _comparable(member) for name, member in value.items()}
        case _:
            return value


_FAST_KEYWORDS: Final[Mapping[str, Any]] = {
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "uniqueItems": _unique_items,
    "multipleOf": _multiple_of,
}
