from itertools import combinations

import pytest

from host.app.skillbook import embedding_measure
from host.core.envelope import Refused
from host.launch import embeddings_missing
from host.skillbook import Lexical

HAS_EXTRA = embeddings_missing() is None
needs_extra = pytest.mark.skipif(not HAS_EXTRA, reason="the extra embeddings is not installed")

REFUND = "Refunds for damaged parcels are issued within 14 days.\n\nAsk for a photo.\n\nKeywords: refunds"
MONEY = "Money back for a broken package is paid in two weeks.\n\nRequest a picture.\n\nKeywords: money_back"
OFFICE = "The office opens at eight.\n\nRing the bell.\n\nKeywords: office"
JAPANESE = "設備を停止する前に圧力を確認する。0.2 MPa\n\nKeywords: 設備"


@needs_extra
def test_the_same_in_other_words_is_similar() -> None:
    measure = embedding_measure()

    assert measure.similarity(REFUND, MONEY) > 2 * measure.similarity(REFUND, OFFICE)
    assert measure.similarity(REFUND, MONEY) > Lexical().similarity(REFUND, MONEY)
    assert measure.similarity(REFUND, MONEY) == measure.similarity(MONEY, REFUND)
    assert measure.similarity(REFUND, REFUND) == 10_000


@needs_extra
def test_the_name_says_the_model() -> None:
    assert embedding_measure().name.startswith("embeddings/wordllama-")
    assert embedding_measure().name.endswith("-l2_supercat_256-1")


@needs_extra
def test_a_text_mostly_in_another_script_is_not_read() -> None:
    measure = embedding_measure()

    assert [measure.reads(text) for text in (REFUND, JAPANESE, "🚀", "")] == [True, False, False, False]
    assert measure.similarity(JAPANESE, "MPa") == 0
    assert measure.similarity(JAPANESE, JAPANESE) == 10_000


@needs_extra
def test_pairs_are_those_of_comparing_each_with_each() -> None:
    measure = embedding_measure()
    texts = [
        REFUND,
        MONEY,
        OFFICE,
        JAPANESE,
        "",
        *(f"{REFUND} {n}" for n in "abc"),
        "office",
        "the bell rings",
    ]
    expected = {
        (one, other, similarity)
        for one, other in combinations(range(len(texts)), 2)
        if (similarity := measure.similarity(texts[one], texts[other])) >= 3_000
    }

    assert set(measure.pairs(texts, 3_000)) == expected
    assert len(expected) > 10


@needs_extra
def test_fewer_than_two_texts_that_are_read_have_no_pairs() -> None:
    assert list(embedding_measure().pairs([REFUND, "", JAPANESE], 1)) == []


@needs_extra
def test_a_least_that_every_two_texts_reach_is_refused() -> None:
    told = r"a least similarity of 0\.0000 is below 0\.0001, and every two texts reach it"
    with pytest.raises(ValueError, match=told):
        list(embedding_measure().pairs([REFUND, MONEY], 0))


def test_without_the_extra_the_measure_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.launch.embeddings.find_spec", lambda name: None)

    with pytest.raises(Refused) as caught:
        embedding_measure()

    assert caught.value.message == (
        "comparing skills by embeddings needs the extra `embeddings`, whose package numpy is not installed:"
        " pip install 'gg[embeddings]'"
    )
