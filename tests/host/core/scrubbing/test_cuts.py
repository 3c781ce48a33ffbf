"""Cuts of texts leave no part of a secret."""

from hypothesis import given
from hypothesis import strategies as st

from host.core.scrubbing.cuts import REACH, first_cut, last_cut

KEY = "sk-abcdefghijklmnopqrstuv"
TEXT = f"use {KEY} now"


def test_a_cut_within_a_secret_goes_to_its_ends() -> None:
    assert [last_cut(TEXT, at) for at in (0, 4, 5, 28, 29, 31)] == [0, 4, 4, 4, 29, 31]
    assert [first_cut(TEXT, at) for at in (0, 4, 5, 28, 29, 31)] == [0, 4, 29, 29, 29, 31]


def test_a_cut_at_or_beyond_the_ends_stays() -> None:
    assert (last_cut(TEXT, 99), first_cut(TEXT, 99), first_cut(TEXT, -1)) == (99, 99, -1)


def test_a_long_text_is_looked_at_around_the_cut() -> None:
    text = f"{'x ' * REACH}{KEY}{' y' * REACH}"
    begin = 2 * REACH

    assert (last_cut(text, begin + 9), first_cut(text, begin + 9)) == (begin, begin + len(KEY))


@given(st.integers(0, len(TEXT)))
def test_nothing_of_a_secret_is_left(at: int) -> None:
    before, after = TEXT[: last_cut(TEXT, at)], TEXT[first_cut(TEXT, at) :]

    assert KEY in before or "sk-" not in before
    assert KEY in after or "uv" not in after
