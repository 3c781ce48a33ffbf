"""Whole sentences of an item within a budget."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.context import MAX_COMPRESSED_CHARS, compress, estimate_tokens
from host.context.selection.sentences import sentence_spans, sentences
from host.core.context_item import ContextItem
from host.core.envelope import Refused


def item(value: str, **more: Any) -> ContextItem:  # noqa: ANN401
    return ContextItem("key", value, source="file", **more)


def test_repeated_words_are_kept_in_the_order_of_the_text() -> None:
    text = "Tea is served. The valve leaks. Call Ann. The valve is old."

    short = compress(item(text), 9)

    assert short.value == "The valve leaks. The valve is old."
    assert short.metadata["source_offsets"] == [[15, 31], [42, 59]]


def test_equals_go_by_place() -> None:
    assert compress(item("Alpha came. Beta went."), 3).value == "Alpha came."


def test_what_does_not_fit_is_skipped() -> None:
    assert compress(item("Valve, valve and more of the valve. Tea."), 2).value == "Tea."


def test_what_fits_is_whole() -> None:
    assert compress(item("One.\n\n  Two."), 100).value == "One. Two."


def test_it_remains_the_item_that_it_was_and_says_what_it_is() -> None:
    given_item = item("One. Two.", section="notes", kind="memory_note", metadata={"line": 3})

    short = compress(given_item, 1)

    assert (short.key, short.source, short.section, short.kind) == ("key", "file", "notes", "memory_note")
    assert short.metadata == {
        "line": 3,
        "source_offsets": [[0, 4]],
        "completion_state": "qualified-draft",
        "code": "G6_E_CONTEXT_UNVERIFIED",
    }


def test_chinese_within_ten_tokens() -> None:
    text = f"解析器超时。{'这是一个很长的句子' * 6}。重试三次。"

    assert compress(item(text), 10).value == "解析器超时。 重试三次。"


REFUSED = [
    pytest.param(item("One."), 0, "BUDGET", "budget 0 is no number of tokens", id="no budget"),
    pytest.param(item("One."), True, "BUDGET", "budget True is", id="a boolean"),
    pytest.param(
        item("A long sentence. A longer sentence."), 2, "BUDGET",
        "no sentence fits 2 tokens; the shortest takes 4 tokens", id="none fits",
    ),
    pytest.param("One.", 9, "INPUT", "a str is no ContextItem", id="a text"),
    pytest.param(item(b"One."), 9, "INPUT", "the item's value is bytes", id="bytes"),  # type: ignore[arg-type]
    pytest.param(item(" \n"), 9, "INPUT", "the item has no sentence", id="blank"),
    pytest.param(
        item("a" * (MAX_COMPRESSED_CHARS + 1)), 9, "INPUT",
        "the item has 1,000,001 characters, limit 1,000,000", id="too long",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("given_item", "budget", "code", "message"), REFUSED)
def test_refusals(given_item: Any, budget: Any, code: str, message: str) -> None:  # noqa: ANN401
    with pytest.raises(Refused) as refused:
        compress(given_item, budget)

    assert refused.value.code == f"G6_E_CONTEXT_COMPRESSION_{code}"
    assert refused.value.message.startswith(message)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["ab. ", ". ", ".", "x", "。", "1. ", "x.) ", "n't ", ".)"])
def test_the_longest_item_is_compressed(unit: str) -> None:
    text = unit * (MAX_COMPRESSED_CHARS // len(unit))

    assert compress(item(text), MAX_COMPRESSED_CHARS // 4).value == " ".join(sentences(text))


@given(text=st.text(st.sampled_from("abc .!?\n。1")), budget=st.integers(1, 10))
def test_what_is_left_are_whole_sentences_within_the_budget(text: str, budget: int) -> None:
    spans = sentence_spans(text)
    if all(estimate_tokens(text[a:b]) > budget for a, b in spans):
        with pytest.raises(Refused, match="no sentence fits" if spans else "has no sentence"):
            compress(item(text), budget)
        return
    short = compress(item(text), budget)
    offsets: Any = short.metadata["source_offsets"]
    assert estimate_tokens(short.value) <= budget
    assert short.value == " ".join(text[a:b] for a, b in offsets)
    assert [tuple(offset) for offset in offsets] == [span for span in spans if list(span) in offsets]
