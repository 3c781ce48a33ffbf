"""Processes that change one skillbook, each a command of this module; some of them are killed.

`python -m tests.helpers.skillbook_children COMMAND FILE …`.
"""

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

from host.skillbook import BookFile, Skillbook, json_file


def adds(path: str, label: str, count: str) -> None:
    """Adds skills, one change of the book for each; says the id of each when it is kept."""
    sys.stdout.write("begins\n")
    sys.stdout.flush()
    sys.stdin.readline()
    book = BookFile(path)
    for number in range(int(count)):
        sys.stdout.write(f"{book.apply(add(label, number))}\n")
        sys.stdout.flush()


def dies_at(path: str, label: str, point: str) -> None:
    """Adds a skill, and ends itself before one of the calls that touch files; says `kept` after it."""
    book = BookFile(path)
    change = add(label, 0)
    sys.setprofile(killing(int(point)))
    book.apply(change)
    sys.setprofile(None)
    sys.stdout.write("kept\n")


def dies_at_rename(path: str, label: str) -> None:
    """Adds a skill, and ends itself when all is written and nothing is in its place."""
    os.replace = os.rename = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment]
    BookFile(path).apply(add(label, 0))


def add(label: str, number: int) -> Callable[[Skillbook], str]:
    def change(book: Skillbook) -> str:
        done = book.add_skill("context", f"{label} {number}", insight="x", keywords=[label])
        assert done.skill_id is not None, done.why
        return done.skill_id

    return change


def killing(point: int) -> Callable[[FrameType, str, object], None]:
    """For `sys.setprofile`: ends the process before a call of a function in C, of those of `json_file`."""
    left = point

    def count_down(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        if event == "c_call" and frame.f_code.co_filename == json_file.__file__:
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return count_down


COMMANDS = {each.__name__: each for each in (adds, dies_at, dies_at_rename)}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
