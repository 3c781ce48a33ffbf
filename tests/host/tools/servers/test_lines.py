"""Lines cut out of chunks of bytes."""

import pytest

from host.tools.servers.bounds import Flooded
from host.tools.servers.lines import LineCutter, LongLine


def test_lines_come_out_whole_however_they_are_cut() -> None:
    lines = LineCutter(100)

    fed = [list(lines.feed(chunk)) for chunk in (b"on", b"e\ntwo\n", b"\nthr", b"ee")]

    assert fed == [[], [b"one", b"two"], [b""], []]
    assert lines.last() == b"three"
    assert lines.last() == b""


def test_a_long_line_is_told_by_its_edges_and_the_next_is_whole() -> None:
    lines = LineCutter(1000)

    cut = [line for chunk in (b"a" * 900, b"b" * 900, b"c" * 900 + b"\nnext\n") for line in lines.feed(chunk)]

    assert cut == [LongLine(b"a" * 200, b"c" * 200, 2700), b"next"]


def test_a_line_at_the_bound_is_kept() -> None:
    assert list(LineCutter(4).feed(b"abcd\nabcde\n")) == [b"abcd", LongLine(b"abcde", b"abcde", 5)]


def test_a_line_that_does_not_end_is_a_flood() -> None:
    lines = LineCutter(10, max_skipped_bytes=1000)
    list(lines.feed(b"x" * 1000))

    with pytest.raises(Flooded, match=r"^sent a message of more than 1000 bytes$"):
        list(lines.feed(b"x" * 10))
