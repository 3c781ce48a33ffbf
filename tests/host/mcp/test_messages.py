"""Requests that can be read, and what answers those that cannot."""

import json
from typing import Any, Final

import mcp_types as types
import pytest

from host.mcp.messages import Unreadable, read_request
from host.tools import LongLine

CALL: Final[dict[str, Any]] = {"jsonrpc": "2.0", "id": 7, "method": "tools/list"}


def test_a_message_is_read() -> None:
    message = read_request(json.dumps(CALL).encode())

    assert isinstance(message, types.JSONRPCRequest)
    assert (message.id, message.method) == (7, "tools/list")


def test_a_pair_of_surrogates_is_a_character() -> None:
    message = read_request(json.dumps({**CALL, "params": {"a": "\U0001f600"}}).encode())

    assert isinstance(message, types.JSONRPCRequest)
    assert message.params == {"a": "\U0001f600"}


def refused(line: bytes | LongLine) -> types.JSONRPCError:
    read = read_request(line)
    assert isinstance(read, Unreadable)
    return read.answer


LONE: Final = "a text of it holds a lone surrogate, which is no character"


@pytest.mark.parametrize(
    ("line", "id_", "told"),
    [
        (rb'{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"\ud800"}}', 7, LONE),
        (rb'{"jsonrpc":"2.0","id":"seven","method":"m","params":{"a":"\udc00x"}}', "seven", LONE),
        (b'{"jsonrpc":"2.0","id":7,"method":', 7, "Invalid JSON: EOF"),
        (
            b'{"method":"m","params":{nonsense},"jsonrpc":"2.0","id":9}',
            9,
            "Invalid JSON: key must be a string",
        ),
        (b"[" * 2000, None, "Invalid JSON: recursion limit exceeded"),
        (b"\xff\xfe", None, "Invalid JSON: expected value"),
        (b"hello", None, "Invalid JSON: expected value"),
    ],
)
def test_what_is_no_json_answers_the_request_it_was_meant_to_be(line: bytes, id_: object, told: str) -> None:
    answer = refused(line)

    assert (answer.id, answer.error.code) == (id_, types.PARSE_ERROR)
    assert answer.error.message.startswith(f"The message cannot be read: {told}")


@pytest.mark.parametrize(
    ("line", "id_", "told"),
    [
        (rb'{"id":7,"method":"m","params":{"a":"\\ud800"}}', 7, "Field required: jsonrpc."),
        (b'{"jsonrpc":"2.0","id":true,"method":5}', None, "Input should be a valid integer: id.int."),
        (b'{"jsonrpc":"2.0","id":7,"method":"m","params":[]}', 7, "Input should be an object: params."),
        (b'{"jsonrpc":"1.0","id":7,"method":"m"}', 7, "Input should be '2.0': jsonrpc."),
        (b'{"a":"{\\"id\\":3,","id":"x"}', "x", "Field required: jsonrpc."),
        (
            b'[{"jsonrpc":"2.0","id":7,"method":"ping"}]',
            None,
            "it is a list, and each message is sent alone.",
        ),
        (b" []", None, "it is a list, and each message is sent alone."),
        (b"null", None, "Input should be an object."),
    ],
)
def test_what_is_no_message_is_refused(line: bytes, id_: object, told: str) -> None:
    answer = refused(line)

    assert (answer.id, answer.error.code) == (id_, types.INVALID_REQUEST)
    assert answer.error.message == f"The message cannot be read: {told}"


@pytest.mark.parametrize("id_", [b"null", b"true", b"1.5", b"[7]", b"{}"])
def test_a_request_whose_id_is_none_is_answered_all_the_same(id_: bytes) -> None:
    answer = refused(b'{"jsonrpc":"2.0","method":"ping","id":' + id_ + b"}")

    assert (answer.id, answer.error.code) == (None, types.INVALID_REQUEST)
    assert answer.error.message == (
        "The request cannot be answered: its id is neither a whole number nor a text."
    )


@pytest.mark.parametrize("params", [b"{}", b'{"id":1.5}', b'{"text":"id"}'])
def test_a_notification_has_no_id(params: bytes) -> None:
    message = read_request(b'{"jsonrpc":"2.0","method":"notifications/x","params":' + params + b"}")

    assert isinstance(message, types.JSONRPCNotification)


def test_an_error_that_a_client_sends_is_a_message() -> None:
    message = read_request(b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}')

    assert isinstance(message, types.JSONRPCError)


@pytest.mark.parametrize(
    ("head", "tail", "id_"),
    [
        (b'{"jsonrpc":"2.0","id":4,"method":"m","params":{"a":"x', b'xxx"}}', 4),
        (b'{"method":"m","params":{"a":"x', b'xxx"},"jsonrpc":"2.0","id":"b"}', "b"),
        (b'{"method":"m","params":{"a":"x', b'xxx"},"id": 12, "jsonrpc": "2.0"}', 12),
        (b'{"method":"m","params":{"a":"x', b'xxx"}}', None),
    ],
)
def test_what_is_too_long_is_answered_by_its_edges(head: bytes, tail: bytes, id_: object) -> None:
    answer = refused(LongLine(head, tail, 21 * 2**20))

    assert (answer.id, answer.error.code) == (id_, types.INVALID_REQUEST)
    assert answer.error.message == "The message is too large: 21 MiB, limit 20 MiB."
