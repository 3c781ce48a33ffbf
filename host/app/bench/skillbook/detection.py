"""How long it takes to find similar skills among many, and how that grows."""

from collections.abc import Iterator, Sequence
from random import Random
from time import perf_counter
from typing import Final

from host.app.bench.figures import Figure, Tell
from host.app.bench.records.corpus import Corpus
from host.app.bench.retrieval.judged_set import load_judged_set
from host.skillbook import Compared, Lexical, Measure, similar_pairs

SIZES: Final = (1_000, 3_000, 10_000)
GOAL_S: Final = 60.0

_GOAL_SIZE: Final = 10_000
_WORDS: Final = 60
_SAME: Final = 50
_COPIES_SHARE: Final = 0.1
_MAX_EDITS: Final = 25


def detection_figures(
    tell: Tell, *, sizes: Sequence[int] = SIZES, measures: Sequence[Measure] = (Lexical(),)
) -> Iterator[Figure]:
    """Finds the pairs of books of such sizes, all of one section, by each measure; a minute or two.

    The last figure is of the largest size once more, in made-up words: a word that the measure does not know
    is worth most however many skills have it, as if a book were all about the same ten rare things.
    """
    words = [word for record in load_judged_set().records.values() for word in record.text.split()]
    made_up = " ".join(Corpus().notes(max(sizes))).split()
    for measure in measures:
        for size in sizes:
            yield _figure(tell, f"{size:,} skills", book(words, size), measure)
    yield _figure(tell, f"{max(sizes):,}, made-up words", book(made_up, max(sizes)), measures[0])


def _figure(tell: Tell, name: str, skills: Sequence[Compared], measure: Measure) -> Figure:
    tell(f"{measure.name}: {name}")
    start = perf_counter()
    found = similar_pairs(skills, measure)
    took_s = perf_counter() - start
    of = len(skills) * (len(skills) - 1) // 2
    return Figure(
        name=f"{measure.name.partition('/')[0]}: {name}",
        value=took_s,
        unit="s",
        goal=GOAL_S if len(skills) == _GOAL_SIZE else None,
        how=f"{len(found.pairs):,} pairs {'found' if found.is_whole else 'kept'}, of {of:,}",
    )


def book(words: Sequence[str], size: int, seed: int = 1) -> list[Compared]:
    """Skills of 60 of the words, drawn as often as they stand there. One in ten is an earlier skill of which
    up to 25 words are others; 50 say the same.
    """
    random = Random(seed)
    texts: list[list[str]] = []
    while len(texts) < size:
        text = random.choices(words, k=_WORDS)
        if texts and random.random() < _COPIES_SHARE:
            copy = list(random.choice(texts))
            for place in random.sample(range(_WORDS), random.randint(1, _MAX_EDITS)):
                copy[place] = text[place]
            text = copy
        texts.append(text)
    texts[-_SAME:] = [texts[0]] * min(size, _SAME)
    return [
        Compared(id=f"context-{number:05}", text=_as_skill(text), section="context")
        for number, text in enumerate(texts, start=1)
    ]


def _as_skill(words: Sequence[str]) -> str:
    half = len(words) // 2
    return f"{' '.join(words[:half])}\n\n{' '.join(words[half:])}"
