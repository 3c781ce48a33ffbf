"""What a compaction says: to the model before and after it, to the operator where it fails."""

from collections.abc import Mapping
from typing import Final

from host.core.text import counted, join_words
from host.memories import Strategy
from host.turn.compaction.trigger import Threshold

ASKS_FOR_SUMMARY: Final = (
    "Your window is full. What was said and read since the task will be replaced by a summary, which you"
    " write now: answer with its text alone, no program and no call. Say what you need to go on: what was"
    " found, decided and done, with names and figures to the letter, and what is left to do. The messages of"
    " your last turn follow the summary."
)


def asks_for_memories(calls: str) -> str:
    """The instruction of a memory compaction; `calls` are those that record something."""
    return (
        "Your window is full and will be rewritten: the task stays and what your memories hold, nothing else."
        " Record now what you need to go on: what was found, decided and done, with names and figures to the"
        f" letter, and what is left to do. Until one whole reply has made at least one call of {calls}, and"
        " every call in it succeeded, no other call is carried out."
    )


def recorded(strategy: Strategy, spellings: Mapping[str, str], memories: int) -> str:
    """The note that stands in place of a summary when the memories hold the state."""
    return (
        "Your window was full. You recorded your state in your memories, and everything that was said before"
        f" is gone from the window. {_where(strategy, spellings, memories)}"
    )


def _where(strategy: Strategy, spellings: Mapping[str, str], memories: int) -> str:
    reads = spellings.get(strategy.reads or "")
    searches = spellings.get(strategy.searches or "")
    if not memories:
        return "You hold no memories now."
    held = counted(memories, "memory")
    if searches:
        return f"You hold {held}: {searches} finds them, and {reads} reads one."
    if reads:
        return f"You hold {held}: the index above, under Memories, is up to date, and {reads} reads one."
    return f"You hold {held}: whole above, under Memories."


def pending(refused: str, calls: str) -> str:
    """Why a call is refused while a memory compaction is pending."""
    return (
        f"{refused} is not carried out while a compaction is pending: record what you need to go on first,"
        f" with {calls}."
    )


def unsatisfied(made: int, failed: int, calls: str) -> str:
    """Why a reply did not satisfy a memory compaction: it made so many calls, of which so many failed."""
    if failed:
        found = f"{failed} of {counted(made, 'call')} in this reply did not succeed"
    else:
        found = "this reply recorded nothing"
    return (
        f"The compaction is still pending: {found}. Make at least one call of {calls}, in a reply whose calls"
        " all succeed."
    )


def opens_full(tokens: int, threshold: Threshold) -> str:
    """The window is full before the first turn."""
    return (
        f"the window opens with about {tokens:,} tokens and is to be rewritten at {threshold}; a larger"
        " contextWindow, a higher threshold or a shorter prompt and task would help"
    )


def still_full(tokens: int, threshold: Threshold) -> str:
    """The window was rewritten, and had to be again at once."""
    return (
        f"the rewritten window holds about {tokens:,} tokens and is to be rewritten at {threshold}; a larger"
        " contextWindow, a higher threshold, a shorter summary or fewer and shorter memories would help"
    )


def does_not_fit(tokens: int, threshold: Threshold) -> str:
    """What the model is to read next is more than it can."""
    return (
        f"the rewritten window holds about {tokens:,} tokens with the messages of the turn, {_of(threshold)};"
        " smaller views or a larger contextWindow would help"
    )


def too_full_to_ask(tokens: int, threshold: Threshold) -> str:
    """The instruction to record something would not be read any more."""
    return (
        f"the window would hold about {tokens:,} tokens with the request to record something in memories,"
        f" {_of(threshold)}; a lower threshold, smaller views or a larger contextWindow would help"
    )


def not_recorded(since_turn: int, tokens: int, threshold: Threshold) -> str:
    """The model was asked to record something until there was no room left."""
    return (
        f"nothing was recorded in memories since that was asked for after turn {since_turn}, and the window"
        f" holds about {tokens:,} tokens, {_of(threshold)}; a lower threshold, which leaves more room, or a"
        " larger contextWindow would help"
    )


def no_summary(faults: list[str]) -> str:
    """The model was asked for a summary as often as it is."""
    return (
        f"the model was asked for a summary of its window {counted(len(faults), 'time')} and gave none: its"
        f" replies were {join_words(faults)}"
    )


def _of(threshold: Threshold) -> str:
    return f"of a contextWindow of {threshold.context_window_tokens:,}"
