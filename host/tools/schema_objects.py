"""The members of an object type, made from a JSON Schema."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from host.tools.doc_comments import comment
from host.tools.schema_document import Schema, own_values, parts_of
from host.tools.schema_notes import notes
from host.tools.spelling import member_name
from host.tools.type_text import NEVER, UNKNOWN, Member, TypeText, union

TypeOf = Callable[[object], TypeText]

_UNDEFINED: Final = TypeText("undefined")
_MAX_INDEX_CHARS: Final = 80
# Every object has members of these names, so one that leaves out such a property would not fit its type.
_INHERITED: Final = frozenset(
    [
        *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"),
        *("toLocaleString", "toString", "valueOf"),
    ]
)


def members_of(schema: Schema, type_of: TypeOf, names: object = None) -> list[Member]:
    """What stands between the braces. `names` is the schema of the names, where it is known to be a list.

    An object that lists properties has no others unless it says so; one that lists none has any.
    """
    properties = _mapping(schema, "properties")
    patterns = list(_mapping(schema, "patternProperties").values())
    additional = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
    required = [name for name in parts_of(schema, "required") if isinstance(name, str)]
    unlisted = UNKNOWN if patterns or not isinstance(additional, Mapping) else type_of(additional)
    listed = {name: type_of(part) for name, part in properties.items()}
    if not properties and not patterns and additional is not False:
        listed |= dict.fromkeys(_listed_names(names), unlisted)
    is_closed = bool(listed) and not properties
    listed |= {name: unlisted for name in required if name not in listed}
    listed |= {name: UNKNOWN for name in listed if name in _INHERITED and name not in required}
    members = [_member(name, part, properties.get(name), required) for name, part in listed.items()]
    if is_closed:
        return members
    return [*members, *_index(listed, required, patterns, additional, type_of)]


def _member(name: str, found: TypeText, part: object, required: list[str]) -> Member:
    read_only = "readonly " if isinstance(part, Mapping) and part.get("readOnly") is True else ""
    optional = "" if name in required else "?"
    return Member(f"{read_only}{member_name(name)}{optional}: {found.text};", comment(notes(part)))


def _index(
    listed: Mapping[str, TypeText],
    required: list[str],
    patterns: list[object],
    additional: object,
    type_of: TypeOf,
) -> Iterable[Member]:
    """The signature of properties that are not listed, wide enough for those that are."""
    if listed and not patterns and (additional is None or additional is False):
        return
    others = [type_of(part) for part in patterns]
    if isinstance(additional, Mapping):
        others.append(type_of(additional))
    elif additional is not False:
        others.append(UNKNOWN)
    own = [*listed.values(), *([_UNDEFINED] if any(name not in required for name in listed) else [])]
    found = union([*others, *own]) if others else NEVER
    if listed and (len(found.text) > _MAX_INDEX_CHARS or "\n" in found.text):
        found = UNKNOWN
    yield Member(f"[key: string]: {found.text};", comment(notes(additional)), is_index=True)


def _listed_names(names: object) -> list[str]:
    values = own_values(names) if isinstance(names, Mapping) else None
    return [value for value in values or () if isinstance(value, str)]


def _mapping(schema: Schema, keyword: str) -> Mapping[str, object]:
    found = schema.get(keyword)
    return {str(name): part for name, part in found.items()} if isinstance(found, Mapping) else {}
