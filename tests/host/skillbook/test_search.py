import pytest

from host.core.bm25 import idf, weight
from host.skillbook import Hit, Skillbook, search_skills
from tests.helpers.skillbooks import book_of, skill

BOOK = book_of(
    skill("a", "設備の点検が遅れる", insight="早めに予約する", keywords=("maintenance",)),
    skill("b", "the café closes early", insight="order before noon", keywords=("opening_hours",)),
    skill("c", "a message holds 🚀", insight="count it as one character", keywords=("emoji",)),
    skill("d", "an order fails", insight="send it again", keywords=("orders",), section="harness"),
    skill("e", "orders and orders", insight="batch the orders", keywords=("orders",), scope="shop"),
)


def ids(query: str, *, book: Skillbook = BOOK, scope: str | None = "shop", **options: object) -> list[str]:
    return [hit.skill.id for hit in search_skills(book, query, scope=scope, **options)]  # type: ignore[arg-type]


QUERIES = [
    ("設備", ["a"]),
    ("café", ["b"]),
    ("cafe\u0301", ["b"]),
    ("🚀", ["c"]),
    ("ORDERS", ["e", "d", "b"]),
    ("opening hours", ["b"]),
    ("the order", ["e", "d", "b"]),
    ("keywords", []),
    ("zebra", []),
    ("", []),
    ("...", []),
]


@pytest.mark.parametrize(("query", "found"), QUERIES)
def test_the_skills_that_share_words_with_a_query_are_found_best_first(query: str, found: list[str]) -> None:
    assert ids(query) == found


def test_the_score_is_bm25_over_the_issue_the_insight_and_the_keywords() -> None:
    book = book_of(
        skill("a", "disk full", insight="free space", keywords=("disk_full",)),
        skill("b", "network", insight="retry", keywords=("net",)),
    )

    assert search_skills(book, "disk", scope=None) == [
        Hit(book.skills()[0], pytest.approx(idf(2, 1) * weight(2, 6, (6 + 3) / 2)))
    ]


UNSERVED = [
    pytest.param({"active": False}, id="removed"),
    pytest.param({"active": False, "review": "pending", "evidence_is": "untrusted"}, id="held back"),
    pytest.param({"review": "pending"}, id="held back, and active by another's hand"),
    pytest.param({"active": False, "merged_into": "b"}, id="merged"),
    pytest.param({"merged_into": "b"}, id="merged, and active by another's hand"),
    pytest.param({"scope": "billing"}, id="out of scope"),
]


@pytest.mark.parametrize("fields", UNSERVED)
def test_what_runs_are_not_told_of_is_never_found(fields: dict[str, object]) -> None:
    book = book_of(skill("a", "disk full", **fields), skill("b", "network down"))

    assert ids("disk full", book=book) == []
    assert [each.id for each in book.skills(scope="shop")] == ["b"]


SCOPES = [("shop", ["a", "b"]), ("billing", ["a", "c"]), (None, ["a"]), ("*", ["a", "b", "c"])]


@pytest.mark.parametrize(("scope", "found"), SCOPES)
def test_skills_of_the_scope_and_those_for_everywhere_are_found(scope: str | None, found: list[str]) -> None:
    book = book_of(skill("a"), skill("b", scope="shop"), skill("c", scope="billing"))

    assert ids("lock", book=book, scope=scope) == found


FILTERS = [
    ({"top_k": 1}, ["e"]),
    ({"section": "harness"}, ["d"]),
    ({"keywords": ["Orders"]}, ["e", "d"]),
    ({"keywords": ["opening  hours", "nothing"]}, ["b"]),
    ({"keywords": ["orders"], "section": "context"}, ["e"]),
    ({"keywords": ["nothing"]}, []),
    ({"keywords": [" "]}, ["e", "d", "b"]),
]


@pytest.mark.parametrize(("options", "found"), FILTERS)
def test_a_search_is_narrowed_by_number_section_and_keywords(
    options: dict[str, object], found: list[str]
) -> None:
    assert ids("orders", **options) == found


def test_of_equal_scores_the_one_that_was_added_first_comes_first_and_five_are_found() -> None:
    assert ids("lock", book=book_of(*(skill(f"s{n}") for n in range(7)))) == ["s0", "s1", "s2", "s3", "s4"]


WRONG = [
    ({"section": "orders"}, "section 'orders' is none of context and harness"),
    ({"top_k": 0}, "top_k is 0; ask for 1 or more"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_what_cannot_be_asked_for_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        ids("orders", **options)
