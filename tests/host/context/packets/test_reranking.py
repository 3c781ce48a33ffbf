"""A re-ranker's decision holds if it is about these candidates, and about each of them once."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.context import Bm25Reranker, RerankDecision, fingerprint, validate_rerank_decision
from host.core.context_item import ContextItem
from host.core.envelope import Refused


def candidates(*values: str) -> tuple[ContextItem, ...]:
    return tuple(
        ContextItem(f"{number}.py", value, source=f"{number}.py") for number, value in enumerate(values)
    )


THREE = candidates("one", "two", "three")
PRINT = fingerprint(THREE)


def test_a_fingerprint_is_that_of_keys_sources_and_values_in_order() -> None:
    first, second = candidates("one", "two")
    others = [
        (second, first),
        (first,),
        (first, second, second),
        (replace(first, value="1"), second),
        (replace(first, key="x"), second),
        (replace(first, source="x"), second),
        (),
    ]

    assert PRINT == "67f07894f271165498940a39307f18ececa53bd36c5b0b6edae258b470739515"
    assert len({fingerprint((first, second)), *map(fingerprint, others)}) == len(others) + 1
    assert fingerprint((replace(first, metadata={"a": 1}), second)) == fingerprint((first, second))


VALID = [
    pytest.param((2, 0, 1), (), id="all kept"),
    pytest.param((1,), (0, 2), id="some dropped"),
    pytest.param((), (0, 1, 2), id="all dropped"),
]


@pytest.mark.parametrize(("kept", "dropped"), VALID)
def test_the_kept_indices_come_back(kept: tuple[int, ...], dropped: tuple[int, ...]) -> None:
    assert validate_rerank_decision(RerankDecision(kept, dropped, PRINT), THREE) == list(kept)


INVALID = [
    pytest.param(RerankDecision((0, 0, 1, 2), (), PRINT), "an index is named twice", id="twice"),
    pytest.param(RerankDecision((0, 1), (1, 2), PRINT), "an index is named twice", id="kept and dropped"),
    pytest.param(
        RerankDecision((0, 1), (), PRINT), "an index is neither kept nor dropped", id="one is not named"
    ),
    pytest.param(RerankDecision((0, 1, 3), (2,), PRINT), "3 is not an index from 0 to 2", id="beyond"),
    pytest.param(RerankDecision((0, 1, -1), (), PRINT), "-1 is not an index from 0 to 2", id="below"),
    pytest.param(RerankDecision((0, True, 2), (), PRINT), "True is not an index from 0 to 2", id="a boolean"),  # type: ignore[arg-type]
    pytest.param(RerankDecision((0, 1.0, 2), (), PRINT), "1.0 is not an index from 0 to 2", id="a float"),  # type: ignore[arg-type]
    pytest.param(RerankDecision((0, "1", 2), (), PRINT), "'1' is not an index from 0 to 2", id="a text"),  # type: ignore[arg-type]
    pytest.param(
        RerankDecision((0, 1, 2), (), "0" * 64),
        "the decision is about other candidates; its fingerprint is not theirs",
        id="stale",
    ),
    pytest.param(RerankDecision("012", (), PRINT), "kept and dropped are lists of indices", id="no list"),  # type: ignore[arg-type]
    pytest.param([0, 1, 2], "a decision is a RerankDecision, not list", id="no decision"),
    pytest.param(None, "a decision is a RerankDecision, not NoneType", id="nothing"),
]


@pytest.mark.parametrize(("decision", "message"), INVALID)
def test_a_decision_that_does_not_hold_is_refused(decision: RerankDecision, message: str) -> None:
    with pytest.raises(Refused) as exc_info:
        validate_rerank_decision(decision, THREE)

    assert (exc_info.value.code, exc_info.value.message) == ("G6_E_CONTEXT_RERANK_INVALID", message)


INDICES = st.lists(st.one_of(st.integers(-1, 3), st.booleans()), max_size=5)


@given(INDICES, INDICES)
def test_only_a_partition_of_the_indices_holds(kept: Sequence[int], dropped: Sequence[int]) -> None:
    decision = RerankDecision(tuple(kept), tuple(dropped), PRINT)
    named = [*kept, *dropped]
    holds = sorted(map(repr, named)) == ["0", "1", "2"]

    try:
        assert validate_rerank_decision(decision, THREE) == list(kept)
    except Refused:
        assert not holds
    else:
        assert holds


def test_bm25_puts_first_what_is_about_the_query() -> None:
    items = candidates(
        "a prefix of it", "the parser times out", "timeout of the parser, parser timeout", "fix"
    )
    decision = Bm25Reranker()("fix the parser timeout", items)

    assert validate_rerank_decision(decision, items) == [2, 3, 1, 0]


def test_bm25_reads_the_path_too_and_leaves_equals_in_their_order() -> None:
    items = [ContextItem(key, "same", source=key) for key in ("a.py", "b.py", "parser.py")]

    assert Bm25Reranker()("parser", items).kept == (2, 0, 1)


@given(st.lists(st.text(max_size=20), max_size=6), st.text(max_size=20))
def test_bm25_orders_every_list(values: list[str], query: str) -> None:
    items = candidates(*values)

    assert sorted(validate_rerank_decision(Bm25Reranker()(query, items), items)) == list(range(len(items)))
