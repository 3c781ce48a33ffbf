"""A person at the terminal who decides about similar skills."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from host.cli.commands.skillbook.asking import Gone, ask_line, ask_word
from host.cli.consolidation_lines import question_lines
from host.cli.lines import Line, Span, line
from host.cli.output import Output
from host.core.text import counted, join_words
from host.skillbook import (
    Answer,
    Answered,
    Decision,
    Delete,
    Keep,
    Merge,
    Question,
    Rewrite,
    Skill,
    Stopped,
    Unanswered,
    faults_of,
    unsettled,
)

_WORDS: Final = {
    "k": "keep apart",
    "m": "merge",
    "d": "delete",
    "u": "update",
    "l": "later",
    "s": "stop",
}
_STOPPED: Final = "the operator stopped"
_LATER: Final = "the operator left it for later"


class Operator:
    """A `Decider` that asks on the terminal, question by question, until every pair is settled.

    `mask` takes secrets out of what is typed.
    """

    unused: tuple[Decision, ...] = ()

    def __init__(self, output: Output, *, mask: Callable[[str], str]) -> None:
        self._output: Final = output
        self._mask: Final = mask
        self._has_left = False

    async def decide(self, question: Question) -> Answer:
        if self._has_left:
            return Stopped(why=_STOPPED)
        decisions: list[Decision] = []
        self._output.problem([Line(), *question_lines(question)])
        while open_pairs := unsettled(question, decisions):
            told = [line(Span(f"{counted(len(open_pairs), 'pair')} to settle", "dim"))]
            try:
                word = ask_word(_WORDS, self._output, after=told)
                if word == "l":
                    break
                if word == "s":
                    raise Gone
                decision = self._decision(word, question)
            except Gone:
                self._has_left = True
                return Answered(decisions=tuple(decisions)) if decisions else Stopped(why=_STOPPED)
            faults = [] if decision is None else faults_of(question, [*decisions, decision])
            self._output.problem(line(Span(fault, "warn")) for fault in faults)
            if decision is not None and not faults:
                decisions.append(decision)
        return Answered(decisions=tuple(decisions)) if decisions else Unanswered(why=_LATER)

    def _decision(self, word: str, question: Question) -> Decision | None:
        """What is decided; `None` where what is typed names no skill."""
        skills = question.skills
        match word:
            case "k":
                ids = self._several(skills, "which of them")
                return None if ids is None else Keep(skill_ids=ids, reasoning=self._why())
            case "m":
                ids = self._several(skills, "which of them")
                keep = (
                    None
                    if ids is None
                    else self._one([s for s in skills if s.id in ids], skills, "which stays")
                )
                if ids is None or keep is None:
                    return None
                return Merge(
                    source_ids=tuple(id_ for id_ in ids if id_ != keep.id),
                    keep_id=keep.id,
                    merged_content=self._content(keep),
                    reasoning=self._why(),
                )
            case "d":
                gone = self._one(skills, skills, "which goes")
                return None if gone is None else Delete(skill_id=gone.id, reasoning=self._why())
        changed = self._one(skills, skills, "which changes")
        if changed is None:
            return None
        return Rewrite(skill_id=changed.id, new_content=self._content(changed), reasoning=self._why())

    def _several(self, skills: Sequence[Skill], question: str) -> tuple[str, ...] | None:
        if len(skills) == 2:
            return tuple(skill.id for skill in skills)
        typed = ask_line(f"{question} (their numbers, or nothing for all)? ", self._output)
        if not typed:
            return tuple(skill.id for skill in skills)
        chosen = list(self._numbered(typed, skills, skills))
        return None if len(chosen) < 2 else tuple(skill.id for skill in chosen)

    def _one(self, among: Sequence[Skill], skills: Sequence[Skill], question: str) -> Skill | None:
        numbers = join_words((str(skills.index(skill) + 1) for skill in among), "or")
        typed = ask_line(f"{question} ({numbers})? ", self._output)
        chosen = list(self._numbered(typed, among, skills))
        return chosen[0] if len(chosen) == 1 else None

    def _numbered(self, typed: str, among: Sequence[Skill], skills: Sequence[Skill]) -> Iterator[Skill]:
        """The skills of the numbers that are typed; none where one of these is no skill's."""
        words = typed.replace(",", " ").split()
        known = {str(skills.index(skill) + 1): skill for skill in among}
        strange = [word for word in words if word not in known]
        if strange or not words:
            there = join_words(known, "or")
            self._output.problem([line(Span(f"there are {there}", "warn"))])
            return
        yield from (known[word] for word in dict.fromkeys(words))

    def _content(self, skill: Skill) -> str:
        """What it says from then on: its insight, or its issue where that is all it has."""
        typed = ask_line("what it says from then on (nothing leaves it as it is)? ", self._output)
        return self._mask(typed) or (skill.insight or skill.issue)

    def _why(self) -> str:
        typed = ""
        while not typed:
            typed = ask_line("why? ", self._output)
        return self._mask(typed)
