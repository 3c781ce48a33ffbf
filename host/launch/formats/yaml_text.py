"""YAML over the events of PyYAML's parser: no tag builds a value, and no alias is followed."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Final

import yaml

from host.launch.formats.values import (
    MAX_DEPTH,
    Pairs,
    Parsed,
    SyntaxFault,
    TooDeep,
    Unreadable,
    to_pairs,
    to_values,
)
from host.launch.formats.yaml_scalars import joined, plain_value
from host.launch.places import Path

# What PyYAML says of the commonest slips, and what an operator can do about each.
_SAID: Final[Mapping[str, str]] = {
    r"character '\\t' that cannot start": "a tab where a key or a value should begin; use spaces",
    r"character '(.)' that cannot start": "{0} cannot begin a key or a value; set the text in quotes",
    "mapping values are not allowed": "a colon that belongs to no key; set text that holds one in quotes",
    "expected <block end>": "what stands here does not fit the indentation or the kind of what is around it",
    "expected '<document start>'": "more stands here after the end of the document",
}
_MERGE_KEY: Final = "<<"
_TAG_PREFIX: Final = "tag:yaml.org,2002:"


def parse_yaml(text: str) -> Parsed:
    """The document, null where there is none. Raises `SyntaxFault`, `TooDeep`."""
    reader = _Reader(text)
    value, problems = to_values(reader.document())
    return Parsed(value, problems, reader.lines)


class _Reader:
    """One pass over the events. PyYAML counts as lines what editors do not, so they are counted here."""

    def __init__(self, text: str) -> None:
        self._text: Final = text
        self._events: Final = _events(text)
        self._line_ends: Final = [match.start() for match in re.finditer("\n", text)]
        self.lines: Final[dict[Path, int]] = {(): 1}

    def document(self) -> object:
        value: object = None
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                value = self._value(next(self._events), ())
                break
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                raise SyntaxFault.at("a second document begins here; keep one", self._text, _index(event))
        return value

    def _value(self, event: yaml.Event, path: Path) -> object:
        """The value that begins with `event`; reads its events to the last."""
        if len(path) > MAX_DEPTH:
            raise TooDeep
        if isinstance(event, yaml.AliasEvent):
            return Unreadable(f"*{event.anchor}", "aliases are not read; write the value out")
        if isinstance(event, yaml.ScalarEvent):
            value = plain_value(event.value) if event.implicit[0] else joined(event.value)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self._list(path)
        else:
            value = self._object(path)
        tag = getattr(event, "tag", None)
        if tag is None:
            return value
        return Unreadable(tag.replace(_TAG_PREFIX, "!!"), "tags are not read; write the plain value")

    def _list(self, path: Path) -> list[object]:
        found: list[object] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            entry = (*path, len(found))
            self.lines[entry] = self._line(event)
            found.append(self._value(event, entry))
        return found

    def _object(self, path: Path) -> Pairs:
        pairs: list[tuple[str, object]] = []
        merges: dict[str, str] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent) or event.tag is not None:
                raise SyntaxFault.at("a key is one plain text", self._text, _index(event))
            key = joined(event.value)
            entry = (*path, key)
            self.lines[entry] = self._line(event)
            value = self._value(next(self._events), entry)
            if key == _MERGE_KEY and event.implicit[0]:
                merges = {key: "merge keys are not read; write the keys out"}
            else:
                pairs.append((key, value))
        found = to_pairs(pairs)
        found.refused = merges
        return found

    def _line(self, event: yaml.Event) -> int:
        return bisect_left(self._line_ends, _index(event)) + 1


def _index(event: yaml.Event) -> int:
    assert event.start_mark is not None, "every event of the parser has its mark"
    return event.start_mark.index


def _events(text: str) -> Iterator[yaml.Event]:
    """The parser's events. PyYAML lets a few errors of Python's through, such as that of `"\\UFFFFFFFF"`."""
    loader: yaml.SafeLoader | None = None
    try:
        loader = yaml.SafeLoader(text)
        while loader.check_event():
            yield loader.get_event()  # type: ignore[no-untyped-call]  # the stubs leave it out
    except yaml.MarkedYAMLError as err:
        raise SyntaxFault.at(f"no YAML: {_told(err)}", text, _met_at(err)) from err
    except yaml.reader.ReaderError as err:
        raise SyntaxFault.at("no YAML: a control character", text, err.position) from err
    except (ValueError, OverflowError) as err:
        assert loader is not None, "only what is being read can be out of range"
        message = "no YAML: an escape or a number that is out of range"
        raise SyntaxFault.at(message, text, loader.index) from err


def _told(err: yaml.MarkedYAMLError) -> str:
    problem = err.problem or "it cannot be read"
    for pattern, said in _SAID.items():
        if match := re.search(pattern, problem):
            return said.format(*match.groups())
    return f"{err.context}: {problem}" if err.context else problem


def _met_at(err: yaml.MarkedYAMLError) -> int:
    """Where the error is met, or where what has no end begins."""
    is_endless = "end of stream" in (err.problem or "")
    mark = (is_endless and err.context_mark) or err.problem_mark or err.context_mark
    assert mark, "every error of the parser has a mark"
    return mark.index
