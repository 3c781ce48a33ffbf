"""YAML's core schema: what a plain scalar means."""

import pytest

from host.launch.formats import Unreadable
from host.launch.formats.yaml_scalars import joined, plain_value

VALUES = [
    *((text, None) for text in ("", "~", "null", "Null", "NULL")),
    *((text, True) for text in ("true", "True", "TRUE")),
    *((text, False) for text in ("false", "False", "FALSE")),
    *(("0", 0), ("-0", 0), ("+7", 7), ("-12", -12), ("0o17", 15), ("0x1F", 31), ("0xff", 255)),
    *(("1.5", 1.5), ("1.", 1.0), (".5", 0.5), ("-1e3", -1000.0), ("+0.1E-1", 0.01), ("1e3", 1000.0)),
]
TEXTS = [
    *("no", "No", "off", "on", "yes", "y", "n", "nULL", "tRUE", "=", "<<"),
    *("2026-11-30", "2026-11-30T07:00:00Z", "12:30", "12:30:45", "190:20:30"),
    *("1_000", "0b11", "0o18", "0xG", "-0o17", "+0x1", "1e", "e3", ".", "-", "+", "..5", "1.2.3", "0o", "0x"),
    *("inf", "nan", ".iNf", "-.nan", "1,000", "7 8", "½", "٣"),
]
UNREADABLE = [
    *((text, "not a finite number") for text in (".inf", "-.INF", "+.Inf", ".nan", ".NaN", ".NAN", "1e999")),
    *(
        (text, "a number with a leading 0; leave the 0 out, or set the value in quotes")
        for text in ("00", "017", "-08", "+09")
    ),
    *((text, "larger than any number that a key takes") for text in ("9" * 310, "0x" + "F" * 400)),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_a_scalar_of_the_schema_is_its_value(text: str, value: object) -> None:
    found = plain_value(text)

    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("text", TEXTS)
def test_any_other_scalar_is_text(text: str) -> None:
    assert plain_value(text) is text


@pytest.mark.parametrize(("text", "reason"), UNREADABLE)
def test_a_scalar_that_no_configuration_can_hold_says_why(text: str, reason: str) -> None:
    found = plain_value(text)

    assert isinstance(found, Unreadable)
    assert (str(found), found.reason) == (text, reason)


@pytest.mark.parametrize(
    ("text", "whole"), [("\ud83d\ude00", "😀"), ("\ude00\ud83d", "\ude00\ud83d"), ("a\ud83d", "a\ud83d")]
)
def test_a_pair_of_surrogates_is_one_character(text: str, whole: str) -> None:
    assert joined(text) == whole
