"""Tokens are counted in whole numbers, and each counter says how far off it may be."""

import pytest

from host.context import CallerCounter, CharacterCounter, Counter, Utf8Counter

COUNTERS = [
    pytest.param(CharacterCounter(), ("characters / 4", 30, 1), id="characters"),
    pytest.param(Utf8Counter(), ("UTF-8 bytes", 0, 6), id="bytes"),
    pytest.param(CallerCounter(len), ("the caller's counter", 10, 2), id="a caller's"),
    pytest.param(CallerCounter(len, name="mine", margin_percent=5), ("mine", 5, 2), id="a caller's, named"),
]


@pytest.mark.parametrize(("counter", "expected"), COUNTERS)
def test_each_counter_has_a_margin(counter: Counter, expected: tuple[str, int, int]) -> None:
    assert (counter.name, counter.margin_percent, counter.count("超时")) == expected


@pytest.mark.parametrize("given", [-1, 1.5, True, None])
def test_what_is_no_count_is_refused(given: object) -> None:
    counter = CallerCounter(lambda _: given)  # type: ignore[arg-type, return-value]

    with pytest.raises(ValueError, match=r"^the caller's counter gave .*; a whole number of 0 or more is"):
        counter.count("text")
