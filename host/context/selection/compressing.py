"""A long item becomes those of its sentences that say what it says most often."""

from collections import Counter
from dataclasses import replace
from typing import Final

from host.context.codes import COMPRESSION_BUDGET, COMPRESSION_INPUT, UNVERIFIED
from host.context.selection.sentences import Span, sentence_spans
from host.context.selection.wording import words
from host.core.context_item import ContextItem
from host.core.envelope import Refused
from host.core.terms import STOP_WORDS
from host.core.text import counted
from host.core.tokens import CHARACTERS_PER_TOKEN, estimate_tokens

MAX_COMPRESSED_CHARS: Final = 1_000_000


def compress(item: ContextItem, budget: int) -> ContextItem:
    """The item with as many of its sentences as fit `budget` tokens, in their order, joined by one space.

    A sentence is worth the mean of how often its words, each once and without stop words, stand in the item;
    the worthiest are taken first, of equals the earlier, and what does not fit is skipped. The metadata say
    where they stood (`source_offsets`, [start, end) in the value given) and that it is a `qualified-draft`.

    Raises `Refused`: `G6_E_CONTEXT_COMPRESSION_INPUT` for what is no item with text of at most 1,000,000
    characters, `G6_E_CONTEXT_COMPRESSION_BUDGET` for no number of tokens and where no sentence fits.
    """
    text = _checked(item)
    if not isinstance(budget, int) or isinstance(budget, bool) or budget < 1:
        message = f"budget {budget!r} is no number of tokens; give a whole number of 1 or more"
        raise Refused.of(COMPRESSION_BUDGET, message)
    spans = sentence_spans(text)
    if not spans:
        raise Refused.of(COMPRESSION_INPUT, "the item has no sentence; its value is blank")
    taken = _taken(text, spans, budget)
    if not taken:
        smallest = counted(min(estimate_tokens(text[a:b]) for a, b in spans), "token")
        message = f"no sentence fits {counted(budget, 'token')}; the shortest takes {smallest}"
        raise Refused.of(COMPRESSION_BUDGET, message)
    metadata = {
        **item.metadata,
        "source_offsets": [[begin, end] for begin, end in taken],
        "completion_state": "qualified-draft",
        "code": UNVERIFIED,
    }
    return replace(item, value=" ".join(text[begin:end] for begin, end in taken), metadata=metadata)


def _checked(item: ContextItem) -> str:
    if not isinstance(item, ContextItem):
        raise Refused.of(COMPRESSION_INPUT, f"a {type(item).__name__} is no ContextItem")
    if not isinstance(item.value, str):
        raise Refused.of(COMPRESSION_INPUT, f"the item's value is {type(item.value).__name__}, not text")
    if len(item.value) > MAX_COMPRESSED_CHARS:
        message = f"the item has {len(item.value):,} characters, limit {MAX_COMPRESSED_CHARS:,}; split it"
        raise Refused.of(COMPRESSION_INPUT, message)
    return item.value


def _taken(text: str, spans: list[Span], budget: int) -> list[Span]:
    left = CHARACTERS_PER_TOKEN * budget + 1  # one space fewer than sentences
    taken = []
    for span in _by_worth(text, spans):
        needed = span[1] - span[0] + 1
        if needed <= left:
            left -= needed
            taken.append(span)
    return sorted(taken)


def _by_worth(text: str, spans: list[Span]) -> list[Span]:
    telling = [[word for word in words(text[a:b]) if word not in STOP_WORDS] for a, b in spans]
    counts = Counter(word for each in telling for word in each)
    worth = [_mean([counts[word] for word in set(each)]) for each in telling]
    return [spans[index] for index in sorted(range(len(spans)), key=lambda index: -worth[index])]


def _mean(counts: list[int]) -> float:
    return sum(counts) / len(counts) if counts else 0.0
