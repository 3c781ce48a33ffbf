"""Each limit under each strategy: at it, over it, lifted by 0, and where it does not apply."""

from collections.abc import Callable

import pytest

from host.memories import Holder, MemoryRefusal
from tests.helpers.memories import draft, holder_of, store_of

STRATEGIES = ("scratchpad", "markdown", "keyword-search")
# A limit; the strategies it applies to; what is refused of the second of two memories, and with which figure.
APPLIES = [
    ("max_count", {"scratchpad", "keyword-search"}, 1, 2, "count_cap"),
    ("max_len_per_memory", set(STRATEGIES), 9, 10, "body_cap"),
    ("max_total_len", {"scratchpad"}, 19, 20, "total_cap"),
    ("max_len_index", {"markdown"}, 22, 23, "index_cap"),
    ("max_len_description", set(STRATEGIES), 2, 3, "description_cap"),
]


def two(holder: Holder) -> None:
    """Two memories: bodies of 10 characters each, descriptions of 3, an index of 23 in two lines."""
    for name in ("a", "b"):
        holder.commit_write(draft(name, "0123456789", description="one"), turn=1)


def refusal_of(act: Callable[[], object]) -> MemoryRefusal:
    with pytest.raises(MemoryRefusal) as caught:
        act()
    return caught.value


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("limit", "applies", "count", "figure", "kind"), APPLIES)
def test_a_limit_bounds_the_strategies_that_it_applies_to(
    strategy: str, limit: str, applies: set[str], count: int, figure: int, kind: str
) -> None:
    holder = holder_of(store_of(strategy, **{limit: count}))

    if strategy in applies:
        refusal = refusal_of(lambda: two(holder))
        assert (refusal.kind, refusal.code) == (kind, "limit-exceeded")
        assert (refusal.figure, refusal.limit) == (figure, count)
        assert f"{figure} of {count} " in str(refusal)
    else:
        two(holder)
    for allowed in (count + 1, 0):  # what is wanted, and no limit at all
        two(holder_of(store_of(strategy, **{limit: allowed})))


@pytest.mark.parametrize(("count", "hits"), [(0, 2), (1, 1), (2, 2), (3, 2)])
def test_a_search_gives_so_many_hits_and_says_how_many_there_are(count: int, hits: int) -> None:
    holder = holder_of(store_of("keyword-search", max_results=count))
    two(holder)

    found = holder.search(["one"])

    assert (len(found.hits), found.total) == (hits, 2)
