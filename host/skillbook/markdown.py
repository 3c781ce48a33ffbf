"""A book for a person to read, as Markdown. No text of a skill is markup in it: each stands in a fence or in
backticks, with its control characters spelt out.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from host.core.text import counted, escape_controls, fenced, join_words, quoted
from host.skillbook.model import Occurrence, Pair, SimilarityDecision, Skill
from host.skillbook.similarity import four_decimals
from host.skillbook.skillbook import Skillbook
from host.skillbook.states import STATES, State, state_of

_HEADINGS: Final[Mapping[State, str]] = {
    "active": "Active",
    "held back": "Held back until they are accepted",
    "rejected": "Rejected",
    "merged": "Merged",
    "removed": "Removed",
}


def markdown(book: Skillbook) -> str:
    """The whole book: skills by how it stands with them, pairs that are kept apart, and what was not read."""
    return "\n\n".join(_parts(book)) + "\n"


def _parts(book: Skillbook) -> Iterator[str]:
    by_state: dict[State, list[Skill]] = {state: [] for state in STATES}
    for skill in book.skills(include_invalid=True):
        by_state[state_of(skill)].append(skill)
    yield "# Skillbook"
    counts = [f"{len(skills):,} {state}" for state, skills in by_state.items() if skills]
    yield f"{counted(sum(map(len, by_state.values())), 'skill')}{': ' if counts else ''}{join_words(counts)}."
    for state, skills in by_state.items():
        if skills:
            yield f"## {_HEADINGS[state]}"
        for skill in skills:
            yield from _skill(skill)
    if book.decisions:
        yield "## Kept apart"
    for pair, decision in book.decisions.items():
        yield from _apart(pair, decision)
    if book.problems:
        yield "## Not read"
        yield "\n".join(f"- {escape_controls(str(problem))}" for problem in book.problems)


def _skill(skill: Skill) -> Iterator[str]:
    yield f"### {quoted(skill.id)}"
    yield "\n".join(f"- {fact}" for fact in _facts(skill))
    yield "Issue:"
    yield _as_it_is(skill.issue)
    if skill.insight is not None:
        yield "Insight:"
        yield _as_it_is(skill.insight)
    for source in skill.occurrences:
        told = [text for text in (source.sample_question, source.learning_text) if text]
        yield f"Source {quoted(source.trace_uid)}{_how(source)}{':' if told else ''}"
        if told:
            yield _as_it_is("\n".join(told))


def _facts(skill: Skill) -> Iterator[str]:
    yield f"section {skill.section}"
    if skill.keywords:
        yield f"keywords {join_words(map(quoted, skill.keywords))}"
    yield f"used {counted(skill.used_count, 'time')}"
    yield f"helpful {skill.helpful_count:,}, harmful {skill.harmful_count:,}, neutral {skill.neutral_count:,}"
    if skill.scope is not None:
        yield f"for {quoted(skill.scope)} alone"
    if skill.evidence_is is not None:
        yield f"on {skill.evidence_is} evidence"
    if skill.merged_into is not None:
        yield f"merged into {quoted(skill.merged_into)}"
    for what, moment in (("created", skill.created_at), ("changed", skill.updated_at)):
        if moment:
            yield f"{what} {quoted(moment)}"


def _how(source: Occurrence) -> str:
    words = [word for word in (source.relation, source.operation_type) if word]
    return f", {join_words(map(quoted, words))}" if words else ""


def _apart(pair: Pair, decision: SimilarityDecision) -> Iterator[str]:
    by = f" by {quoted(decision.measure)}" if decision.measure else ""
    figure = (
        f", similar by {four_decimals(decision.similarity)}{by}" if decision.similarity is not None else ""
    )
    at = f", decided {quoted(decision.decided_at)}" if decision.decided_at else ""
    yield f"{join_words(map(quoted, sorted(pair)))}{figure}{at}:"
    yield _as_it_is(decision.reasoning or "no reason is given")


def _as_it_is(text: str) -> str:
    return fenced(escape_controls(text.replace("\r\n", "\n")))
