"""What a text is found by: its terms, the same for the index, for a scan of it and for a query.

A text is normalised first: what is not seen in it (zero-width characters, soft hyphens, variation selectors)
goes, the rest is NFKC and casefolded; a curly apostrophe is a straight one, and the typographic hyphen, the
minus sign and the slash of fractions are the ASCII characters that people type for them.

* A word is a run of letters, digits, `_` and the marks on them, in which apostrophes may stand. `_` at its
  edges is left off. A word that is ASCII is stemmed by Snowball's English.
* A run of words with any of `-./+#:` in it or at its edge, or with `_` at the edge of a word, is one more
  term, whole and not stemmed, after its words: `src/app.py`, `C++`, `.env`, `--force`, `a::b`, `__init__`.
  A `.` or `:` that ends a run ends a sentence or a clause and is left off: `done.` is the word alone, and
  `v1.2.` is `v1.2`.
* In scripts written without spaces (Han, Kana, Hangul, Thai, Lao, Khmer, Myanmar and a few others) a term is
  each character, with the marks on it, and each pair of neighbours.
* Each other symbol is a term: currency, arrows, mathematics, pictures. Parts of a joined emoji count one by
  one, skin tones not at all, and the two letters of a flag are one. Of ASCII's symbols only `$` is one, the
  others are punctuation of code and of Markdown. Punctuation is no term.

No term reaches over white space: the terms of a text are those of its pieces between white space, in order.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import Stemmer

from host.core.unicode_text import nfkc, visible

VERSION: Final = f"1; Snowball {Stemmer.version()}; Unicode {unicodedata.unidata_version}"
"""What the terms of a text depend on beside the text. Terms kept under another version are stale."""

_STOP_WORDS: Final = """
    a an the and or but if of in on at by for from to with as into about
    i you he she it we they me him her them my your his its our their
    this that these those there am is are was were be been being do does did has have had
    what when where which who how why can could will would should
