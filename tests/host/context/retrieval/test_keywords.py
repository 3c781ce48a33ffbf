"""What of a query is searched for, and where it is found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.context.retrieval.keywords import MAX_KEYWORDS, count_held, fold, keywords

QUERIES = [
    pytest.param("fix the parser timeout", ("fix", "parser", "timeout"), id="stop words go"),
    pytest.param("Parser PARSER parser", ("parser",), id="once, whatever the case"),
    pytest.param("go is ok", (), id="short words go"),
    pytest.param("max_read_bytes in x.py", ("max_read_bytes",), id="a name is one word"),
    pytest.param("don't-stop", ("don", "stop"), id="punctuation parts"),
    pytest.param("", (), id="nothing"),
    pytest.param("Größe ﬁle", ("grösse", "file"), id="folded by Unicode's rules"),
    pytest.param("\uff41\uff42\uff43", ("abc",), id="full width"),
    pytest.param("pass\u200bword", ("password",), id="a zero-width space parts nothing"),
    pytest.param("解析器超时", ("解析", "析器", "器超", "超时"), id="neighbours in Chinese"),
    pytest.param("修 bug123 超时", ("bug123", "超时"), id="a character alone says too little"),
    pytest.param("修复parser超时", ("修复", "parser", "超时"), id="scripts side by side"),
    pytest.param("हिन्दी", ("हिन्दी",), id="marks belong to their letters"),
]


@pytest.mark.parametrize(("query", "expected"), QUERIES)
def test_keywords_of_a_query(query: str, expected: tuple[str, ...]) -> None:
    assert keywords(query) == tuple(map(fold, expected))


def test_a_long_query_is_searched_for_by_its_first_keywords() -> None:
    assert keywords(" ".join(f"word{number}" for number in range(1000))) == tuple(
        f"word{number}" for number in range(MAX_KEYWORDS)
    )


HELD = [
    pytest.param("a prefix", ("fix", "parser"), 1, id="within a word"),
    pytest.param("PARSER FIX", ("fix", "parser"), 2, id="whatever the case"),
    pytest.param("请修复解析器", ("解析", "析器", "超时"), 2, id="Chinese"),
    pytest.param("parse fi", ("fix", "parser"), 0, id="a part of a keyword is none"),
]


@pytest.mark.parametrize(("text", "wanted", "count"), HELD)
def test_a_keyword_may_stand_anywhere(text: str, wanted: tuple[str, ...], count: int) -> None:
    assert count_held(fold(text), wanted) == count


@given(st.text())
def test_a_text_with_keywords_is_found_by_itself(text: str) -> None:
    found = keywords(text)

    assert count_held(fold(text), found) == len(found)


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200))
def test_folding_keeps_the_lines(text: str) -> None:
    assert fold(text).count("\n") == text.count("\n")
