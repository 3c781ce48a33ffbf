"""What a search finds, in which order, and the excerpts that it shows."""

import pytest

from host.memories import MAX_KEYWORDS, Found, Hit, Holder
from host.memories.search import MAX_FOUND_CHARS
from tests.helpers.memories import draft, holder_of, refusal_of, store_of

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
FOUND = [
    ("src/app.py", "see src/app.py, line 3"),
    ("don't", "You don't say"),
    ("C++", "in C++ or C"),
    ("c++", "in C++"),
    ("設備", "設備の点検"),
    ("itgc", "使用itgc系统"),
    ("ITGC", "使用itgc系统"),
    ("café", "le cafe\u0301 du coin"),
    ("cafe\u0301", "le CAFÉ du coin"),
    ("İ", "in İstanbul"),
    ("i\u0307stanbul", "in İSTANBUL"),
    ("STRASSE", "die Straße"),
    ("straße", "DIE STRASSE"),
    ("ﬁle", "a FILE"),
    ("file", "a ﬁle"),
    ("ὁδός", "ΤΗΣ ὉΔΌΣ"),
    ("\u03c3", "\u03bf\u03b4\u03bf\u03c2"),
    ("\u1112\u1161\u11ab", "\ud55c\uae00"),
    ("\ud55c", "\u1112\u1161\u11ab\u1100\u1173\u11af"),
    ("が", "か\u3099"),
    ("कि", "यह कि वह"),
    ("שלום", "אמר שָׁלוֹם? שלום"),
    ("مرحبا", "قال مرحبا"),
    (FAMILY, f"they {FAMILY} came"),
    ("\U0001f469", f"they {FAMILY} came"),
    (".*", "grep .* here"),
    ("\\d", "a \\d in it"),
    ("two words", "of Two Words"),
    ("one\ntwo", "say one\ntwo"),
    ("\0", "a\0b"),
    ("n", "note"),
]
NOT_FOUND = [
    ("I", "\u0131"),
    ("e", "é"),
    ("e", "e\u0301"),
    ("\u1112", "\ud55c"),
    ("two words", "two  words"),
    (".*", "anything"),
    ("z", "a"),
    ("a about", "x"),
]


def holding(*bodies: str, **fields: str) -> Holder:
    """A holder of memories `m0`, `m1`, … with these bodies and no description."""
    holder = holder_of(store_of("keyword-search"))
    for number, body in enumerate(bodies):
        holder.create(draft(f"m{number}", body, **{"description": "", **fields}), turn=1)
    return holder


def excerpts(holder: Holder, *keywords: str) -> list[str]:
    return [hit.excerpt for hit in holder.search(keywords).hits]


@pytest.mark.parametrize(("keyword", "body"), FOUND)
def test_a_keyword_is_found_whatever_the_script(keyword: str, body: str) -> None:
    found = holding(body, "-").search([keyword])

    assert [(hit.name, hit.matched, hit.occurrences) for hit in found.hits] == [("m0", 1, 1)]


@pytest.mark.parametrize(("keyword", "body"), NOT_FOUND)
def test_a_keyword_is_not_found_where_it_is_not(keyword: str, body: str) -> None:
    assert holding(body).search([keyword]).total == 0


def test_a_hit_says_what_was_found_where() -> None:
    holder = holder_of(store_of("keyword-search"))
    holder.create(draft("session-recall", "Recall what\n\n a session did.", description="On recall"), turn=1)
    holder.create(draft("other", "Nothing.", description="", code="session", on_use="recall"), turn=1)
    holder.edit("session-recall", "did", "said", turn=2)

    assert holder.search([" Session-Recall", "RECALL\n", "session", "none"]) == Found(
        keywords=("Session-Recall", "RECALL", "session", "none"),
        hits=(
            Hit(
                name="session-recall",
                description="On recall",
                matched=3,
                occurrences=6,
                excerpt="Recall what a session said.",
                revision=2,
            ),
        ),
        total=1,
    )


def test_hits_are_ranked_by_keywords_then_by_occurrences_then_by_name() -> None:
    holder = holding("red red red red", "red blue", "blue blue red", "blue", "blue", "green", "BLUE red RED")

    found = holder.search(["red", "blue"])

    assert [(hit.name, hit.matched, hit.occurrences) for hit in found.hits] == [
        ("m2", 2, 3),
        ("m6", 2, 3),
        ("m1", 2, 2),
        ("m0", 1, 4),
        ("m3", 1, 1),
        ("m4", 1, 1),
    ]
    assert found.total == 6


@pytest.mark.parametrize(
    ("limit", "names"),
    [(0, ["m1", "m3", "m0", "m2"]), (4, ["m1", "m3", "m0", "m2"]), (3, ["m1", "m3", "m0"]), (1, ["m1"])],
)
def test_no_more_hits_than_allowed_come_and_the_total_is_told(limit: int, names: list[str]) -> None:
    holder = holder_of(store_of("keyword-search", max_results=limit))
    for name in ("m3", "m2", "m1", "m0", "none"):
        body = {"m1": "red red red", "m3": "red red", "none": "-"}.get(name, "red")
        holder.create(draft(name, body), turn=1)

    found = holder.search(["red"])

    assert ([hit.name for hit in found.hits], found.total) == (names, 4)


