"""Which pages words find, in which order, and which keys a misspelt name meant."""

import pytest

from host.operations import Page
from host.operations.docs_search import matching, near_keys


def page(key: str, signature: str = "", summary: str = "", text: str = "") -> Page:
    module, _, name = key.rpartition(".")
    return Page(
        key=key,
        kind="function",
        module=module,
        name=name,
        signature=signature,
        summary=summary,
        text="\n".join((signature, summary, text)),
    )


PAGES = (
    page("board.list", text="Reads cards."),
    page("board.add", summary="Adds a card."),
    page("board.move", "move(card: string)"),
    page("board.cardsOf"),
    page("board.card"),
    page("memories.readCard", "readCard(name: string): string", "Reads a note.", "Straße"),
)

FOUND = [
    pytest.param(
        "card",
        ["board.card", "board.cardsOf", "memories.readCard", "board.move", "board.add", "board.list"],
        id="name, signature, summary, text; of names the nearest",
    ),
    pytest.param("CARD", ["board.card", "board.cardsOf", "memories.readCard"], id="any case"),
    pytest.param("read card", ["memories.readCard", "board.list"], id="each word somewhere"),
    pytest.param("card  read\tcard", ["memories.readCard", "board.list"], id="order and repetition"),
    pytest.param("board.m", ["board.move"], id="a key"),
    pytest.param("STRASSE", ["memories.readCard"], id="letters that are more than one in capitals"),
    pytest.param("card zzz", [], id="a word that is nowhere"),
    pytest.param("", [one.key for one in PAGES], id="no word"),
    pytest.param(" \n", [one.key for one in PAGES], id="white space"),
]


@pytest.mark.parametrize(("query", "keys"), FOUND)
def test_words_find_pages(query: str, keys: list[str]) -> None:
    assert [found.key for found in matching(PAGES, query)][: len(keys) or None] == keys


def test_a_query_of_megabytes_finds_nothing() -> None:
    assert matching(PAGES, "card " * 1_000_000 + "x" * 1_000_000) == []


NEAR = [
    pytest.param("board.crad", ["board.card", "board.add", "board.cardsOf"], id="a key"),
    pytest.param("redCard", ["memories.readCard", "board.card"], id="a bare name"),
    pytest.param("zzzzz", [], id="nothing"),
    pytest.param("x" * 1_000_000, [], id="megabytes"),
]


@pytest.mark.parametrize(("name", "keys"), NEAR)
def test_names_that_are_near(name: str, keys: list[str]) -> None:
    assert near_keys(name, PAGES) == keys


def test_one_name_of_two_pages_is_two_keys() -> None:
    assert near_keys("clos", (page("views.close"), page("docs.close"))) == ["views.close", "docs.close"]
