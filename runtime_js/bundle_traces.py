"""Forms that esbuild accepts and gg refuses, found by the traces they leave in a bundle.

esbuild alone knows whether `module` or `require` is a name of the guest's own. Where it is none, it writes
one of these words in its place; the source map leads back to what the guest wrote.
"""

import re
from itertools import islice
from typing import Final

from runtime_js.bundle_messages import BundleError, Cause, diagnostic_at
from runtime_js.places import SourceText
from runtime_js.source_map import SourceMap
from runtime_js.specifiers import COMPUTED_IMPORT, NO_EXPORTS, NO_MODULE, NO_REQUIRE

__all__ = ["TRACE_FLAGS", "find_forbidden"]

TRACE_FLAGS: Final = ("--define:module=gg$module", "--define:exports=gg$exports")

_WORDS: Final = ("gg$module", "gg$exports", "__require", "globRequire", "globImport")
_TRACE: Final = re.compile(
    r"\b(?:gg\$(?:module|exports)\b|__require(?=[.(])|glob(?:Require|Import)\w*(?=\())"
)
_MAX_ERRORS: Final = 100
_OWN_WORDS: Final = {"module": NO_MODULE, "exports": NO_EXPORTS, "require": NO_REQUIRE}
_CALL_BEFORE: Final = re.compile(r"\b(require|import)\s*\(\s*$")


def find_forbidden(js: str, source_map: SourceMap) -> tuple[BundleError, ...]:
    """The errors of a bundle that esbuild made without any."""
    if not any(word in js for word in _WORDS):
        return ()
    errors: list[BundleError] = []
    for number, line in enumerate(js.split("\n"), 1):
        for match in islice(_TRACE.finditer(line), _MAX_ERRORS):
            origin = source_map.origin(number, len(line[: match.start()].encode()) + 1)
            sentence = None if origin is None else _sentence(*origin)
            if origin is not None and sentence is not None:
                errors.append(BundleError(Cause.RULE, diagnostic_at(*origin, sentence)))
            if len(errors) == _MAX_ERRORS:
                return tuple(errors)
    return tuple(errors)


def _sentence(source: SourceText, offset: int) -> str | None:
    """None where the guest's own text has the word."""
    for word, sentence in _OWN_WORDS.items():
        if source.text.startswith(word, offset):
            return sentence
    call = _CALL_BEFORE.search(source.text[max(0, offset - 80) : offset])
    return None if call is None else NO_REQUIRE if call[1] == "require" else COMPUTED_IMPORT
