"""Finds phrasings by which a text tries to instruct the model that reads it.

They are a short list in English, each under the signal that it is. What is found is for a person to look at;
a text without signals is not thereby harmless. The text is folded first, so that capitals, line breaks,
look-alike letters and zero-width characters hide nothing, and what Unicode's invisible tags spell is read as
well. RE2 matches in time proportional to the text.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import re2

from host.core.look_alikes import fold
from host.core.tripwire_phrases import DENIED, PARTS, PHRASES, SIGNS

SIGNALS: Final = tuple(PHRASES)
"""`ignore_instructions`, `role_override`, `system_prompt`, `reveal_secret`, `run_tool`, `keep_from_user`."""

_NAME: Final = re.compile("<([a-z_]+)>")
_SENTENCE_END: Final = re.compile(r"[.!?;]+(?:\s|$)")
_BLANK_LINE: Final = re.compile(r"\n[^\S\n]*\n")
_WORD: Final = re.compile(r"[^\W_]+")
_TAGS: Final = re.compile("[\U000e0020-\U000e007e]+")
_FROM_TAGS: Final = {code: code - 0xE0000 for code in range(0xE0020, 0xE007F)}
_LONGEST_DENIAL: Final = 40


def _compiled(pattern: str) -> Any:  # noqa: ANN401 - the library has no types
    options = re2.Options()
    options.never_capture = True
    return re2.compile(pattern, options)


def _expanded(pattern: str) -> str:
    return _NAME.sub(lambda name: f"({_expanded(PARTS[name[1]])})", pattern)


def _lines(patterns: str) -> str:
    return "|".join(filter(None, map(str.strip, patterns.splitlines())))


_PHRASES: Final = {
    signal: _compiled(rf"(^| )({_expanded(_lines(phrases))})( |$)") for signal, phrases in PHRASES.items()
}
_DENIED: Final = {signal: _compiled(rf"(^| ){_expanded(denied)}$") for signal, denied in DENIED.items()}
_SIGNS: Final = {signal: _compiled(_lines(signs)) for signal, signs in SIGNS.items()}


def instruction_signals(*texts: str) -> tuple[str, ...]:
    """The signals of what stands in any of the texts, in the order of `SIGNALS`."""
    found: set[str] = set()
    for view in (view for text in texts for view in _views(text)):
        folded = fold(view).encode("utf-8", "replace").decode()  # RE2 takes no lone surrogates
        words = _words(folded)
        found.update(signal for signal in SIGNALS if signal not in found and _is_said(signal, words))
        found.update(signal for signal, signs in _SIGNS.items() if signs.search(folded))
    return tuple(signal for signal in SIGNALS if signal in found)


def _views(text: str) -> Iterator[str]:
    """The text as one paragraph, its paragraphs, and what invisible tags in it spell, of which there is one
    for each character of ASCII.
    """
    yield text
    if _BLANK_LINE.search(text):
        yield _BLANK_LINE.sub(". ", text)
    if tags := _TAGS.findall(text):
        yield "".join(tags).translate(_FROM_TAGS)


def _words(folded: str) -> str:
    sentences = _SENTENCE_END.split(folded.replace("'", ""))
    return "".join(f"{' '.join(_WORD.findall(sentence))} . " for sentence in sentences)


def _is_said(signal: str, words: str) -> bool:
    """Whether a phrase of the signal stands among the words, and is not denied."""
    denied = _DENIED.get(signal)
    for match in _PHRASES[signal].finditer(words):
        if not (denied and denied.search(words[max(0, match.start() - _LONGEST_DENIAL) : match.start()])):
            return True
    return False
