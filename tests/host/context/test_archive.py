"""The archive of a window: what a search finds, and in which order."""

import pytest

from host.context import Archive, Archived, ArchiveFound, Entry
from host.core.messages import ToolCall

TEXTS = ("Unit price of row 7", "price, price and Price", "İstanbul", "nothing of the kind", "unit\u00a0test")


def archive(*texts: str) -> Archive:
    made = Archive()
    made.add(Entry(role="user", band="text_view", text=text) for text in texts)
    return made


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("price", [2, 1]),
        ("PRICE unit", [1]),
        ("unit", [1, 5]),
        ("  row\n7 ", [1]),
        ("i̇stanbul", [3]),
        ("price missing", []),
        (".*", []),
    ],
)
def test_every_word_has_to_stand_in_a_message(query: str, found: list[int]) -> None:
    assert [hit.seq for hit in archive(*TEXTS).search(query).hits] == found


def test_an_empty_archive_says_so() -> None:
    assert Archive().search("a") == ArchiveFound(is_empty=True, hits=())
    assert archive("b").search("a") == ArchiveFound(is_empty=False, hits=())


def test_at_most_eight_hits_and_the_earlier_first_among_equals() -> None:
    assert [hit.seq for hit in archive(*["a"] * 20).search("a").hits] == list(range(1, 9))


def test_a_word_that_is_said_twice_counts_once() -> None:
    assert [hit.seq for hit in archive("b a a", "a b b b").search("a a A b").hits] == [2, 1]


def test_the_arguments_of_calls_are_searched_too() -> None:
    made = Archive()
    call = ToolCall(id="1", name="submit_program", arguments='{"program": "let rate = 7;"}')
    made.add([Entry(role="assistant", band="program", text="", tool_calls=(call,))])

    assert made.search("rate").hits == (
        Archived(seq=1, role="assistant", text='{"program": "let rate = 7;"}'),
    )
