import math
from random import Random

import pytest

from host.skillbook.similarity.joining import candidates, unit

WORDS = [f"w{n}" for n in range(200)]


def vectors(seed: int, *, count: int, frequent: int, own: int) -> list[dict[str, float]]:
    """Texts with words that most have and words of a wide vocabulary; one in ten has frequent words alone."""
    random = Random(seed)
    made = []
    for _ in range(count):
        drawn = random.sample(WORDS[:12], frequent)
        if random.random() < 0.9:
            drawn += random.sample(WORDS[12:], own)
        made.append({word: random.uniform(0.5, 2) * (1 if word in WORDS[:12] else 3) for word in drawn})
    return [dict(unit(each, math.fsum(weight**2 for weight in each.values()))) for each in made]


def product(one: dict[str, float], other: dict[str, float]) -> float:
    return math.fsum(weight * other.get(word, 0) for word, weight in one.items())


@pytest.mark.parametrize("enough", [0.05, 0.17, 0.4, 0.9])
@pytest.mark.parametrize("seed", range(4))
def test_no_pair_that_is_alike_is_missed_and_none_comes_twice(seed: int, enough: float) -> None:
    texts = vectors(seed, count=150, frequent=5, own=4)
    alike = {
        (one, other)
        for other in range(len(texts))
        for one in range(other)
        if product(texts[one], texts[other]) >= enough
    }
    found = list(candidates(texts, enough))

    assert alike - set(found) == set()
    assert len(found) == len(set(found))
    assert [pair for pair in found if pair[0] >= pair[1]] == []


def test_words_that_most_texts_have_make_no_candidates() -> None:
    texts = [dict(unit({"the": 1.0, f"own{n}": 9.0}, 82.0)) for n in range(100)]
    texts.append(texts[7])

    assert list(candidates(texts, 0.2)) == [(7, 100)]


def test_texts_of_frequent_words_alone_are_found() -> None:
    texts = [dict(unit({"the": 1.0, f"own{n}": 9.0}, 82.0)) for n in range(200)]
    texts += [{"the": 1.0}, {"the": 1.0}]

    assert (200, 201) in list(candidates(texts, 0.9))


@pytest.mark.parametrize("texts", [[], [{}], [{}, {}]])
def test_texts_without_words_have_no_candidates(texts: list[dict[str, float]]) -> None:
    assert list(candidates(texts, 0.5)) == []
