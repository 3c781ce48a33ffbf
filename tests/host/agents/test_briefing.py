"""What a subagent begins with of the context of the agent that starts it."""

from dataclasses import replace
from typing import Any

import pytest

from host.agents import briefing_of
from host.context import MAX_SUBAGENT_TOKENS, ContextPacket, assemble_packet
from host.core.context_item import ContextItem
from host.core.errors import Refusal


def task(value: str, key: str = "own_task") -> ContextItem:
    return ContextItem(
        key,
        value,
        source="caller",
        section="task",
        authority="user_intent",
        kind="instruction",
        trust="trusted",
    )


def packet(*items: ContextItem) -> ContextPacket:
    return assemble_packet(items, 2**31)


def tasks(given: ContextPacket, prompt: str) -> list[str]:
    briefing = briefing_of(given, prompt, spawner="root", files=None)
    assert briefing.packet.tokens <= MAX_SUBAGENT_TOKENS
    return [item.value for item in briefing.packet.task]


FAR, MIDDLE, NEAR = task("far", "a"), task("middle", "c"), task("near", "b")
LONG = task("word " * 1_500, "d")
FITS: list[Any] = [
    pytest.param([FAR, NEAR], "mine", ["far", "near", "mine"], id="all of them"),
    pytest.param([LONG, NEAR], "x" * 2_000, ["near", "x" * 2_000], id="the nearest"),
    pytest.param(
        [LONG, MIDDLE, NEAR], "x" * 2_000, ["middle", "near", "x" * 2_000], id="all but the farthest"
    ),
    pytest.param(
        [FAR, LONG, NEAR], "x" * 2_000, ["near", "x" * 2_000], id="none beyond one that has no room"
    ),
    pytest.param([FAR, LONG], "x" * 2_000, ["x" * 2_000], id="the nearest has none"),
    pytest.param([FAR, NEAR], "x" * 8_000, ["x" * 8_000], id="none"),
    pytest.param([], "mine", ["mine"], id="there are none"),
]


@pytest.mark.parametrize(("given", "prompt", "told"), FITS)
def test_its_own_task_is_told_and_what_has_room_of_the_wider_ones(
    given: list[ContextItem], prompt: str, told: list[str]
) -> None:
    assert tasks(packet(*given), prompt) == told


def test_a_task_that_has_no_room_is_refused_with_its_figures() -> None:
    with pytest.raises(Refusal) as refused:
        briefing_of(packet(NEAR), "x" * 8_001, spawner="root", files=None)
    assert refused.value.code == "limit-exceeded"
    assert "has about 2,001 of 2,000 tokens; say what is to be done" in str(refused.value)


def test_nothing_else_of_a_window_reaches_it() -> None:
    note = ContextItem("memories", "a note", source="memories", section="notes", kind="memory_note")
    file = ContextItem("a.py", "code", source="a.py")
    given = briefing_of(packet(note, file, NEAR), "mine", spawner="root", files=None).packet

    assert [item.value for item in given.items()] == ["near", "mine"]
    assert [item.authority for item in given.task] == ["user_intent", "task_contract"]


def test_files_that_are_open_are_named_up_to_ten() -> None:
    handles = tuple({"kind": "file_path", "file_path": f"{n}.txt", "root": 0} for n in range(12))
    briefing = briefing_of(replace(packet(NEAR), repository_handles=handles), "m", spawner="root", files=None)
    assert [handle["file_path"] for handle in briefing.packet.repository_handles] == [
        f"{n}.txt" for n in range(10)
    ]
