"""What words and 4-grams are worth in `lexical/1`: a table that comes with gg.

It is never made from the book: in a small one every word would stand in most skills and be worth nothing,
so that equal texts would hardly be alike. `lexical_1.json` has the worth of each word and gram in tenths,
made by `python -m tests.helpers.idf_table` from texts that the file names; it is part of the measure and
stays as it is.

What is not in the table is rare and has one worth each, the greatest of the table. Only a single character of
a script that is written without spaces is worth half of that: it is a particle as often as a word.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from host.core.terms import is_unspaced

_FILE: Final = Path(__file__).with_name("lexical_1.json")


@dataclass(frozen=True, kw_only=True)
class IdfTable:
    """Worth by word and by gram, in tenths, and that of one that is in neither."""

    words: Mapping[str, int]
    grams: Mapping[str, int]
    unknown_word: int
    unknown_gram: int

    def word(self, word: str) -> int:
        worth = self.words.get(word)
        if worth is not None:
            return worth
        return self.unknown_word // 2 if len(word) == 1 and is_unspaced(word) else self.unknown_word

    def gram(self, gram: str) -> int:
        return self.grams.get(gram, self.unknown_gram)


@cache
def idf_table() -> IdfTable:
    """The table of `lexical/1`, read when it is first asked for, which takes some 10 ms."""
    kept = json.loads(_FILE.read_text(encoding="utf-8"))
    return IdfTable(
        words=_worths(kept["words"]),
        grams=_worths(kept["grams"]),
        unknown_word=kept["words"]["unknown"],
        unknown_gram=kept["grams"]["unknown"],
    )


def _worths(bands: Mapping[str, str | int]) -> dict[str, int]:
    """The file has the words of one worth on a line."""
    return {
        word: int(worth)
        for worth, line in bands.items()
        for word in str(line).split(" ")
        if worth != "unknown"
    }