"""
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
"""Words that say nothing of what a note is about. No negation is among them."""

_MAX_CACHED_CHARS: Final = 16
_MAX_STEMMED_CHARS: Final = 48  # no word of English is longer
_CACHED_PIECES: Final = 2**15  # 10 MB of words; 80 MB were all of them in a script without spaces
_CACHED_KINDS: Final = 2**14

# What characters are to a term, in letters that the expressions below read: a letter or digit, a mark on one,
# `_`, an apostrophe, one of `-./+#:`, a character of a script without spaces, a symbol, a letter of a flag.
_LETTER, _MARK, _LOW_LINE, _APOSTROPHE, _JOINER, _IDEOGRAPH, _SYMBOL, _FLAG, _NOTHING = "wmuajcsr "

# Whatever repeats is either possessive or followed by what it cannot match, so that nothing is tried twice.
_RUN: Final = re.compile("[wmuajc]+|s|rr?")
_PART: Final = re.compile("w[wm]*+(?:(?:a|u++)w[wm]*+)*+|c[cm]*+")
_CHARACTER: Final = re.compile("cm*")
# What most pieces are: one word, and punctuation.
_PLAIN: Final = re.compile(r"""[("'`*\[]*+([a-z0-9]++(?:'[a-z0-9]++)*+)[)"'`*\].,:;!?]*+""")
_JOINED: Final = re.compile("j|(?<![wmu])u|u(?![wmu])")

_TYPED: Final = {
    **dict.fromkeys("\u02bc\u2018\u2019", "'"),
    **dict.fromkeys("\u2010\u2212", "-"),
    "\u2044": "/",
    "\u20e3": "",  # the key around a digit
}
_UNTYPED: Final = re.compile(f"[{''.join(_TYPED)}]")
_UNSPACED: Final = re.compile(  # by the first word of a character's name
    "(?:CJK|IDEOGRAPHIC|HIRAGANA|HENTAIGANA|KATAKANA|KATAKANA-HIRAGANA|HANGUL|BOPOMOFO|NUSHU|TANGUT|KHITAN|YI"
    "|THAI|LAO|KHMER|MYANMAR|TAI|JAVANESE|BALINESE) "
)


def terms(text: str) -> tuple[str, ...]:
    """The terms of a text, in order, with repeats. Takes time in proportion to the text; never fails."""
    found: list[str] = []
    for piece in text.lower().split():
        found += _cached_terms(piece) if len(piece) <= _MAX_CACHED_CHARS else _terms(piece)
    return tuple(found)


def query_terms(text: str) -> tuple[str, ...]:
    """The distinct terms of a query in the order of their first appearance.

    Stop words are left out unless there is nothing else.
    """
    parts = [part for piece in text.lower().split() for part in _parts(piece)]
    wanted = [term for word, term in parts if word.removesuffix("'s") not in STOP_WORDS]
    return tuple(dict.fromkeys(wanted or [term for _, term in parts]))


def is_unspaced(char: str) -> bool:
    """Whether a character is of a script that is written without spaces."""
    return _kind(char) == _IDEOGRAPH


def _terms(piece: str) -> tuple[str, ...]:
    plain = _PLAIN.fullmatch(piece)
    return (_stem(plain[1]),) if plain else tuple(term for _, term in _parts(piece))


_cached_terms: Final = lru_cache(_CACHED_PIECES)(_terms)


def _parts(piece: str) -> Iterator[tuple[str, str]]:
    """Each term of a piece without white space or capitals, after the word that it stems from, or itself."""
    text = _normalised(piece)
    kinds = "".join(map(_kind, text))
    for run in _RUN.finditer(kinds):
        if run[0][0] in _SYMBOL + _FLAG:
            symbol = text[run.start() : run.end()]
            yield symbol, symbol
            continue
        for part in _PART.finditer(kinds, run.start(), run.end()):
            word = text[part.start() : part.end()]
            if part[0][0] == _IDEOGRAPH:
                yield from ((gram, gram) for gram in _grams(word, part[0]))
            else:
                yield word, _stem(word)
        if whole := _whole(text[run.start() : run.end()], run[0]):
            yield whole, whole


def _normalised(piece: str) -> str:
    if piece.isascii():
        return piece
    folded = nfkc(visible(piece)).casefold().replace("i\u0307", "i")  # which is what the Turkish İ folds to
    return nfkc(_UNTYPED.sub(lambda char: _TYPED[char[0]], folded))


def _grams(word: str, kinds: str) -> Iterator[str]:
    """Each character with its marks, and after each but the first the pair that it ends."""
    previous = ""
    for match in _CHARACTER.finditer(kinds):
        character = word[match.start() : match.end()]
        yield character
        if previous:
            yield previous + character
        previous = character


def _whole(run: str, kinds: str) -> str | None:
    """What of a run is a term beside its words, if they are not all of it."""
    end = len(run.rstrip(".:'"))
    begin = end - len(kinds[:end].lstrip(_APOSTROPHE + _MARK))
    has_word = _LETTER in kinds or _IDEOGRAPH in kinds
    return run[begin:end] if has_word and _JOINED.search(kinds, begin, end) else None


def _stem(word: str) -> str:
    if len(word) > _MAX_STEMMED_CHARS or not word.isascii():
        return word
    # A stemmer has state that threads must not share; to make one takes half a microsecond.
    stem: str = Stemmer.Stemmer("english", 0).stemWord(word)
    return stem


@lru_cache(_CACHED_KINDS)
def _kind(char: str) -> str:
    category = unicodedata.category(char)
    if char in "'_-./+#:":
        return {"'": _APOSTROPHE, "_": _LOW_LINE}.get(char, _JOINER)
    if category[0] in "LN":
        is_unspaced = category != "Nd" and _UNSPACED.match(unicodedata.name(char, ""))
        return _IDEOGRAPH if is_unspaced else _LETTER
    if category[0] == "M":
        return _MARK
    if "\U0001f1e6" <= char <= "\U0001f1ff":
        return _FLAG
    if category == "Cn":  # of a later version of Unicode
        return _IDEOGRAPH if "\U00020000" <= char < "\U00040000" else _SYMBOL
    is_symbol = category in {"Sc", "Sm", "So", "Co"} and (char == "$" or not char.isascii())
    return _SYMBOL if is_symbol else _NOTHING
