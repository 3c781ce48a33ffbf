"""A refusal names the calls and fields that the agent has, as it writes them."""

import pytest

from host.memories import Holder
from tests.helpers.memories import draft, holder_of, refusal_of, store_of

WITHHELD = [
    pytest.param(
        {},
        "there",
        "there is one of that name, at revision 1. Give memories.writeMemory another name.",
        id="duplicate",
    ),
    pytest.param(
        {"max_count": 1},
        "new",
        "there would be 2 of 1 memories. No call of this agent makes room.",
        id="count",
    ),
    pytest.param(
        {"max_total_len": 6},
        "new",
        "all bodies together would be 7 of 6 characters. Shorten the body.",
        id="total",
    ),
]


@pytest.mark.parametrize(("caps", "name", "told"), WITHHELD)
def test_a_remedy_names_no_call_that_the_agent_lacks(caps: dict[str, int], name: str, told: str) -> None:
    holder = holder_of(store_of("scratchpad", **caps), withheld=("update_memory", "delete_memory"))
    holder.commit_write(draft("there", "old"), turn=1)

    assert str(refusal_of(lambda: holder.check_write(draft(name)))) == f"Cannot write `{name}`: {told}"


def test_remedies_under_markdown_without_a_deletion() -> None:
    holder = holder_of(store_of("markdown", max_len_index=20), withheld=("edit_memory", "delete_memory"))
    holder.create(draft("there", description="d"), turn=1)

    assert str(refusal_of(lambda: holder.create(draft("there"), turn=1))) == (
        "Cannot create `there`: there is one of that name, at revision 1. "
        "Give memories.createMemory another name."
    )


FULL_INDEX = "Cannot create `new`: the index would be 29 of "
REMEDIES = [
    pytest.param(
        25,
        (),
        "25 characters. Shorten the description, or delete a memory with memories.deleteMemory.",
        id="fits",
    ),
    pytest.param(25, ("delete_memory",), "25 characters. Shorten the description.", id="fits, append-only"),
    pytest.param(
        24,
        (),
        "24 characters. Put it into another memory with memories.editMemory, "
        "or delete one with memories.deleteMemory.",
        id="no description would fit",
    ),
    pytest.param(
        24,
        ("delete_memory",),
        "24 characters. Put it into another memory with memories.editMemory.",
        id="no deletion",
    ),
    pytest.param(
        24,
        ("edit_memory", "delete_memory"),
        "24 characters. No call of this agent makes room.",
        id="append-only",
    ),
]


@pytest.mark.parametrize(("limit", "withheld", "told"), REMEDIES)
def test_a_full_index_is_told_with_what_makes_room(limit: int, withheld: tuple[str, ...], told: str) -> None:
    holder = holder_of(store_of("markdown", max_len_index=limit), withheld=withheld)
    holder.create(draft("there", description="d"), turn=1)

    assert str(refusal_of(lambda: holder.create(draft("new"), turn=1))) == FULL_INDEX + told


TOTALS = [
    pytest.param(
        7,
        (),
        "7 characters. Shorten the body, or revise another memory with memories.updateMemory, or delete one"
        " with memories.deleteMemory.",
        id="a shorter body would fit",
    ),
    pytest.param(
        6,
        (),
        "6 characters. Revise another memory with memories.updateMemory, or delete one with"
        " memories.deleteMemory.",
        id="no body would fit",
    ),
    pytest.param(
        6,
        ("update_memory", "delete_memory"),
        "6 characters. No call of this agent makes room.",
        id="no body would fit, append-only",
    ),
]


@pytest.mark.parametrize(("limit", "withheld", "told"), TOTALS)
def test_a_full_scratchpad_is_told_with_what_makes_room(
    limit: int, withheld: tuple[str, ...], told: str
) -> None:
    holder = holder_of(store_of("scratchpad", max_total_len=limit), withheld=withheld)
    holder.create(draft("there", "123456"), turn=1)

    assert str(refusal_of(lambda: holder.create(draft("new", "12"), turn=1))) == (
        f"Cannot write `new`: all bodies together would be 8 of {told}"
    )


COUNTED = [
    pytest.param(
        (),
        "Put it into another memory with memories.editMemory, or delete one with memories.deleteMemory.",
        id="all calls",
    ),
    pytest.param(("edit_memory",), "Delete one with memories.deleteMemory.", id="no edit"),
    pytest.param(("edit_memory", "delete_memory"), "No call of this agent makes room.", id="append-only"),
]


