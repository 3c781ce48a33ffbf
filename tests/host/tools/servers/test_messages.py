"""Messages read from bytes, and the errors that stand in the place of answers."""

import pytest
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCResponse

from host.tools.servers.bounds import MAX_MESSAGE_BYTES
from host.tools.servers.lines import LongLine
from host.tools.servers.messages import (
    TOO_LARGE,
    UNREADABLE,
    NoMessage,
    answer_in_place,
    answered_by,
    read_long_line,
    read_message,
    without_half_characters,
)

HALVES = [
    pytest.param(rb'"\ud83d"', rb'"\ufffd"', id="first half"),
    pytest.param(rb'"\uDE00 x"', rb'"\ufffd x"', id="second half"),
    pytest.param(rb'"\ud83d\ude00"', rb'"\ud83d\ude00"', id="a pair"),
    pytest.param(rb'"\ud83d\ud83d\ude00"', rb'"\ufffd\ud83d\ude00"', id="a half before a pair"),
    pytest.param(rb'"\\ud83d"', rb'"\\ud83d"', id="an escaped backslash"),
    pytest.param(rb'"\\\ud83d"', rb'"\\\ufffd"', id="a half after a backslash"),
    pytest.param(b'"\xff"', '"\ufffd"'.encode(), id="no UTF-8"),
    pytest.param('"ä"'.encode(), '"ä"'.encode(), id="UTF-8"),
]


@pytest.mark.parametrize(("text", "mended"), HALVES)
def test_halves_of_characters_are_replaced(text: bytes, mended: bytes) -> None:
    assert without_half_characters(text) == mended


def test_whole_numbers_are_exact() -> None:
    message = read_message(
        b'{"jsonrpc":"2.0","id":1,"result":{"n":9223372036854775808,"m":' + b"9" * 400 + b"}}"
    )

    assert isinstance(message, JSONRPCResponse)
    assert message.result == {"n": 2**63, "m": 10**400 - 1}


ANSWERED = [
    pytest.param(b'{"jsonrpc":"2.0","id":7,"result":{"a":"', b'"}}', 7, id="first members"),
    pytest.param(b'{ "id" : "7" , "result":{', b'"}}', 7, id="first member, a string, spaces"),
    pytest.param(b'{"result":{"content":[', b']},"jsonrpc":"2.0","id":7}', 7, id="last member"),
    pytest.param(b'{"result":{"content":[', b']},"id":7,"jsonrpc":"2.0"}\r', 7, id="last members"),
    pytest.param(b'{"result":{"content":[', b'"id":7}]}}', None, id="within the result"),
    pytest.param(b'{"result":"', rb' \"id\":7}"}', None, id="within a text"),
    pytest.param(b'{"jsonrpc":"2.0","id":7,"method":"x","params":{', b"}}", None, id="a request"),
    pytest.param(b'{"jsonrpc":"2.0","method":"x","params":{', b'},"id":7}', None, id="a request's end"),
]


@pytest.mark.parametrize(("head", "tail", "request_id"), ANSWERED)
def test_the_request_that_an_answer_names(head: bytes, tail: bytes, request_id: int | None) -> None:
    assert answered_by(head, tail) == request_id


def test_an_answer_that_cannot_be_read_fails_its_request() -> None:
    message = read_message(b'{"jsonrpc":"2.0","id":3,"result":{"n":' + b"[" * 300 + b"]" * 300 + b"}}")

    assert isinstance(message, JSONRPCError)
    assert message.id == 3
    assert message.error.code == UNREADABLE
    assert message.error.message == (
        "gave an answer that cannot be read: Invalid JSON: recursion limit exceeded at line 1 column 238"
    )


@pytest.mark.parametrize("line", [b"", b"Listening on 8080", b"[]", b'{"jsonrpc":"2.0"}', b"null"])
def test_what_is_no_message(line: bytes) -> None:
    with pytest.raises(NoMessage):
        read_message(line)


def test_a_long_answer_fails_its_request_with_figures() -> None:
    line = LongLine(b'{"jsonrpc":"2.0","id":4,"result":', b"}", MAX_MESSAGE_BYTES + 2**20)

    assert read_long_line(line) == answer_in_place(4, TOO_LARGE, "is too large: 9 MiB, limit 8 MiB")


def test_a_long_notification_is_left_out() -> None:
    line = LongLine(b'{"jsonrpc":"2.0","method":"notifications/x"', b"}", MAX_MESSAGE_BYTES + 1)

    assert read_long_line(line) is None
    assert isinstance(read_message(b'{"jsonrpc":"2.0","method":"notifications/x"}'), JSONRPCNotification)


def test_a_long_message_that_names_nothing_is_told_with_figures() -> None:
    with pytest.raises(NoMessage, match=r"^sent a message that names no call: 9 MiB, limit 8 MiB$"):
        read_long_line(LongLine(b'{"result":{', b"}}", 9 * 2**20))
