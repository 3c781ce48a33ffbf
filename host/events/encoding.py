"""One event, one line: masking on the way in, JSON both ways.

The line is ASCII: every other character is written as an escape, so that lone surrogates survive and a cut at
any byte leaves decodable text. A nested value is addressed as `newMessages[0].text` where it was masked.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Literal, TypeVar, Union, cast, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from host.core.hashing import sha256_of
from host.core.moments import moment_text
from host.events.stamped import Original, StampedEvent
from host.events.types import ENVELOPE_FIELDS, EVENT_TYPES, Event, EventModel, Part
from host.events.value_masks import Mask, behind_each, masked_leaf

to_json: Final = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode
"""JSON text of a value, in ASCII and without spaces."""


Kind = TypeVar("Kind")
Json = Any


class MalformedLine(Exception):
    """A line that is not an event. The reader adds which line it is."""


class NotJson(MalformedLine):
    """A line that is not even JSON: damaged, or cut short."""


def mask_event(event: Event, mask: Mask) -> tuple[Event, tuple[Original, ...]]:
    """The event with every text masked, and what each masked text was. The same object if nothing changed."""
    originals: list[Original] = []
    return cast(Event, _mask_part(event, mask, "", originals)), tuple(originals)


def mask_value(value: Json, mask: Mask, place: str, originals: list[Original], *, behind: str = "") -> Json:
    """A JSON value with its texts masked; keys are names and stay. Adds what was masked to `originals`.

    `behind` is the key or the option that it stands behind, which may tell that it is a secret.
    """
    if isinstance(value, Mapping):
        return {
            key: mask_value(item, mask, _join(place, str(key)), originals, behind=str(key))
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        items = enumerate(behind_each(value, behind))
        return type(value)(
            mask_value(item, mask, f"{place}[{i}]", originals, behind=name) for i, (item, name) in items
        )
    if isinstance(value, Part):
        return _mask_part(value, mask, place, originals)
    masked = masked_leaf(value, mask, behind)
    if masked == value:
        return value
    original = value if isinstance(value, str) else to_json(value)
    originals.append(Original(place, len(original), sha256_of(original)))
    return masked


def encode_body(event: Event, originals: tuple[Original, ...]) -> str:
    """The part of a line that follows the stamp: without an opening brace, with the closing one."""
    labels = _labels(type(event))
    if originals:
        return to_json(fields_of(event) | mask_fields(originals))[1:]
    if labels is None:
        return _nested_json(event)[1:]
    # A call is recorded while a program waits: field by field takes half as long as by way of a dictionary.
    values = event.__dict__
    return f"{','.join([label + _scalar_json(values[name]) for name, label in labels])}}}"


def fields_of(event: EventModel) -> dict[str, Any]:
    """The event's own fields by their names on disk."""
    flat = _flat_fields(type(event))
    if flat is None:
        return event.model_dump(by_alias=True)
    values = event.__dict__
    return {alias: values[name] for name, alias in flat}


def mask_fields(originals: Sequence[Original]) -> dict[str, Any]:
    """`masked` and `originals`, which stand beside the fields; nothing where nothing was masked."""
    if not originals:
        return {}
    return {"masked": True, "originals": [asdict(original) for original in originals]}


def stamped_fields(stamped: StampedEvent) -> dict[str, Any]:
    """The whole line as a value."""
    stamp = (stamped.seq, moment_text(stamped.at), stamped.run, stamped.agent_id, stamped.event.type)
    return {
        **dict(zip(ENVELOPE_FIELDS, stamp, strict=True)),
        **fields_of(stamped.event),
        **mask_fields(stamped.originals),
    }


