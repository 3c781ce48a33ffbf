"""Events and views as plain JSON values, with the names that stand on disk."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from pydantic.alias_generators import to_camel

from host.core.moments import moment_text
from host.events.encoding import fields_of, stamped_fields
from host.events.stamped import StampedEvent
from host.events.types import EventModel, Part


def plain(value: object) -> Any:  # noqa: ANN401  # JSON
    """The value as dictionaries, lists and scalars, keys in camel case; an event carries its `type`."""
    match value:
        case StampedEvent():
            return plain(stamped_fields(value))
        case EventModel():
            return {"type": value.type, **plain(fields_of(value))}
        case Part():
            return value.model_dump(by_alias=True)
        case datetime():
            return moment_text(value)
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case tuple() | list():
            return [plain(item) for item in value]
        case _ if is_dataclass(value):
            return {to_camel(f.name): plain(getattr(value, f.name)) for f in fields(value)}
        case _:
            return value
