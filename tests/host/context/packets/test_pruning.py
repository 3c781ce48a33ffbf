"""Items go from the end of the sections, in an order that never reaches the task or the output contract."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.context import (
    PRUNE_ORDER,
    SECTIONS,
    ContextPacket,
    assemble_packet,
    estimate_tokens,
    prune_packet,
    select_within_budget,
)
from host.core.context_item import ContextItem
from host.core.envelope import Evidence


def item(key: str, section: str, tokens: int = 1, **metadata: object) -> ContextItem:
    return ContextItem(key, "x" * 4 * tokens, source=key, section=section, metadata=metadata)


def full_packet() -> ContextPacket:
    """Two items of one token in each section."""
    return assemble_packet([item(f"{name} {number}", name) for name in SECTIONS for number in (1, 2)], 100)


def sizes(packet: ContextPacket) -> dict[str, int]:
    return {name: len(packet.section(name)) for name in SECTIONS}


def test_the_order() -> None:
    assert PRUNE_ORDER == (
        "exemplars",
        "notes",
        "repository",
        "results",
        "verification",
        "components",
        "governance",
    )
    assert set(SECTIONS) - set(PRUNE_ORDER) == {"task", "output_contract"}


def test_one_item_after_the_other_goes_in_that_order() -> None:
    packet = full_packet()
    expected = dict.fromkeys(SECTIONS, 2)
    for budget, name in zip(range(17, 3, -1), (name for name in PRUNE_ORDER for _ in (1, 2)), strict=True):
        expected[name] -= 1
        pruned = prune_packet(packet, budget)
        assert sizes(pruned) == expected
        assert (pruned.tokens, pruned.budget, pruned.completion_state) == (budget, budget, "qualified-draft")
        assert pruned.section(name) == packet.section(name)[: expected[name]]
    assert prune_packet(packet, 3).code == "G6_E_CONTEXT_BUDGET_TOO_SMALL"


def test_what_was_dropped_is_told() -> None:
    [found] = prune_packet(full_packet(), 15).evidence

    assert found == Evidence(
        code="G6_E_CONTEXT_BUDGET_EXCEEDED",
        detail="dropped to fit the budget of 15 tokens: 2 of exemplars and 1 of notes",
        more={"dropped": {"exemplars": 2, "notes": 1}},
    )


def test_a_packet_that_fits_stays_as_it_is() -> None:
    packet = full_packet()

    assert prune_packet(packet) == packet
    assert prune_packet(packet, 18) == replace(packet, budget=18)


def test_an_earlier_warning_stays_and_the_state_does_not() -> None:
    warning = Evidence(code="G6_E_CONTEXT_ROOT_MISSING", detail="no directory is there")
    forged = replace(
        full_packet(),
        evidence=(warning,),
        completion_state="blocked-escalated",
        code="G6_E_CONTEXT_TASK_MISSING",
    )
    pruned = prune_packet(forged)

    assert (pruned.completion_state, pruned.code, pruned.evidence) == (
        "qualified-draft",
        "G6_E_CONTEXT_UNVERIFIED",
        (warning,),
    )


@pytest.mark.parametrize("budget", [True, 1.5, "10"])
def test_a_budget_is_a_whole_number(budget: int) -> None:
    with pytest.raises(ValueError, match=r"^budget .* is no whole number of tokens$"):
        prune_packet(full_packet(), budget)


HANDLES = [{"kind": "file_path", "file_path": f"{name}.py", "root": 0} for name in "abc"]


def with_handles() -> ContextPacket:
    excerpts = [item(f"{handle['file_path']}", "repository", 5, handle=handle) for handle in HANDLES]
    return assemble_packet([item("task", "task"), *excerpts], 100)


def test_the_handles_are_those_of_the_excerpts_and_cost_nothing_beside_them() -> None:
    packet = with_handles()

    assert packet.repository_handles == tuple(HANDLES)
    assert packet.tokens_by_section() == {"task": 1, "repository": 15}


def test_a_handle_goes_with_its_excerpt() -> None:
    packet = prune_packet(with_handles(), 12)

    assert packet.repository_handles == tuple(HANDLES[:2])
    assert packet.evidence[0].more == {"dropped": {"repository": 1, "repository_handles": 1}}


def test_handles_without_excerpts_are_counted_and_pruned_from_the_end() -> None:
    packet = replace(with_handles(), repository=())
    each = estimate_tokens('{"file_path": "a.py", "kind": "file_path", "root": 0}')

    assert packet.tokens_by_section() == {"task": 1, "repository_handles": 3 * each}
    pruned = prune_packet(packet, 1 + 2 * each)
    assert (pruned.repository_handles, pruned.tokens) == (tuple(HANDLES[:2]), 1 + 2 * each)
    assert prune_packet(packet, 2 * each).repository_handles == tuple(HANDLES[:1])


SELECTED = [
    pytest.param([3, 3, 3], 6, [0, 1], id="in order"),
    pytest.param([3, 9, 3], 6, [0, 2], id="what does not fit is skipped"),
    pytest.param([7], 6, [], id="none"),
    pytest.param([0, 6, 0], 6, [0, 1, 2], id="an empty one always fits"),
    pytest.param([0], -1, [], id="less than nothing"),
]


@pytest.mark.parametrize(("costs", "budget", "expected"), SELECTED)
def test_what_fits_a_budget_is_selected(costs: Sequence[int], budget: int, expected: list[int]) -> None:
    items = [item(f"{number}", "repository", cost) for number, cost in enumerate(costs)]

    assert select_within_budget(items, budget) == [items[index] for index in expected]


def test_handles_are_selected_by_what_they_take_as_json() -> None:
    each = estimate_tokens('{"file_path": "a.py", "kind": "file_path", "root": 0}')

    assert select_within_budget(HANDLES, 2 * each + 1) == HANDLES[:2]


@given(st.lists(st.integers(0, 30), max_size=12), st.integers(0, 60))
def test_a_selection_fits_and_nothing_that_was_left_out_would_have(costs: list[int], budget: int) -> None:
    items = [item(f"{number}", "repository", cost) for number, cost in enumerate(costs)]
    selected = select_within_budget(items, budget)

    assert sum(estimate_tokens(found.value) for found in selected) <= budget
    left = budget
    for one, cost in zip(items, costs, strict=True):
        assert (one in selected) == (cost <= left)
        left -= cost if one in selected else 0


@given(st.lists(st.tuples(st.sampled_from(SECTIONS), st.integers(0, 9)), max_size=15), st.integers(0, 60))
def test_pruning_drops_no_more_than_it_must(drawn: list[tuple[str, int]], budget: int) -> None:
    items = [item(f"{number}", name, cost) for number, (name, cost) in enumerate(drawn)]
    whole = assemble_packet([item("task", "task"), *items], 10**6)
    pruned = prune_packet(whole, budget)
    dropped = [name for name in PRUNE_ORDER if len(pruned.section(name)) < len(whole.section(name))]

    if dropped:
        # Every section before the last one that lost anything is empty, and its last loss was needed.
        last = dropped[-1]
        assert all(not pruned.section(name) for name in PRUNE_ORDER[: PRUNE_ORDER.index(last)])
        again = whole.section(last)[len(pruned.section(last))]
        assert pruned.tokens + estimate_tokens(again.value) > budget
