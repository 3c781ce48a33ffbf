"""What a turn asks to be started at its end."""

import pytest

from host.agents.handover import Following, Handover
from host.core.errors import Refusal


def following(profile: str) -> Following:
    return Following(by="exec", profile=profile, task="t", state=None, takes_memories=True)


def test_copies_add_up_and_are_taken_once() -> None:
    handover = Handover()
    handover.copy("left")
    handover.copy(None)

    assert handover.take() == (("left", None), None)
    assert handover.take() == ((), None)


def test_the_first_successor_of_a_turn_stands() -> None:
    handover = Handover()
    handover.follow(following("a"))
    with pytest.raises(Refusal) as caught:
        handover.follow(following("b"))

    assert (caught.value.code, caught.value.kind, caught.value.message) == (
        "refused",
        "second_successor",
        "This agent hands over to `a` already when the turn ends; the first call of a turn stands.",
    )
    assert handover.take() == ((), following("a"))
    handover.follow(following("b"))
    assert handover.following == following("b")
