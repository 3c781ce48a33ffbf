"""What is told of a text that does not have what was looked for, case by case."""

import pytest

from host.core.near_miss import MAX_SHOWN_CHARS, near_miss

CODE = "def total(rows):\n    count = 1\n    return count + 2\n"
PROSE = "The third column is sometimes quoted and sometimes not; parseCsv handles both. " * 8
ENDS = "; it does with line ends as the text has them, "
SPACE = "; it does with other white space, in line "

NEAR = [
    pytest.param("a\r\nb\r\n", "a\nb", ENDS + r"\r\n, in line 1", id="the text has CRLF"),
    pytest.param("x\na\nb\n", "a\r\nb", ENDS + r"\n, in line 2", id="the text has LF"),
    pytest.param(
        "def f():\n\n\tif a:\n\t\tpass\n", "    if a:\n        pass", SPACE + "3", id="indented otherwise"
    ),
    pytest.param("a  b\n\n c d", "b c", SPACE + "1", id="broken otherwise, runs before it"),
    pytest.param("a\n\n\nb", " b ", SPACE + "4", id="space around it"),
    pytest.param("one\ntwo\nthree", "thre e", "; the closest is line 3, `three`", id="another letter"),
    pytest.param("a\nThe CSV\n", "the csv", "; the closest is line 2, `The CSV`", id="another case"),
    pytest.param(
        CODE,
        "def total(rows):\n    count = 1\n    return count + 3",
        "; the closest is line 3, `    return count + 2`",
        id="the line that differs, not the first",
    ),
    pytest.param(
        CODE,
        "    return count + 2\n    count = 1",
        "; the closest is line 3, `    return count + 2`",
        id="lines that are there in another order",
    ),
    pytest.param("\tif a:\n", "if b:", "; the closest is line 1, `\\u0009if a:`", id="controls are spelled"),
    pytest.param("abcd xyz\nabcd", "abcde", "; the closest is line 2, `abcd`", id="the like in length first"),
    pytest.param("abcx\nabcy", "abcz", "; the closest is line 1, `abcx`", id="the earlier one first"),
    pytest.param(
        PROSE + "It needs a reboot on Mondays.",
        "needs a rebot on Mondays",
        "; the closest is line 1, `…mes not; parseCsv handles both. It needs a reboot on Mondays.`",
        id="a part of a long line",
    ),
    pytest.param(
        "Mondays need a reboot, " + PROSE,
        "Mondays need a rebot",
        "; the closest is line 1, `Mondays need a reboot, The third column is sometimes quoted and sometimes "
        "not; parseCsv handles both. The third column i…`",
        id="the beginning of a long line",
    ),
    pytest.param("alpha\nbeta", "omega", "", id="nothing near"),
    pytest.param("ab\ncd", "x", "", id="too short to be near anything"),
    pytest.param("", "x" * 9, "", id="an empty text"),
    pytest.param("a b\n", " \n ", "", id="white space alone"),
    pytest.param("x" * 2**20 + "y", "x y", "", id="a text that is not looked at"),
]


@pytest.mark.parametrize(("text", "old", "told"), NEAR)
def test_what_comes_near_is_told(text: str, old: str, told: str) -> None:
    assert near_miss(text, old) == told


def test_what_is_shown_is_bounded_however_long_the_line() -> None:
    text = "needle " * 10_000 + "thread " * 10_000

    told = near_miss(text, "needle, thread")

    begin = text.index("thread") // (MAX_SHOWN_CHARS // 2) * (MAX_SHOWN_CHARS // 2)
    assert told == f"; the closest is line 1, `…{text[begin - 60 : begin + 60]}…`"
