"""Masks JSON values: a text by what it says, and by the key or the option that it stands behind."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from host.core.scrubbing import names_secret

Mask = Callable[[str], str]


def masked_leaf(value: Any, mask: Mask, behind: str) -> Any:  # noqa: ANN401  # JSON
    """A text, number or `None`, masked. `behind` is the key of the object or list that it is in, an option
    that a list has before it, or empty.
    """
    masked = mask(value) if isinstance(value, str) else value
    if masked != value or not behind or not _may_be_secret(value) or not names_secret(behind):
        return masked
    if behind.startswith("-"):
        shown = mask(f"{behind} {value}")
        return shown.removeprefix(f"{behind} ") if shown.startswith(f"{behind} ") else shown
    shown = mask(json.dumps({behind: value}))
    return next(iter(json.loads(shown).values()))


def behind_each(items: Sequence[Any], key: str) -> Iterator[tuple[Any, str]]:
    """The items of a list, each with the option before it, else with the list's own key."""
    option = ""
    for item in items:
        yield item, option or key
        option = item if isinstance(item, str) and item.startswith("-") else ""


def _may_be_secret(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)
