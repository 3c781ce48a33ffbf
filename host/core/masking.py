"""Takes the secrets out of every text that leaves a run.

The values of the environment's secret variables become their names, since these tell an operator what was
masked; then whatever else `scrub` recognises goes. Masking twice changes nothing, and a text that is JSON
stays JSON.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from host.core.json_edits import Edit, edited, edited_json, is_json
from host.core.scrubbing.literals import forms
from host.core.scrubbing.scrub import PLACEHOLDER, STANDING, spans_of
from host.core.scrubbing.spans import Span
from host.core.text_cache import TextCache
from host.core.value_masking import ValueMasker

MAX_KEPT_CHARS: Final = 2**19
"""Characters of the texts that a masker keeps with what became of them: a turn meets the same text often."""


class Masker:
    """Replaces each secret's value by `[masked:NAME]`, and every other recognised secret by the placeholder.

    Thread-safe. It keeps texts that it was given, for as long as it lives itself.
    """

    def __init__(self, secrets: Mapping[str, str]) -> None:
        self._values: Final = ValueMasker(secrets, standing=PLACEHOLDER)
        self._spellings: Final = forms(self._values.values)
        self._kept: Final = TextCache(MAX_KEPT_CHARS)
        self._spans("")  # compiles what the rules are made of, here and not while an event is written

    def __repr__(self) -> str:
        return f"Masker({len(self._values.values)} secrets)"

    def mask(self, text: str) -> str:
        """The text without secrets; the same object where there are none."""
        kept = self._kept.get(text)
        if kept is not None:
            return text if kept == text else kept
        masked = self._masked(text)
        self._kept.put(text, masked)
        if masked is not text:
            self._kept.put(masked, masked)
        return masked

    def _masked(self, text: str) -> str:
        named = self._values.edits(text)
        masked = edited(text, named)
        masked = edited(masked, _edits(masked, self._spans(masked)))
        if masked == text:
            return text
        return self._masked_json(text, named) if is_json(text) else masked

    def _masked_json(self, text: str, named: Iterable[Edit]) -> str:
        """What is found may reach over the ends of strings, so what is left is looked at again."""
        masked = edited_json(text, named)
        while (again := edited_json(masked, _edits(masked, self._spans(masked)))) != masked:
            masked = again
        return masked

    def _spans(self, text: str) -> list[Span]:
        return spans_of(text, self._spellings, markers=self._values.markers)


def _edits(text: str, spans: Iterable[Span]) -> list[Edit]:
    return [
        Edit(span.start, span.end, PLACEHOLDER)
        for span in spans
        if span.rule and not STANDING.fullmatch(text, span.start, span.end)
    ]
