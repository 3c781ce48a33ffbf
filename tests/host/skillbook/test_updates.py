"""A batch of operations as a model gives it."""

import re
from typing import Any

import pytest

from host.skillbook import Add, Done, Remove, Tag, Update, UpdateBatch
from tests.helpers.skillbooks import book_of, own, skill, source

BATCH = UpdateBatch(
    reasoning="what the run showed",
    operations=(
        Add(section="context", issue="x", insight="y", keywords=("lock",), skill_id="new"),
        Update(skill_id="a", insight="Ask who holds it", insight_source=(source("1"),)),
        Tag(skill_id="a", delta=-1),
        Tag(skill_id="none", delta=0),
        Remove(skill_id="b", reason="it misleads"),
        Remove(skill_id="c", insight_source=(source("2", "it misleads"),)),
    ),
)
AS_JSON: dict[str, Any] = {
    "reasoning": "what the run showed",
    "operations": [
        {
            "type": "ADD",
            "section": "context",
            "issue": "x",
            "keywords": ["lock"],
            "insight": "y",
            "skill_id": "new",
        },
        {
            "type": "UPDATE",
            "skill_id": "a",
            "insight": "Ask who holds it",
            "insight_source": [
                {"trace_uid": "gg:1", "source_system": "gg", "trace_id": "1", "relation": "run"},
            ],
        },
        {"type": "TAG", "skill_id": "a", "metadata": {"delta": -1}},
        {"type": "TAG", "skill_id": "none", "metadata": {"delta": 0}},
        {"type": "REMOVE", "skill_id": "b", "reason": "it misleads"},
        {
            "type": "REMOVE",
            "skill_id": "c",
            "insight_source": [
                {
                    "trace_uid": "gg:2",
                    "source_system": "gg",
                    "trace_id": "2",
                    "relation": "run",
                    "learning_text": "it misleads",
                }
            ],
        },
    ],
}


def test_a_batch_is_read_as_it_is_written() -> None:
    assert BATCH.to_json() == AS_JSON
    assert UpdateBatch.from_json(AS_JSON) == BATCH


def test_each_operation_says_what_it_did_or_why_it_did_nothing() -> None:
    book = book_of(skill("a"), skill("b"), skill("c"))

    assert book.apply_update(BATCH) == (
        Done(ok=True, skill_id="new", did="added new"),
        Done(ok=True, skill_id="a", did="updated a"),
        Done(ok=True, skill_id="a", did="tagged a harmful"),
        Done(ok=False, skill_id="none", why="there is no skill `none`"),
        Done(ok=True, skill_id="b", did="removed b; restore undoes it"),
        Done(ok=True, skill_id="c", did="removed c; restore undoes it"),
    )
    assert [each.id for each in book.skills()] == ["a", "new"]
    assert [each.learning_text for each in own(book, "b").occurrences] == ["it misleads"]
    assert own(book, "c").occurrences == (source("2", "it misleads"),)


NONE = [
    ([], "the batch is `[]`, not an object"),
    ({"operations": {}}, "its operations is `{}`, not a list"),
    ({"operations": [5]}, "operations[0]: it is `5`, not an object"),
    ({"operations": [{}]}, "operations[0]: its type is ``, none of ADD, UPDATE, TAG and REMOVE"),
    (
        {"operations": [{"type": "PURGE"}]},
        "operations[0]: its type is `PURGE`, none of ADD, UPDATE, TAG and REMOVE",
    ),
    ({"operations": [{"type": "ADD", "section": "context"}]}, "operations[0]: its issue is absent"),
    (
        {"operations": [{"type": "TAG", "skill_id": "a"}]},
        "operations[0]: its metadata.delta is null, none of 1, 0 and -1",
    ),
    (
        {"operations": [{"type": "TAG", "skill_id": "a", "metadata": {"delta": 2}}]},
        "operations[0]: its metadata.delta is `2`, none of 1, 0 and -1",
    ),
    (
        {"operations": [AS_JSON["operations"][2], {"type": "UPDATE", "skill_id": "a", "keywords": [1]}]},
        "operations[1]: its keywords are `[1]`, not all of them texts",
    ),
    (
        {"operations": [{"type": "REMOVE", "skill_id": "a", "insight_source": 1}]},
        "operations[0]: one of its sources is `1`, not an object",
    ),
]


@pytest.mark.parametrize(("payload", "why"), NONE)
def test_what_is_no_batch_is_refused_with_its_place(payload: object, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        UpdateBatch.from_json(payload)
