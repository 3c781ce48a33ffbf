"""The ids of tool calls, told apart."""

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from host.core.messages import ToolCall
from host.turn.modes.call_ids import CallIds


def given(ids: CallIds, *written: str, turn: int) -> list[str]:
    calls = tuple(ToolCall(id=id_, name="finish", arguments="{}") for id_ in written)
    told_apart = ids.told_apart(calls, turn=turn)
    assert [(call.name, call.arguments) for call in told_apart] == [("finish", "{}")] * len(written)
    return [call.id for call in told_apart]


REPLIES = [
    (("a", "b"), ["a", "b"]),
    (("toolu_01/é", " x "), ["toolu_01/é", " x "]),
    (("", "a", ""), ["call_3_1", "a", "call_3_3"]),
    (("a", "a", "a"), ["a", "call_3_2", "call_3_3"]),
    ((" ", "\t\n"), ["call_3_1", "call_3_2"]),
    (("\ud800",), ["call_3_1"]),
    # What the model wrote is kept, also where it looks like a number of gg's own.
    (("", "call_3_1", ""), ["call_3_1_2", "call_3_1", "call_3_3"]),
    (("", "call_3_1", "call_3_1_2"), ["call_3_1_3", "call_3_1", "call_3_1_2"]),
    ((), []),
]


@pytest.mark.parametrize(("written", "ids"), REPLIES)
def test_an_id_is_kept_unless_it_leaves_open_which_call_is_meant(
    written: tuple[str, ...], ids: list[str]
) -> None:
    assert given(CallIds(), *written, turn=3) == ids


def test_an_id_of_an_earlier_reply_is_not_given_again() -> None:
    ids = CallIds()

    assert given(ids, "call_0", "", turn=1) == ["call_0", "call_1_2"]
    assert given(ids, "call_0", "call_1", "call_1_2", turn=2) == ["call_2_1", "call_1", "call_2_3"]
    assert given(ids, "call_2_1", turn=3) == ["call_3_1"]


WRITTEN = st.sampled_from(["", " ", "a", "b", "call_1_1", "call_1_2", "call_2_1", "call_2_1_2", "\udc00"])


@examples(st.lists(st.lists(WRITTEN, max_size=5), max_size=4))
def test_no_two_calls_of_an_agent_have_one_id(replies: list[list[str]]) -> None:
    ids = CallIds()
    told_apart = [given(ids, *written, turn=turn) for turn, written in enumerate(replies, start=1)]

    everything = [id_ for reply in told_apart for id_ in reply]
    assert len(set(everything)) == len(everything)
    assert all(id_.strip() and id_.isascii() for id_ in everything)
