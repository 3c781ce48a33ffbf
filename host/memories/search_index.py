"""Which memories hold a keyword, and how often, without a look into each of them.

A keyword of letters and digits stands within one word of a text, a word being a run of those. So each
different word is looked at once, for all the memories that have it. Another keyword is counted in the texts
that have the rarest of its words; in all of them, where it is in more words than it pays to look up.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from host.memories.model import Memory

_MAX_INDEXED_CHARS: Final = 2**16
"""Of one memory. The words of a longer one would take much more room than its text; it is looked through."""

_WORD: Final = re.compile(r"\w+")
_MAX_PARTS: Final = 4
"""Words of a keyword that are looked up, the longest."""

# How many memories are looked through in the time in which a word is found, or a place of one is summed.
_LOOKS_PER_WORD: Final = 2
_LOOKS_PER_PLACE: Final = 0.25


class SearchIndex:
    """Kept step by step with the memories, by name. Their folded texts are what is searched."""

    def __init__(self) -> None:
        self._memories: Final[dict[str, Memory]] = {}
        self._texts: Final[dict[str, str]] = {}
        self._long: Final[set[str]] = set()
        self._times_by_word: Final[dict[str, dict[str, int]]] = {}
        self._words: str | None = None

    def copy(self) -> "SearchIndex":
        copied = SearchIndex()
        copied._memories.update(self._memories)
        copied._texts.update(self._texts)
        copied._long.update(self._long)
        copied._times_by_word.update({word: times.copy() for word, times in self._times_by_word.items()})
        return copied

    def __getitem__(self, name: str) -> Memory:
        return self._memories[name]

    def add(self, memory: Memory) -> None:
        name, text = memory.name, memory.folded
        self._memories[name], self._texts[name] = memory, text
        if len(text) > _MAX_INDEXED_CHARS:
            self._long.add(name)
            return
        for word, times in Counter(_WORD.findall(text)).items():
            there = self._times_by_word.get(word)
            if there is None:
                self._times_by_word[word] = {name: times}
                self._words = None
            else:
                there[name] = times

    def remove(self, memory: Memory) -> None:
        name = memory.name
        del self._memories[name]
        text = self._texts.pop(name)
        if name in self._long:
            self._long.remove(name)
            return
        for word in set(_WORD.findall(text)):
            there = self._times_by_word[word]
            del there[name]
            if not there:
                del self._times_by_word[word]
                self._words = None

    def occurrences(self, keyword: str) -> dict[str, int]:
        """How often a keyword, trimmed and folded, stands in the texts of each memory that holds it."""
        parts = _WORD.findall(keyword)
        if parts == [keyword]:
            words = self._words_with(keyword)
            if words is not None:
                return self._summed(keyword, words) | self._counted(keyword, self._long)
        else:
            longest = sorted(set(parts), key=len, reverse=True)[:_MAX_PARTS]
            found = [words for part in longest if (words := self._words_with(part)) is not None]
            if found:
                there = map(self._times_by_word.__getitem__, min(found, key=self._places))
                return self._counted(keyword, self._long.union(*there))
        return self._counted(keyword, self._texts)

    def _words_with(self, part: str) -> list[str] | None:
        """The words that hold a part; `None` where a look into each memory is less work."""
        if self._words is None:
            self._words = "\n".join(self._times_by_word)
        if self._words.count(part) * _LOOKS_PER_WORD > len(self._texts):
            return None
        words = list(_lines_with(part, self._words))
        return words if self._places(words) * _LOOKS_PER_PLACE <= len(self._texts) else None

    def _places(self, words: Iterable[str]) -> int:
        return sum(len(self._times_by_word[word]) for word in words)

    def _summed(self, keyword: str, words: list[str]) -> dict[str, int]:
        words.sort(key=lambda word: len(self._times_by_word[word]), reverse=True)
        found: dict[str, int] = {}
        for word in words:
            within = word.count(keyword)
            if not found and within == 1:
                found = self._times_by_word[word].copy()
                continue
            for name, times in self._times_by_word[word].items():
                found[name] = found.get(name, 0) + within * times
        return found

    def _counted(self, keyword: str, names: Iterable[str]) -> dict[str, int]:
        texts = self._texts
        if "\n" in keyword:  # it must not reach from one text of a memory into the next
            apart = ((name, self._memories[name].folded_texts) for name in names)
            return {name: times for name, fields in apart if (times := sum(f.count(keyword) for f in fields))}
        return {name: times for name in names if (times := texts[name].count(keyword))}


def _lines_with(part: str, text: str) -> Iterator[str]:
    at = text.find(part)
    while at >= 0:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text[text.rfind("\n", 0, at) + 1 : end]
        at = text.find(part, end)
