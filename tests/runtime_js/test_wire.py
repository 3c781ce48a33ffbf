import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime_js.wire import Packet, Value, WireError, decode_packet, encode_packet, field, take_frame

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2**32 - 1) | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
PACKETS = st.builds(Packet, st.integers(0, 2**31 - 1), st.booleans(), VALUES)

BROKEN = [
    pytest.param(b"", "no packet: unpack_from requires a buffer of at least 4 bytes", id="empty"),
    pytest.param(b"\0\0\0\0", "no packet: index out of range", id="no value"),
    pytest.param(b"\0\0\0\0\0\0", "no packet: 1 bytes too many", id="more than one value"),
    pytest.param(b"\0\0\0\0\7\0\0\0\0", "no packet: unknown tag 7", id="unknown tag"),
    pytest.param(b"\0\0\0\0\3\2\0\0\0a", "no packet: it ends within a value", id="short string"),
    pytest.param(b"\0\0\0\0\5\xff\xff\xff\xff", "no packet: index out of range", id="short array"),
    pytest.param(b"\0\0\0\0" + b"\5\1\0\0\0" * 40, "no packet: values nested deeper than 32", id="deep"),
]


def test_a_packet_is_laid_out_as_documented() -> None:
    packet = Packet(3, True, {"a": [None, True, 5, "é", b"\1"]})

    assert encode_packet(packet) == (
        b"\x28\0\0\0\7\0\0\0"
        b"\6\1\0\0\0" + b"\1\0\0\0a"
        b"\5\5\0\0\0" + b"\0" + b"\1\1" + b"\2\5\0\0\0" + b"\3\2\0\0\0\xc3\xa9" + b"\4\1\0\0\0\1"
    )


def test_of_a_number_the_lowest_bits_are_sent() -> None:
    sent = encode_packet(Packet(0, False, -1))

    assert decode_packet(sent[4:]) == Packet(0, False, 2**32 - 1)


@given(PACKETS)
def test_a_packet_comes_back_as_it_was(packet: Packet) -> None:
    buffer = bytearray(encode_packet(packet) + b"rest")

    frame = take_frame(buffer)

    assert frame is not None
    assert decode_packet(frame) == packet
    assert buffer == b"rest"


@given(PACKETS, st.data())
def test_a_part_of_a_packet_is_waited_for(packet: Packet, data: st.DataObject) -> None:
    whole = encode_packet(packet)
    part = bytearray(whole[: data.draw(st.integers(0, len(whole) - 1))])
    before = bytes(part)

    assert take_frame(part) is None
    assert part == before


@given(st.binary())
def test_any_bytes_are_a_packet_or_an_error(frame: bytes) -> None:
    try:
        packet = decode_packet(frame)
    except WireError:
        return
    assert decode_packet(encode_packet(packet)[4:]) == packet


@given(PACKETS, st.data())
def test_a_damaged_packet_is_a_packet_or_an_error(packet: Packet, data: st.DataObject) -> None:
    frame = bytearray(encode_packet(packet)[4:])
    frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))

    try:
        decode_packet(bytes(frame))
    except WireError:
        return


@pytest.mark.parametrize(("frame", "message"), BROKEN)
def test_what_is_no_packet_is_named(frame: bytes, message: str) -> None:
    with pytest.raises(WireError) as error:
        decode_packet(frame)

    assert str(error.value).startswith(message)


def test_a_packet_with_a_long_array_is_cut_after_a_thousand_values() -> None:
    packet = Packet(1, True, {"a": "kept", "b": [[number] for number in range(1_001)], "c": "gone"})

    assert decode_packet(encode_packet(packet)[4:]) == Packet(
        1, True, {"a": "kept", "b": [[number] for number in range(1_000)]}
    )


def test_a_frame_larger_than_any_is_refused_at_its_head() -> None:
    with pytest.raises(WireError, match=r"^a frame of 4294967295 bytes, limit 268435456$"):
        take_frame(bytearray(b"\xff\xff\xff\xff"))


@pytest.mark.parametrize("value", [{"path": 5}, {}, {"path": None}, [], None, "path"])
def test_a_field_of_another_type_is_refused(value: Value) -> None:
    with pytest.raises(WireError, match=r"^field 'path' is .*, not str$"):
        field(value, "path", str)
