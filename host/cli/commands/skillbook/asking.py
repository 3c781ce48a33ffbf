"""Questions that a person at a terminal answers with a word or a line."""

import sys
import termios
from collections.abc import Iterable, Mapping
from contextlib import suppress

from host.cli.lines import Line, Span, line
from host.cli.output import Output
from host.core.text import join_words


class Gone(Exception):
    """Nobody answers any more: the input has ended."""


def is_terminal() -> bool:
    """Whether somebody is there who reads questions and answers them."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def ask_line(question: str, output: Output, *, after: Iterable[Line] = ()) -> str:
    """What is typed, without white space around it. Raises `Gone`."""
    with suppress(termios.error):  # what was typed before the question answers nothing
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    output.problem([*after, line(Span(question, "strong"))])
    typed = sys.stdin.readline()
    if not typed:
        raise Gone
    return typed.strip()


def ask_word(words: Mapping[str, str], output: Output, *, after: Iterable[Line] = ()) -> str:
    """One of the keys of `words`, which are single letters, for the words that they stand for. Asks again
    where anything else is typed. Raises `Gone`.
    """
    question = f"{join_words((f'{word} ({key})' for key, word in words.items()), 'or')}? "
    typed = ask_line(question, output, after=after).casefold()
    while True:
        for key, word in words.items():
            if typed in (key, word):
                return key
        told = f"type {join_words((f'{key} for {word}' for key, word in words.items()), 'or')}"
        typed = ask_line(question, output, after=[line(Span(told, "warn"))]).casefold()
