"""A person at the terminal who is asked about calls."""

import os
import select
import sys
import termios
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Final, Literal

from host.cli.approval_lines import more_arguments, question_lines
from host.cli.lines import Line, Span, line
from host.cli.output import Output
from host.operations import ApprovalAnswer, ApprovalRequest

_LOOK_S: Final = 0.1  # how often it is looked at whether the question still stands
_MOST_BYTES: Final = 65_536
_AGAIN: Final = "again: yes, always, no or never; a reason may follow no or never, and nothing else"
_WITHDRAWN: Final = "the question is withdrawn"

_ANSWERS: Final[dict[str, ApprovalAnswer]] = {
    "y": ApprovalAnswer(allowed=True),
    "yes": ApprovalAnswer(allowed=True),
    "always": ApprovalAnswer(allowed=True, scope="run"),
    "n": ApprovalAnswer(allowed=False),
    "no": ApprovalAnswer(allowed=False),
    "never": ApprovalAnswer(allowed=False, scope="run"),
}

Say = Callable[[Iterable[Line]], None]


def read_answer(typed: str) -> ApprovalAnswer | Literal["show"] | None:
    """What a line says; `None` where it cannot be told. A reason goes with a denial alone."""
    word, _, rest = typed.strip().partition(" ")
    reason = rest.strip()
    word = word.rstrip(",.:;!").casefold()
    if word == "show" and not reason:
        return "show"
    answer = _ANSWERS.get(word)
    if answer is None or (answer.allowed and reason):
        return None
    return ApprovalAnswer(allowed=answer.allowed, scope=answer.scope, reason=reason)


def person_at_terminal(output: Output) -> "TerminalPerson | None":
    """Who is there where both stdin and stderr are terminals; `None` elsewhere."""
    streams = (sys.stdin, sys.stderr)
    if any(stream is None or not stream.isatty() for stream in streams):
        return None
    return TerminalPerson(output, sys.stdin.fileno())


class TerminalPerson:
    """Asks about one call at a time: the question on stderr, the answer as a line of the terminal.

    What was typed before the question was there answers nothing. Ctrl-D denies the one call.
    """

    def __init__(self, output: Output, terminal: int) -> None:
        self._output: Final = output
        self._terminal: Final = terminal
        self._is_asked: Final = threading.Lock()

    def __call__(self, request: ApprovalRequest) -> ApprovalAnswer | None:
        with self._is_asked, self._output.asking() as say:
            self._forget_typed()
            say(question_lines(request))
            try:
                return self._answer(request, say)
            except OSError:  # the terminal is gone, and the person with it
                return None

    def rest(self) -> None:
        """Returns when no question is on the terminal, once all of them were withdrawn."""
        with self._is_asked:
            pass

    def _answer(self, request: ApprovalRequest, say: Say) -> ApprovalAnswer | None:
        for typed in self._lines(request):
            answer = read_answer(typed)
            if answer == "show":
                say(more_arguments(request))
            elif answer is not None:
                return answer
            else:
                say([line(Span(_AGAIN, "warn"))])
        if request.withdrawn.is_set():
            say([line(Span(_WITHDRAWN, "warn"))])
            return None
        return ApprovalAnswer(allowed=False)

    def _lines(self, request: ApprovalRequest) -> Iterator[str]:
        """What is typed, line by line, until Ctrl-D, or the question is withdrawn."""
        typed = b""
        while not request.withdrawn.is_set():
            if not select.select([self._terminal], [], [], _LOOK_S)[0]:
                continue
            data = os.read(self._terminal, _MOST_BYTES)
            if not data:
                return
            typed += data
            if typed.endswith(b"\n"):
                yield typed.decode(errors="replace").splitlines()[0]
                typed = b""

    def _forget_typed(self) -> None:
        with suppress(termios.error):
            termios.tcflush(self._terminal, termios.TCIFLUSH)
