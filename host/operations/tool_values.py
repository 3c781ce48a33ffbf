"""What a tool from outside gave, as a program and as a reply that calls tools get it.

Whole numbers beyond 2^53 - 1 would lose digits in a program, so there they cross as texts, with a list of the
places at which the SDK makes a `bigint` of them.
"""

import json
from dataclasses import dataclass
from typing import Final

from host.core.scrubbing.cuts import last_cut
from host.core.text import utf8_length

LARGEST_NUMBER: Final = 2**53 - 1
"""What a number of JavaScript holds exactly."""

Step = str | int

_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True)
class ToolValue:
    """JSON values."""

    value: object

    def envelope(self) -> str:
        """The answer to a program."""
        places: list[list[Step]] = []
        value = _with_texts(self.value, [], places)
        told = f',"bigints":{_encode(places)}' if places else ""
        return f'{{"ok":{_encode(value)}{told}}}'

    def text(self) -> str:
        """All of it as JSON, of which the answer to a tool's call has the beginning."""
        return _encode(self.value)


def beginning(text: str, most_bytes: int) -> str:
    """The text, or as much of it as fits and a line that says how much of it that is."""
    size = utf8_length(text)
    if size <= most_bytes:
        return text
    fitting = text.encode("utf-8", "surrogatepass")[:most_bytes].decode("utf-8", "ignore")
    kept = fitting[: last_cut(text, len(fitting))]
    return f"{kept}\n… {utf8_length(kept):,} of {size:,} bytes are shown; the call gave them all."


def _with_texts(value: object, way: list[Step], places: list[list[Step]]) -> object:
    """The value, large whole numbers as texts; `places` gets where each of them stands."""
    match value:
        case bool():
            return value
        case int() if abs(value) > LARGEST_NUMBER:
            places.append([*way])
            return str(value)
        case dict():
            return {key: _within(item, key, way, places) for key, item in value.items()}
        case list() | tuple():
            return [_within(item, place, way, places) for place, item in enumerate(value)]
    return value


def _within(item: object, step: Step, way: list[Step], places: list[list[Step]]) -> object:
    way.append(step)
    found = _with_texts(item, way, places)
    way.pop()
    return found
