"""What `gg bench skillbook` prints, as lines: tasks solved with each book, and what the learned one holds."""

from collections.abc import Iterator, Mapping
from typing import Final

from host.app import Kind, LearnedSkill, LearningReport, Tally
from host.cli.lines import Line, Span, Style, counted, line
from host.cli.table import Cell, Column, table

_COLUMNS: Final = (
    Column(title="a skill"),
    Column(title="tasks"),
    Column(title="book"),
    Column(title="solved", is_number=True),
    Column(title="turns", is_number=True),
    Column(title="tokens", is_number=True),
)
_KINDS: Final[dict[Kind, str]] = {
    "helps": "helps",
    "neutral": "does not matter",
    "hurts": "hurts, if it is wrong",
}
_STATES: Final[dict[str, Style]] = {"active": "good", "held back": "warn", "removed": "dim"}


def learning_lines(report: LearningReport, width: int | None) -> Iterator[Line]:
    """The whole report."""
    runs = f"{counted(report.learning, 'run')} to learn from, suite {report.digest[:12]}"
    yield line(f"{report.model} agents; {runs}")
    yield Line()
    yield from table(_COLUMNS, list(_rows(report.tallies)), width)
    yield Line()
    accepted = counted(report.accepted, "skill")
    yield line(f"the learned book; the operator accepted {accepted} that had been held back")
    for skill in report.skills:
        yield from _skill_lines(skill)


def _rows(tallies: Mapping[Kind, Mapping[str, Mapping[str, Tally]]]) -> Iterator[list[Cell]]:
    for kind, halves in tallies.items():
        for at, (half, by_book) in enumerate(halves.items()):
            for place, (book, tally) in enumerate(by_book.items()):
                style: Style = "good" if tally.solved == tally.tasks else "warn"
                yield [
                    Cell(_KINDS[kind] if at == place == 0 else "", "strong"),
                    Cell(half if place == 0 else ""),
                    Cell(book, "name"),
                    Cell(f"{tally.solved} of {tally.tasks}", style),
                    Cell(f"{tally.turns}"),
                    Cell(f"{tally.tokens:,}"),
                ]


def _skill_lines(skill: LearnedSkill) -> Iterator[Line]:
    gone = f"used {skill.used}, helpful {skill.helpful}, harmful {skill.harmful}, neutral {skill.neutral}"
    evidence = f"; evidence {skill.evidence}" if skill.evidence else ""
    yield line(Span(f"  {skill.id}  "), Span(skill.state, _STATES[skill.state]), f"  {gone}{evidence}")
    yield line(Span(f"    {skill.insight}", "dim"))
