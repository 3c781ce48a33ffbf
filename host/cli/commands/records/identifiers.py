"""Ids of records as a person types them: the beginning of one stands for it."""

from collections.abc import Mapping
from typing import Any, Final

from host.cli.commands.records.opened import wrong_use
from host.core.text import quoted
from host.records import Store

_LEAST_CHARS: Final = 4
_WHOLE_CHARS: Final = 64
_HEX: Final = frozenset("0123456789abcdef")
_NAMES: Final = ("record_ids", "old", "new")


def whole_ids(store: Store, args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with whole ids. One that is the beginning of none stays as it is, for the operation to
    tell. Raises `UsageError` for one that begins several.
    """
    found = dict(args)
    for name in _NAMES:
        value = found.get(name)
        if isinstance(value, str):
            found[name] = _whole(store, value)
        elif isinstance(value, list):
            found[name] = [_whole(store, each) if isinstance(each, str) else each for each in value]
    return found


def is_whole_id(text: str) -> bool:
    return len(text) == _WHOLE_CHARS and _HEX.issuperset(text)


def _whole(store: Store, text: str) -> str:
    beginning = text.strip().lower().rstrip("…")
    if not _LEAST_CHARS <= len(beginning) < _WHOLE_CHARS or not _HEX.issuperset(beginning):
        return text
    ids = store.ids_beginning(beginning)
    if len(ids) > 1:
        raise wrong_use(f"{quoted(beginning)} begins the ids of several records; give more of it")
    return ids[0] if ids else text
