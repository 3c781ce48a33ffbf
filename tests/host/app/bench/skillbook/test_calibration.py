"""The frozen pairs, and the figures that thresholds are taken by."""

import re
from collections import Counter

import pytest

from host.app.bench.skillbook import KINDS, CalibrationSet, JudgedPair, Offer, calibrate, load_calibration_set
from host.app.skillbook import embedding_measure
from host.launch import embeddings_missing
from host.skillbook import Lexical
from tests.helpers.skillbook_calibration import table

DIGEST = "9eb9eb8e542c"


def judged(key: str, a: str, b: str, *, same: bool, held_out: bool = False) -> JudgedPair:
    kind = "duplicate" if same else "unrelated"
    return JudgedPair(key=key, kind=kind, same=same, held_out=held_out, a=a, b=b)


SMALL = CalibrationSet(
    digest="0" * 64,
    pairs=(
        judged("p1", "wait for the lock", "wait for the lock", same=True),
        judged("p2", "send the order", "orders are sent", same=True),
        judged("p3", "open the file", "closed on Monday", same=False),
        judged("p4", "wait for it", "wait for it", same=False, held_out=True),
    ),
)


def test_the_set_is_the_one_that_the_thresholds_are_taken_by() -> None:
    assert load_calibration_set().digest[:12] == DIGEST


def test_the_set_has_each_kind_in_both_halves() -> None:
    pairs = load_calibration_set().pairs
    halves = {kind: Counter(pair.held_out for pair in pairs if pair.kind == kind) for kind in KINDS}

    assert len(pairs) == 177
    assert {pair.kind for pair in pairs} == set(KINDS)
    assert [kind for kind, count in halves.items() if not 0 <= count[False] - count[True] <= 1] == []
    assert {pair.kind for pair in pairs if pair.same} == {"duplicate", "near_duplicate"}


def test_no_text_of_the_set_stands_in_two_pairs() -> None:
    texts = Counter(text for pair in load_calibration_set().pairs for text in (pair.a, pair.b))

    assert [text for text, count in texts.items() if count > 1] == []


def test_the_threshold_is_the_one_that_the_half_for_tuning_gives() -> None:
    figures = calibrate(Lexical())

    assert (figures.threshold, figures.tuned) == (4_200, 4_200)
    assert figures.halves == {
        "tuning": Offer(found=34, missed=0, in_vain=30),
        "held out": Offer(found=32, missed=1, in_vain=23),
    }


def test_look_alikes_in_the_same_words_are_offered() -> None:
    kinds = calibrate(Lexical()).kinds

    assert (kinds["negation"], kinds["other_remedy"], kinds["unrelated"]) == ((14, 14), (18, 20), (2, 24))


@pytest.mark.skipif(embeddings_missing() is not None, reason="the extra embeddings is not installed")
def test_the_threshold_of_embeddings_is_the_one_that_the_half_for_tuning_gives() -> None:
    figures = calibrate(embedding_measure())

    assert (figures.threshold, figures.tuned) == (6_200, 6_200)


def test_figures_of_a_small_set() -> None:
    figures = calibrate(Lexical(), SMALL)

    assert figures.halves == {
        "tuning": Offer(found=2, missed=0, in_vain=0),
        "held out": Offer(found=0, missed=0, in_vain=1),
    }
    assert figures.curve[10_000]["tuning"] == Offer(found=1, missed=1, in_vain=0)
    assert figures.tuned == 5_100  # the last hundred below what the second pair comes to
    assert (figures.kinds["duplicate"], figures.kinds["unrelated"]) == ((2, 2), (1, 2))
    assert figures.strangers == (4, 24)  # the fourth pair has words of the first


SHARES = [
    pytest.param(Offer(found=8, missed=2, in_vain=8), (0.5, 0.8, 40 / 56), id="some"),
    pytest.param(Offer(found=0, missed=0, in_vain=0), (1.0, 1.0, 1.0), id="nothing"),
    pytest.param(Offer(found=0, missed=3, in_vain=1), (0.0, 0.0, 0.0), id="none found"),
]


@pytest.mark.parametrize(("offer", "expected"), SHARES)
def test_shares(offer: Offer, expected: tuple[float, float, float]) -> None:
    assert (offer.precision, offer.recall, offer.f2) == pytest.approx(expected)


def test_the_table_has_a_line_for_each_half_around_the_threshold() -> None:
    lines = list(table(calibrate(Lexical())))

    assert lines[:2] == [
        f"lexical/1, 177 pairs, set {DIGEST}",
        "threshold 0.4200; the half for tuning gives 0.4200",
    ]
    assert "0.4200    held out         32       1       23      0.582   0.970  0.856" in lines
    assert "near_duplicate    46 of 47" in lines
    assert [line for line in lines if re.search(r"\s$", line)] == []
