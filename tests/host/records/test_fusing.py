"""Reciprocal-rank fusion: it counts places, and nothing of the values or of the order they are given in."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from host.records.fusing import RANK_CONSTANT, fused

RANKINGS = st.lists(
    st.dictionaries(st.integers(0, 30), st.floats(0.001, 50, allow_nan=False), max_size=20), max_size=3
)


def test_a_score_is_the_sum_of_one_over_sixty_and_the_place() -> None:
    words, meaning = {1: 9.0, 2: 5.0, 3: 1.0}, {3: 0.9, 4: 0.4}

    assert fused([words, meaning]) == {1: 1 / 61, 2: 1 / 62, 3: 1 / 63 + 1 / 61, 4: 1 / 62}


def test_equal_values_share_the_first_of_their_places() -> None:
    assert fused([{1: 5.0, 2: 5.0, 3: 4.0}]) == {1: 1 / 61, 2: 1 / 61, 3: 1 / 63}


def test_no_ranking_and_empty_ones_give_nothing() -> None:
    assert fused([]) == fused([{}, {}]) == {}


@given(RANKINGS, st.randoms(use_true_random=False))
def test_the_order_in_which_items_are_given_is_none(rankings: list[dict[int, float]], random: Random) -> None:
    mixed = []
    for ranking in rankings:
        pairs = list(ranking.items())
        random.shuffle(pairs)
        mixed.append(dict(pairs))

    assert fused(mixed) == fused(rankings)


@given(RANKINGS)
def test_values_count_by_their_order_alone(rankings: list[dict[int, float]]) -> None:
    by_rank = []
    for ranking in rankings:
        values = sorted(set(ranking.values()))
        by_rank.append({item: float(values.index(value)) for item, value in ranking.items()})

    assert fused(by_rank) == fused(rankings)


@given(RANKINGS)
def test_every_item_of_any_ranking_has_a_score_within_its_bounds(rankings: list[dict[int, float]]) -> None:
    scores = fused(rankings)

    assert scores.keys() == set().union(*rankings)
    for item, score in scores.items():
        most = sum(item in ranking for ranking in rankings) / (RANK_CONSTANT + 1)
        assert 0 < score <= most + 1e-12


@given(RANKINGS, st.integers(0, 30))
def test_what_is_better_in_every_ranking_is_better(rankings: list[dict[int, float]], item: int) -> None:
    raised = [{**ranking, item: max(ranking.values(), default=0.0) + 1} for ranking in rankings]
    scores = fused(raised)

    assert all(score < scores[item] for other, score in scores.items() if other != item)
