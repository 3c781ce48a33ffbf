"""Diagnostics as they are told, where the sources that they quote hold secrets."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from host.core.scrubbing import scrub
from runtime_js import Diagnostic, render_diagnostics

_MOST_CHARS: Final = 100
"""Characters of a source line that are shown for certain; of a longer one a part is."""


def told_diagnostics(diagnostics: Sequence[Diagnostic]) -> str:
    """As `render_diagnostics`, but that no secret is cut through: what is left of one is not known for it."""
    return render_diagnostics([_without_secrets(each) for each in diagnostics])


def _without_secrets(diagnostic: Diagnostic) -> Diagnostic:
    line = diagnostic.source_line or ""
    hides = len(line) > _MOST_CHARS and scrub(line) != line
    message = scrub(diagnostic.message)
    if not hides and message == diagnostic.message:
        return diagnostic
    return replace(diagnostic, message=message, source_line=None if hides else diagnostic.source_line)
