"""The numbers and the negations of a passage."""

import pytest

from host.context.selection.wording import Wording

NUMBERS = [
    pytest.param("1,000 and 1000", ("1000", "1000"), id="thousands"),
    pytest.param("1'234'567.89 and 1_000", ("1000", "1234567.89"), id="other separators"),
    pytest.param("3,14", ("3,14",), id="a decimal comma"),
    pytest.param("from 10-20, at -5, \u22126", ("-5", "-6", "10", "20"), id="signs"),
    pytest.param("v2.3.1 at 12:30", ("12:30", "2.3.1"), id="versions and times"),
    pytest.param("10\u00b2", ("102",), id="powers"),
    pytest.param("no digits", (), id="none"),
]


@pytest.mark.parametrize(("text", "expected"), NUMBERS)
def test_numbers(text: str, expected: tuple[str, ...]) -> None:
    assert Wording(text).numbers == expected


def test_negations_are_counted() -> None:
    text = "No, I don\u2019t; can't and cannot. Not a knot, NEITHER nor without. Never, none."

    assert dict(Wording(text).negations) == {
        "no": 1,
        "n't": 2,
        "cannot": 1,
        "not": 1,
        "neither": 1,
        "nor": 1,
        "without": 1,
        "never": 1,
        "none": 1,
    }