@pytest.mark.parametrize(
    ("keyword", "body", "occurrences"),
    [
        ("aa", "aaa", 1),
        ("aa", "aaaa aa", 3),
        ("abab", "ababab", 1),
        ("a", "aaa", 3),
        ("s", "ß", 2),
        ("i", "ﬁ", 1),
    ],
)
def test_occurrences_that_overlap_count_once(keyword: str, body: str, occurrences: int) -> None:
    assert holding(body).search([keyword]).hits[0].occurrences == occurrences


def test_a_keyword_is_counted_in_each_text_apart() -> None:
    holder = holder_of(store_of("keyword-search"))
    holder.create(draft("ab", "ab ab", description="b ab a"), turn=1)

    assert [holder.search([keyword]).total for keyword in ("ab\nb", "a\nab", "ab b", "ba")] == [0, 0, 0, 0]
    assert holder.search(["ab"]).hits[0].occurrences == 4


EXCERPTS = [
    pytest.param("one needle two", "one needle two", id="the whole body"),
    pytest.param("x" * 80 + "needle" + "y" * 80, "x" * 80 + "needle" + "y" * 80, id="just the whole body"),
    pytest.param("z" + "x" * 80 + "needle" + "y" * 80, "…" + "x" * 80 + "needle" + "y" * 80, id="cut before"),
    pytest.param("x" * 80 + "needle" + "y" * 81, "x" * 80 + "needle" + "y" * 80 + "…", id="cut after"),
    pytest.param(
        "ab " * 50 + "needle" + " cd" * 50,
        "…" + ("ab " * 27)[1:] + "needle" + (" cd" * 27)[:-1] + "…",
        id="cut at both ends",
    ),
    pytest.param("a\n\n\tb  needle\r\n\u3000c", "a b needle c", id="white space is one space"),
    pytest.param("x" * 9 + "\n" + " " * 78 + "\nneedle", "…needle", id="white space at a cut"),
    pytest.param("NEEDLE " + "x" * 99 + " needle", "NEEDLE " + "x" * 79 + "…", id="the earliest"),
    pytest.param("İ" * 100 + "needle", "…" + "İ" * 80 + "needle", id="characters that fold to two before it"),
    pytest.param("ß" * 90 + "needle", "…" + "ß" * 80 + "needle", id="sharp s before it"),
    pytest.param(
        "e\u0301" * 50 + "needle", "…" + "e\u0301" * 40 + "needle", id="two that compose to one before it"
    ),
    pytest.param("ﬁ" * 81 + "needle" + "ﬁ" * 81, "…" + "ﬁ" * 80 + "needle" + "ﬁ" * 80 + "…", id="ligatures"),
    pytest.param("x" * 200, "x" * 80 + "…", id="the top where the body has none"),
    pytest.param("x", "x", id="all of a body that has none"),
]


@pytest.mark.parametrize(("body", "excerpt"), EXCERPTS)
def test_an_excerpt_is_what_stands_around_the_place_in_the_body(body: str, excerpt: str) -> None:
    assert excerpts(holding(body, description="needle"), "needle") == [excerpt]


def test_an_excerpt_shows_the_text_as_it_is_written() -> None:
    assert excerpts(holding("x" * 81 + "Straße" + "y" * 81), "STRASSE") == [f"…{'x' * 80}Straße{'y' * 80}…"]
    assert excerpts(holding("x" * 81 + "ﬁ" + "y" * 81), "i") == [f"…{'x' * 80}ﬁ{'y' * 80}…"]
    assert excerpts(holding("x" * 81 + "cafe\u0301!" + "y" * 79), "CAFÉ") == [
        f"…{'x' * 80}cafe\u0301!{'y' * 79}"
    ]


def test_an_excerpt_is_about_the_earliest_of_the_keywords_and_the_longest_there() -> None:
    holder = holding("x" * 81 + "carpet" + "y" * 81 + "red")

    assert excerpts(holder, "red", "car", "carpet") == [f"…{'x' * 80}carpet{'y' * 80}…"]


def test_a_body_of_marks_alone_is_searched() -> None:
    holder = holding("\u0301\u0323" * 100_000)

    assert holder.search(["\u0323"]).hits[0].occurrences == 100_000
    assert excerpts(holder, "\u0323\u0301") == ["\u0301\u0323" * 290 + "…"]
    assert excerpts(holder, "\u0301\u0323" * 100_000) == ["\u0301\u0323" * 290 + "…"]


def test_what_was_found_is_shown_in_part_where_it_is_very_long() -> None:
    found = MAX_FOUND_CHARS * "a"
    body = "x" * 81 + found + "b" + "y" * 80

    assert excerpts(holding(body), found) == [f"…{'x' * 80}{found}b{'y' * 79}…"]
    assert excerpts(holding(body), f"{found}b") == [f"…{'x' * 80}{found}b{'y' * 79}…"]
    assert excerpts(holding("e" + "\u0301" * 1000), "\u0301") == ["e" + "\u0301" * 579 + "…"]


