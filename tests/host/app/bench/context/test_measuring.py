"""The bench of context in a small form: what is told, never how long it took."""

import pytest

from host.app.bench.context import context_figures


@pytest.mark.slow
def test_what_is_told_and_that_bm25_is_no_worse_than_the_order_of_the_files() -> None:
    heard: list[str] = []

    figures = {figure.name: figure for figure in context_figures(heard.append, files=200)}

    orders = ("keyword order", "BM25")
    assert list(figures) == [
        "a retrieval, first",
        "a retrieval, again",
        *(f"{name}, {order}" for name in ("direct", "identifier", "paraphrase", "all") for order in orders),
        *(f"{budget} tokens, {order}" for budget in ("1,000", "4,000") for order in orders),
    ]
    assert heard == ["200 files are written", "56 tasks"]
    assert (figures["a retrieval, first"].goal, figures["a retrieval, again"].goal) == (2.0, 0.6)
    for name in ("direct", "identifier", "all", "1,000 tokens", "4,000 tokens"):
        assert figures[f"{name}, BM25"].value > figures[f"{name}, keyword order"].value
