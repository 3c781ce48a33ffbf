"""`gg bench retrieval`: what is printed of a report."""

from dataclasses import replace
from typing import Final

from host.app import Latency, Misserved, Quality, RetrievalReport
from host.cli.lines import to_text
from host.cli.retrieval_lines import retrieval_lines

STATES: Final = ("current", "stale", "superseded", "proposed", "forgotten", "unreadable")
GOOD: Final = Quality(questions=119, recall_1=0.95, recall_5=1, recall_10=1, mrr=0.9754)
POOR: Final = Quality(questions=119, recall_1=0.5, recall_5=0.6, recall_10=0.7, mrr=0.56)
REPORT: Final = RetrievalReport(
    records=661,
    questions=570,
    digest="7e793d15c30a00",
    rounds=5,
    quality={"dev": {"fact": {"Store.search": GOOD, "FTS5": POOR}}},
    misserved={
        "Store.search": Misserved(by_state=dict.fromkeys(STATES, 0), abstentions=40, answered=0),
        "no states": Misserved(
            by_state={**dict.fromkeys(STATES, 3), "stale": 12}, abstentions=40, answered=1
        ),
    },
    apart={"stale": (37, 38), "superseded": (40, 40)},
    same_as_scan=570,
    has_hybrid=True,
    latency={"Store.search": Latency(p50_ms=1.234, p95_ms=5.5)},
)


def test_a_report() -> None:
    assert to_text(retrieval_lines(REPORT)) == (
        "661 records, 570 questions, each asked 5 times, set 7e793d15c30a\n"
        "\n"
        "dev\n"
        "questions  asked  system        recall@1  recall@5  recall@10  MRR\n"
        "fact         119  Store.search     0.950     1.000      1.000  0.975\n"
        "                  FTS5             0.500     0.600      0.700  0.560\n"
        "\n"
        "must not be served  stale  superseded  proposed  forgotten  unreadable  abstentions answered\n"
        "Store.search            0           0         0          0           0  0 of 40\n"
        "no states              12           3         3          3           3  1 of 40\n"
        "the store listed apart, where they were asked about: stale 37 of 38, superseded 40 of 40\n"
        "answers that are the plain scan's, to the order: 570 of 570 questions\n"
        "\n"
        "an answer, ms  median  95 of 100\n"
        "Store.search     1.23       5.50\n"
    )


def test_a_report_without_the_extra_says_so() -> None:
    assert to_text(retrieval_lines(replace(REPORT, has_hybrid=False))).splitlines()[1] == (
        "hybrid searches are left out; they need an extra: pip install 'gg[embeddings]'"
    )
