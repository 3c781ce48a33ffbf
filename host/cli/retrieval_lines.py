"""What `gg bench retrieval` prints, as lines: how much of what is relevant is found, what slips through."""

from collections.abc import Iterator, Mapping
from typing import Final

from host.app import Latency, Misserved, Quality, RetrievalReport
from host.cli.lines import Line, Span, counted, line
from host.cli.table import Cell, Column, table

_QUALITY: Final = (
    Column(title="questions"),
    Column(title="asked", is_number=True),
    Column(title="system"),
    Column(title="recall@1", is_number=True),
    Column(title="recall@5", is_number=True),
    Column(title="recall@10", is_number=True),
    Column(title="MRR"),
)
_NO_HYBRID: Final = "hybrid searches are left out; they need an extra: pip install 'gg[embeddings]'"
_APART: Final = "the store listed apart, where they were asked about: "


def retrieval_lines(report: RetrievalReport) -> Iterator[Line]:
    """The whole report."""
    asked = f"{counted(report.records, 'record')}, {counted(report.questions, 'question')}"
    yield line(f"{asked}, each asked {counted(report.rounds, 'time')}, set {report.digest[:12]}")
    if not report.has_hybrid:
        yield line("hybrid searches are left out; they need an extra: pip install 'gg[embeddings]'")
    for half, by_category in report.quality.items():
        yield Line()
        yield line(Span(half, "strong"))
        yield from table(_QUALITY, list(_quality_rows(by_category)), None)
    yield Line()
    yield from _forbidden_lines(report.misserved)
    apart = [f"{state} {there} of {of}" for state, (there, of) in report.apart.items()]
    yield line(_APART, ", ".join(apart))
    same = f"{report.same_as_scan:,} of {counted(report.questions, 'question')}"
    yield line(f"answers that are the plain scan's, to the order: {same}")
    yield Line()
    yield from _latency_lines(report.latency)


def _quality_rows(by_category: Mapping[str, Mapping[str, Quality]]) -> Iterator[list[Cell]]:
    for category, by_system in by_category.items():
        for place, (system, found) in enumerate(by_system.items()):
            is_first = place == 0
            figures = (found.recall_1, found.recall_5, found.recall_10, found.mrr)
            yield [
                Cell(category if is_first else "", "strong"),
                Cell(f"{found.questions}" if is_first else ""),
                Cell(system, "name" if is_first else ""),
                *(Cell(f"{figure:.3f}") for figure in figures),
            ]


def _forbidden_lines(misserved: Mapping[str, Misserved]) -> Iterator[Line]:
    states = next(iter(misserved.values())).by_state
    shown = [state for state in states if state != "current"]
    columns = [
        Column(title="must not be served"),
        *(Column(title=state, is_number=True) for state in shown),
        Column(title="abstentions answered"),
    ]
    rows = [
        [
            Cell(system),
            *(_forbidden(found.by_state[state]) for state in shown),
            _forbidden(found.answered, f" of {found.abstentions}"),
        ]
        for system, found in misserved.items()
    ]
    yield from table(columns, rows, None)


def _forbidden(count: int, more: str = "") -> Cell:
    return Cell(f"{count}{more}", "bad" if count else "good")


def _latency_lines(latency: Mapping[str, Latency]) -> Iterator[Line]:
    columns = (
        Column(title="an answer, ms"),
        Column(title="median", is_number=True),
        Column(title="95 of 100", is_number=True),
        Column(title=""),
    )
    rows = [
        [Cell(system), Cell(f"{found.p50_ms:.2f}"), Cell(f"{found.p95_ms:.2f}"), Cell("")]
        for system, found in latency.items()
    ]
    yield from table(columns, rows, None)