def decode_line(line: bytes) -> StampedEvent:
    """The event that a line holds. Raises `MalformedLine` saying what is wrong with it."""
    fields = _parse_object(line)
    missing = [name for name in ENVELOPE_FIELDS if name not in fields]
    if missing:
        raise MalformedLine(f"no event: {', '.join(missing)} missing")
    envelope = {name: fields.pop(name) for name in ENVELOPE_FIELDS}
    originals = _parse_originals(fields)
    model = EVENT_TYPES.get(envelope["type"]) if isinstance(envelope["type"], str) else None
    if model is None:
        raise MalformedLine(f"event type {envelope['type']!r} is not known to this gg")
    try:
        event = model.model_validate(fields, by_alias=True, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise MalformedLine(f"{envelope['type']}.{place}: {first['msg']}") from error
    return StampedEvent(
        seq=_expect(envelope, "seq", int),
        at=parse_at(_expect(envelope, "at", str)),
        run=_expect(envelope, "run", str),
        agent_id=_expect(envelope, "agentId", str),
        event=event,
        originals=originals,
    )


def _mask_part(part: Part, mask: Mask, place: str, originals: list[Original]) -> Part:
    changed: dict[str, Any] = {}
    values = part.__dict__
    for name, alias in _text_fields(type(part)):
        value = values[name]
        if value is None:
            continue
        known = len(originals)
        masked = mask_value(value, mask, _join(place, alias), originals)
        if len(originals) > known:
            changed[name] = masked
    return part.model_copy(update=changed) if changed else part


def _join(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


@cache
def _text_fields(model: type[Part]) -> tuple[tuple[str, str], ...]:
    """Name and alias of the fields that can hold free text. A closed set of words cannot: it is gg's own."""
    fields = model.model_fields.items()
    return tuple((name, str(info.alias)) for name, info in fields if _holds_text(info.annotation))


@cache
def _flat_fields(model: type[Part]) -> tuple[tuple[str, str], ...] | None:
    """Name and alias of every field, where all of them hold scalars; else `None`."""
    fields = model.model_fields.items()
    if any(_is_nested(info.annotation) for _, info in fields):
        return None
    return tuple((name, str(info.alias)) for name, info in fields)


@cache
def _labels(model: type[Part]) -> tuple[tuple[str, str], ...] | None:
    """Of a flat model, the name of every field and what stands before its value in a line."""
    flat = _flat_fields(model)
    return None if flat is None else tuple((name, f"{to_json(alias)}:") for name, alias in flat)


def _scalar_json(value: object) -> str:
    """The same as `to_json`, which is asked for whatever is rare."""
    if value is None:
        return "null"
    kind = type(value)
    if kind is bool:
        return "true" if value else "false"
    return str(value) if kind is int else to_json(value)


def _nested_json(event: EventModel) -> str:
    """By pydantic where that gives ASCII: the state of a large store takes a quarter of the time then."""
    try:
        text = event.model_dump_json(by_alias=True)
    except PydanticSerializationError:  # a lone surrogate
        return to_json(fields_of(event))
    return text if text.isascii() else to_json(fields_of(event))


def _holds_text(annotation: object) -> bool:
    return any(
        leaf is str or (isinstance(leaf, type) and issubclass(leaf, Part)) for leaf in _leaves(annotation)
    )


def _is_nested(annotation: object) -> bool:
    origin = get_origin(annotation)
    if origin in (Union, UnionType, Annotated):
        return any(_is_nested(argument) for argument in get_args(annotation))
    return origin in (tuple, dict) or (isinstance(annotation, type) and issubclass(annotation, Part))


def _leaves(annotation: object) -> Iterator[object]:
    if get_origin(annotation) is Literal:
        return
    arguments = get_args(annotation)
    if not arguments:
        yield annotation
    for argument in arguments:
        yield from _leaves(argument)


def _parse_object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode(), parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise NotJson(f"not JSON: {error.msg}, character {error.pos + 1}") from error
    except (ValueError, RecursionError) as error:
        raise NotJson(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise MalformedLine("not a JSON object")
    return value


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")


def _parse_originals(fields: dict[str, Any]) -> tuple[Original, ...]:
    if not fields.pop("masked", False):
        return ()
    try:
        return tuple(
            Original(_expect(o, "field", str), _expect(o, "length", int), _expect(o, "sha256", str))
            for o in fields.pop("originals")
        )
    except (KeyError, TypeError) as error:
        raise MalformedLine("masked, and originals are not {field, length, sha256}") from error


def parse_at(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise MalformedLine(f"at is {text!r}, not an RFC 3339 time") from error
    if at.tzinfo is None:
        raise MalformedLine(f"at is {text!r}, without a time zone")
    return at


def _expect(fields: Mapping[str, Any], name: str, kind: type[Kind]) -> Kind:
    value = fields[name]
    if type(value) is not kind:
        raise MalformedLine(f"{name} is {value!r}, not of type {kind.__name__}")
    return value
