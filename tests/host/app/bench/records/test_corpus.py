"""The notes and queries that searches are timed with: what they are made of, and the same in every run."""

import json
from collections import Counter

from host.app.bench.records.corpus import (
    CONTENT_WORDS_PER_NOTE,
    STOP_WORDS_PER_NOTE,
    WORDS_PER_QUERY,
    Corpus,
)
from host.core.terms import STOP_WORDS, query_terms, terms


def test_notes_have_sixty_words_and_queries_five() -> None:
    corpus = Corpus()
    for _ in range(50):
        words = corpus.note().split()
        assert len(words) == STOP_WORDS_PER_NOTE + CONTENT_WORDS_PER_NOTE == 60
        assert sum(word in STOP_WORDS for word in words) == STOP_WORDS_PER_NOTE
        query = corpus.query()
        assert len(set(query.split())) == len(query_terms(query)) == WORDS_PER_QUERY
        assert not STOP_WORDS & set(query.split())


def test_frequencies_fall_with_the_rank() -> None:
    corpus = Corpus()
    df = Counter(term for _ in range(500) for term in set(terms(corpus.note())) if term not in STOP_WORDS)
    counts = sorted(df.values(), reverse=True)
    assert 120 < counts[0] < 300
    assert counts[100] < counts[0] / 4
    assert sum(count == 1 for count in counts) > len(counts) / 2


def test_the_same_seed_says_the_same() -> None:
    first, second = Corpus(), Corpus()
    lines = [first.line(number) for number in range(30)]
    assert lines == [second.line(number) for number in range(30)]
    assert list(Corpus().notes(30)) == [json.loads(line)["text"] for line in lines]
    assert Corpus(seed=2).note() != Corpus().note()
