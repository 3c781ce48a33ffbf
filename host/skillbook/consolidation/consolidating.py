"""The pass: finds similar skills, asks about each cluster, and carries out what is decided.

The book is not held while anybody thinks: a decision is carried out on the book as it is by then, and refused
where a text changed since the question.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Protocol, TypeVar

from host.core.clock import Clock
from host.core.messages import Usage
from host.core.text import counted, join_words, quoted
from host.skillbook.book_file import BookFile
from host.skillbook.consolidation.deciding import Answered, Decider, Stopped, Unanswered
from host.skillbook.consolidation.difference import difference
from host.skillbook.consolidation.questions import Question, unsettled
from host.skillbook.consolidation.report import Open, Outcome, Report, Settled
from host.skillbook.consolidation.surveying import Search, Survey, asked_anew, has_news, survey
from host.skillbook.decisions import Reopened, Tended, is_settled, tend_decisions
from host.skillbook.merging import Asked, Decision, apply_decision
from host.skillbook.model import Done, Occurrence, Pair, Skill
from host.skillbook.similarity import SimilarPair
from host.skillbook.skillbook import Skillbook

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Ceilings:
    """What a pass may spend: questions, and US dollars by the prices that are known. The question at which a
    sum is passed is the last one.
    """

    max_questions: int | None = None
    max_cost: Decimal | None = None


async def consolidate(
    file: BookFile,
    search: Search,
    decider: Decider,
    *,
    ceilings: Ceilings = Ceilings(),
    source: Occurrence | None = None,
    dry_run: bool = False,
    clock: Clock | None = None,
) -> Report:
    """Settles the similar pairs of a book, as far as its ceilings go.

    With `dry_run` everything is asked and nothing saved; the report has the diff. `source` says in which run
    the decisions are made. Raises `Refused` for a file that is no book, `ValueError` for a threshold that the
    measure refuses.
    """
    book: _Book = _Trial(file, clock) if dry_run else _Kept(file)
    made = _Pass(book, search, decider, ceilings, source)
    await made.run()
    diff = book.difference() if isinstance(book, _Trial) else ""
    return made.report(diff, is_dry_run=dry_run)


class _Book(Protocol):
    def read(self) -> Skillbook: ...

    def apply(self, change: Callable[[Skillbook], T]) -> T: ...


class _Kept:
    """The book as it is in its file."""

    def __init__(self, file: BookFile) -> None:
        self._file: Final = file

    def read(self) -> Skillbook:
        return self._file.read().skillbook

    def apply(self, change: Callable[[Skillbook], T]) -> T:
        return self._file.apply(change)


class _Trial:
    """A copy of the book, which is never saved."""

    def __init__(self, file: BookFile, clock: Clock | None) -> None:
        self._before: Final = file.read().skillbook
        self._book: Final = Skillbook.of(self._before.contents, clock=clock)

    def read(self) -> Skillbook:
        return self._book

    def apply(self, change: Callable[[Skillbook], T]) -> T:
        return change(self._book)

    def difference(self) -> str:
        return difference(self._before, self._book)


class _Pass:
    """One pass over one book, with what came out of it so far."""

    def __init__(
        self, book: _Book, search: Search, decider: Decider, ceilings: Ceilings, source: Occurrence | None
    ) -> None:
        self._book: Final = book
        self._search: Final = search
        self._decider: Final = decider
        self._ceilings: Final = ceilings
        self._source: Final = source
        self._usage = Usage()
        self._asked_pairs: Final[set[Pair]] = set()
        self._asked = 0
        self._results: Final[list[Settled]] = []
        self._open: Final[list[Open]] = []
        self._unsettled: Final[list[SimilarPair]] = []
        self._not_asked: list[SimilarPair] = []
        self._reopened: Final[dict[Pair, Reopened]] = {}
        self._ceiling: str | None = None
        self._stopped: str | None = None
        self._tended = Tended()
        self._first: Survey | None = None
        self._last: Survey | None = None

    async def run(self) -> None:
        """Asks about the clusters there are, and goes on as long as clusters were too large to be one."""
        measure = self._search.measure
        self._tended = self._book.apply(lambda book: tend_decisions(book, measure.name, measure.similarity))
        found, is_split = self._look(), False
        while found.questions and await self._ask_each(found.questions):
            is_split = is_split or bool(found.left)
            if found.left and (rest := self._look(found)).questions:
                found = rest
            elif not found.is_whole or (is_split and has_news(self._book.read(), self._search, found)):
                found, is_split = self._look(), False
            else:
                break
        self._carry_out_unused()

    def _look(self, after: Survey | None = None) -> Survey:
        found = survey(self._book.read(), self._search, but=self._asked_pairs, after=after)
        self._first, self._last = self._first or found, found
        self._reopened.update({why.pair: why for why in found.reopened})
        return found

    async def _ask_each(self, questions: Sequence[Question]) -> bool:
        """Whether more may be asked then."""
        for place, question in enumerate(questions):
            if self._is_over():
                self._not_asked += [pair for each in questions[place:] for pair in each.pairs]
                return False
            await self._ask(question)
        return self._stopped is None

    def _is_over(self) -> bool:
        """Whether nothing more may be asked; says which ceiling it is."""
        most, cost = self._ceilings.max_questions, self._ceilings.max_cost
        if most is not None and self._asked >= most:
            self._ceiling = f"the ceiling of {counted(most, 'question')} is reached"
        elif cost is not None and (self._usage.cost or 0) >= cost:
            self._ceiling = f"the ceiling of {cost} US dollars is reached"
        return bool(self._ceiling or self._stopped)

    async def _ask(self, question: Question) -> None:
        answer = await self._decider.decide(question)
        self._usage += answer.usage
        match answer:
            case Answered(decisions=decisions):
                self._count(question)
                asked = question.asked
                for decision in sorted(decisions, key=lambda each: each.type == "KEEP"):
                    asked = self._carry_out(decision, asked)
                self._unsettled.extend(unsettled(question, decisions))
            case Unanswered(why=why):
                self._count(question)
                self._open.append(Open(skill_ids=question.skill_ids, why=why))
            case Stopped(why=why):
                self._stopped = why
                self._not_asked += question.pairs

    def _count(self, question: Question) -> None:
        self._asked += 1
        self._asked_pairs.update(pair.ids for pair in question.pairs)

    def _carry_out(self, decision: Decision, asked: Asked) -> Asked:
        """What the other decisions of the answer are about: they know what this one has a skill say."""

        def change(book: Skillbook) -> tuple[Done, Skill | None]:
            done = apply_decision(book, decision, asked=asked, source=self._source)
            return done, book.own(done.skill_id) if done.ok and done.skill_id is not None else None

        done, said = self._book.apply(change)
        self._results.append(Settled(decision=decision, done=done))
        return asked if said is None else asked_anew(asked, said, self._book.read(), self._search.measure)

    def _carry_out_unused(self) -> None:
        """What was decided beforehand about no question is refused, unless there may be questions left."""
        if self._ceiling or self._stopped:
            return
        book = self._book.read()
        for decision in self._decider.unused:
            unknown = [id_ for id_ in decision.skill_ids if book.own(id_) is None]
            why = (
                f"there is no skill {join_words(map(quoted, unknown), 'or')}"
                if unknown
                else "no question was about these skills"
            )
            self._results.append(Settled(decision=decision, done=Done(ok=False, why=why)))

    def report(self, diff: str, *, is_dry_run: bool) -> Report:
        first, last = self._first, self._last
        assert first is not None, "it was run"
        assert last is not None, "it was run"
        left = self._still_left((*self._not_asked, *last.left))
        why = tuple(self._whys(first))
        return Report(
            outcome=_outcome(why, self._ceiling),
            why=why,
            is_dry_run=is_dry_run,
            measure=self._search.measure.name,
            threshold=self._search.least,
            compared=first.compared,
            unread=first.unread,
            asked=self._asked,
            settled_before=first.settled,
            reopened=tuple(self._reopened.values()),
            ended=self._tended.ended,
            stamped=self._tended.stamped,
            results=tuple(self._results),
            open=tuple(self._open),
            unsettled=tuple(self._unsettled),
            left=left,
            is_whole=last.is_whole,
            usage=self._usage,
            diff=diff,
        )

    def _still_left(self, pairs: Iterable[SimilarPair]) -> tuple[SimilarPair, ...]:
        """The pairs of which no decision about another pair has disposed, the most similar first."""
        book, measure = self._book.read(), self._search.measure.name
        served = {skill.id for skill in book.skills()}
        left = {
            pair
            for pair in pairs
            if pair.ids <= served
            and pair.ids not in self._asked_pairs
            and not is_settled(book, pair.ids, pair.similarity, measure)
        }
        return tuple(sorted(left, key=lambda pair: (-pair.similarity, pair.first_id, pair.second_id)))

    def _whys(self, first: Survey) -> Iterable[str]:
        if self._ceiling:
            yield self._ceiling
        if first.why_useless:
            yield first.why_useless
        if self._stopped:
            yield self._stopped
        for each in self._open:
            yield f"no answer about {_ids(each.skill_ids)}: {each.why}"
        for result in self._results:
            if not result.done.ok:
                yield f"{result.decision.type} of {_ids(result.decision.skill_ids)}: {result.done.why}"


def _outcome(why: tuple[str, ...], ceiling: str | None) -> Outcome:
    if not why:
        return "done"
    return "stopped_by_ceiling" if why == (ceiling,) else "could_not"


def _ids(skill_ids: Iterable[str]) -> str:
    return join_words(map(quoted, skill_ids))
