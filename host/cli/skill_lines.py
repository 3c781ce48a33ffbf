"""Skills as lines for a person: a table of several, and one whole.

Skills are the texts of others: every piece is escaped, and set in a cell or behind bars.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from host.cli.lines import INDENT, Line, Span, Style, block, counted, flat, line
from host.cli.table import Cell, Column, table
from host.core.text import shortened
from host.skillbook import (
    Occurrence,
    Pair,
    Problem,
    SimilarityDecision,
    Skill,
    State,
    context_item,
    four_decimals,
    state_of,
)

_TEXT_CHARS: Final = 120
_NAME_CHARS: Final = 40
_LABEL_WIDTH: Final = 13
_COLUMNS: Final = (
    Column(title="score", rank=6, is_number=True),
    Column(title="id"),
    Column(title="state"),
    Column(title="section", rank=4),
    Column(title="scope", rank=3),
    Column(title="used", rank=1, is_number=True),
    Column(title="+", rank=2, is_number=True),
    Column(title="-", rank=2, is_number=True),
    Column(title="=", rank=2, is_number=True),
    Column(title="issue"),
)
_STYLES: Final[Mapping[State, Style]] = {
    "active": "",
    "held back": "warn",
    "rejected": "dim",
    "merged": "dim",
    "removed": "dim",
}


def skill_table(
    skills: Sequence[Skill], *, width: int | None, scores: Mapping[str, float] | None = None
) -> Iterator[Line]:
    """One row for each skill; `+`, `-` and `=` count how often it was helpful, harmful and neutral. The state
    stands there where any of them is not active.
    """
    has_states = any(state_of(skill) != "active" for skill in skills)
    rows = [_cells(skill, scores or {}, has_states=has_states) for skill in skills]
    kept = [place for place in range(len(_COLUMNS)) if any(row[place].text for row in rows)]
    if rows:
        yield from table(
            [_COLUMNS[place] for place in kept], [[row[place] for place in kept] for row in rows], width
        )


def skill_lines(skill: Skill, decisions: Mapping[Pair, SimilarityDecision]) -> Iterator[Line]:
    """One skill, whole, with where it came from, and from which skills it is kept apart."""
    state = state_of(skill)
    yield line(Span("skill", "strong"), " ", Span(flat(skill.id), "name"))
    into = f" into {skill.merged_into}" if state == "merged" else ""
    yield _row("state", f"{state}{into}", style=_STYLES[state])
    yield _row("section", skill.section)
    if skill.scope is not None:
        yield _row("scope", skill.scope)
    yield _row("keywords", ", ".join(skill.keywords))
    yield _row("counters", counters_text(skill))
    if skill.evidence_is is not None:
        yield _row("evidence", skill.evidence_is, style="warn" if skill.evidence_is == "untrusted" else "")
    signals = context_item(skill).metadata.get("instruction_signals")
    if isinstance(signals, tuple) and signals:
        told = f"{', '.join(signals)}: reads like an instruction, and is none to follow"
        yield _row("flagged", told, style="warn")
    for label, moment in (("created", skill.created_at), ("changed", skill.updated_at)):
        if moment:
            yield _row(label, moment)
    yield _row("issue", "")
    yield from block(skill.issue, may_crop=False, may_cut=False)
    if skill.insight is not None:
        yield _row("insight", "")
        yield from block(skill.insight, may_crop=False, may_cut=False)
    for number, source in enumerate(skill.occurrences, 1):
        yield from _source_lines(number, source)
    for pair, decision in decisions.items():
        if skill.id in pair:
            yield from _apart_lines(skill, pair, decision)


def counters_text(skill: Skill) -> str:
    return (
        f"used {counted(skill.used_count, 'time')}; helpful {skill.helpful_count:,},"
        f" harmful {skill.harmful_count:,}, neutral {skill.neutral_count:,}"
    )


def problem_lines(problems: Sequence[Problem]) -> Iterator[Line]:
    """What of a file could not be read."""
    for problem in problems:
        yield line(Span("not read ", "warn"), f"{problem}; it stays in the file as it is")


def _source_lines(number: int, source: Occurrence) -> Iterator[Line]:
    how = [word for word in (source.relation, source.operation_type) if word]
    yield _row(f"source {number:,}", source.trace_uid + (f" ({', '.join(how)})" if how else ""))
    if source.sample_question:
        yield _row("task", shortened(" ".join(source.sample_question.split()), _TEXT_CHARS))
    if source.error_identification:
        yield _row("error", shortened(" ".join(source.error_identification.split()), _TEXT_CHARS))
    if source.learning_text:
        yield from block(source.learning_text, may_crop=False, may_cut=False)


def _apart_lines(skill: Skill, pair: Pair, decision: SimilarityDecision) -> Iterator[Line]:
    (other,) = pair - {skill.id}
    by = f" by {decision.measure}" if decision.measure else ""
    figure = f", {four_decimals(decision.similarity)} similar{by}" if decision.similarity is not None else ""
    yield _row("kept apart", f"from {other}{figure}")
    yield from block(decision.reasoning, may_crop=False, may_cut=False)


def _cells(skill: Skill, scores: Mapping[str, float], *, has_states: bool) -> list[Cell]:
    state = state_of(skill)
    return [
        Cell(f"{scores[skill.id]:.3g}" if skill.id in scores else ""),
        Cell(skill.id, "name"),
        Cell(state if has_states else "", _STYLES[state]),
        Cell(skill.section),
        Cell(shortened(skill.scope or "", _NAME_CHARS)),
        Cell(f"{skill.used_count:,}"),
        Cell(f"{skill.helpful_count:,}"),
        Cell(f"{skill.harmful_count:,}"),
        Cell(f"{skill.neutral_count:,}"),
        Cell(shortened(" ".join(skill.issue.split()), _TEXT_CHARS)),
    ]


def _row(label: str, text: str, *, style: Style = "") -> Line:
    return Line((Span(flat(text), style),), INDENT, Span(label.ljust(_LABEL_WIDTH), "dim"))
