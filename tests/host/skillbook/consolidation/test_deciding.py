import pytest

from host.skillbook import Delete, Keep, Merge, decisions_from_json

READ = {
    "decisions": [
        {"type": "MERGE", "source_ids": ["b"], "keep_id": "a", "merged_content": "wait", "reasoning": "same"},
        {"type": "DELETE", "skill_id": "c", "reasoning": "no more"},
        {"type": "KEEP", "skill_ids": ["a", "d"], "differentiation": "batch against real time"},
    ]
}

FAULTS = [
    pytest.param([], "the answer is `[]`, not an object", id="a list"),
    pytest.param({}, "it has no list `decisions`, or an empty one", id="no list"),
    pytest.param({"decisions": []}, "it has no list `decisions`, or an empty one", id="an empty list"),
    pytest.param(
        {"decisions": [{"type": "JOIN"}, {"type": "DELETE"}]},
        "decision 1: its type is `JOIN`, none of MERGE, UPDATE, DELETE and KEEP;"
        " decision 2: its skill_id is absent",
        id="two faults",
    ),
]


def test_decisions_of_an_object() -> None:
    assert decisions_from_json(READ) == (
        Merge(source_ids=("b",), keep_id="a", merged_content="wait", reasoning="same"),
        Delete(skill_id="c", reasoning="no more"),
        Keep(skill_ids=("a", "d"), reasoning="batch against real time"),
    )


@pytest.mark.parametrize(("payload", "message"), FAULTS)
def test_each_decision_that_is_none_is_named(payload: object, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        decisions_from_json(payload)

    assert str(caught.value) == message
