"""Data in a prompt that others wrote: each item whole, between fences longer than any in it, its controls
spelled out, with what is told of it on the one line before. Nothing in an item can look like a line of gg's
own or like another item.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from host.core.context_item import ContextItem
from host.core.text import escape_controls, escape_line, fenced, shortened

_NAME_CHARS: Final = 200


def block(item: ContextItem, facts: Iterable[str]) -> str:
    """The item after its facts, each of which is one line; what others gave stands in them as `claimed`."""
    assert not item.may_instruct, "what others wrote is data"
    return f"- {'; '.join(facts)}\n{fenced(escape_controls(item.value))}"


def claimed(name: str) -> str:
    """A name that a writer gave, in quotation marks, which none within it ends."""
    return json.dumps(escape_line(shortened(name, _NAME_CHARS)), ensure_ascii=False)


def chosen(count: int, told: Callable[[Sequence[int]], str], *, max_chars: int | None) -> list[int]:
    """The places of the items, of `count` of them, that there is room for, the first ones first.

    `told` is the text with the items at some places. An item for which there is no room keeps none out that
    comes after it: a long one would hide all that it outranks.
    """
    places: list[int] = []
    for place in range(count):
        if max_chars is None or len(told([*places, place])) <= max_chars:
            places.append(place)
    return places
