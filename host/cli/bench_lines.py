"""What `gg bench` prints, as lines: the machine, figures beside their goals, proofs, and peers compared."""

from collections.abc import Iterator, Sequence
from typing import Final

from host.app import Comparison, Figure, LimitProof, LimitsVerdict, Machine, PeerNote
from host.cli.lines import Line, Span, Style, counted, line, styled

_MIB: Final = 2**20
_NAME_WIDTH: Final = 34
_OUTCOME_WIDTH: Final = 14


def machine_lines(command: str, machine: Machine) -> Iterator[Line]:
    """The command, the machine and the versions."""
    yield line(Span(command, "strong"))
    yield line(f"{machine.processor}, {machine.cores} cores, {machine.system}")
    yield line(", ".join(f"{part} {number}" for part, number in machine.versions.items()))
    yield Line()


def figure_line(figure: Figure) -> Line:
    """`one call to the host and back     18.2 µs   goal 25 µs   how it was measured`."""
    style: Style = "" if figure.goal is None else "good" if figure.reached else "warn"
    value = Span(f"{_measured(figure.value):>9} {figure.unit:<3}", style)
    goal = ""
    if figure.goal is not None:
        goal = f"goal {'≥ ' if figure.at_least else ''}{figure.goal:g} {figure.unit}"
    return line(Span(figure.name.ljust(_NAME_WIDTH)), value, f"  {goal}".ljust(18), Span(figure.how, "dim"))


def proof_heading(proof: LimitProof) -> Line:
    """What stands below it; the goals are those of every proof."""
    in_time = f"beyond, goal {proof.over_goal_s:g} s"
    in_memory = f"beyond, goal {proof.over_goal_bytes // _MIB} MiB"
    columns = f"{'ended by':<{_OUTCOME_WIDTH}}{'time, s':>9}{in_time:>22}{'memory, MiB':>14}{in_memory:>22}"
    return line(Span(f"{'program':<{_NAME_WIDTH}}{columns}", "dim"))


def proof_line(proof: LimitProof) -> Line:
    """A program, what ended it, its time and memory, and how far they were beyond the ceilings."""
    known = proof.peak_bytes is not None and proof.over_bytes is not None
    peak, over = (proof.peak_bytes or 0) / _MIB, proof.over_bytes or 0
    return line(
        Span(proof.name.ljust(_NAME_WIDTH)),
        Span(proof.outcome.ljust(_OUTCOME_WIDTH), "bad" if proof.differs else ""),
        Span(f"{proof.wall_s:9.2f}"),
        Span(f"{proof.over_s:22.3f}", "warn" if proof.over_s > proof.over_goal_s else ""),
        Span(f"{peak:14.1f}" if known else f"{'':14}"),
        Span(f"{over / _MIB:22.1f}" if known else f"{'':22}", "warn" if over > proof.over_goal_bytes else ""),
        styled(f"  {proof.differs}" if proof.differs else "", "bad"),
    )


def verdict_lines(verdict: LimitsVerdict) -> Iterator[Line]:
    """The worst of each kind, what ended how many programs, and which differ from the table."""
    yield Line()
    outcomes = ", ".join(f"{number} {outcome}" for outcome, number in verdict.outcomes.items())
    yield line(f"{counted(verdict.programs, 'program')}: {outcomes}")
    worst = verdict.worst_time
    yield line(f"furthest beyond its time: {worst.name}, {worst.over_s:.3f} s")
    if verdict.worst_memory is not None and verdict.worst_memory.over_bytes is not None:
        over = verdict.worst_memory.over_bytes / _MIB
        yield line(f"furthest beyond its memory: {verdict.worst_memory.name}, {over:.1f} MiB")
    if verdict.differing:
        told = f"{counted(len(verdict.differing), 'program')} ended otherwise than expected: "
        yield line(Span(told, "bad"), ", ".join(verdict.differing))
    else:
        yield line(Span("every program ended as expected", "good"))


def note_lines(notes: Sequence[PeerNote]) -> Iterator[Line]:
    """Who is compared, and of what the figures are; how to get those that are missing."""
    for note in notes:
        named = f"{note.peer} {note.version}".rstrip()
        missing = Span(note.missing, "warn") if note.missing else Span(note.compared, "dim")
        yield line(Span(named.ljust(_NAME_WIDTH)), missing)


def comparison_lines(comparisons: Sequence[Comparison]) -> Iterator[Line]:
    """One kind of work: each peer's median with its spread, and how it stands to gg's."""
    first = comparisons[0]
    ours = first.median
    yield Line()
    yield line(Span(first.work, "strong"), Span(f", median of {counted(first.rounds, 'round')}", "dim"))
    for row in comparisons:
        times = "" if row.peer == first.peer else f"  {_measured(row.median / ours)} times gg's"
        yield line(
            styled(row.peer.ljust(_NAME_WIDTH - 2), "name"),
            f"{_measured(row.median):>9} {row.unit}  ",
            Span(f"{_measured(row.fastest)} to {_measured(row.slowest)}".ljust(18), "dim"),
            times,
            indent=2,
        )


def _measured(value: float) -> str:
    """Three digits, more only of what has more before its point."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
