"""YAML 1.2's core schema over PyYAML's parser, whose events are all that is used of it.

No value is built from a tag, no alias is followed, and `no`, `on` and `2026-11-30` stay the text they are.
"""

import re
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
    to_float,
    to_int,
    to_pairs,
    to_values,
)
from host.launch.places import Path

_CONSTANTS: Final[Mapping[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DECIMAL: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_OTHER_BASE: Final = re.compile(r"0(?:o[0-7]+|x[0-9a-fA-F]+)")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NO_FINITE: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_LEADING_0: Final = re.compile(r"[-+]?0[0-9]+")
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
    lines: dict[Path, int] = {(): 1}
    raw: object = None
    events = _events(text)
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            raw = _value(next(events), events, (), lines)
            break
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            raise _fault("a second document begins here; keep one", event.start_mark)
    value, problems = to_values(raw)
    return Parsed(value, problems, lines)


def _events(text: str) -> Iterator[yaml.Event]:
    """The parser's events. PyYAML lets a few errors of Python's through, such as that of `"\\UFFFFFFFF"`."""
    loader: yaml.SafeLoader | None = None
    try:
        loader = yaml.SafeLoader(text)
        while loader.check_event():
            yield loader.get_event()  # type: ignore[no-untyped-call]  # the stubs leave it out
    except yaml.MarkedYAMLError as err:
        raise _fault(f"no YAML: {_told(err)}", _mark(err)) from err
    except yaml.reader.ReaderError as err:
        before = text[: err.position]
        line, column = before.count("\n") + 1, err.position - before.rfind("\n")
        raise SyntaxFault("no YAML: a control character", line, column) from err
    except (ValueError, OverflowError) as err:
        assert loader is not None, "only what is being read can be out of range"
        message = "no YAML: an escape or a number that is out of range"
        raise SyntaxFault(message, loader.line + 1, loader.column + 1) from err


def _told(err: yaml.MarkedYAMLError) -> str:
    problem = err.problem or "it cannot be read"
    for pattern, said in _SAID.items():
        if match := re.search(pattern, problem):
            return said.format(*match.groups())
    return f"{err.context}: {problem}" if err.context else problem


def _mark(err: yaml.MarkedYAMLError) -> object:
    """Where the error is met, or where what has no end begins."""
    is_endless = "end of stream" in (err.problem or "")
    return (is_endless and err.context_mark) or err.problem_mark or err.context_mark


def _fault(message: str, mark: object) -> SyntaxFault:
    assert isinstance(mark, yaml.Mark), "every event and error of the parser has its mark"
    return SyntaxFault(message, mark.line + 1, mark.column + 1)


def _value(event: yaml.Event, events: Iterator[yaml.Event], path: Path, lines: dict[Path, int]) -> object:
    """The value that begins with `event`; reads its events to the last."""
    if len(path) > MAX_DEPTH:
        raise TooDeep
    if isinstance(event, yaml.AliasEvent):
        return Unreadable(f"*{event.anchor}", "aliases are not read; write the value out")
    if isinstance(event, yaml.ScalarEvent):
        value = _scalar(event)
    elif isinstance(event, yaml.SequenceStartEvent):
        value = _list(events, path, lines)
    else:
        value = _object(events, path, lines)
    tag = getattr(event, "tag", None)
    if tag is None:
        return value
    return Unreadable(tag.replace(_TAG_PREFIX, "!!"), "tags are not read; write the plain value")


def _line(event: yaml.Event) -> int:
    assert event.start_mark is not None, "every event of the parser has its mark"
    return event.start_mark.line + 1


def _list(events: Iterator[yaml.Event], path: Path, lines: dict[Path, int]) -> list[object]:
    found: list[object] = []
    while not isinstance(event := next(events), yaml.SequenceEndEvent):
        entry = (*path, len(found))
        lines[entry] = _line(event)
        found.append(_value(event, events, entry, lines))
    return found


def _object(events: Iterator[yaml.Event], path: Path, lines: dict[Path, int]) -> Pairs:
    pairs: list[tuple[str, object]] = []
    merges: dict[str, str] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        if not isinstance(event, yaml.ScalarEvent) or event.tag is not None:
            raise _fault("a key is one plain text", event.start_mark)
        key = _joined(event.value)
        entry = (*path, key)
        lines[entry] = _line(event)
        value = _value(next(events), events, entry, lines)
        if key == _MERGE_KEY and event.implicit[0]:
            merges = {key: "merge keys are not read; write the keys out"}
        else:
            pairs.append((key, value))
    found = to_pairs(pairs)
    found.refused = merges
    return found


def _scalar(event: yaml.ScalarEvent) -> object:
    """What a scalar means: in quotes or in a block it is text, plain as the core schema has it."""
    text = event.value
    if not event.implicit[0]:
        return _joined(text)
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _DECIMAL.fullmatch(text):
        return to_int(text)
    if _OTHER_BASE.fullmatch(text):
        return to_int(text, 0)
    if _FLOAT.fullmatch(text):
        return to_float(text)
    if _NO_FINITE.fullmatch(text):
        return Unreadable(text, "not a finite number")
    if _LEADING_0.fullmatch(text):
        return Unreadable(text, "a number with a leading 0; leave the 0 out, or set the value in quotes")
    return text


def _joined(text: str) -> str:
    """The text with each pair of surrogate escapes as the one character it is in JSON."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
