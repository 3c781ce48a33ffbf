"""Several ranked lists become one, without near-duplicates, within a budget."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Final

from host.context.codes import FUSION_BUDGET, FUSION_INPUT
from host.context.packets.packet import cost
from host.context.packets.pruning import select_within_budget
from host.context.selection.wording import Wording
from host.core.context_item import ContextItem
from host.core.envelope import Refused
from host.core.text import counted

MAX_FUSED: Final = 2000
"""Items of all lists together."""
RANK_OFFSET: Final = 60
DROPPED_SOURCES: Final = "dropped_sources"

_OWN_BITS: Final = 4096
_SHARED_BITS_LOG2: Final = 12
_Group = tuple[object, ...]


def fuse(lists: Sequence[Sequence[ContextItem]], budget: int) -> list[ContextItem]:
    """One list out of ranked lists, the best first: an item's worth is the sum of 1 / (60 + rank) over the
    lists that it is in, with ranks from 1. Items with the same key, source and value are one; where worths
    are equal, what appears first goes first.

    A near-duplicate goes into the better copy, whose `metadata["dropped_sources"]` names its source: more
    than seven tenths of their words are common to both, their numbers and negations are the same, and so are
    their sections, authorities, kinds and trust. Then items are taken in order as they fit `budget`, in
    tokens; one that does not fit is skipped.

    Raises `Refused`: `G6_E_CONTEXT_FUSION_INPUT` for what are no lists of items and for more than 2,000 of
    them, `G6_E_CONTEXT_FUSION_BUDGET` for no number of tokens and where none of the items fits.
    """
    checked = _checked(lists)
    if not isinstance(budget, int) or isinstance(budget, bool) or budget < 1:
        message = f"budget {budget!r} is no number of tokens; give a whole number of 1 or more"
        raise Refused.of(FUSION_BUDGET, message)
    fused = _without_near_duplicates(_ranked(checked))
    selected = select_within_budget(fused, budget)
    if fused and not selected:
        smallest = counted(min(map(cost, fused)), "token")
        message = f"no item fits {counted(budget, 'token')}; the smallest takes {smallest}"
        raise Refused.of(FUSION_BUDGET, message)
    return selected


def _checked(lists: Sequence[Sequence[ContextItem]]) -> list[list[ContextItem]]:
    if not _is_list(lists):
        raise _input(f"lists is a list of ranked lists, not {type(lists).__name__}")
    total = 0
    for number, ranked in enumerate(lists, start=1):
        if not _is_list(ranked):
            raise _input(f"list {number} is {type(ranked).__name__}; give a list of ContextItem")
        total += len(ranked)
        if total > MAX_FUSED:
            raise _input(f"there are more than {MAX_FUSED:,} items; give the first ones of each list")
        for rank, item in enumerate(ranked, start=1):
            if not isinstance(item, ContextItem):
                raise _input(f"rank {rank} of list {number} is {type(item).__name__}, not ContextItem")
            if not all(isinstance(part, str) for part in _identity(item)):
                raise _input(f"rank {rank} of list {number} has a key, source or value that is no text")
    return [list(ranked) for ranked in lists]


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _input(message: str) -> Refused:
    return Refused.of(FUSION_INPUT, message)


def _identity(item: ContextItem) -> tuple[str, str, str]:
    return item.key, item.source, item.value


def _ranked(lists: list[list[ContextItem]]) -> list[ContextItem]:
    """Each item once, by what it is worth. A list counts for an item at the best of its ranks."""
    first: dict[tuple[str, str, str], ContextItem] = {}
    worth: defaultdict[tuple[str, str, str], Fraction] = defaultdict(Fraction)
    for ranked in lists:
        counted_here = set()
        for rank, item in enumerate(ranked, start=1):
            identity = _identity(item)
            first.setdefault(identity, item)
            if identity not in counted_here:
                counted_here.add(identity)
                worth[identity] += Fraction(1, RANK_OFFSET + rank)
    return [first[identity] for identity in sorted(first, key=lambda identity: -worth[identity])]


@dataclass
class _Kept:
    """An item that stays, and the sources of its copies. `bits` stand for its words; of the words that share
    a bit with another one of the item, `hidden` is the number.
    """

    item: ContextItem
    words: frozenset[str]
    bits: int
    sources: dict[str, None] = field(default_factory=dict)
    size: int = field(init=False)
    hidden: int = field(init=False)

    def __post_init__(self) -> None:
        self.size = len(self.words)
        self.hidden = self.size - self.bits.bit_count()


def _without_near_duplicates(items: list[ContextItem]) -> list[ContextItem]:
    """Every item is compared with those before it that state the same numbers and negations, but only by the
    bits of their words, so that 2,000 items take a second or two however they are worded.
    """
    wordings = [Wording(item.value) for item in items]
    places = _places(wordings)
    kept: list[_Kept] = []
    groups: defaultdict[_Group, list[_Kept]] = defaultdict(list)
    for item, wording in zip(items, wordings, strict=True):
        candidate = _Kept(item, wording.words, _bits(wording.words, places), _sources(item))
        group = groups[_group(item, wording)]
        better = _better_copy(candidate, group)
        if better is None:
            group.append(candidate)
            kept.append(candidate)
        else:
            better.sources |= {item.source: None} | candidate.sources
    return [_with_sources(each) for each in kept]


def _group(item: ContextItem, wording: Wording) -> _Group:
    """Items that differ in any of this are no copies of each other."""
    return item.section, item.authority, item.kind, item.trust, wording.numbers, wording.negations


def _better_copy(candidate: _Kept, group: Iterable[_Kept]) -> _Kept | None:
    size, bits, hidden, words = candidate.size, candidate.bits, candidate.hidden, candidate.words
    for other in group:
        # 10 |A and B| > 7 |A or B|, and the union is both less what is common.
        wanted = 7 * (size + other.size)
        unseen = min(hidden, other.hidden)
        common = (bits & other.bits).bit_count()
        if 17 * (common + unseen) > wanted and 17 * len(words & other.words) > wanted:
            return other
    return None


def _places(wordings: Iterable[Wording]) -> dict[str, int]:
    """The bit that stands for each word: one of its own for the 4,096 words that most passages have, for any
    other one of another 4,096, at random, so that no order of words makes passages look alike.
    """
    counts = Counter(word for wording in wordings for word in wording.words)
    random = Random(0)
    return {
        word: number if number < _OWN_BITS else _OWN_BITS + random.getrandbits(_SHARED_BITS_LOG2)
        for number, (word, _) in enumerate(counts.most_common())
    }


def _bits(words: frozenset[str], places: dict[str, int]) -> int:
    bits = bytearray((_OWN_BITS + (1 << _SHARED_BITS_LOG2)) // 8)
    for word in words:
        place = places[word]
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


def _sources(item: ContextItem) -> dict[str, None]:
    """The sources of copies that an earlier fusion has folded into an item."""
    earlier = item.metadata.get(DROPPED_SOURCES)
    return dict.fromkeys(map(str, earlier)) if isinstance(earlier, list | tuple) else {}


def _with_sources(kept: _Kept) -> ContextItem:
    if not kept.sources:
        return kept.item
    return replace(kept.item, metadata={**kept.item.metadata, DROPPED_SOURCES: tuple(kept.sources)})
