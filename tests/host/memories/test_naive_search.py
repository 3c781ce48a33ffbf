"""A search through an index against a look at every text, over texts of many scripts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.memories import Found, MemoryDraft
from host.memories.search_index import SearchIndex
from tests.helpers.memories import draft, holder_of, store_of
from tests.host.memories.naive import Naive

# What folding lengthens, shortens or leaves; what composes; what parts words; what says nothing special.
PIECES = [
    *"abcABC.\n \u0130\u0131\u00df\u1e9e\ufb01\ufb03\u03a3\u03c3\u03c2",
    *"e\u00e9\u0301\u0327\u0345\u00c5\u212b\uac00\u1100\u1161\u11a8\u304b\u3099\u304c",
    *"\u0915\u093c\u093f\u0dd9\u0dca\u0dcf\u05e9\u05c1\u200d\U0001f469\ufe0f\u3000\u0085",
    "ab",
    "ab " * 30,
    "\u0130" * 50,
    "e\u0301" * 40,
]
texts = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
keywords = st.lists(st.lists(st.sampled_from(PIECES), max_size=3).map("".join), max_size=4)
memories = st.lists(st.tuples(texts, texts), max_size=6)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(memories, keywords, st.integers(0, 4), st.data())
def test_a_search_agrees_with_a_look_at_every_text(
    given_texts: list[tuple[str, str]], wanted: list[str], limit: int, data: st.DataObject
) -> None:
    holder = holder_of(store_of("keyword-search", max_results=limit))
    model = Naive({"max_results": limit}, describes=False)
    others = [("", "-")] * 12  # so many that it pays to look words up
    for number, (description, body) in enumerate(given_texts + others):
        made = draft(f"m{number}", body.strip() or "-", description=" ".join(description.split()))
        holder.create(made, turn=1)
        model.put(MemoryDraft(name=made.name, description=made.description.strip(), body=made.body))
    for name in data.draw(st.lists(st.sampled_from(sorted(model.rows)), unique=True)) if model.rows else ():
        holder.delete(name, turn=2)
        model.remove(name)

    expected = model.search(wanted)

    if isinstance(expected, str):
        assert expected == "no_keywords"
        return
    found = holder.search(wanted)
    assert found == Found(keywords=found.keywords, hits=tuple(expected[0]), total=expected[1])


WORDS = ["aa", "aaaa", "ab", "ba", "abab", "b", "c", "d", "e"]
KEYWORDS = [*WORDS, "a", "aaa", "a b", "aa a", "ab ba", "0\n\na", "z"]
bodies_of_words = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), max_size=30
)


@pytest.mark.slow
@settings(max_examples=200)
@given(bodies_of_words, st.sampled_from(KEYWORDS))
def test_what_words_tell_is_what_the_texts_tell(bodies: list[str], keyword: str) -> None:
    """Whether many words hold a keyword, so that the texts are looked through, or few."""
    index, expected = SearchIndex(), {}
    for number, body in enumerate(bodies):
        memory = draft(f"{number}", body, description="").stored(revision=1)
        index.add(memory)
        if times := body.count(keyword):
            expected[memory.name] = times

    assert index.occurrences(keyword) == expected
