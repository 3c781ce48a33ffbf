"""Medians, spreads, and who was better how often."""

import pytest

from host.experiments.statistics import Contest, Figure, best_of, contest, figure_of


def test_a_figure_has_its_spread_and_its_sum() -> None:
    assert figure_of([4, 1, 3, 2, 100]) == Figure(
        n=5, median=3, lower=2, upper=4, least=1, most=100, total=110
    )


def test_of_two_values_the_quartiles_are_the_extremes() -> None:
    assert figure_of([1, 3]) == Figure(n=2, median=2, lower=1, upper=3, least=1, most=3, total=4)


def test_nothing_has_no_figure() -> None:
    assert figure_of([]) is None


def test_a_contest_counts_who_alone_was_best() -> None:
    rounds = [{"a": 1.0, "b": 2.0}, {"a": 3.0, "b": 2.0}, {"a": 2.0, "b": 2.0}, {"a": 0.0, "b": 9.0}]

    assert contest(rounds, "less") == Contest(wins={"a": 2, "b": 1}, ties=1)
    assert contest(rounds, "more") == Contest(wins={"a": 1, "b": 2}, ties=1)
    assert contest(rounds, "neither") == Contest(wins={"a": 0, "b": 0}, ties=4)
    assert contest(rounds, "less").rounds == 4


BEST = [
    pytest.param({"a": 100.0, "b": 104.0}, 0.05, ("a", "b"), id="within the slack"),
    pytest.param({"a": 100.0, "b": 106.0}, 0.05, ("a",), id="beyond it"),
    pytest.param({"a": 0.0, "b": 0.0}, 0.0, ("a", "b"), id="nothing at all"),
    pytest.param({}, 0.0, (), id="no arms"),
]


@pytest.mark.parametrize(("values", "slack", "best"), BEST)
def test_who_is_best(values: dict[str, float], slack: float, best: tuple[str, ...]) -> None:
    assert best_of(values, "less", slack=slack) == best
