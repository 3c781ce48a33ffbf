"""A conversation that is to fit a model's window."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from typing import Final, Self

from host.context.codes import (
    BUDGET_EXCEEDED,
    SUMMARY_FALLBACK,
    WINDOW_COMPRESSED,
    WINDOW_ESTIMATE,
    WINDOW_TOO_SMALL,
    WINDOW_TRIMMED,
)
from host.context.conversation.folding import Line, Summariser, note_of, turns_of
from host.context.conversation.plans import Folding
from host.context.conversation.report import WindowReport
from host.context.conversation.turns import MARKER_TOKENS, Turn, cuts
from host.context.tokens import CallerCounter, CharacterCounter, Counter
from host.core.context_item import ContextItem
from host.core.envelope import Evidence, Warned, WarningCard
from host.core.text import counted, join_words, quoted

ROLES: Final = ("user", "assistant", "tool")

CHECKS_RUN: Final = ("size by the counter", "groups whole", "newest turn kept")
NOT_CHECKED: Final = ("the model's own count", "what a note leaves out", "instructions in quoted turns")
_MAX_NAMED: Final = 10


class ConversationWindow:
    """The turns of a conversation within `window_tokens`, of which `output_reserve` are left for the answer.

    What it takes is the system prompt, each message with 4 tokens more, and the counter's margin on these,
    rounded up, and the reserve. `counter` is a `Counter`, or a function from a text to its tokens, whose
    margin is 10 %; without one, characters / 4 with a margin of 30 %.

    Turns are sent as they were given. From what they are folded into, and from what a summariser reads,
    recognised secrets are masked, and the `literals`. `render` makes the message of a section or of the note;
    without it, that is their value.

    Raises `ValueError` for sizes that are no whole numbers.
    """

    def __init__(
        self,
        window_tokens: int,
        *,
        system_prompt: str = "",
        output_reserve: int = 0,
        counter: Counter | Callable[[str], int] | None = None,
        literals: Iterable[str] = (),
        render: Callable[[ContextItem], str] | None = None,
    ) -> None:
        self.window_tokens: Final = _whole("window_tokens", window_tokens, least=1)
        self.output_reserve: Final = _whole("output_reserve", output_reserve, least=0)
        self.counter: Final = _counter(counter)
        self.system_prompt = ""
        self.sections: tuple[ContextItem, ...] = ()
        self._literals: Final = tuple(literals)
        self._render: Final = render or (lambda item: item.value)
        self._system_tokens = 0
        self._sections_cost = 0
        self._turns: dict[int, Turn] = {}
        self._turns_cost = 0
        self._count = 0
        self._lines: tuple[Line, ...] = ()
        self._note: ContextItem | None = None
        self._note_cost = 0
        self._dropped: tuple[int, ...] = ()
        self.reword(system_prompt)

    @property
    def notes(self) -> tuple[ContextItem, ...]:
        """The note that folded turns have become, if there is one."""
        return () if self._note is None else (self._note,)

    @property
    def tokens(self) -> int:
        """What the window takes, with the margin and the reserve."""
        return self.tokens_with(0)

    def tokens_with(self, tokens: int, messages: int = 0) -> int:
        """What it would take with so many tokens more, in so many messages."""
        return self._used(self._note_cost + self._turns_cost + tokens + messages * MARKER_TOKENS)

    def reword(self, system_prompt: str) -> None:
        """Puts a system prompt in place of the one that there is."""
        self.system_prompt = _text("system_prompt", system_prompt)
        self._system_tokens = self.counter.count(system_prompt)

    def put_sections(self, sections: Iterable[ContextItem]) -> None:
        """What stands between the system prompt and the conversation, a message each, in place of what stood
        there. Sections are neither trimmed nor folded.
        """
        self.sections = tuple(sections)
        texts = map(self._render, self.sections)
        self._sections_cost = sum(self.counter.count(text) + MARKER_TOKENS for text in texts)

    def add(self, role: str, content: str, *, group: Hashable | None = None, attached_tokens: int = 0) -> int:
        """Appends a turn and returns its number, from 1. Turns of one `group`, such as a call of a tool and
        its results, stay or go together. `attached_tokens` are of what goes with it and is no text of its.

        Raises `ValueError` for another role than `user`, `assistant` and `tool`, and for what is no text.
        """
        if role not in ROLES:
            remedy = "; give it as system_prompt" if role == "system" else ""
            raise ValueError(f"role {quoted(str(role))} is none of {', '.join(ROLES)}{remedy}")
        if not isinstance(group, Hashable):
            raise ValueError(f"a group is a name or a number, not {type(group).__name__}")
        _text("content", content)
        tokens = self.counter.count(content) + attached_tokens
        self._count += 1
        turn = Turn(number=self._count, role=role, content=content, group=group, tokens=tokens)
        self._turns[turn.number] = turn
        self._turns_cost += turn.cost
        return turn.number

    def remove(self, numbers: Iterable[int]) -> None:
        """Takes turns out by their numbers. Raises `KeyError` for one that is not there."""
        for number in numbers:
            self._turns_cost -= self._turns.pop(number).cost

    def turn(self, number: int) -> Turn:
        """Raises `KeyError` for one that is not there."""
        return self._turns[number]

    def copy(self) -> Self:
        """The same conversation, from here on apart."""
        copied = copy(self)
        copied._turns = dict(self._turns)
        return copied

    def to_messages(self) -> list[dict[str, str]]:
        """The window as messages: the system prompt, sections and the note as the user's, the turns."""
        system = [{"role": "system", "content": self.system_prompt}] if self.system_prompt else []
        items = (*self.sections, *self.notes)
        above = [{"role": "user", "content": self._render(item)} for item in items]
        turns = [{"role": turn.role, "content": turn.content} for turn in self._turns.values()]
        return [*system, *above, *turns]

    def report(self) -> WindowReport:
        """How the window stands. Changes nothing."""
        return self._report()

    def trim(self) -> WindowReport:
        """Drops the fewest of the oldest turns that make the window fit, a note before them; never the newest
        turn or its group. A window that these alone do not fit is left as it is.
        """
        if self._fits or not self._can_fit:
            return self._report()
        self._keep_from(0, ())
        if not self._fits:
            places = cuts(tuple(self._turns.values()))
            self._keep_from(next(cut.older for cut in places if self._fits_with(cut.newer_cost)), ())
        return self._report()

    def compress(self, summariser: Summariser | None = None, *, until: int | None = None) -> WindowReport:
        """Folds the oldest turns into one quoted note, as few as make the window fit, and an earlier note
        with them; never the newest turn or its group. A window that these alone do not fit is left as it is.
        For a caller that adds the newest turns after that, `until` is the number of the last turn to fold:
        all up to it are, whether or not the window fits.

        The note keeps the first sentence of each turn, and as there is room sentences with decisions,
        commands, paths and figures; where there is none its oldest lines are dropped. `summariser` writes the
        note instead from the turns as quoted text. If it raises, or what it gives is no text, blank or too
        long, the sentences are kept, which the report says (`G6_E_CONTEXT_SUMMARY_FALLBACK`).
        """
        if until is None and (self._fits or not self._can_fit):
            return self._report()
        folding = Folding(
            tuple(self._turns.values()),
            self._lines,
            room=self._limit - self._system_tokens - self._sections_cost,
            count=self.counter.count,
            literals=self._literals,
        )
        folded = folding.folded(summariser) if until is None else folding.folded_until(until, summariser)
        self._keep_from(folded.older, folded.lines)
        if folded.fault is None:
            return self._report()
        fallback = f"the summariser {folded.fault}; first sentences and decisions were kept instead"
        return self._report(Evidence(code=SUMMARY_FALLBACK, detail=fallback))

    def _keep_from(self, older: int, lines: tuple[Line, ...]) -> None:
        """Leaves the turns after the `older` ones, under the lines of a note."""
        gone = list(self._turns)[:older]
        before = {*turns_of(self._lines), *gone}
        self._dropped = tuple(sorted({*self._dropped, *(before - set(turns_of(lines)))}))
        self._lines = lines
        self._note = note_of(lines)
        self._note_cost = 0
        if self._note is not None:
            self._note_cost = self.counter.count(self._render(self._note)) + MARKER_TOKENS
        self.remove(gone)

    @property
    def _limit(self) -> int:
        """The tokens that the system prompt and the messages may come to before the margin."""
        return (self.window_tokens - self.output_reserve) * 100 // (100 + self.counter.margin_percent)

    @property
    def _least(self) -> int:
        """What the newest turn takes, with its group."""
        places = cuts(tuple(self._turns.values()))
        return places[-1].newer_cost if places else self._turns_cost

    @property
    def _fits(self) -> bool:
        return self._fits_with(self._note_cost + self._turns_cost)

    @property
    def _can_fit(self) -> bool:
        return self._fits_with(self._least)

    def _fits_with(self, messages_cost: int) -> bool:
        return self._used(messages_cost) <= self.window_tokens

    def _used(self, messages_cost: int) -> int:
        whole_cost = self._system_tokens + self._sections_cost + messages_cost
        counted_tokens = whole_cost * (100 + self.counter.margin_percent)
        return -(-counted_tokens // 100) + self.output_reserve

    def _report(self, *more: Evidence) -> WindowReport:
        fits, summarised = self._fits, turns_of(self._lines)
        evidence = [self._estimate(), *self._changes(summarised), *more]
        code = WINDOW_COMPRESSED if summarised else WINDOW_TRIMMED if self._dropped else WINDOW_ESTIMATE
        message = "the tokens are counted, not known, and nothing checks what a note leaves out"
        warned = []
        if not fits:
            blocked = self._blocked()
            evidence.insert(0, blocked)
            code, message = blocked.code, blocked.detail
            warned.append(Warned(failure_mode="context_budget_overflow"))
        if summarised or self._dropped:
            lost = tuple(map(str, sorted((*summarised, *self._dropped))))
            warned.append(Warned(failure_mode="compaction_lost_decision", record_ids=lost))
        return WindowReport(
            completion_state="qualified-draft" if fits else "blocked-escalated",
            code=code,
            message=message,
            evidence=tuple(evidence),
            warning_card=WarningCard(checks_run=CHECKS_RUN, not_checked=NOT_CHECKED, warnings=tuple(warned)),
            fits=fits,
            tokens=self.tokens,
            window_tokens=self.window_tokens,
            summarised=summarised,
            dropped=self._dropped,
        )

    def _estimate(self) -> Evidence:
        margin = self.counter.margin_percent
        detail = (
            f"{counted(self.tokens, 'token')} of {self.window_tokens:,} by {self.counter.name}, with a "
            f"margin of {margin} % and {self.output_reserve:,} for the answer"
        )
        more = {"counter": self.counter.name, "margin": margin / 100, "output_reserve": self.output_reserve}
        return Evidence(code=WINDOW_ESTIMATE, detail=detail, more=more)

    def _changes(self, summarised: tuple[int, ...]) -> list[Evidence]:
        found = []
        if summarised:
            detail = f"{_named(summarised)} became a note"
            found.append(Evidence(code=WINDOW_COMPRESSED, detail=detail))
        if self._dropped:
            found.append(Evidence(code=WINDOW_TRIMMED, detail=f"{_named(self._dropped)} dropped"))
        return found

    def _blocked(self) -> Evidence:
        if self._can_fit:
            detail = f"the conversation takes {counted(self.tokens, 'token')}; trim or compress it"
            return Evidence(code=BUDGET_EXCEEDED, detail=detail)
        needed = self._used(self._least)
        detail = (
            f"the system prompt, the newest turn and the reserve take {counted(needed, 'token')}, window "
            f"{self.window_tokens:,}; shorten them or take a model with a larger window"
        )
        return Evidence(code=WINDOW_TOO_SMALL, detail=detail, more={"needed": needed})


def _named(turns: Sequence[int]) -> str:
    shown = [str(number) for number in turns[:_MAX_NAMED]]
    if len(turns) > _MAX_NAMED:
        shown.append(f"{len(turns) - _MAX_NAMED:,} more")
    return f"{'turn' if len(turns) == 1 else 'turns'} {join_words(shown)}"


def _whole(name: str, value: int, *, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} {value!r} is no whole number of {least} or more")
    return value


def _text(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} is {type(value).__name__}, not text")
    return value


def _counter(given: Counter | Callable[[str], int] | None) -> Counter:
    if given is None:
        return CharacterCounter()
    if isinstance(given, Counter):
        return given
    if not callable(given):
        raise ValueError(f"counter is {type(given).__name__}; give a Counter or a function of a text")
    return CallerCounter(given)
