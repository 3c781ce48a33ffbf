"""What came out of a consolidation, and what is asked in one, as lines for a person."""

from collections.abc import Iterable, Iterator
from typing import Final

from host.cli.lines import Line, Span, Style, behind_bar, block, counted, flat, line
from host.cli.skill_lines import counters_text
from host.core.text import join_words
from host.skillbook import Question, Report, Settled, SimilarPair, four_decimals

_LABEL_WIDTH: Final = 11
_MOST_PAIRS: Final = 10


def report_lines(report: Report) -> Iterator[Line]:
    """What was looked at, what was decided and what is left."""
    looked_at = (
        f"{counted(report.compared, 'skill')} by {report.measure}, from {four_decimals(report.threshold)} on"
    )
    yield _row("compared", looked_at)
    if report.unread:
        yield _row("not read", f"{', '.join(report.unread)}: the measure has no word of them", "warn")
    if report.settled_before:
        yield _row("kept apart", f"{counted(report.settled_before, 'pair')}, as decided before")
    for why in report.reopened:
        yield _row("asked again", f"{join_words(sorted(why.pair))}: {why}")
    for ended in report.ended:
        yield _row("ended", str(ended))
    if report.stamped:
        yield _row("measured", f"{counted(len(report.stamped), 'decision')}, by {report.measure} now")
    yield _row("asked", counted(report.asked, "question"))
    for settled in report.results:
        yield from _settled_lines(settled)
    for each in report.open:
        yield _row("open", f"{join_words(each.skill_ids)}: {each.why}", "warn")
    yield from _pair_lines("undecided", report.unsettled)
    yield from _pair_lines("not asked", report.left)
    if not report.is_whole:
        yield _row("more", "there are more similar pairs than are looked at in one pass", "warn")
    usage = report.usage
    if usage.input_tokens or usage.output_tokens:
        cost = "" if usage.cost is None else f", {usage.cost:.4f} US dollars"
        yield _row("tokens", f"{usage.input_tokens:,} in, {usage.output_tokens:,} out{cost}")


def summary(report: Report) -> str:
    """The whole in a sentence."""
    if not (report.asked or report.results or report.left or report.why):
        return "no two skills are similar that nothing keeps apart"
    done = sum(settled.done.ok for settled in report.results)
    dry = " (nothing was changed)" if report.is_dry_run else ""
    return f"{counted(report.asked, 'question')}, {counted(done, 'decision')} carried out{dry}"


def difference_lines(diff: str) -> Iterator[Line]:
    """A unified diff, escaped."""
    for row in diff.splitlines():
        yield Line((Span(flat(row), _STYLES.get(row[:1], "")),))


def question_lines(question: Question) -> Iterator[Line]:
    """The skills of a question, numbered from 1, and which of them are alike."""
    numbers = {skill.id: number for number, skill in enumerate(question.skills, 1)}
    for skill in question.skills:
        scope = f"  for {skill.scope}" if skill.scope is not None else ""
        yield line(Span(f"{numbers[skill.id]}  ", "strong"), Span(flat(skill.id), "name"), scope)
        yield Line((Span(f"{counters_text(skill)}; {counted(len(skill.occurrences), 'source')}", "dim"),), 3)
        yield from block(skill.issue, may_crop=False, may_cut=False)
        if skill.insight is not None:
            yield behind_bar()
            yield from block(skill.insight, may_crop=False, may_cut=False)
    for pair in question.pairs:
        alike = f"{numbers[pair.first_id]} and {numbers[pair.second_id]}"
        yield line(Span(f"{alike}: {four_decimals(pair.similarity)} similar", "dim"))
    for why in question.reopened:
        alike = join_words(str(numbers[id_]) for id_ in sorted(why.pair))
        yield line(Span(f"{alike}: asked again, as {why}", "warn"))
    for kept in question.kept:
        alike = join_words(str(numbers[id_]) for id_ in sorted(kept))
        yield line(Span(f"{alike}: kept apart by an earlier decision", "dim"))


def _settled_lines(settled: Settled) -> Iterator[Line]:
    decision, done = settled.decision, settled.done
    if done.ok:
        yield _row(decision.type, done.did, "good")
    else:
        yield _row("refused", f"{decision.type} of {join_words(decision.skill_ids)}: {done.why}", "bad")
    if decision.reasoning:
        yield from block(decision.reasoning, may_crop=False, may_cut=False)


def _pair_lines(label: str, pairs: Iterable[SimilarPair]) -> Iterator[Line]:
    told = list(pairs)
    for pair in told[:_MOST_PAIRS]:
        yield _row(label, f"{pair.first_id} and {pair.second_id}, {four_decimals(pair.similarity)}", "warn")
    if len(told) > _MOST_PAIRS:
        yield _row(label, f"… and {counted(len(told) - _MOST_PAIRS, 'pair')} more", "warn")


def _row(label: str, text: str, style: Style = "") -> Line:
    return Line((Span(flat(text), style),), 0, Span(label.ljust(_LABEL_WIDTH + 2), "dim"))


_STYLES: Final[dict[str, Style]] = {"+": "good", "-": "bad", "@": "dim"}
