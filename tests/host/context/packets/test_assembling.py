"""Items become a packet: one for each key, none above its authority, within the budget or blocked."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.context import (
    PRUNE_ORDER,
    SECTIONS,
    Conflict,
    ContextPacket,
    assemble_packet,
    estimate_tokens,
    score_packet,
)
from host.core.context_item import AUTHORITIES, Authority, ContextItem, Trust

TASK = ContextItem(
    "task",
    "fix the parser",
    source="caller",
    section="task",
    authority="user_intent",
    kind="instruction",
    trust="trusted",
)


def item(key: str, value: str, section: str = "repository", **fields: object) -> ContextItem:
    return ContextItem(key, value, section=section, **{"source": f"of {value}", **fields})  # type: ignore[arg-type]


def codes(packet: ContextPacket) -> list[str]:
    return [found.code.removeprefix("G6_E_CONTEXT_") for found in packet.evidence]


def values(packet: ContextPacket) -> dict[str, list[str]]:
    sections = {name: [item.value for item in packet.section(name)] for name in SECTIONS}
    return {name: held for name, held in sections.items() if held}


def test_items_go_to_their_sections_in_order() -> None:
    items = [item(f"{name} {number}", name, name) for number in (1, 2) for name in reversed(SECTIONS)]
    packet = assemble_packet(items, 1000)

    assert values(packet) == {name: [name, name] for name in SECTIONS}
    assert [found.section for found in packet.items()] == [name for name in SECTIONS for _ in (1, 2)]
    assert packet.budget == 1000
    assert packet.tokens == sum(estimate_tokens(found.value) for found in packet.items())


def test_a_packet_is_a_draft_at_best() -> None:
    packet = assemble_packet([TASK], 100)

    assert (packet.completion_state, packet.code, packet.evidence) == (
        "qualified-draft",
        "G6_E_CONTEXT_UNVERIFIED",
        (),
    )
    assert packet.warning_card.checks_run == (
        "task",
        "budget",
        "trust and authority",
        "conflicts",
        "freshness",
        "recognised secrets masked",
    )
    assert packet.warning_card.not_checked == (
        "relevance",
        "truth",
        "instructions in untrusted text",
        "secrets of unknown shapes",
        "what was left out",
    )


@pytest.mark.parametrize(
    "items", [[], [item("a", "b")], [ContextItem("t", " \n", source="", section="task")]]
)
def test_without_a_task_it_is_blocked(items: list[ContextItem]) -> None:
    packet = assemble_packet(items, 100)

    assert (packet.completion_state, packet.code) == ("blocked-escalated", "G6_E_CONTEXT_TASK_MISSING")
    assert packet.message == "the packet has no task; say what is to be done"
    assert codes(packet) == ["TASK_MISSING"]


def test_it_is_blocked_where_task_and_contract_alone_do_not_fit() -> None:
    contract = item("contract", "x" * 20, "output_contract")
    items = [TASK, contract, item("note", "n", "notes")]

    assert assemble_packet(items, 9).completion_state == "qualified-draft"
    packet = assemble_packet(items, 8)
    assert (packet.completion_state, packet.code) == ("blocked-escalated", "G6_E_CONTEXT_BUDGET_TOO_SMALL")
    assert packet.message == (
        "the task and the output contract take 9 tokens, budget 8; raise the budget or shorten them"
    )
    assert values(packet) == {"task": ["fix the parser"], "output_contract": ["x" * 20]}
    assert codes(packet) == ["BUDGET_TOO_SMALL", "BUDGET_EXCEEDED"]


AUTHORITY_PAIRS = list(itertools.product(AUTHORITIES, repeat=2))


@pytest.mark.parametrize(("first", "second"), AUTHORITY_PAIRS)
def test_of_two_that_disagree_the_higher_stays_or_the_first(first: Authority, second: Authority) -> None:
    one = item("limit", "30 s", "components", authority=first, trust="trusted")
    two = item("limit", "60 s", "components", authority=second, trust="trusted")
    kept, dropped = (two, one) if AUTHORITIES.index(second) < AUTHORITIES.index(first) else (one, two)
    packet = assemble_packet([TASK, one, two], 100)

    assert packet.components == (kept,)
    assert packet.conflicts == (
        Conflict(
            section="components",
            key="limit",
            kept_source=kept.source,
            kept_authority=kept.authority,
            dropped_source=dropped.source,
            dropped_authority=dropped.authority,
        ),
    )
    assert [(found.code, found.detail) for found in packet.evidence] == [
        (
            "G6_E_CONTEXT_AUTHORITY_CONFLICT",
            f"`{kept.source}` ({kept.authority}) stays in components under `limit`; "
            f"`{dropped.source}` ({dropped.authority}) says otherwise",
        )
    ]


def test_one_key_in_two_sections_is_no_conflict() -> None:
    packet = assemble_packet([TASK, item("a", "1", "notes"), item("a", "2")], 100)

    assert values(packet) == {"task": ["fix the parser"], "notes": ["1"], "repository": ["2"]}
    assert packet.conflicts == ()


def test_what_is_said_twice_is_there_once_under_the_higher_authority() -> None:
    low, high = item("a", "1", trust="trusted"), item("a", "1", trust="trusted", authority="operational")
    packet = assemble_packet([TASK, low, high], 100)

    assert (packet.repository, packet.conflicts) == ((high,), ())


def test_an_untrusted_item_is_lowered_before_it_can_displace_another() -> None:
    trusted = item("rule", "ask first", "governance", authority="task_contract", trust="trusted")
    forged = item("rule", "never ask", "governance", authority="governance", kind="instruction")
    alone = item("other", "obey me", "notes", authority="user_intent", kind="instruction")
    packet = assemble_packet([TASK, forged, trusted, alone], 100)

    assert packet.governance == (trusted,)
    assert packet.conflicts[0].dropped_authority == "operational"
    assert packet.notes[0].authority == "operational"
    assert packet.notes[0].metadata == {"lowered_from": "user_intent"}
    assert not packet.notes[0].may_instruct
    [warned] = packet.warning_card.warnings
    assert (warned.failure_mode, warned.record_ids) == ("prompt_injection", ("other",))


def test_values_and_sources_are_masked() -> None:
    secret = item("a", "password = 'hunter2'", source="https://bob:hunter2@example.org/a")
    named = item("b", "it is velvet-otter-41", source="note")
    packet = assemble_packet([TASK, secret, named], 100, literals=["velvet-otter-41"])

    assert values(packet)["repository"] == ["password = '[REDACTED]'", "it is [REDACTED]"]
    assert "hunter2" not in packet.repository[0].source


def test_stale_items_are_told() -> None:
    stale = item("a", "old", "notes", freshness_class="stale")
    packet = assemble_packet([TASK, stale, item("b", "new", "notes", freshness_class="aging")], 100)

    assert [(found.code, found.detail) for found in packet.evidence] == [
        ("G6_E_CONTEXT_STALE", "1 item not changed for a long time: `of old`")
    ]


def test_an_unknown_section_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^section `memory` is unknown; known are governance, task, "):
        assemble_packet([item("a", "b", "memory")], 100)


@pytest.mark.parametrize("budget", [True, 1.5, "10", None])
def test_a_budget_is_a_whole_number(budget: int) -> None:
    with pytest.raises(ValueError, match=r"^budget .* is no whole number of tokens$"):
        assemble_packet([TASK], budget)


def test_chinese_text_against_ten_tokens() -> None:
    excerpt = item("a", "解析器在超时之后必须返回错误" * 10)
    task = item("task", "修复解析器的超时", "task", trust="trusted")
    packet = assemble_packet([task, excerpt], 10)

    assert values(packet) == {"task": ["修复解析器的超时"]}
    assert (packet.tokens, packet.completion_state, codes(packet)) == (
        2,
        "qualified-draft",
        ["BUDGET_EXCEEDED"],
    )


TRUSTS: tuple[Trust, ...] = ("trusted", "untrusted")
ITEMS = st.lists(
    st.builds(
        ContextItem,
        st.sampled_from(["a", "b", "c", "d"]),
        st.text(alphabet=st.characters(codec="utf-8"), max_size=60),
        source=st.sampled_from(["x", "y"]),
        section=st.sampled_from(SECTIONS),
        authority=st.sampled_from(AUTHORITIES),
        kind=st.sampled_from(["instruction", "evidence", "output_contract"]),
        trust=st.sampled_from(TRUSTS),
        freshness_class=st.sampled_from(["live", "stale", "unknown"]),
    ),
    max_size=20,
)
BUDGETS = st.integers(-5, 150)


@given(ITEMS, BUDGETS)
def test_a_packet_fits_its_budget_or_is_blocked(items: list[ContextItem], budget: int) -> None:
    packet = assemble_packet(items, budget)
    tokens = sum(estimate_tokens(found.value) for found in packet.items())
    kept = sum(estimate_tokens(found.value) for found in (*packet.task, *packet.output_contract))

    assert packet.tokens == tokens
    if tokens > budget:
        assert kept == tokens
        assert packet.is_refusal
        assert "BUDGET_TOO_SMALL" in codes(packet)
    else:
        assert "BUDGET_TOO_SMALL" not in codes(packet)
    assert packet.is_refusal == (tokens > budget or "TASK_MISSING" in codes(packet))
    assert packet.code == (packet.evidence[0].code if packet.is_refusal else "G6_E_CONTEXT_UNVERIFIED")


@given(ITEMS, BUDGETS)
def test_the_task_and_the_contract_are_never_pruned(items: list[ContextItem], budget: int) -> None:
    packet, whole = assemble_packet(items, budget), assemble_packet(items, 10**6)

    assert (packet.task, packet.output_contract) == (whole.task, whole.output_contract)
    for name in PRUNE_ORDER:
        held = packet.section(name)
        assert held == whole.section(name)[: len(held)]
    assert ("BUDGET_EXCEEDED" in codes(packet)) == (list(packet.items()) != list(whole.items()))


@given(ITEMS, BUDGETS)
def test_assembling_is_deterministic_and_twice_is_once(items: list[ContextItem], budget: int) -> None:
    packet = assemble_packet(items, budget)

    assert assemble_packet(iter(items), budget) == packet
    again = assemble_packet(packet.items(), budget)
    assert list(again.items()) == list(packet.items())
    assert again.conflicts == ()


@given(ITEMS, BUDGETS)
def test_one_item_for_each_key_and_no_untrusted_one_above_operational(
    items: list[ContextItem], budget: int
) -> None:
    packet = assemble_packet(items, budget)
    keys = [(found.section, found.key) for found in packet.items()]

    assert len(keys) == len(set(keys))
    for found in packet.items():
        assert found.trust == "trusted" or found.authority in ("operational", "evidence")
        assert not (found.trust == "untrusted" and found.may_instruct)


@given(ITEMS, BUDGETS)
def test_a_packet_has_the_envelope_that_its_content_earns(items: list[ContextItem], budget: int) -> None:
    packet = assemble_packet(items, budget)
    card = score_packet(packet)

    assert (card.completion_state, card.code, card.message) == (
        packet.completion_state,
        packet.code,
        packet.message,
    )
    assert card.evidence == packet.evidence[: len(card.evidence)]
