"""The form of a message to the model: a heading on its own line, a rule, the content."""

from typing import Final, Literal

Heading = Literal[
    "Compiler error",
    "Runtime error",
    "Notice",
    "Task",
    "Context",
    "Results",
    "Summary",
    "Memories",
    "Records",
    "Skillbook",
    "Run",
]
RULE: Final = "----"


def heading(title: Heading, content: str) -> str:
    """A message under one of gg's own headings."""
    return titled(title, content)


def titled(title: str, content: str) -> str:
    """A message under any heading, such as the one of a view. `title` is a single line."""
    return f"{title}\n{RULE}\n{content}" if content else f"{title}\n{RULE}"


def untitled(text: str) -> tuple[str, str]:
    """The heading of a message that `titled` made, and its content."""
    title, _, below = text.partition("\n")
    return title, below.removeprefix(RULE).removeprefix("\n")
