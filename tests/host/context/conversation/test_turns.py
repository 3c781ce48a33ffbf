"""Where a conversation may be cut."""

import pytest

from host.context.conversation.turns import Turn, cuts

PLACES = [
    pytest.param([], [], id="no turn"),
    pytest.param([None], [], id="one turn"),
    pytest.param([None, None, None], [1, 2], id="between any two"),
    pytest.param([None, "a", "a", None], [1, 3], id="not in a group"),
    pytest.param(["a", None, "a", None], [3], id="not in a group with others between"),
    pytest.param(["a", "b", "a", "b", None], [4], id="not in groups that overlap"),
    pytest.param(["a", "a", "b", "b"], [2], id="between groups"),
    pytest.param(["a", None, None, "a"], [], id="all of one group"),
    pytest.param([0, 0, None], [2], id="a group may be 0"),
]


@pytest.mark.parametrize(("groups", "expected"), PLACES)
def test_places(groups: list[str | int | None], expected: list[int]) -> None:
    turns = [
        Turn(number=place + 1, role="user", content="x", group=group, tokens=place)
        for place, group in enumerate(groups)
    ]

    found = cuts(turns)

    assert [cut.older for cut in found] == expected
    assert [cut.newer_cost for cut in found] == [
        sum(turn.tokens + 4 for turn in turns[cut.older :]) for cut in found
    ]
