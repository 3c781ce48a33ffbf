"""From esbuild's errors to located diagnostics in the model's own text.

An error without a place in a text of the guest's is none of the guest's doing, and neither is a panic that
esbuild recovered from: both raise `CompilerLost`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from runtime_js.errors import CompilerLost
from runtime_js.places import SourceText
from runtime_js.specifiers import (
    COMPUTED_IMPORT,
    NO_ATTRIBUTES,
    NO_IMPORT_META,
    NO_REQUIRE,
    missing_export,
)
from runtime_js.unit_texts import UnitTexts
from runtime_js.units import Diagnostic
from runtime_js.virtual_modules import PLUGIN_NAME
from runtime_js.wire import Value, field

__all__ = ["BundleError", "Cause", "diagnostic_at", "read_errors"]


class Cause(Enum):
    """What kind of error it is, which decides what the type checker may add."""

    SYNTAX = "the text could not be parsed, so nothing else is known of it"
    RULE = "the text is sound, but asks for what is not there"
    EXPORT = "a name is imported that its module does not export as a value"


@dataclass(frozen=True)
class BundleError:
    cause: Cause
    diagnostic: Diagnostic


def read_errors(response: Value, texts: UnitTexts) -> tuple[BundleError, ...]:
    """The errors of a response, in the order of their places, the unit's own before its modules'."""
    messages = field(response, "errors", list)
    found: dict[BundleError, None] = {}
    for message in messages:
        if field(message, "text", str).startswith("panic:"):
            raise CompilerLost(f"reported {field(message, 'text', str)!r:.2000}", None, "")
        error = _read_error(message, texts)
        if error is not None:
            found[error] = None
    if messages and not found:
        raise CompilerLost(f"reported an error without a place: {messages[0]!r:.2000}", None, "")
    order = [source.file for source in texts.sources.values()]
    return tuple(sorted(found, key=lambda error: _position(error.diagnostic, order)))


def diagnostic_at(source: SourceText, start: int, message: str, end: int | None = None) -> Diagnostic:
    """A diagnostic of the characters from `start` to `end`. No source line of an onUse script is shown."""
    place = source.place(start)
    return Diagnostic(
        file=place.file,
        line=place.line,
        column=place.column,
        message=message,
        source_line=None if place.file.endswith(".on-use.ts") else source.line(place.line),
        length=max(1, (end or start) - start),
    )


def _position(diagnostic: Diagnostic, order: list[str]) -> tuple[int, int, int]:
    return order.index(diagnostic.file), diagnostic.line, diagnostic.column


def _read_error(message: Value, texts: UnitTexts) -> BundleError | None:
    """None for an error that has no place in a guest's text."""
    if not isinstance(message, Mapping) or message.get("location") is None:
        return None
    location = message["location"]
    name = field(location, "file", str)
    source = texts.sources.get(name)
    if source is None:
        return None
    line, column = field(location, "line", int), field(location, "column", int)
    start = source.offset_of_bytes(line, column)
    end = source.offset_of_bytes(line, column + field(location, "length", int))
    cause, text = _read_text(message, name, texts)
    if text == NO_REQUIRE and (call := _REQUIRE_BEFORE.search(source.text[max(0, start - 80) : start])):
        start -= len(call[0])
    return BundleError(cause, diagnostic_at(source, start, text, end))


def _read_text(message: Value, name: str, texts: UnitTexts) -> tuple[Cause, str]:
    text = field(message, "text", str)
    if field(message, "pluginName", str) == PLUGIN_NAME:
        return Cause.RULE, text
    for pattern, sentence in _RULES:
        if found := pattern.match(f"{field(message, 'id', str)}: {text}"):
            return Cause.RULE, sentence(found, name, texts)
    if found := _NO_EXPORT.fullmatch(text):
        return Cause.EXPORT, _missing_export(found, name, texts) or text
    cause = Cause.RULE if _SOUND.match(text) else Cause.SYNTAX
    return cause, _ENVIRONMENT.sub(" here", text).removesuffix(":")


def _missing_export(found: re.Match[str], name: str, texts: UnitTexts) -> str | None:
    target = texts.target(found[1])
    if target is None:
        return None
    return missing_export(target, found[2], texts.exports(target), texts.whereabouts(found[2], name))


def _computed_import(_: re.Match[str], name: str, texts: UnitTexts) -> str:
    return f"{COMPUTED_IMPORT} {texts.importables(name).all()}"


_REQUIRE_BEFORE: Final = re.compile(r"\brequire\s*\(\s*$")  # esbuild points at the argument
_NO_EXPORT: Final = re.compile(r'No matching export in "(.*)" for import "(.*)"', re.DOTALL)
_ENVIRONMENT: Final = re.compile(r" in the configured target environment \([^)]*\)")
# Errors in a text that was parsed to its end.
_SOUND: Final = re.compile(
    r'Top-level return|Cannot assign to ".*" because it is a const|The symbol ".*" has already been declared'
)

Sentence = Callable[[re.Match[str], str, UnitTexts], str]
_RULES: Final[tuple[tuple[re.Pattern[str], Sentence], ...]] = (
    (re.compile("empty-import-meta:"), lambda *_: NO_IMPORT_META),
    (re.compile("(?:unsupported-require-call|indirect-require):"), lambda *_: NO_REQUIRE),
    (re.compile(r"(?:empty-glob: The glob pattern|: Could not resolve) require\("), lambda *_: NO_REQUIRE),
    (
        re.compile(
            r"unsupported-dynamic-import:|(?:empty-glob: The glob pattern|: Could not resolve) import\("
        ),
        _computed_import,
    ),
    (re.compile(r': The file ".*" was loaded with the "ts" loader'), lambda *_: NO_ATTRIBUTES),
)
