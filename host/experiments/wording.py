"""Figures of a comparison as texts, the same on the console and on the page."""

from typing import Final

from host.experiments.comparison import Comparison, Counts, Part, Row, tokens_per_correct
from host.experiments.statistics import Contest, Figure

NO_FIGURE: Final = "-"
_SCRIPTED: Final = "scripted"  # what a record calls a model of replies that are there already


def amount(value: float, unit: str) -> str:
    """`1,204`, `2.5`, `740 ms`, `12.3 s`, `$0.0125`."""
    if unit == "USD":
        return f"${value:.4f}"
    if unit == "ms":
        return _duration(value)
    return f"{value:,.0f}" if value == int(value) or value >= 100 else f"{value:,.1f}"


def spread(figure: Figure | None, unit: str) -> str:
    """`3 (2 to 5)`: the median, and the least and the most where they differ."""
    if figure is None:
        return NO_FIGURE
    middle = amount(figure.median, unit)
    if figure.least == figure.most:
        return middle
    return f"{middle} ({amount(figure.least, unit)} to {amount(figure.most, unit)})"


def total(figure: Figure | None, unit: str) -> str:
    """The sum over all runs."""
    return NO_FIGURE if figure is None else amount(figure.total, unit)


def verdict(row: Row) -> str:
    """`code`, `tie`, or nothing where neither less nor more is better; of one arm there is nothing to say."""
    if row.better == "neither" or not row.best or len(row.figures) < 2:
        return ""
    return "tie" if len(row.best) > 1 else row.best[0]


def rounds(contest: Contest) -> str:
    """`code 9, tools 2, tie 1`: in how many pairs of runs each arm had the better value."""
    told = [f"{arm} {wins}" for arm, wins in contest.wins.items() if wins]
    return ", ".join([*told, *([f"tie {contest.ties}"] if contest.ties else [])])


def correctness(counts: Counts) -> str:
    """`11 of 12`, with how many checks failed; nothing where nothing was checked."""
    if not counts.checked and not counts.check_failed:
        return NO_FIGURE
    told = f"{counts.correct} of {counts.checked}"
    return f"{told}, {counts.check_failed} checks failed" if counts.check_failed else told


def statuses(counts: Counts) -> str:
    """`completed 11, exhausted 1`."""
    return ", ".join(f"{status} {count}" for status, count in counts.statuses.items()) or NO_FIGURE


def per_correct(part: Part, arm: str) -> str:
    """Tokens for each run that was correct."""
    tokens = tokens_per_correct(part, arm)
    return NO_FIGURE if tokens is None else f"{tokens:,.0f}"


def head(comparison: Comparison) -> str:
    """What was run, in one line."""
    return (
        f"{comparison.name}: {_counted(len(comparison.tasks), 'task')}, {len(comparison.arms)} arms,"
        f" {_counted(comparison.repeats, 'repeat')}, seed {comparison.seed}"
        + (f", model {comparison.model}" if comparison.model else "")
    )


def machine(comparison: Comparison) -> str:
    """What it was run on, in one line."""
    on = comparison.machine
    if on is None:
        return f"gg {comparison.gg_version}"
    versions = ", ".join(f"{part} {number}" for part, number in on.versions.items())
    return f"{on.processor}, {on.cores} cores, {on.system}; {versions}"


def notes(comparison: Comparison) -> list[str]:
    """What a reader has to know of the figures."""
    made = comparison.whole.counts
    told = [
        "A figure is the median over the runs of an arm, with the least and the most; "
        + ", ".join(f"n = {counts.runs} for {arm}" for arm, counts in made.items())
        + ". The better arm has the better sum over the runs that all arms made; behind it stands in how many"
        " pairs of runs of one task each was better. Times within 5 % are a tie."
    ]
    if comparison.models == (_SCRIPTED,):
        told.append("The replies are scripted: what they cost is compared, not how well a model does.")
    elif comparison.models:
        told.append(f"Asked: {', '.join(comparison.models)}.")
    if comparison.is_estimated:
        told.append(
            "Tokens are estimated, one for four characters, where the provider billed none: of each request"
            " what its window held and what it said of tools, of each reply its text and its calls."
        )
    if not comparison.pairs_alike:
        told.append("The records differ in the task or in the seed of runs that should be pairs.")
    if comparison.is_partial:
        runs = sum(counts.runs for counts in made.values())
        cut = sum(counts.cut_off for counts in made.values())
        lost = sum(counts.lost for counts in made.values())
        told.append(
            f"Partial: {runs} of {comparison.planned} runs were made to their end; {cut} were cut off,"
            f" {lost} could not be recorded."
        )
    return told


def _duration(ms: float) -> str:
    if ms >= 100_000:
        return f"{ms / 1000:,.0f} s"
    if ms >= 10_000:
        return f"{ms / 1000:.1f} s"
    return f"{ms:,.0f} ms" if ms >= 10 else f"{ms:.1f} ms"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
