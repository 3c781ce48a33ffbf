"""What of a frozen conversation is left in windows that are too small for it; as a program it prints a table.

Each fact is a path, a command, a figure or a decision, in the words in which the conversation has it. It has
survived if they stand in one of the messages that go to the model.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from host.context import ConversationWindow, WindowReport

FOLDER: Final = Path(__file__).parents[2] / "fixtures" / "conversations"
KINDS: Final = ("decision", "path", "command", "figure")
PERCENTS: Final = (75, 50, 33, 20)

Change = Callable[[ConversationWindow], WindowReport]
WAYS: Final[dict[str, Change]] = {"trim": ConversationWindow.trim, "compress": ConversationWindow.compress}


def load(name: str) -> list[dict[str, Any]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def survivors(change: Change, percent: int, *, as_it_goes: bool) -> Counter[str]:
    """The facts by kind that are left in a window of a part of the conversation, which is cut once at the end
    or whenever it has outgrown the window.
    """
    window = ConversationWindow(endless().tokens * percent // 100)
    for turn in load("importer.jsonl"):
        window.add(turn["role"], turn["content"], group=turn.get("group"))
        if as_it_goes:
            change(window)
    assert change(window).fits
    sent = [message["content"] for message in window.to_messages()]
    return Counter(
        fact["kind"] for fact in load("facts.jsonl") if any(fact["text"] in content for content in sent)
    )


def endless() -> ConversationWindow:
    window = ConversationWindow(10**9)
    for turn in load("importer.jsonl"):
        window.add(turn["role"], turn["content"], group=turn.get("group"))
    return window


def table() -> Iterator[str]:
    facts = Counter(fact["kind"] for fact in load("facts.jsonl"))
    turns, tokens = len(load("importer.jsonl")), endless().tokens
    yield f"{turns} turns, {tokens:,} tokens by characters / 4 and the margin; facts that are left, of all"
    for as_it_goes in (False, True):
        yield ""
        yield "cut whenever the window is full" if as_it_goes else "cut once, at the end"
        yield f"{'window':8}{'way':10}" + "".join(f"{kind:>10}" for kind in KINDS) + f"{'all':>10}"
        for percent in PERCENTS:
            for way, change in WAYS.items():
                left = survivors(change, percent, as_it_goes=as_it_goes)
                parts = [f"{left[kind]}/{facts[kind]}" for kind in KINDS]
                whole = f"{left.total()}/{facts.total()}"
                yield f"{f'{percent} %':8}{way:10}" + "".join(f"{part:>10}" for part in (*parts, whole))


if __name__ == "__main__":
    sys.stdout.write("\n".join(("python -m tests.helpers.compaction_quality", *table())) + "\n")
