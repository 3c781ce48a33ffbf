"""The sentences of the ceilings, to the letter."""

import pytest

from sandbox.limits import (
    calls_sentence,
    format_size,
    guest_time_sentence,
    is_value_sentence,
    memory_sentence,
    value_sentence,
)

MIB = 2**20


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (guest_time_sentence(30.04, 30.0), "Guest time: 30.0 s used, limit 30 s."),
        (guest_time_sentence(0.31, 0.3), "Guest time: 0.3 s used, limit 0.3 s."),
        (guest_time_sentence(12.5, 12.437), "Guest time: 12.5 s used, limit 12.44 s."),
        (memory_sentence(256 * MIB), "Memory: limit 256 MiB reached."),
        (calls_sentence(10_001, 10_000), "SDK calls: 10,001st call, limit 10,000."),
        (calls_sentence(12, 11), "SDK calls: 12th call, limit 11."),
        (calls_sentence(113, 112), "SDK calls: 113th call, limit 112."),
        (calls_sentence(22, 21), "SDK calls: 22nd call, limit 21."),
        (calls_sentence(3, 2), "SDK calls: 3rd call, limit 2."),
        (value_sentence(9_646_899, 8 * MIB), "Value: 9.2 MiB, limit 8 MiB."),
        (value_sentence(8 * MIB + 1, 8 * MIB), "Value: 8,388,609 bytes, limit 8,388,608 bytes."),
        (value_sentence(2_048, 1_536), "Value: 2.0 KiB, limit 1.5 KiB."),
    ],
)
def test_sentence(sentence: str, expected: str) -> None:
    assert sentence == expected


@pytest.mark.parametrize(
    ("count", "expected"), [(0, "0 B"), (1_023, "1023 B"), (1_024, "1 KiB"), (3 * 2**30, "3 GiB")]
)
def test_size(count: int, expected: str) -> None:
    assert format_size(count) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (value_sentence(9_646_899, 8 * MIB), True),
        (value_sentence(8 * MIB + 1, 8 * MIB), True),
        ("Value: 8,388,609 bytes, limit 8,388,608 bytes.", True),
        ("Value: 9.2 MiB, limit 8 MiB.\nNotice", False),
        ("Compiler error", False),
    ],
)
def test_a_reworded_sentence_is_none(text: str, expected: bool) -> None:
    assert is_value_sentence(text) is expected
