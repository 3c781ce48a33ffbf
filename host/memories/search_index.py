"""Which memories hold a keyword, and how often, without a look into each of them.

A keyword without white space stands within one word of a text, a word being what stands between white space.
So each different word is looked through once, for all the memories that have it. What no word tells (keywords
of several words, and those that are in so many words that the memories are fewer) is counted in the texts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from host.memories.model import Memory

_MAX_INDEXED_CHARS: Final = 2**16
"""Of one memory. The words of a longer one would take much more room than its text; it is looked through."""


class SearchIndex:
    """Kept step by step with the memories, by name. Their folded texts are what is searched."""

    def __init__(self) -> None:
        self._memories: Final[dict[str, Memory]] = {}
        self._long: Final[dict[str, Memory]] = {}
        self._times_by_word: Final[dict[str, dict[str, int]]] = {}
        self._words: str | None = None

    def __getitem__(self, name: str) -> Memory:
        return self._memories[name]

    def add(self, memory: Memory) -> None:
        self._memories[memory.name] = memory
        if _is_long(memory):
            self._long[memory.name] = memory
            return
        for word, times in _words(memory).items():
            there = self._times_by_word.get(word)
            if there is None:
                self._times_by_word[word] = {memory.name: times}
                self._words = None
            else:
                there[memory.name] = times

    def remove(self, memory: Memory) -> None:
        del self._memories[memory.name]
        if self._long.pop(memory.name, None) is not None:
            return
        for word in _words(memory):
            there = self._times_by_word[word]
            del there[memory.name]
            if not there:
                del self._times_by_word[word]
                self._words = None

    def occurrences(self, keyword: str) -> Mapping[str, int]:
        """How often a folded keyword stands in the texts of each memory that holds it."""
        parts = keyword.split()
        words = self._words_with(max(parts, key=len))
        if words is None:
            return dict(_counted(keyword, self._memories.values()))
        if len(parts) > 1:
            names = {name for word in words for name in self._times_by_word[word]}.union(self._long)
            return dict(_counted(keyword, map(self._memories.__getitem__, names)))
        found = self._summed(keyword, words)
        found.update(_counted(keyword, self._long.values()))
        return found

    def _words_with(self, part: str) -> list[str] | None:
        """The words that hold a part; `None` where a look into each memory is less work."""
        if self._words is None:
            self._words = "\n".join(self._times_by_word)
        words, left = [], 2 * len(self._memories)
        at = self._words.find(part)
        while at >= 0:
            end = self._words.find("\n", at)
            end = len(self._words) if end < 0 else end
            word = self._words[self._words.rfind("\n", 0, at) + 1 : end]
            words.append(word)
            left -= len(self._times_by_word[word])
            if left < 0:
                return None
            at = self._words.find(part, end)
        return words

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


def _is_long(memory: Memory) -> bool:
    return sum(map(len, memory.folded)) > _MAX_INDEXED_CHARS


def _words(memory: Memory) -> Counter[str]:
    return Counter(word for text in memory.folded for word in text.split())


def _counted(keyword: str, memories: Iterable[Memory]) -> Iterator[tuple[str, int]]:
    for memory in memories:
        name, description, body = memory.folded
        if times := name.count(keyword) + description.count(keyword) + body.count(keyword):
            yield memory.name, times