@pytest.mark.parametrize(("withheld", "remedy"), COUNTED)
def test_a_full_count_is_told_with_what_makes_room(withheld: tuple[str, ...], remedy: str) -> None:
    holder = holder_of(store_of("keyword-search", max_count=1), withheld=withheld)
    holder.create(draft("there"), turn=1)

    refusal = refusal_of(lambda: holder.create(draft("new"), turn=1))

    assert str(refusal) == f"Cannot create `new`: there would be 2 of 1 memories. {remedy}"
    assert (refusal.kind, refusal.figure, refusal.limit) == ("count_cap", 2, 1)


def test_an_emptied_memory_is_pointed_at_what_the_agent_has() -> None:
    holder = holder_of(store_of("markdown"), withheld=("delete_memory",))
    holder.create(draft("there"), turn=1)

    assert str(refusal_of(lambda: holder.edit("there", "note", " ", turn=1))) == (
        "Cannot edit `there`: nothing would be left of its body. Leave a text in its body."
    )


def test_a_memory_that_cannot_be_read_is_not_told_to_be_read() -> None:
    holder = holder_of(store_of("markdown"), withheld=("read_memory", "create_memory"))
    holder.create(draft("there"), turn=1)

    assert [
        str(refusal_of(lambda: holder.edit("there", "none", "x", turn=1))),
        str(refusal_of(lambda: holder.edit("there", "note", "x", expected_revision=9, turn=1))),
        str(refusal_of(lambda: holder.edit("absent", "note", "x", turn=1))),
    ] == [
        "Cannot edit `there`: search does not occur in it. "
        "Give memories.editMemory a text that stands in the body.",
        "Cannot edit `there`: it is at revision 1, the call expects 9. "
        "Take its present text into account, then call memories.editMemory with revision 1.",
        "Cannot edit `absent`: there is no memory of that name. "
        "Give memories.editMemory the name of one that there is.",
    ]


def test_fields_are_named_as_the_agent_spells_them() -> None:
    store = store_of("markdown", max_len_per_memory=5)
    fields = {"body": "contents", "search": "old_string", "replace": "new_string"}
    calls = {call: call.partition(".")[2] for call in store.strategy.calls}
    holder = Holder(store, agent_id="root", access="write", scope="isolated", calls=calls, fields=fields)
    holder.create(draft("there", "a note"[:5]), turn=1)

    assert [
        str(refusal_of(act))
        for act in (
            lambda: holder.create(draft("new", " "), turn=1),
            lambda: holder.create(draft("new", "longer"), turn=1),
            lambda: holder.create(draft("new", "\ud800"), turn=1),
            lambda: holder.edit("there", "", "x", turn=1),
            lambda: holder.edit("there", "a", "\ud800", turn=1),
            lambda: holder.edit("there", "a", "a", turn=1),
            lambda: holder.edit("there", "b", "x", turn=1),
            lambda: holder.edit("there", "a", "two", turn=1),
        )
    ] == [
        "Cannot create `new`: contents is empty. Give create_memory the text to keep.",
        "Cannot create `new`: contents is 6 of 5 characters. Shorten it and call create_memory again.",
        "Cannot create `new`: contents holds the lone surrogate U+D800 at character 1. "
        "Take it out and call create_memory again.",
        "Cannot edit `there`: old_string is empty. Give edit_memory the text to replace.",
        "Cannot edit `there`: new_string holds the lone surrogate U+D800 at character 1. "
        "Take it out and call edit_memory again.",
        "Cannot edit `there`: its body would stay as it is. Give edit_memory another text as new_string.",
        "Cannot edit `there`: old_string does not occur in it. "
        "Read it again with read_memory, or give edit_memory a text that stands in the body.",
        "Cannot edit `there`: its body would be 7 of 5 characters. "
        "Shorten new_string and call edit_memory again.",
    ]


def test_calls_are_spelled_as_the_agent_writes_them() -> None:
    spellings = {"memories.write_memory": "write_memory", "memories.delete_memory": "delete_memory"}
    store = store_of("scratchpad", max_count=1)
    holder = Holder(store, agent_id="root", access="write", scope="isolated", calls=spellings)
    holder.commit_write(draft("there"), turn=1)

    assert str(refusal_of(lambda: holder.check_write(draft("new")))) == (
        "Cannot write `new`: there would be 2 of 1 memories. Delete one with delete_memory."
    )