@pytest.mark.parametrize("keywords", [[], [""], [" ", "\n\t\u3000"]])
def test_a_search_for_nothing_is_refused(keywords: list[str]) -> None:
    refusal = refusal_of(lambda: holding("note").search(keywords))

    assert (refusal.kind, refusal.code, refusal.name) == ("no_keywords", "invalid-argument", "")
    assert str(refusal) == (
        "Cannot search the memories: keywords has nothing to look for. "
        "Give memories.searchMemories a word, or a part of one."
    )


def test_keywords_are_looked_for_once_each() -> None:
    found = holding("Café").search(["  café ", "", "CAFE\u0301", "\n", "caf", "Café"])

    assert found.keywords == ("café", "caf")
    assert holding("Café").search([" CAFE\u0301 ", "café", "İ"]).keywords == ("CAFE\u0301", "İ")
    assert [(hit.matched, hit.occurrences) for hit in found.hits] == [(2, 2)]


def test_a_lone_surrogate_is_no_keyword() -> None:
    refusal = refusal_of(lambda: holding("note").search(["a", "ab\udfff"]))

    assert (refusal.kind, refusal.code) == ("lone_surrogate", "invalid-argument")
    assert str(refusal) == (
        "Cannot search the memories: keyword 2 holds the lone surrogate U+DFFF at character 3. "
        "Take it out and call memories.searchMemories again."
    )


def test_keywords_are_bounded_in_number() -> None:
    holder = holding("note k7")
    keywords = [f"k{number}" for number in range(MAX_KEYWORDS)]

    assert holder.search([*keywords, *keywords, " "]).hits[0].matched == 1
    refusal = refusal_of(lambda: holder.search([*keywords, "one more"]))
    assert (refusal.kind, refusal.code, refusal.figure, refusal.limit) == (
        "keywords_cap",
        "limit-exceeded",
        101,
        100,
    )
    assert str(refusal) == (
        "Cannot search the memories: there are 101 of 100 keywords. Give memories.searchMemories fewer."
    )


def test_an_empty_store_is_searched_in_vain() -> None:
    assert holding().search(["note"]) == Found(keywords=("note",), hits=(), total=0)


def test_a_reader_searches_and_reads() -> None:
    store = store_of("keyword-search")
    holder_of(store).create(draft("there"), turn=1)
    reader = holder_of(store, access="read", withheld=("create_memory", "edit_memory", "delete_memory"))

    assert [hit.name for hit in reader.search(["NOTE"]).hits] == ["there"]
    assert reader.read("there").body == "note"
    assert str(refusal_of(lambda: reader.create(draft("new"), turn=1))) == (
        "Cannot create `new`: the memories are another agent's, to be read only. "
        "The calls there are: memories.readMemory and memories.searchMemories."
    )


def test_a_search_follows_every_change() -> None:
    holder = holding("red", "red and blue", "r" * 70_000 + " blue")
    names = lambda keyword: [hit.name for hit in holder.search([keyword]).hits]  # noqa: E731

    assert (names("red"), names("blue"), names("rr"), names("d and b")) == (
        ["m0", "m1"],
        ["m1", "m2"],
        ["m2"],
        ["m1"],
    )
    holder.edit("m1", "red and", "green", turn=2)
    holder.edit("m2", "blue", "red", turn=2)
    holder.delete("m0", turn=2)
    assert (names("red"), names("blue"), names("green"), names("d and b")) == (["m2"], ["m1"], ["m1"], [])
    holder.delete("m2", turn=3)
    holder.create(draft("m0", "Red again", description=""), turn=3)
    assert (names("red"), names("rr"), names("a")) == (["m0"], [], ["m0"])


def test_words_that_come_and_go_between_searches() -> None:
    """Among so many memories that a search looks words up, which it keeps from one search to the next."""
    holder = holding(*["-"] * 20)
    names = lambda keyword: [hit.name for hit in holder.search([keyword]).hits]  # noqa: E731

    assert names("red") == []
    holder.create(draft("new", "red-hot", description=""), turn=2)
    assert names("red") == ["new"]
    holder.edit("new", "red-hot", "blue-hot", turn=2)
    assert (names("red"), names("hot")) == ([], ["new"])
    holder.delete("new", turn=2)
    assert (names("hot"), names("new")) == ([], [])
    holder.create(draft("long", "r" * 70_000 + " two words", description=""), turn=3)
    holder.create(draft("short", "two words", description=""), turn=3)
    assert (names("two words"), names("wo w"), names("rr")) == (
        ["long", "short"],
        ["long", "short"],
        ["long"],
    )


def test_common_parts_of_words_are_counted_as_rare_ones_are() -> None:
    """However many words hold them, and whether or not a look into each memory is less work."""
    bodies = [f"w{number} x{number} w{number}y common" for number in range(40)]
    holder = holding(*bodies)

    for keyword in ("w", "w1", "x7", "common", "mm", "n", "y com", "w3 x3", "zz"):
        expected = {f"m{n}": count for n, body in enumerate(bodies) if (count := body.count(keyword))}
        assert {hit.name: hit.occurrences for hit in holder.search([keyword]).hits} == expected
