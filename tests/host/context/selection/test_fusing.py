"""Ranked lists become one; near-duplicates fold only where nothing that matters differs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.context import MAX_FUSED, fuse
from host.core.context_item import ContextItem
from host.core.envelope import Refused
from host.core.tokens import estimate_tokens

PLENTY = 10**6


def item(value: str, source: str = "", **more: Any) -> ContextItem:  # noqa: ANN401
    return ContextItem("key", value, source=source or value, **more)


def sources(items: list[ContextItem]) -> list[str]:
    return [each.source for each in items]


def dropped(of: ContextItem) -> object:
    return of.metadata.get("dropped_sources")


def test_what_several_lists_have_goes_first() -> None:
    a, b, c, d = (item(name) for name in ("alpha", "beta", "gamma", "delta"))

    assert sources(fuse([[a, b, c], [d, b]], PLENTY)) == ["beta", "alpha", "delta", "gamma"]


def test_equal_worths_go_by_first_appearance() -> None:
    a, b = item("alpha"), item("beta")

    assert sources(fuse([[a, b], [b, a]], PLENTY)) == ["alpha", "beta"]
    assert sources(fuse([[b, a], [a, b]], PLENTY)) == ["beta", "alpha"]


def test_a_list_counts_once_for_an_item() -> None:
    a, b = item("alpha"), item("beta")

    assert sources(fuse([[a, b, b, b], [a]], PLENTY)) == ["alpha", "beta"]


def test_two_middling_ranks_outweigh_one_first_rank_by_exact_fractions() -> None:
    first, twice = item("first"), item("twice")
    filler = [item(f"filler {number}") for number in range(60)]
    # 1/122 + 1/122 is 1/61: equal, so what appears first goes first.
    lists = [[first], [*filler, item("other"), twice], [*filler, item("another"), twice]]

    fused = sources(fuse(lists, PLENTY))

    assert fused.index("first") < fused.index("twice")


SAME = "The pump raises the pressure of the inlet by 4 bar when the valve is open and the motor runs"

PAIRS = [
    pytest.param(SAME, SAME.replace("4 bar", "2 bar"), False, id="a number"),
    pytest.param(SAME, SAME.replace("4 bar", "-4 bar"), False, id="a sign"),
    pytest.param(SAME, SAME.replace("4 bar", "4.5 bar"), False, id="decimals"),
    pytest.param(SAME, SAME.replace("4 bar", "4 bar of 4"), False, id="a number twice"),
    pytest.param(SAME, SAME.replace("is open", "is not open"), False, id="not"),
    pytest.param(SAME, SAME.replace("is open", "isn\u2019t open"), False, id="a contraction"),
    pytest.param(SAME, SAME.replace("when", "without"), False, id="without"),
    pytest.param(SAME, SAME.replace("is open", "is n\u200bot open"), False, id="a hidden not"),
    pytest.param(SAME, SAME.replace("raises", "lowers"), True, id="raises and lowers"),
    pytest.param(SAME, SAME.upper(), True, id="case"),
    pytest.param(SAME.replace("4", "4,000"), SAME.replace("4", "4000"), True, id="thousands"),
    pytest.param(SAME.replace("4", "4,000,000"), SAME.replace("4", "4'000'000"), True, id="millions"),
    pytest.param(SAME.replace("4", "\uff14"), SAME, True, id="a digit of full width"),
    pytest.param("a b c d e f g", "a b c d e f g h i j", False, id="7 of 10 words"),
    pytest.param("a b c d e f g h", "a b c d e f g h i j k", True, id="8 of 11 words"),
    pytest.param("", "", False, id="no words"),
]


@pytest.mark.parametrize(("one", "other", "folds"), PAIRS)
def test_near_duplicates(one: str, other: str, folds: bool) -> None:
    fused = fuse([[item(one, "one"), item(other, "other")]], PLENTY)

    assert sources(fused) == (["one"] if folds else ["one", "other"])
    assert dropped(fused[0]) == (("other",) if folds else None)


@pytest.mark.parametrize(
    "more",
    [
        {"trust": "trusted"},
        {"kind": "memory_note"},
        {"authority": "operational"},
        {"section": "notes"},
    ],
)
def test_a_copy_of_another_standing_stays(more: dict[str, str]) -> None:
    assert sources(fuse([[item(SAME, "one"), item(SAME, "other", **more)]], PLENTY)) == ["one", "other"]


def test_the_better_copy_stays_with_what_it_had_folded() -> None:
    twice, once = item(SAME, "twice"), item(SAME + " now", "once")
    before = item(SAME.upper(), "before", metadata={"dropped_sources": ["long ago"], "line": 3})

    fused = fuse([[once, twice], [twice], [before]], PLENTY)

    assert sources(fused) == ["twice"]
    assert dropped(fused[0]) == ("once", "before", "long ago")


def test_the_rest_of_the_metadata_stays() -> None:
    fused = fuse([[item(SAME, "one", metadata={"line": 3}), item(SAME, "two")]], PLENTY)

    assert fused[0].metadata == {"line": 3, "dropped_sources": ("two",)}


def test_what_does_not_fit_is_skipped() -> None:
    lists = [[item("a" * 20, "5 tokens"), item("b" * 40, "10 tokens"), item("c" * 8, "2 tokens")]]

    assert sources(fuse(lists, 7)) == ["5 tokens", "2 tokens"]


def test_nothing_comes_of_nothing() -> None:
    assert fuse([], 10) == []
    assert fuse([[], []], 10) == []


REFUSED = [
    pytest.param([[item("alpha")]], 0, "BUDGET", "budget 0 is no number of tokens", id="no budget"),
    pytest.param([[item("alpha")]], -1, "BUDGET", "budget -1 is", id="a negative one"),
    pytest.param([[item("alpha")]], True, "BUDGET", "budget True is", id="a boolean"),
    pytest.param([[item("alpha")]], 1.5, "BUDGET", "budget 1.5 is", id="a fraction"),
    pytest.param(
        [[item("a" * 100), item("b" * 9)]], 2, "BUDGET", "no item fits 2 tokens; the smallest takes 3 tokens",
        id="none fits",
    ),
    pytest.param(item("alpha"), 9, "INPUT", "lists is a list of ranked lists, not ContextItem", id="an item"),
    pytest.param([item("alpha")], 9, "INPUT", "list 1 is ContextItem", id="a flat list"),
    pytest.param(["alpha"], 9, "INPUT", "list 1 is str", id="a text"),
    pytest.param([[item("a")], ["b"]], 9, "INPUT", "rank 1 of list 2 is str", id="a text in a list"),
    pytest.param([[item(3)]], 9, "INPUT", "rank 1 of list 1 has a key", id="a number"),  # type: ignore[arg-type]
    pytest.param(
        [[item("a")] * MAX_FUSED, [item("a")]], 9, "INPUT", "there are more than 2,000 items", id="too many"
    ),
]  # fmt: skip


@pytest.mark.parametrize(("lists", "budget", "code", "message"), REFUSED)
def test_refusals(lists: Any, budget: Any, code: str, message: str) -> None:  # noqa: ANN401
    with pytest.raises(Refused) as refused:
        fuse(lists, budget)

    assert refused.value.code == f"G6_E_CONTEXT_FUSION_{code}"
    assert refused.value.message.startswith(message)


def test_2000_items_may_be_fused() -> None:
    fused = fuse([[item(f"passage {number}") for number in range(MAX_FUSED)]], PLENTY)

    assert len(fused) == MAX_FUSED


@pytest.mark.parametrize("length", [40, 9000])
@pytest.mark.parametrize("common", [81, 83])
def test_the_overlap_is_exact_however_many_words(length: int, common: int) -> None:
    """Of `length` words on both sides, 14/17 in common are an overlap of seven tenths."""
    shared = [f"w{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}" for n in range(2 * length)]
    alike = length * common // 100
    one, other = shared[:length], shared[length - alike : 2 * length - alike]
    overlaps = 10 * alike > 7 * (2 * length - alike)

    fused = fuse([[item(" ".join(one), "one"), item(" ".join(other), "other")]], PLENTY)

    assert len(fused) == (1 if overlaps else 2)
    assert overlaps == (common == 83)


TEXTS = st.text(st.sampled_from("abc 12not.,"), max_size=30)


@given(lists=st.lists(st.lists(TEXTS.map(item), max_size=6), max_size=4), budget=st.integers(1, 30))
def test_whatever_is_given_fits_or_is_refused(lists: list[list[ContextItem]], budget: int) -> None:
    given_values = [each.value for ranked in lists for each in ranked]
    if given_values and all(estimate_tokens(value) > budget for value in given_values):
        with pytest.raises(Refused, match=r"^G6_E_CONTEXT_FUSION_BUDGET: no item fits"):
            fuse(lists, budget)
        return
    fused = fuse(lists, budget)
    values = [each.value for each in fused]
    assert sum(map(estimate_tokens, values)) <= budget
    assert len(values) == len(set(values))
    assert set(values) <= set(given_values)


@pytest.mark.slow
def test_2000_copies_fold_into_one_and_2000_that_share_half_their_words_do_not() -> None:
    common = " ".join(f"word{chr(0x3400 + n)}" for n in range(500))
    own = [" ".join(chr(0x4E00 + k) + chr(0x4E00 + n) for n in range(500)) for k in range(MAX_FUSED)]

    copies = fuse([[item(f"{common} {words[:2]}", f"copy {k}") for k, words in enumerate(own)]], PLENTY)
    others = fuse([[item(f"{common} {words}", f"other {k}") for k, words in enumerate(own)]], 10 * PLENTY)

    assert sources(copies) == ["copy 0"]
    assert dropped(copies[0]) == tuple(f"copy {k}" for k in range(1, MAX_FUSED))
    assert len(others) == MAX_FUSED
