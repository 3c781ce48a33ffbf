"""Notes and queries for measuring: as long and as unevenly worded as notes are, the same in every run.

A note has 60 words in random order: 24 stop words, and 36 of a vocabulary of 50,000 made-up words. How often
each comes up falls with its rank as Zipf's law says. A query has five different words of what a note is made
of, without stop words: the frequent ones come up in queries as often as in notes.
"""

import json
from collections.abc import Iterator
from itertools import accumulate
from random import Random
from typing import Final

from host.core.terms import STOP_WORDS

STOP_WORDS_PER_NOTE: Final = 24
CONTENT_WORDS_PER_NOTE: Final = 36
WORDS_PER_QUERY: Final = 5
TAGS: Final = tuple(f"topic-{number}" for number in range(50))

_VOCABULARY: Final = 50_000
_FLATTENED: Final = 10  # Mandelbrot's constant: the first word is in two notes of five
_ONSETS: Final = (*"bcdfghklmnprstvw", "st", "tr", "br", "ch", "sh", "pl", "gr")
_VOWELS: Final = (*"aeiou", "ai", "ea", "oo")
_CODAS: Final = ("", "", "n", "r", "t", "l", "k", "m")
_SYLLABLES: Final = (1, 2, 2, 3, 3, 4)
_PAST: Final = "2020-01-01T00:00:00Z"
_FUTURE: Final = "2099-01-01T00:00:00Z"


class Corpus:
    """Notes and queries drawn from one seed."""

    def __init__(self, seed: int = 1) -> None:
        self._random: Final = Random(seed)
        self._words: Final = _vocabulary(Random(7))
        self._stop_words: Final = sorted(STOP_WORDS)
        self._word_shares: Final = _shares(len(self._words))
        self._stop_word_shares: Final = _shares(len(self._stop_words))

    def note(self) -> str:
        words = self._content() + self._random.choices(
            self._stop_words, cum_weights=self._stop_word_shares, k=STOP_WORDS_PER_NOTE
        )
        self._random.shuffle(words)
        return " ".join(words)

    def query(self) -> str:
        return " ".join(self._random.sample(sorted(set(self._content())), WORDS_PER_QUERY))

    def line(self, number: int) -> str:
        """A note as a line to import: one in four with a tag, one in 100 a lesson that waits for an approval,
        one in 40 stale, and one in 40 that will be.
        """
        said: dict[str, object] = {"text": self.note(), "written_by": f"agent:run-{number // 100}"}
        if number % 4 == 0:
            said["tags"] = [self._random.choice(TAGS)]
        if number % 100 == 7:
            said["kind"] = "lesson"
        if number % 20 == 3:
            said["stale_after"] = _PAST if number % 40 == 3 else _FUTURE
        return json.dumps(said)

    def notes(self, count: int) -> Iterator[str]:
        """The texts of the first lines."""
        return (json.loads(self.line(number))["text"] for number in range(count))

    def _content(self) -> list[str]:
        return self._random.choices(self._words, cum_weights=self._word_shares, k=CONTENT_WORDS_PER_NOTE)


def _shares(count: int) -> list[float]:
    return list(accumulate(1 / (rank + _FLATTENED) for rank in range(1, count + 1)))


def _vocabulary(random: Random) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < _VOCABULARY:
        syllables = random.choice(_SYLLABLES)
        word = "".join(random.choice(_ONSETS) + random.choice(_VOWELS) for _ in range(syllables))
        word += random.choice(_CODAS)
        if word not in STOP_WORDS:
            words[word] = None
    return list(words)
