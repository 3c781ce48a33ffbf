"""Sessions at once and long runs, measured in a small form: what is told, never how long it took."""

import pytest

from host.app.bench.parallel_figures import session_figures
from host.app.bench.turn_figures import turn_figures


@pytest.mark.slow
def test_sessions_at_once() -> None:
    heard: list[str] = []

    figures = {figure.name: figure for figure in session_figures(heard.append, sessions=4, latency_s=0.01)}

    assert list(figures) == [
        "sessions that failed",
        "processor time of one alone",
        "of one among the others",
        "sessions in a second",
        "the cores' limit",
        "share of the cores' limit",
        "of the cores' time used by them",
        "processes beside the host",
        "open files of the host",
        "memory of the host",
    ]
    assert figures["sessions that failed"].value == 0
    assert (figures["share of the cores' limit"].goal, figures["share of the cores' limit"].at_least) == (
        80.0,
        True,
    )
    assert [name for name, figure in figures.items() if figure.value < 0] == []
    assert heard[0] == "a session alone"


@pytest.mark.slow
def test_a_long_run_and_a_large_store() -> None:
    heard: list[str] = []

    figures = {f.name: f for f in turn_figures(heard.append, turns=50, edge=10, memories=40)}

    assert list(figures) == [
        "a turn of the first 10",
        "a turn of the last 10",
        "what it grew by",
        "memory of the host, turn 10",
        "memory of the host, turn 50",
        "a call, median",
        "a call, 999 of 1,000",
        "a call, the slowest",
    ]
    assert figures["what it grew by"].goal == 10.0
    assert heard == ["turn 50 of 50", "a store of 40 memories"]
