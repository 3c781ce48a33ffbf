"""Sources, which all formats write alike.

A field of another type than gg's is kept as it stands, beside what gg takes in its place.
"""

from dataclasses import fields
from typing import Any, Final

from host.skillbook.formats.fields import object_of
from host.skillbook.model import Occurrence

_TEXTS: Final = tuple(f.name for f in fields(Occurrence) if f.name not in {"epoch", "extra"})
_WRITTEN: Final = tuple(f.name for f in fields(Occurrence) if f.name != "extra")
_OLDER_IDS: Final = ("sample_id", "item_id", "task_id", "id")
_SYSTEM: Final = "legacy"
_NAMELESS: Final = "unknown"


def read_source(value: object) -> Occurrence:
    """A source. Raises `Unreadable` for what is none."""
    raw = object_of(value, "one of its sources")
    known: dict[str, Any] = {name: raw[name] for name in _TEXTS if isinstance(raw.get(name), str)}
    epoch = raw.get("epoch")
    if isinstance(epoch, int) and not isinstance(epoch, bool):
        known["epoch"] = epoch
    extra = {name: each for name, each in raw.items() if name not in known}
    before, colon, after = known.get("trace_uid", "").partition(":")
    older = next((str(raw[name]) for name in _OLDER_IDS if isinstance(raw.get(name), str | int)), _NAMELESS)
    known.setdefault("source_system", before if colon else _SYSTEM)
    known.setdefault("trace_id", after if colon else older)
    known.setdefault("trace_uid", f"{known['source_system']}:{known['trace_id']}")
    return Occurrence(**known, extra=extra)


def written_source(source: Occurrence) -> dict[str, Any]:
    """The source as a JSON object; what it does not say is left out."""
    told = {name: getattr(source, name) for name in _WRITTEN}
    return {name: value for name, value in told.items() if value is not None} | dict(source.extra)
