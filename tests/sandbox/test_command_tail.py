"""The end of an output: the same text as cutting the whole would give, in memory that does not grow."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.command_tail import OutputTail

KEEP = 8

TAILS = [
    pytest.param([], ("", 0), id="nothing"),
    pytest.param([b"", b"abc", b""], ("abc", 0), id="less"),
    pytest.param([b"abcd", b"efgh"], ("abcdefgh", 0), id="as much"),
    pytest.param([b"abcd", b"efghi"], ("…bcdefghi", 1), id="one byte more"),
    pytest.param([b"a" * 100], ("…aaaaaaaa", 92), id="much more at once"),
    pytest.param([b"a"] * 100, ("…aaaaaaaa", 92), id="much more, bit by bit"),
    pytest.param(["é€€".encode() * 2], ("…é€€", 8), id="between characters"),
    pytest.param(["€€€€".encode()], ("…€€", 6), id="within a character"),
    pytest.param(["😀😀😀".encode(), b"x"], ("…😀x", 8), id="within one of four bytes"),
    pytest.param([b"\xff\x00\xfe"], ("�\x00�", 0), id="no UTF-8"),
    pytest.param([b"\x80" * 20], ("…�����", 15), id="no UTF-8 that looks like the middle of a character"),
    pytest.param([b"abc\xe2\x82"], ("abc�", 0), id="a character that was never ended"),
]


@pytest.mark.parametrize(("chunks", "expected"), TAILS)
def test_the_end_is_kept(chunks: list[bytes], expected: tuple[str, int]) -> None:
    tail = OutputTail(KEEP)
    for chunk in chunks:
        tail.add(chunk)

    assert tail.read() == expected


@given(st.lists(st.text(max_size=40).map(str.encode)), st.integers(min_value=4, max_value=64))
def test_it_is_a_whole_end_of_any_text(chunks: list[bytes], keep: int) -> None:
    tail = OutputTail(keep)
    for chunk in chunks:
        tail.add(chunk)
    text, cut = tail.read()
    whole = b"".join(chunks)

    assert whole[cut:].decode() == (text.removeprefix("…") if cut else text)
    assert len(whole) - cut <= keep
    assert cut == 0 or len(whole) - cut > keep - 4


def test_memory_does_not_grow_with_the_output() -> None:
    tail = OutputTail(KEEP)
    for _ in range(1000):
        tail.add(b"x" * 65_536)

    assert sys.getsizeof(tail._kept) < 200
    assert tail.read() == ("…" + "x" * KEEP, 65_536_000 - KEEP)
