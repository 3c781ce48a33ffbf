"""The judged set, put to the store: nothing is served that must not be, and what is found is the scan's."""

import pytest

from host.app import record_embedder
from host.app.bench.retrieval import CATEGORIES, STATES, RetrievalReport, measure_retrieval
from host.app.bench.retrieval.baselines import FTS5, FTS5_WITHOUT_STATES, SCAN
from host.app.bench.retrieval.measuring import ALL, HYBRID, STORE
from host.launch import embeddings_missing

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def report() -> RetrievalReport:
    """With hybrid searches where their extra is installed."""
    embedder = None if embeddings_missing() else record_embedder()
    return measure_retrieval(lambda what: None, rounds=1, embedder=embedder)


def test_the_store_serves_nothing_that_it_must_not(report: RetrievalReport) -> None:
    assert (report.records, report.questions) == (661, 570)
    assert dict(report.misserved[STORE].by_state) == dict.fromkeys(STATES, 0)
    assert (report.misserved[STORE].answered, report.misserved[STORE].abstentions) == (0, 40)
    assert report.is_clean


def test_what_is_out_of_date_is_listed_apart_where_it_is_asked_about(report: RetrievalReport) -> None:
    assert [state for state, (there, of) in report.apart.items() if there != of or of == 0] == []
    assert list(report.apart) == ["stale", "superseded"]


def test_the_store_answers_as_a_scan_does(report: RetrievalReport) -> None:
    assert report.same_as_scan == report.questions


def test_without_states_records_of_each_would_be_served(report: RetrievalReport) -> None:
    """What must not be served is worded so that it would be among the first."""
    by_state = report.misserved[FTS5_WITHOUT_STATES].by_state

    assert [state for state, count in by_state.items() if count == 0] == ["current"]


def test_hybrid_searches_find_more_paraphrases_and_serve_nothing_that_they_must_not(
    report: RetrievalReport,
) -> None:
    """Ones that nothing is about are to find nothing: on the half for tuning none does."""
    if not report.has_hybrid:
        pytest.skip("the extra embeddings is not installed")
    found = {half: report.quality[half]["paraphrase"] for half in report.quality}

    assert dict(report.misserved[HYBRID].by_state) == dict.fromkeys(STATES, 0)
    assert report.misserved[HYBRID].answered <= 3
    assert found["dev"][HYBRID].recall_5 >= found["dev"][STORE].recall_5 + 0.1
    assert found["held out"][HYBRID].recall_5 >= found["held out"][STORE].recall_5 + 0.05
    for half in report.quality.values():
        assert half[ALL][HYBRID].recall_5 > half[ALL][STORE].recall_5


def test_each_category_of_each_half_has_a_figure_for_each_system(report: RetrievalReport) -> None:
    asked = [*(category for category in CATEGORIES if category != "abstention"), ALL]
    latencies = report.latency.values()
    hybrid = [HYBRID] if report.has_hybrid else []

    assert {half: list(found) for half, found in report.quality.items()} == {"dev": asked, "held out": asked}
    assert [list(found) for found in report.quality["dev"].values()] == [[STORE, *hybrid, SCAN, FTS5]] * len(
        asked
    )
    assert list(report.latency) == [STORE, *hybrid, SCAN, FTS5, FTS5_WITHOUT_STATES]
    assert [found for found in latencies if not 0 < found.p50_ms <= found.p95_ms] == []


def test_a_small_form_has_questions_of_each_category_and_half() -> None:
    heard: list[str] = []

    small = measure_retrieval(heard.append, rounds=2, every=6)

    assert (small.questions, small.rounds) == (95, 2)
    assert [found for half in small.quality.values() for found in half if found == ALL] == [ALL, ALL]
    assert heard == [
        "661 records are kept",
        "round 1 of 2, 95 questions",
        "round 2 of 2, 95 questions",
    ]
