"""A scorecard is computed from what a packet holds; nothing that the packet says of itself counts."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.context import ContextPacket, ContextScorecard, assemble_packet, score_packet
from host.core.context_item import ContextItem
from host.core.envelope import Evidence, Warned, WarningCard

TASK = ContextItem("task", "fix the parser", source="caller", section="task", trust="trusted")
NOTE = ContextItem("a", "x" * 40, source="memory/a", section="notes", freshness_class="stale")


def test_what_a_scorecard_holds() -> None:
    card = score_packet(assemble_packet([TASK, NOTE], 50))

    assert (card.tokens, card.budget, card.tokens_by_section) == (14, 50, {"task": 4, "notes": 10})
    assert (card.completion_state, card.code) == ("qualified-draft", "G6_E_CONTEXT_UNVERIFIED")
    assert [found.code for found in card.evidence] == ["G6_E_CONTEXT_STALE"]
    assert card.to_json() == {
        "completion_state": "qualified-draft",
        "code": "G6_E_CONTEXT_UNVERIFIED",
        "message": "nothing checks that the items are relevant or true",
        "evidence": [
            {
                "code": "G6_E_CONTEXT_STALE",
                "detail": "1 item not changed for a long time: `memory/a`",
                "count": 1,
            }
        ],
        "warning_card": card.warning_card.to_json(),
        "tokens": 14,
        "budget": 50,
        "tokens_by_section": {"task": 4, "notes": 10},
    }


def forged(packet: ContextPacket, **fields: Any) -> ContextPacket:  # noqa: ANN401
    return replace(packet, **fields)


CONTENTS = [
    pytest.param({"task": ()}, "G6_E_CONTEXT_TASK_MISSING", id="no task"),
    pytest.param({"budget": 3}, "G6_E_CONTEXT_BUDGET_TOO_SMALL", id="a task over the budget"),
    pytest.param({"budget": 13}, "G6_E_CONTEXT_BUDGET_EXCEEDED", id="items over the budget"),
]


@pytest.mark.parametrize(("fields", "code"), CONTENTS)
def test_a_packet_that_no_assembly_made_is_blocked(fields: dict[str, object], code: str) -> None:
    card = score_packet(forged(assemble_packet([TASK, NOTE], 50), **fields))

    assert (card.completion_state, card.code, card.evidence[0].code) == ("blocked-escalated", code, code)


def test_items_that_disagree_in_a_packet_that_no_assembly_made() -> None:
    card = score_packet(forged(assemble_packet([TASK], 50), notes=(NOTE, replace(NOTE, value="y"))))

    assert [found.code for found in card.evidence] == [
        "G6_E_CONTEXT_AUTHORITY_CONFLICT",
        "G6_E_CONTEXT_STALE",
    ]


def test_an_untrusted_item_above_its_authority_is_told() -> None:
    card = score_packet(forged(assemble_packet([TASK], 50), notes=(replace(NOTE, authority="governance"),)))

    assert card.warning_card.warnings == (Warned(failure_mode="prompt_injection", record_ids=("a",)),)


STATES = st.fixed_dictionaries(
    {},
    optional={
        "completion_state": st.sampled_from(["qualified-draft", "blocked-escalated", "verified"]),
        "code": st.text(max_size=5),
        "message": st.text(max_size=5),
        "evidence": st.lists(
            st.builds(
                Evidence, code=st.sampled_from(["G6_E_CONTEXT_TASK_MISSING", "x"]), detail=st.text(max_size=3)
            ),
            max_size=2,
        ).map(tuple),
        "warning_card": st.builds(WarningCard, checks_run=st.just(("truth",)), not_checked=st.just(())),
    },
)
PACKETS = [
    assemble_packet([TASK, NOTE], 50),
    assemble_packet([NOTE], 50),
    assemble_packet([TASK], 2),
    forged(assemble_packet([TASK, NOTE], 50), budget=13),
]
CARDS: list[ContextScorecard] = [score_packet(packet) for packet in PACKETS]


@given(st.integers(0, len(PACKETS) - 1), STATES)
def test_a_forged_state_changes_nothing(index: int, state: dict[str, object]) -> None:
    assert score_packet(forged(PACKETS[index], **state)) == CARDS[index]
