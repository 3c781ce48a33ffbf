"""What two compilers say about one unit, as one list of errors.

Where both speak of the same place one of them is kept: esbuild on what can be imported, the checker on what a
module exports, as it knows types as well.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from runtime_js.bundle_messages import BundleError, Cause
from runtime_js.guest_sdk import GuestSdk
from runtime_js.specifiers import all_exports, missing_export
from runtime_js.unit_texts import UnitTexts
from runtime_js.units import Diagnostic, Unit

__all__ = ["explain", "is_unparsed", "merge"]

_HINTED: Final = 100  # more are never shown

_NO_MODULE: Final = re.compile(
    r"(?:Cannot find module (?:or type declarations for side-effect import of )?"
    r"|Invalid module name in augmentation, module )'(.*?)'",
    re.DOTALL,
)
# What the checker says of an import that Node.js would resolve, at the specifier's place.
_NO_NODE: Final = re.compile(r"Cannot find name '(.*?)'\.", re.DOTALL)
_NO_NAME: Final = re.compile(r"Cannot find (?:name|namespace) '([^']*)'\.")
_NEAR_MEMBER: Final = re.compile(
    r"""'"([^"]*)"' has no exported member named '([^']*)'\. Did you mean '[^']*'\?"""
)
_NO_PROPERTY: Final = re.compile(
    r"""Property '([^']*)' does not exist on type 'typeof import\("([^"]*)"\)'\."""
)
_NO_MEMBER: Final = re.compile(r"""Module '"(.*?)"' has no exported member '(.*?)'\.""", re.DOTALL)


def is_unparsed(errors: Sequence[BundleError]) -> bool:
    """Whether a text could not be parsed: what the checker would say of the rest of it helps nobody."""
    return any(error.cause is Cause.SYNTAX for error in errors)


def merge(
    unit: Unit, sdk: GuestSdk, bundle_errors: Sequence[BundleError], type_errors: Sequence[Diagnostic]
) -> tuple[Diagnostic, ...]:
    """All errors, those of the unit first, in the order of their places."""
    found = [
        error.diagnostic for error in bundle_errors if error.cause is not Cause.EXPORT or not type_errors
    ]
    taken = {(known.file, known.line, known.column) for known in found}
    found += (
        error
        for error in explain(unit, sdk, type_errors)
        if (error.file, error.line, error.column) not in taken
    )
    return tuple(
        sorted(found, key=lambda error: (error.file != unit.file_name, error.file, error.line, error.column))
    )


def explain(unit: Unit, sdk: GuestSdk, type_errors: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The checker's errors; those about what can be imported in gg's words, or with the names there are."""
    texts: UnitTexts | None = None
    explained = []
    for position, error in enumerate(type_errors):
        about = _about_a_module(error)
        if about is not None or position < _HINTED:
            texts = texts or UnitTexts(unit, sdk)
            sentence = _sentence(about, error, texts) if about else _with_names(error, texts)
            error = replace(error, message=sentence or error.message)
        explained.append(error)
    return tuple(explained)


def _about_a_module(error: Diagnostic) -> re.Match[str] | None:
    """The names of a module, and of an export, that an error is about."""
    found = _NO_MODULE.match(error.message) or _NO_MEMBER.match(error.message)
    if found is None and (error.source_line or "")[error.column - 1 : error.column] in ('"', "'"):
        found = _NO_NODE.match(error.message)
    return found


def _sentence(found: re.Match[str], error: Diagnostic, texts: UnitTexts) -> str | None:
    importer = texts.name_of(error.file)
    importables = texts.importables(importer)
    target = importables.find(found[1])
    if found.re is not _NO_MEMBER:
        return importables.refusal(found[1]) if target is None else None
    if target is None:
        return None
    return missing_export(target, found[2], texts.exports(target), texts.whereabouts(found[2], importer))


def _with_names(error: Diagnostic, texts: UnitTexts) -> str | None:
    """The error's message with the names there are; `None` where it stands as it is."""
    importer = texts.name_of(error.file)
    importables = texts.importables(importer)
    if found := _NO_NAME.fullmatch(error.message):
        near = texts.whereabouts(found[1], importer) or texts.near_importable(found[1], importer)
        return f"{error.message}{near}"
    if found := _NEAR_MEMBER.fullmatch(error.message):
        # Where the very name is comes before the names that the checker finds like it.
        target, elsewhere = importables.find(found[1]), texts.whereabouts(found[2], importer)
        if target is not None and elsewhere:
            return missing_export(target, found[2], texts.exports(target), elsewhere)
    if found := _NO_PROPERTY.fullmatch(error.message):
        target, elsewhere = importables.find(found[2]), texts.whereabouts(found[1], importer)
        if target is not None:
            return f"{error.message}{elsewhere}{all_exports(target, texts.exports(target))}"
    return None
