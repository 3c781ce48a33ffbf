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
from runtime_js.specifiers import missing_export
from runtime_js.unit_texts import UnitTexts
from runtime_js.units import Diagnostic, Unit

__all__ = ["explain", "is_unparsed", "merge"]

_NO_MODULE: Final = re.compile(
    r"(?:Cannot find module (?:or type declarations for side-effect import of )?"
    r"|Invalid module name in augmentation, module )'(.*?)'",
    re.DOTALL,
)
# What the checker says of an import that Node.js would resolve, at the specifier's place.
_NO_NODE: Final = re.compile(r"Cannot find name '(.*?)'\.", re.DOTALL)
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
    """The checker's errors, those about names of modules in gg's words."""
    texts: UnitTexts | None = None
    explained = []
    for error in type_errors:
        if found := _about_a_module(error):
            texts = texts or UnitTexts(unit, sdk)
            error = replace(error, message=_sentence(found, error, texts) or error.message)
        explained.append(error)
    return tuple(explained)


def _about_a_module(error: Diagnostic) -> re.Match[str] | None:
    """The names of a module, and of an export, that an error is about."""
    found = _NO_MODULE.match(error.message) or _NO_MEMBER.match(error.message)
    if found is None and (error.source_line or "")[error.column - 1 : error.column] in ('"', "'"):
        found = _NO_NODE.match(error.message)
    return found


def _sentence(found: re.Match[str], error: Diagnostic, texts: UnitTexts) -> str | None:
    importables = texts.importables(texts.name_of(error.file))
    target = importables.find(found[1])
    if found.re is not _NO_MEMBER:
        return importables.refusal(found[1]) if target is None else None
    if target is None:
        return None
    return missing_export(target, found[2], texts.exports(target), texts.families_with(found[2]))
